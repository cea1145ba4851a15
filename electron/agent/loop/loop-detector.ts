import type { Settings } from "../../../shared/settings.ts";
import { canonicalJson, outputHash } from "./canonical.ts";

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

/** Calls that are equal but for their results are polling, not standing still: they are warned of later. */
const warnAtEqualCalls = 10;
/** To wait for an agent again is no step: it is the agent that must make progress, and it is watched itself. */
const waiting = "wait";
const longestPattern = 3;
const maxShownChars = 120;

interface Step {
  /** Of every call of the round: name, arguments and result. */
  print: string;
  calls: string[];
}

/**
 * Watches the rounds of one run. A round that repeats calls **and** results is no progress: one to three such rounds
 * in turn, again and again, are a loop. It warns once at `loopWarnAt` repetitions (and at each multiple, where it
 * never stops) and stops at `loopStopAt`. Source of the pattern lengths: the coding-agent-loop specification.
 */
export class LoopDetector {
  readonly #limits: Limits;
  /** The last rounds, as many as the longest pattern. */
  readonly #recent: Step[] = [];
  /** By pattern length: how many rounds in a row equal the one that many before. */
  readonly #matches = new Map<number, number>();
  #equalCalls = { call: "", count: 0 };

  constructor(limits: Limits) {
    this.#limits = limits;
  }

  /** @param round the calls of one reply, in order @returns what was noticed with this round */
  observe(round: readonly ObservedCall[]): Loop | null {
    const calls = round.filter(({ name }) => name !== waiting);
    if (this.#limits.loopDetection === "off" || calls.length === 0) return null;
    const named = calls.map(({ name, input }) => `${name} ${canonicalJson(input ?? {})}`);
    const prints = calls.map(({ output }, index) => `${named[index]} ${outputHash(output)}`);
    this.#push({ print: prints.join("\n"), calls: named });
    return this.#repeatedPattern() ?? this.#equalButForResults(named);
  }

  #push(step: Step): void {
    for (let length = 1; length <= longestPattern; length++) {
      const matches = this.#recent.at(-length)?.print === step.print;
      this.#matches.set(length, matches ? (this.#matches.get(length) ?? 0) + 1 : 0);
    }
    this.#recent.push(step);
    if (this.#recent.length > longestPattern) this.#recent.shift();
  }

  #repeatedPattern(): Loop | null {
    const { loopDetection, loopWarnAt, loopStopAt, loopWindow } = this.#limits;
    for (let length = 1; length <= longestPattern; length++) {
      const rounds = (this.#matches.get(length) ?? 0) + length;
      // A A A is a pattern of one, not of two or three.
      const isShorter = length > 1 && (this.#matches.get(1) ?? 0) >= length - 1;
      if (isShorter || rounds % length > 0) continue;
      const count = rounds / length;
      const pattern = this.#recent.slice(-length).flatMap(({ calls }) => calls.map(shortened));
      if (loopDetection === "stop" && count >= loopStopAt && inWindow(loopStopAt, length, loopWindow)) {
        return { pattern, count, action: "stop" };
      }
      const isDue = loopDetection === "warn" ? count % loopWarnAt === 0 : count === loopWarnAt;
      if (isDue && inWindow(loopWarnAt, length, loopWindow)) return { pattern, count, action: "warn" };
    }
    return null;
  }

  #equalButForResults(calls: readonly string[]): Loop | null {
    let isDue = false;
    for (const call of calls) {
      const count = call === this.#equalCalls.call ? this.#equalCalls.count + 1 : 1;
      this.#equalCalls = { call, count };
      isDue = count % warnAtEqualCalls === 0;
    }
    const { call, count } = this.#equalCalls;
    return isDue ? { pattern: [shortened(call)], count, action: "warn" } : null;
  }
}

/** What the model is told. */
export function loopWarning({ pattern, count }: Loop): string {
  return `[LOOP DETECTED] The same step was made ${count} times without progress: ${pattern.join(", then ")}. Do not repeat it. Try another way, or tell the user what stands in the way.`;
}

/** Whoever looks back on fewer rounds than the repetitions take cannot see them; a single call is always counted. */
const inWindow = (times: number, length: number, window: number) => length === 1 || times * length <= window;

const shortened = (call: string) =>
  call.length <= maxShownChars ? call : `${call.slice(0, maxShownChars)}…`;
