import type { Settings } from "../../../shared/settings.ts";
import { canonicalJson, outputHash } from "./canonical.ts";
import { type Repeated, Repetition } from "./repetition.ts";
import { headOf } from "./text-ends.ts";

/** A call with what came of it, before it was truncated. */
export interface ObservedCall {
  name: string;
  input: unknown;
  output: string;
}

export interface Loop {
  /** The repeated calls, as `name input`. */
  pattern: string[];
  count: number;
  action: "warn" | "stop";
}

type Limits = Pick<Settings, "loopDetection" | "loopWarnAt" | "loopStopAt" | "loopWindow">;

/** Equal calls with other results may be polling: so many rounds of them are let be, and so many at most. */
const changingWarnAt = 10;
const changingStopAt = 20;
/** Replies in a row that are crowded with equal calls: so many stop. */
const crowdedStopAt = 3;
/** To wait for an agent again is no step: it is the agent that must make progress, and it is watched itself. */
const waiting = "wait";
const longestPattern = 3;
const maxShownChars = 120;

/**
 * Watches the rounds of one run. One to three rounds in turn, again and again, are a loop: soon where the results are the
 * same, too (a warning at `loopWarnAt` repetitions, the end at `loopStopAt`), and after more rounds where only the calls
 * are. One call that stands in a reply as often as `loopStopAt` is a loop by itself. Where loops are not stopped, it warns
 * again and again.
 */
export class LoopDetector {
  readonly #limits: Limits;
  /** The calls of the last rounds, as many as the longest pattern. */
  readonly #recent: string[][] = [];
  readonly #steps = new Repetition();
  readonly #calls = new Repetition();
  #crowded = { replies: 0, calls: 0 };

  constructor(limits: Limits) {
    this.#limits = limits;
  }

  /** @param round the calls of one reply, in order @returns what was noticed with this round */
  observe(round: readonly ObservedCall[]): Loop | null {
    const observed = round.filter(({ name }) => name !== waiting);
    if (this.#limits.loopDetection === "off" || observed.length === 0) return null;
    const calls = observed.map(({ name, input }) => `${name} ${canonicalJson(input ?? {})}`);
    this.#recent.push(calls);
    if (this.#recent.length > longestPattern) this.#recent.shift();
    this.#calls.add(calls.join("\n"));
    this.#steps.add(observed.map(({ output }, index) => `${calls[index]} ${outputHash(output)}`).join("\n"));
    const crowd = this.#crowdIn(calls);
    return this.#sameSteps() ?? crowd ?? this.#sameCalls();
  }

  /** Equal calls with equal results: no progress. */
  #sameSteps(): Loop | null {
    const { loopDetection, loopWarnAt, loopStopAt } = this.#limits;
    for (const repeated of this.#steps.patterns()) {
      const { times } = repeated;
      if (loopDetection === "stop" && times >= loopStopAt && this.#isInWindow(loopStopAt, repeated)) {
        return this.#loop(repeated, "stop");
      }
      const isDue = loopDetection === "warn" ? times % loopWarnAt === 0 : times === loopWarnAt;
      if (isDue && this.#isInWindow(loopWarnAt, repeated)) return this.#loop(repeated, "warn");
    }
    return null;
  }

  /** Equal calls, whatever their results; those with equal ones are watched more closely already. */
  #sameCalls(): Loop | null {
    const { loopDetection, loopWarnAt, loopStopAt, loopWindow } = this.#limits;
    const isWatched = [...this.#steps.patterns()].some(({ times }) => times >= loopWarnAt);
    if (isWatched) return null;
    for (const repeated of this.#calls.patterns()) {
      const { length, rounds } = repeated;
      const warnAt = wholePatterns(Math.max(changingWarnAt, loopWarnAt), length);
      const stopAt = wholePatterns(Math.max(changingStopAt, loopStopAt), length);
      if (length > 1 && changingWarnAt > loopWindow) continue;
      if (loopDetection === "stop" && rounds >= stopAt) return this.#loop(repeated, "stop");
      if (loopDetection === "warn" ? rounds % warnAt === 0 : rounds === warnAt) {
        return this.#loop(repeated, "warn");
      }
    }
    return null;
  }

  /** One call many times in one reply. */
  #crowdIn(calls: readonly string[]): Loop | null {
    const counts = new Map<string, number>();
    for (const call of calls) counts.set(call, (counts.get(call) ?? 0) + 1);
    const [call, count] = [...counts].reduce((most, one) => (one[1] > most[1] ? one : most));
    if (count < this.#limits.loopStopAt) {
      this.#crowded = { replies: 0, calls: 0 };
      return null;
    }
    const replies = this.#crowded.replies + 1;
    this.#crowded = { replies, calls: this.#crowded.calls + count };
    const noticed = { pattern: [shortened(call)], count: this.#crowded.calls };
    if (this.#limits.loopDetection === "warn" || replies === 1) return { ...noticed, action: "warn" };
    return replies >= crowdedStopAt ? { ...noticed, action: "stop" } : null;
  }

  #loop({ length, times }: Repeated, action: Loop["action"]): Loop {
    const pattern = this.#recent.slice(-length).flatMap((calls) => calls.map(shortened));
    return { pattern, count: times, action };
  }

  /** Whoever looks back on fewer rounds than the repetitions take cannot see them; a single call is always counted. */
  #isInWindow(times: number, { length }: Repeated): boolean {
    return length === 1 || times * length <= this.#limits.loopWindow;
  }
}

/** What the model is told. */
export function loopWarning({ pattern, count }: Loop): string {
  return `[LOOP DETECTED] You have made the same step ${count} times: ${pattern.join(", then ")}. Repeating it will not help. Try something else, or tell the user what is in the way.`;
}

/** Rounds, so many that no pattern is left in the middle. */
const wholePatterns = (rounds: number, length: number) => Math.ceil(rounds / length) * length;

const shortened = (call: string) => (call.length <= maxShownChars ? call : `${headOf(call, maxShownChars)}…`);
