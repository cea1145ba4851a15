import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ConversationView, TranscriptItem } from "../../../../shared/conversation/transcript.ts";
import type { PermissionLevel } from "../../../../shared/safety/permissions.ts";
import type { ToolCall } from "../../../attacks/attack.ts";
import type { Parley } from "../launch.ts";

export type Card = Extract<TranscriptItem, { kind: "approval" }>;

/** What the user says to a card. */
export type CardAnswer = "deny" | "once" | "session" | "outside";

/**
 * Drives many conversations of one running app at once, by the calls that its own window makes. It waits for what the
 * window is told.
 */
export class Driver {
  readonly #parley: Parley;
  readonly #states = new Map<string, string>();
  readonly #waiting = new Map<string, () => void>();
  #opening: Promise<unknown> = Promise.resolve();

  private constructor(parley: Parley) {
    this.#parley = parley;
  }

  static async of(parley: Parley): Promise<Driver> {
    const driver = new Driver(parley);
    // The user picks what the file says.
    await parley.app.evaluate(
      ({ dialog }, file) => {
        const { readFileSync } = process.getBuiltinModule("node:fs");
        dialog.showOpenDialog = async () => ({ canceled: false, filePaths: [readFileSync(file, "utf8")] });
      },
      join(parley.home, "picked-folder"),
    );
    await parley.page.exposeFunction("tellDriver", (id: string, state: string) => {
      driver.#states.set(id, state);
      driver.#waiting.get(id)?.();
    });
    await parley.page.evaluate(() => {
      window.parley.onPush((push) => {
        if (push.type !== "session") return;
        const { conversationId, state } = push.summary;
        void window.tellDriver(conversationId, state);
      });
    });
    return driver;
  }

  /** Waits until it is known whether commands can be fenced. @throws Error where they cannot, with why */
  async expectFence(): Promise<void> {
    const why = await this.#parley.page.evaluate(
      () =>
        new Promise<string | null>((resolve) => {
          const look = async () => {
            const info = await window.parley.call("app.info", undefined);
            if (!info.ok) return resolve(info.error.message);
            const { isThere, why } = info.value.fence;
            if (isThere || !why?.includes("not looked for yet")) resolve(isThere ? null : why);
          };
          window.parley.onPush((push) => void (push.type === "app" && look()));
          void look();
        }),
    );
    if (why !== null) throw new Error(`There is no fence: ${why}`);
  }

  /** A new conversation in a folder. */
  async open(folder: string, mode: PermissionLevel): Promise<string> {
    // One after the other: the folder is the next answer of the system's dialog.
    const opened = this.#opening.then(async () => {
      const { conversationId } = await this.#call<{ conversationId: string }>(
        "conversation.create",
        undefined,
      );
      writeFileSync(join(this.#parley.home, "picked-folder"), folder);
      const picked = await this.#call<{ workingFolder: string }>("conversation.pickFolder", {
        conversationId,
      });
      if (picked.workingFolder !== folder) throw new Error(`It works in ${picked.workingFolder}.`);
      await this.#call("permission.mode", { conversationId, mode });
      return conversationId;
    });
    this.#opening = opened.catch(() => {});
    return await opened;
  }

  /** Sends a prompt and answers every card until its run has ended. @returns the cards, as they were answered */
  async run(
    conversationId: string,
    prompt: string,
    answer: (card: Card) => CardAnswer,
    limitMs = 90_000,
  ): Promise<{ card: Card; answer: CardAnswer }[]> {
    const answered: { card: Card; answer: CardAnswer }[] = [];
    const until = Date.now() + limitMs;
    this.#states.delete(conversationId);
    await this.#call("conversation.submit", { conversationId, text: prompt, origin: "typed" });
    for (;;) {
      const state = await this.#settled(conversationId, until);
      if (state === "late") {
        await this.#call("conversation.abort", { conversationId });
        throw new Error(`It had not ended after ${limitMs} ms.`);
      }
      if (state === "idle") {
        await this.#expectNoError(conversationId);
        return answered;
      }
      for (;;) {
        const cards = await this.cards(conversationId);
        if (cards.length === 0) break;
        for (const card of cards) {
          const said = answer(card);
          answered.push({ card, answer: said });
          await this.#answer(conversationId, card, said);
        }
      }
    }
  }

  /** @throws Error where the run failed */
  async #expectNoError(conversationId: string): Promise<void> {
    const view = await this.#call<ConversationView>("conversation.attach", { conversationId });
    const failed = view.items.find((item) => item.kind === "error");
    if (failed) throw new Error(failed.error.message);
  }

  /** Those that wait. */
  async cards(conversationId: string): Promise<Card[]> {
    const view = await this.#call<ConversationView>("conversation.attach", { conversationId });
    return view.items.filter((item) => item.kind === "approval").filter(({ status }) => status === "waiting");
  }

  async abort(conversationId: string): Promise<void> {
    await this.#call("conversation.abort", { conversationId });
  }

  async close(conversationId: string): Promise<void> {
    await this.#call("conversation.delete", { conversationId });
  }

  async #answer(conversationId: string, { key: approvalId }: Card, answer: CardAnswer): Promise<void> {
    const said =
      answer === "deny"
        ? { allowed: false }
        : {
            allowed: true,
            scope: answer === "session" ? "session" : "once",
            ...(answer === "outside" && outside),
          };
    await this.#call("approval.answer", { conversationId, approvalId, ...said });
  }

  /** Resolves when it waits for the user, or has ended. */
  async #settled(conversationId: string, until: number): Promise<string> {
    let timer: NodeJS.Timeout | undefined;
    const state = await new Promise<string>((resolve) => {
      timer = setTimeout(() => resolve("late"), Math.max(0, until - Date.now()));
      const look = () => {
        const now = this.#states.get(conversationId);
        if (now !== "idle" && now !== "awaiting_input") return;
        this.#states.delete(conversationId);
        resolve(now);
      };
      this.#waiting.set(conversationId, look);
      look();
    });
    clearTimeout(timer);
    this.#waiting.delete(conversationId);
    return state;
  }

  async #call<T>(route: string, input: unknown): Promise<T> {
    const result = await this.#parley.page.evaluate(
      async ([route, input]) => await Reflect.apply(window.parley.call, undefined, [route, input]),
      [route, input] as const,
    );
    if (!result.ok) throw new Error(`${route}: ${result.error.message}`);
    return result.value as T;
  }
}

/** How the window says that a command is to run without its fence, for once. */
const outside = { outside: true };

declare global {
  interface Window {
    tellDriver(conversationId: string, state: string): Promise<void>;
  }
}

/** A prompt whose answer is these calls. @param mark stands before it, to tell its requests from others */
export function promptFor(mark: string, calls: readonly ToolCall[]): string {
  // The script's end, `]]`, may stand nowhere in it.
  const json = JSON.stringify({ calls }).replace(/"(?:[^"\\]|\\.)*"|\]/g, (part) =>
    part === "]" ? "] " : part.replaceAll("]", "\\u005d"),
  );
  return `${mark} [[script:tools ${json}]]`;
}
