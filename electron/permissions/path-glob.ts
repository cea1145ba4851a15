import { isAbsolute, join, sep } from "node:path";
import { folded } from "../../shared/secret-files.ts";
import { expandHome } from "./real-path.ts";

/**
 * Whether a rule's glob fits a file: `*` and `?` within a name, `**` over folders, `{a,b}` one of them. A glob that names
 * a folder fits all below it.
 * @param glob from `folder`, absolute, or from `~/`
 * @param real absolute, free of links
 * @param loosely as a rule that narrows sees it: without case, look-alikes as what they look like
 */
export function fitsGlob(glob: string, real: string, folder: string, loosely: boolean): boolean {
  const home = expandHome(glob);
  const whole = isAbsolute(home) ? home : join(folder, home);
  const form = loosely ? folded : (text: string) => text.normalize("NFC");
  // Two ways to write one letter are two files for some systems: a rule that widens takes the usual one only.
  if (!loosely && real.normalize("NFC") !== real) return false;
  const pattern = globPattern(form(whole.replaceAll(sep, "/").replace(/\/+$/, "")));
  return new RegExp(`^${pattern}(/.*)?$`, "su").test(form(real.replaceAll(sep, "/")));
}

function globPattern(glob: string): string {
  return glob.replace(/\*\*\/|\*\*|\*|\?|\{[^{}]*\}|[\\^$.+()[\]{}|]/g, (token) => {
    if (token === "**/") return "(?:.*/)?";
    if (token === "**") return ".*";
    if (token === "*") return "[^/]*";
    if (token === "?") return "[^/]";
    if (token.length > 1) return `(?:${token.slice(1, -1).split(",").map(globPattern).join("|")})`;
    return `\\${token}`;
  });
}
