/**
 * Patterns that anybody may have written, matched in time that grows with pattern times text and no faster: no regular
 * expression, nothing is tried again.
 */

/** Longest pattern that is understood, in UTF-16 units; a longer one fits nothing, or all where that is stricter. */
export const maxGlobChars = 4096;

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
  return {
    fits(path) {
      let states = follow(steps, [0]);
      for (const char of path) {
        // What names a folder names all below it.
        if (char === "/" && states.includes(steps.length)) return true;
        states = after(steps, states, char);
        if (states.length === 0) return false;
      }
      return states.includes(steps.length);
    },
    mayFitBelow(folder) {
      let states = follow(steps, [0]);
      for (const char of folder.endsWith("/") ? folder : `${folder}/`) {
        if (char === "/" && states.includes(steps.length)) return true;
        states = after(steps, states, char);
      }
      return states.length > 0;
    },
  };
}

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

/** The places that are reached by one character more. */
function after(steps: readonly Step[], states: readonly number[], char: string): number[] {
  const next: number[] = [];
  for (const at of states) {
    const step = steps[at];
    if (step === undefined || step.takes === "nothing") continue;
    if (step.takes === "char" ? step.char === char : step.takes === "inName" && char !== "/")
      next.push(at + 1);
    else if (step.takes === "anyOften" || (step.takes === "inNameOften" && char !== "/")) next.push(at);
  }
  return follow(steps, next);
}

/** These places, and those that are reached from them without a character; each once. */
function follow(steps: readonly Step[], states: readonly number[]): number[] {
  const seen = new Uint8Array(steps.length + 1);
  const reached: number[] = [];
  const open = [...states];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    if (seen[at]) continue;
    seen[at] = 1;
    const step = steps[at];
    if (step?.takes === "nothing") open.push(...step.goTo);
    else reached.push(at);
    if (step?.takes === "anyOften" || step?.takes === "inNameOften") open.push(at + 1);
  }
  return reached;
}
