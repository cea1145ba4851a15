import { setTimeout as wait } from "node:timers/promises";
import { assertLockable, isLockHeld } from "./instance-lock.ts";
import type { LaunchRequest } from "./launch-request-shape.ts";
import { whatRuns } from "./prompt-socket.ts";
import { askAgainMs, longestStartMs } from "./start-times.ts";

/**
 * A start that found the lock taken. The app was told what is asked of it; prompts of the command line open no window, so
 * where they alone run, this start waits until they have ended.
 * @param takeLock tells whoever has the lock what is asked, or makes this process that instance
 * @returns what this start is to do as that instance; null: the app runs, and does it
 * @throws Error where nothing can run in this user-data folder
 */
export async function startAfterPrompts(
  userData: string,
  request: LaunchRequest,
  takeLock: (request: LaunchRequest) => boolean,
): Promise<LaunchRequest | null> {
  let giveUpAt = performance.now() + longestStartMs;
  let hasWaited = false;
  for (;;) {
    const running = await whatRuns(userData);
    const asked = hasWaited ? atLast(request) : request;
    // What was told to the prompts was told to nobody.
    if (running === "app") return hasWaited && takeLock(asked) ? asked : null;
    if (running === "ended prompts") {
      hasWaited = true;
      giveUpAt = performance.now() + longestStartMs;
      continue;
    }
    // This asks nothing of whoever has the lock: the app, which does not listen yet, was told before.
    if (!(await isLockHeld(userData))) {
      if (takeLock({ type: "background" })) return asked;
      assertLockable(userData);
    }
    if (performance.now() > giveUpAt) return null;
    await wait(askAgainMs);
  }
}

/** What was meant for the moment is past: nobody expects a microphone that opens by itself some minutes later. */
const atLast = (request: LaunchRequest): LaunchRequest =>
  ["quick", "toggle_quick", "listen"].includes(request.type) ? { type: "open" } : request;
