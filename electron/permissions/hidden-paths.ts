import { lstatSync } from "node:fs";
import type { PermissionRule } from "../../shared/safety/permissions.ts";
import { expandHome } from "../files/expand-home.ts";
import { absoluteGlob, fitsGlob, placeOf } from "./path-glob.ts";
import { realPath } from "./real-path.ts";
import { fitsName } from "./rules.ts";

/** Rules that keep files from a tool: those that deny or ask for paths whatever else a call says. */
export const hidingRules = (rules: readonly PermissionRule[], tool: string, folder: string) =>
  rules.filter(
    (rule): rule is PermissionRule & { path: string } =>
      rule.verdict !== "allow" &&
      rule.path !== undefined &&
      rule.command === undefined &&
      rule.host === undefined &&
      rule.server === undefined &&
      (rule.tool === undefined || fitsName(rule.tool, tool)) &&
      (rule.folder === undefined || rule.folder === folder),
  );

/** @returns whether a file that a search found is one that these rules keep back; also one of which nobody can tell */
export function hiding(rules: readonly { path: string }[], folder: string): (path: string) => boolean {
  return (path) => {
    if (rules.length === 0) return false;
    const at = realPath(path, folder);
    return at === null || rules.some((rule) => fitsGlob(rule.path, at.real, folder, true));
  };
}

/** The same for the fence: absolute globs. */
export const globsOf = (rules: readonly { path: string }[], folder: string): string[] => [
  ...new Set(rules.map(({ path }) => absoluteGlob(path, folder))),
];

/** The first glob of which no fence can promise that a command that writes keeps off: a pattern, or what is not there yet. */
export const notHideable = (globs: readonly string[]): string | undefined =>
  globs.find((glob) => {
    const place = placeOf(glob);
    return place === null || !isThere(place);
  });

/**
 * The first glob that may name files outside of the folder which commands read, and which no fence hides: there nobody
 * looks for what fits a pattern, and what is around the folder cannot be hidden as a whole.
 * @param readable folders that the user lets commands read, absolute or from `~/`; of the home folder there are no others
 */
export function notHidden(globs: readonly string[], folder: string, readable: readonly string[]) {
  return globs.find((glob) => {
    const place = placeOf(glob);
    if (place !== null && !place.includes("[") && !isIn(folder, place)) return false;
    const start = place ?? glob.slice(0, glob.search(/[*?{]/)).replace(/[^/]*$/, "");
    if (isIn(start, folder)) return false;
    return !isIn(start, "~") || readable.some((one) => isIn(one, start) || isIn(start, one));
  });
}

const isIn = (path: string, folder: string) => realPath(path, expandHome(folder))?.isInside === true;

function isThere(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return false;
  }
}
