import { sep } from "node:path";

/** Native code cannot read inside an asar archive: a packaged app keeps such files beside it, unpacked. */
export function unpackedPath(path: string): string {
  return path.replace(`app.asar${sep}`, `app.asar.unpacked${sep}`);
}
