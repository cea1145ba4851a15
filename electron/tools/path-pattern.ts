import { isAbsolute } from "node:path";
import { foreignMark, maxGlobChars } from "../../shared/safety/globs.ts";
import { EnvironmentError } from "../agent/ports/ports.ts";

/**
 * A model's pattern for paths: `*`, `?` and `[a-z]` within a name, `**` over folders, `{a,b}` one of them, `\` before what is
 * meant as it is. Matched in time that grows with pattern times path: no regular expression, nothing is tried in all ways.
 */
export interface PathPattern {
  /** Simpler patterns, for whoever walks through the folders: what fits it fits one of them, too. */
  readonly walks: readonly string[];
  /** Whether a name in it begins with a dot: `*`, `?` and `**` take no such name. */
  readonly meansHidden: boolean;
  /** @param path with `/` between names */
  fits(path: string): boolean;
}

/** What `{a,b}` may come to, multiplied. */
const maxAlternatives = 200;

/** @throws EnvironmentError for a pattern that leads out of its folder, that is too long, or that stands for too many */
export function readPathPattern(pattern: string): PathPattern {
  if (isAbsolute(pattern) || pattern.split(/[\\/{},]/).includes("..")) throw leadsOut(pattern);
  if (pattern.length > maxGlobChars) {
    throw new EnvironmentError(`The pattern is too long: at most ${maxGlobChars} characters.`);
  }
  const alternatives = [...new Set(spellings(inOurLanguage(pattern)).flatMap(alternativesOf))].map((one) =>
    one.split("/").filter((name) => name !== "" && name !== "."),
  );
  if (alternatives.some((names) => names.includes(".."))) throw leadsOut(pattern);
  const rows = alternatives.map((names) => names.map(partOfPath));
  return {
    walks: [...new Set(alternatives.map(walkOf))],
    meansHidden: alternatives.some((names) => names.some((name) => name.startsWith("."))),
    fits(path) {
      const names = path.split("/");
      return rows.some((parts) => fitsRow(parts, names));
    },
  };
}

const leadsOut = (pattern: string) =>
  new EnvironmentError(`${pattern}: a pattern is relative to its folder and cannot lead out of it.`);

/** @returns the pattern with `[a-c]` for `{a..c}` @throws EnvironmentError for one with marks that mean nothing here */
export function inOurLanguage(pattern: string): string {
  const plain = pattern.replaceAll(/(?<!\\)\{(\w)\.\.(\w)\}/g, "[$1-$2]");
  const why = foreignMark(plain);
  if (why !== null) throw new EnvironmentError(`${pattern}: ${why}`);
  return plain;
}

/** A pattern in each way to write its letters: names on a disk may have them in another one. */
export function spellings(pattern: string): string[] {
  // In brackets a letter and its accent would be two.
  if (/\[[^\]]*[^ -~\]]/.test(pattern)) return [pattern];
  return [...new Set([pattern, pattern.normalize("NFC"), pattern.normalize("NFD")])];
}

/** Without `{a,b}`, each one once. */
function alternativesOf(pattern: string): string[] {
  let all = [pattern];
  for (;;) {
    const next = new Set<string>();
    for (const one of all) {
      // The first that has none within it.
      const [, before = "", inner, behind = ""] = /^(.*?)(?<!\\)\{([^{},]*,[^{}]*)\}(.*)$/s.exec(one) ?? [];
      for (const part of inner?.split(",") ?? []) next.add(before + part + behind);
      if (inner === undefined) next.add(one);
      if (next.size > maxAlternatives) {
        throw new EnvironmentError(
          `${pattern}: its {a,b} stand for more than ${maxAlternatives} patterns. Use fewer, in several calls.`,
        );
      }
    }
    if (next.size === all.length && all.every((one) => next.has(one))) return all;
    all = [...next];
  }
}

/** Up to the first `**`: below, all folders are walked through in any case. */
function walkOf(names: readonly string[]): string {
  const deep = names.indexOf("**");
  const walked = (deep < 0 ? names : names.slice(0, deep)).map((name) => (isPlain.test(name) ? name : "*"));
  return [...walked, ...(deep < 0 ? [] : ["**"])].join("/");
}

/** Nothing in it means anything but itself to whoever reads patterns. */
const isPlain = /^[\p{L}\p{M}\p{N} ._@~=#-]+$/u;

/** What one place in a row takes: one item that passes, or any number of them. */
interface Part {
  takes(item: string): boolean;
  isMany: boolean;
}

function partOfPath(name: string): Part {
  if (name === "**") return { takes: (item) => !item.startsWith("."), isMany: true };
  const parts = partsOfName(name);
  return {
    takes: (item) => (name.startsWith(".") || !item.startsWith(".")) && fitsRow(parts, [...item]),
    isMany: false,
  };
}

const partsOfName = (name: string): Part[] =>
  [...name.matchAll(/\\(.)|\*+|\[((?:\\.|[^\\\]])+)\]|./gsu)].map(([whole, escaped, set]) => ({
    takes:
      whole === "?" || whole.startsWith("*")
        ? () => true
        : (setOf(set) ?? ((char) => char === (escaped ?? whole))),
    isMany: whole.startsWith("*"),
  }));

/** @param inner such as `a-z_` or `!0-9` */
function setOf(inner: string | undefined): Part["takes"] | undefined {
  if (inner === undefined) return undefined;
  const isNot = /^[!^]/.test(inner);
  const ranges = [...inner.slice(isNot ? 1 : 0).matchAll(/\\?(.)(?:-\\?(.))?/gsu)];
  return (char) => ranges.some(([, from = "", to = from]) => from <= char && char <= to) !== isNot;
}

/** Of the places that take many, only the last one so far ever has to take more. */
function fitsRow(parts: readonly Part[], items: readonly string[]): boolean {
  let at = 0;
  /** The last of many, and what comes behind the items that it has. */
  let many: Part | undefined;
  let atBehind = 0;
  let behind = 0;
  for (let next = 0; next < items.length; ) {
    const part = parts[at];
    if (part?.isMany) {
      many = part;
      atBehind = ++at;
      behind = next;
    } else if (part?.takes(items[next] ?? "")) {
      at++;
      next++;
    } else if (many?.takes(items[behind] ?? "")) {
      at = atBehind;
      next = ++behind;
    } else return false;
  }
  return parts.slice(at).every(({ isMany }) => isMany);
}
