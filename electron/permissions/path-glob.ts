import { readdirSync } from "node:fs";
import { isAbsolute, join, sep } from "node:path";
import { type Glob, maxGlobChars, maxPathChars, readGlob } from "../../shared/safety/globs.ts";
import { folded } from "../../shared/safety/secret-files.ts";
import { expandHome } from "../files/expand-home.ts";

/**
 * Whether a rule's glob fits a file: `*` and `?` within a name, `**` over folders, `{a,b}` one of them. A glob that names
 * a folder fits all below it.
 * @param glob from `folder`, absolute, or from `~/`
 * @param real absolute, free of links
 * @param loosely as a rule that narrows sees it: without case, look-alikes as what they look like, and `x/**` is `x`, too
 */
export function fitsGlob(glob: string, real: string, folder: string, loosely: boolean): boolean {
  if (glob.length > maxGlobChars || real.length > maxPathChars) return loosely;
  if (loosely) return looseGlob(glob, folder).fits(looseForm(real));
  // Two ways to write one letter are two files for some systems: a rule that widens takes the usual one only.
  if (real.normalize("NFC") !== real) return false;
  const pattern = absoluteGlob(glob, folder).normalize("NFC");
  return knownGlob(pattern).fits(real.replaceAll(sep, "/"));
}

/** The files that a rule's glob names, from the root, with `/` between names. */
export function absoluteGlob(glob: string, folder: string): string {
  const home = expandHome(glob);
  const whole = isAbsolute(home) ? home : join(folder, home);
  return whole.replaceAll(sep, "/").replace(/(?<=.)\/+$/, "");
}

/** The folder or file that a glob without a pattern names, or one whose whole content it names; null for all others. */
export function placeOf(absolute: string): string | null {
  const place = withoutAllBelow(absolute);
  return /[*?{}]/.test(place) ? null : place;
}

/**
 * Whether a folder holds anything that a narrowing glob names. One with more than can be looked through in a moment
 * counts as holding it.
 * @param real absolute, free of links
 */
export function holdsAny(glob: string, real: string, folder: string): boolean {
  if (glob.length > maxGlobChars || real.length > maxPathChars) return true;
  const pattern = looseGlob(glob, folder);
  let left = mostLookedAt;
  const open = [real];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    if (!pattern.mayFitBelow(looseForm(at))) continue;
    for (const entry of entriesOf(at)) {
      const path = join(at, entry.name);
      if (--left < 0 || pattern.fits(looseForm(path))) return true;
      if (entry.isDirectory()) open.push(path);
    }
  }
  return false;
}

const mostLookedAt = 5000;

function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    // No folder, or none that can be read: nothing can be taken from it either.
    return [];
  }
}

const withoutAllBelow = (glob: string) => glob.replace(/(?:\/\*\*)+$/, "") || "/";

const looseForm = (path: string) => folded(path.replaceAll(sep, "/"));

const looseGlob = (glob: string, folder: string) =>
  knownGlob(looseForm(withoutAllBelow(absoluteGlob(glob, folder))));

const known = new Map<string, Glob>();
const mostKnown = 1000;

/** Rules are asked again and again, for every file of a search. */
function knownGlob(pattern: string): Glob {
  const before = known.get(pattern);
  if (before) return before;
  const glob = readGlob(pattern);
  if (known.size >= mostKnown) known.clear();
  known.set(pattern, glob);
  return glob;
}
