export const levels = ["basic", "full"] as const;
export type Level = (typeof levels)[number];

export interface CheckResult {
  id: string;
  level: Level;
  /** What should be so. */
  title: string;
  outcome: "ok" | "failed" | "skipped";
  /** Why it is not ok, and what to do. */
  detail: string | null;
  /** Its heading in docs/speech-server.md. */
  section: string;
}

/** What should be so is not; the message says what to do. */
export class Failure extends Error {}
/** It cannot be told; the message says why. */
export class Skip extends Error {}

/** The checks of one server, one after the other. */
export class Checks {
  readonly results: CheckResult[] = [];
  readonly #level: Level;
  readonly #onResult: (result: CheckResult) => void;

  constructor(level: Level, onResult: (result: CheckResult) => void) {
    this.#level = level;
    this.#onResult = onResult;
  }

  /** @returns what the check found; undefined where it did not pass, or is not of this level */
  async run<T>(
    [level, id, section]: readonly [Level, string, string],
    title: string,
    check: () => Promise<T> | T,
  ): Promise<T | undefined> {
    if (level === "full" && this.#level === "basic") return undefined;
    const tell = (outcome: CheckResult["outcome"], detail: string | null) => {
      const result: CheckResult = { id, level, title, outcome, detail, section };
      this.results.push(result);
      this.#onResult(result);
    };
    try {
      const found = await check();
      tell("ok", null);
      return found;
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      tell(error instanceof Skip ? "skipped" : "failed", message);
      return undefined;
    }
  }
}

export function must(condition: boolean, otherwise: string): asserts condition {
  if (!condition) throw new Failure(otherwise);
}

/** What an earlier check was to find. @throws Skip where it did not */
export function need<T>(value: T | undefined, what: string): T {
  if (value === undefined) throw new Skip(`It needs ${what}, which did not pass.`);
  return value;
}
