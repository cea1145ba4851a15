import { homedir } from "node:os";
import { join, sep } from "node:path";

/** `~` and `~/…` as the home folder; anything else as it is. */
export function expandHome(path: string, home = homedir()): string {
  if (path === "~") return home;
  return path.startsWith("~/") || path.startsWith(`~${sep}`) ? join(home, path.slice(2)) : path;
}
