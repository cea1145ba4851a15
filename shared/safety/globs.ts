/**
 * Patterns that anybody may have written, matched in time that grows with pattern times text and no faster: no regular
 * expression, nothing is tried again.
 */

/** Longest pattern and longest path that are compared, in UTF-16 units: beyond, what is stricter counts. */
export const maxGlobChars = 2000;
export const maxPathChars = 4096;

/** Whether a text fits: `*` stands for any characters. */
export function fitsWildcard(pattern: string, text: string): boolean {
  const [first = "", ...rest] = pattern.split("*");
  const last = rest.pop();
  if (last === undefined) return text === first;
  if (!text.startsWith(first)) return false;
  let at = first.length;
  for (const part of rest) {
    const found = text.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return text.length - last.length >= at && text.endsWith(last);
}

/** Marks of other languages of patterns: here they are letters, so that a pattern with them finds nothing. */
const foreignMarks: readonly [mark: RegExp, instead: string][] = [
  [/(?<!\\)\|/, "Write {a,b} in a pattern for one of several, not a|b."],
  [
    /(?<!\\)[!@+]\(/,
    "A pattern has no !(…), @(…) or +(…). Write {a,b} for one of several, and ? for such a sign in a name.",
  ],
  [/(?<!\\)\{-?\w+\.\.-?\w+(?:\.\.-?\w+)?\}/, "Write {1,2,3} in a pattern for a row, not {1..3}."],
  [/\[:\w+:\]/, "A pattern has no [[:digit:]] and the like. Write {0,1,2}, or ? for any sign."],
];

/** @returns what to write in place of such a mark; null where there is none */
export const foreignMark = (pattern: string): string | null =>
  foreignMarks.find(([mark]) => mark.test(pattern))?.[1] ?? null;

/** `*` and `?` within a name, `**` over folders, `{a,b}` one of them. */
export interface Glob {
  /** Whether the path fits, or a folder above it does. */
  fits(path: string): boolean;
  /** Whether anything below this folder could fit. */
  mayFitBelow(folder: string): boolean;
}

/** @param glob with `/` between names, without one at its end */
export function readGlob(glob: string): Glob {
  const steps = stepsOf(glob);
  const walk = new Walk(steps);
  return {
    fits(path) {
      walk.begin();
      for (const char of path) {
        // What names a folder names all below it.
        if (char === "/" && walk.isAtEnd) return true;
        if (!walk.take(char)) return false;
      }
      return walk.isAtEnd;
    },
    mayFitBelow(folder) {
      walk.begin();
      for (const char of folder.endsWith("/") ? folder : `${folder}/`) {
        if (char === "/" && walk.isAtEnd) return true;
        if (!walk.take(char)) return false;
      }
      return true;
    },
  };
}

/** All places of a pattern at once: a character costs a look at each of them, never more. Plain numbers, for speed. */
class Walk {
  readonly #takes: Uint8Array;
  /** The character that a place takes. */
  readonly #codes: Int32Array;
  readonly #goTo: readonly (readonly number[])[];
  readonly #end: number;
  /** Places that are reached now, and how many they are. */
  #at: Int32Array;
  #count = 0;
  #next: Int32Array;
  /** By place: the turn in which it was last reached. */
  readonly #reached: Int32Array;
  #turn = 0;

  constructor(steps: readonly Step[]) {
    const size = steps.length + 1;
    this.#end = steps.length;
    this.#takes = Uint8Array.from(steps, ({ takes }) => kinds.indexOf(takes));
    this.#codes = Int32Array.from(steps, (step) => (step.takes === "char" ? codeOf(step.char) : -1));
    this.#goTo = steps.map((step) => (step.takes === "nothing" ? step.goTo : []));
    this.#at = new Int32Array(size);
    this.#next = new Int32Array(size);
    this.#reached = new Int32Array(size).fill(-1);
  }

  get isAtEnd(): boolean {
    return this.#reached[this.#end] === this.#turn;
  }

  begin(): void {
    this.#turn++;
    this.#count = 0;
    this.#reach(0);
    this.#swap();
  }

  /** @returns false where nothing fits any more */
  take(char: string): boolean {
    const code = codeOf(char);
    const isInName = code !== slash;
    const count = this.#count;
    this.#turn++;
    this.#count = 0;
    for (let index = 0; index < count; index++) {
      const place = this.#at[index] ?? 0;
      if (place === this.#end) continue;
      const kind = this.#takes[place];
      if (kind === 0 ? this.#codes[place] === code : kind === 1 && isInName) this.#reach(place + 1);
      else if (kind === 3 || (kind === 2 && isInName)) this.#reach(place);
    }
    this.#swap();
    return this.#count > 0;
  }

  /** This place, and those that are reached from it without a character; each once a turn. */
  #reach(place: number): void {
    if (this.#reached[place] === this.#turn) return;
    this.#reached[place] = this.#turn;
    const kind = place === this.#end ? 0 : this.#takes[place];
    if (kind === 4) {
      for (const next of this.#goTo[place] ?? []) this.#reach(next);
      return;
    }
    this.#next[this.#count++] = place;
    if (kind === 2 || kind === 3) this.#reach(place + 1);
  }

  #swap(): void {
    const before = this.#at;
    this.#at = this.#next;
    this.#next = before;
  }
}

const kinds = ["char", "inName", "inNameOften", "anyOften", "nothing"] as const;
const codeOf = (char: string) => char.codePointAt(0) ?? -1;
const slash = codeOf("/");

/** What one place of a pattern takes; `goTo` are places that cost no character. */
type Step =
  | { takes: "char"; char: string }
  | { takes: "inName" | "inNameOften" | "anyOften" }
  | { takes: "nothing"; goTo: readonly number[] };

function stepsOf(glob: string): Step[] {
  const steps: Step[] = [];
  for (const [token] of glob.matchAll(/\*\*\/|\*\*|\*|\?|\{[^{}]*\}|./gsu)) {
    if (token === "**/") {
      // Nothing, or any folders and the sign behind them.
      const at = steps.length;
      steps.push({ takes: "nothing", goTo: [at + 1, at + 3] }, { takes: "anyOften" });
      steps.push({ takes: "char", char: "/" });
    } else if (token === "**") steps.push({ takes: "anyOften" });
    else if (token === "*") steps.push({ takes: "inNameOften" });
    else if (token === "?") steps.push({ takes: "inName" });
    else if (token.length > 2 && token.startsWith("{")) addAlternatives(steps, token.slice(1, -1).split(","));
    else for (const char of token) steps.push({ takes: "char", char });
  }
  return steps;
}

function addAlternatives(steps: Step[], alternatives: readonly string[]): void {
  const parts = alternatives.map(stepsOf);
  const start = steps.length;
  const end = start + 1 + parts.reduce((sum, part) => sum + part.length + 1, 0);
  const starts: number[] = [];
  steps.push({ takes: "nothing", goTo: starts });
  for (const part of parts) {
    const offset = steps.length;
    starts.push(offset);
    steps.push(...part.map((step) => moved(step, offset)), { takes: "nothing", goTo: [end] });
  }
}

const moved = (step: Step, by: number): Step =>
  step.takes === "nothing" ? { ...step, goTo: step.goTo.map((place) => place + by) } : step;
