/**
 * The words that may come next in a command's line, by its usage: `/effort [off | low]`, `/key [list] · weak on | off`. What
 * is written in capitals stands for something else, and is not offered.
 * @param typed the whole line
 * @returns those that begin with what is typed of the last word; none where that is whole
 */
export function nextWords(typed: string, usage: string): string[] {
  const words = typed.trimStart().split(/\s+/).slice(1);
  const last = words.pop();
  if (last === undefined) return [];
  const [first = "", ...others] = usage.split(" · ");
  const forms = [first.replace(/^\/\S+\s*/, ""), ...others.filter((form) => !form.startsWith("/"))].map(
    placesOf,
  );
  const fitting = forms.filter((places) =>
    words.every((word, place) => places[place]?.some((one) => one === word.toLowerCase() || isName(one))),
  );
  const next = fitting.flatMap((places) => (places[words.length] ?? []).filter((word) => !isName(word)));
  const start = last.toLowerCase();
  return next.includes(start) ? [] : [...new Set(next)].filter((word) => word.startsWith(start));
}

/** The words of each place of a form; `a | b` are one place. */
function placesOf(form: string): string[][] {
  return form
    .replaceAll(/[[\]]/g, "")
    .replaceAll(/\s*\|\s*/g, "|")
    .split(/\s+/)
    .filter((place) => place !== "")
    .map((place) => place.split("|"));
}

const isName = (word: string): boolean => !/^[a-z][a-z-]*$/.test(word);

/** A command's line with its fixed words. */
export interface CommandLine {
  line: string;
  /** It can be sent as it is; else it wants words of the user's. */
  isWhole: boolean;
}

interface Place {
  words: readonly string[];
  isOptional: boolean;
}

/**
 * All lines with fixed words behind the command's name, by its usage: `/effort [off | low]` has two. What is written in
 * capitals, and options, end a line.
 */
export function commandLines(usage: string): CommandLine[] {
  const name = /^\/\S+/.exec(usage)?.[0];
  if (name === undefined) return [];
  const lines = new Map<string, boolean>();
  const add = (line: string, isWhole: boolean) => {
    if (line !== name) lines.set(line, isWhole || (lines.get(line) ?? false));
  };
  const walk = (line: string, [place, ...rest]: readonly Place[]): void => {
    if (!place) {
      add(line, true);
      return;
    }
    const fixed = place.words.filter((word) => !isName(word));
    if (place.isOptional) add(line, true);
    else if (fixed.length < place.words.length) add(line, false);
    for (const word of fixed) walk(`${line} ${word}`, rest);
  };
  for (const form of usage.split(" · ")) walk(name, optionalPlacesOf(form.replace(/^\/\S+\s*/, "")));
  return [...lines].map(([line, isWhole]) => ({ line, isWhole }));
}

const optionalPlacesOf = (form: string): Place[] =>
  (form.replaceAll(/\s*\|\s*/g, "|").match(/\[[^\]]*\]|[^\s[\]]+/g) ?? []).map((place) => ({
    words: place.replaceAll(/[[\]]/g, "").split("|"),
    isOptional: place.startsWith("["),
  }));
