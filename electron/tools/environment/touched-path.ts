import { normalize, sep } from "node:path";

/** One form for a path however it is written: `./a//b/../c/` is `a/c`. */
export function touchedPath(path: string): string {
  const normal = normalize(path).replaceAll(sep, "/");
  return normal.length > 1 ? normal.replace(/\/$/, "") : normal;
}
