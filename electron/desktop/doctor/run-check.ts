import type { CheckName, CheckResult, CheckState } from "../../../shared/doctor.ts";

/** What a check found, in words. */
export interface Finding {
  state: CheckState;
  found: string;
  todo?: string | null;
}

/** Looks at one thing by using it. It may throw: that counts as failed, in the error's words. */
export interface Check {
  name: CheckName;
  /** Milliseconds; one that takes longer has failed. */
  limitMs: number;
  /** @param signal aborted when the time is up: whatever was opened is closed then */
  look(signal: AbortSignal): Promise<Finding>;
  /** What to do where it throws, or takes too long. */
  todo: string;
}

export interface RunCheckOptions {
  now(): number;
  /** Takes out what must not be seen. */
  redact(text: string): string;
}

/** Runs one check to its end or to its time limit. Never rejects. */
export async function runCheck(check: Check, { now, redact }: RunCheckOptions): Promise<CheckResult> {
  const { name, limitMs, todo } = check;
  const since = now();
  const over = new AbortController();
  let end: () => void = () => {};
  const late = new Promise<Finding>((resolve) => {
    const timer = setTimeout(() => {
      resolve({ state: "failed", found: `No answer within ${Math.round(limitMs / 1000)} s.`, todo });
      over.abort();
    }, limitMs);
    end = () => clearTimeout(timer);
  });
  // In a function of its own: one that throws at once fails like the others.
  const looked = (async () => await check.look(over.signal))().catch(
    (error: unknown): Finding => ({
      state: "failed",
      found: error instanceof Error ? error.message : String(error),
      todo: hintOf(error) ?? todo,
    }),
  );
  const { state, found, todo: next = null } = await Promise.race([looked, late]);
  end();
  return {
    name,
    state,
    // Programs say what went wrong in several lines.
    found: redact(found.replaceAll(/\s+/g, " ").trim()),
    todo: next === null ? null : redact(next),
    ms: Math.round(now() - since),
  };
}

function hintOf(error: unknown): string | null {
  const hint: unknown = typeof error === "object" && error !== null ? Reflect.get(error, "hint") : null;
  return typeof hint === "string" && hint !== "" ? hint : null;
}
