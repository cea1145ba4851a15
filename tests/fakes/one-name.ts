import fs from "node:fs";
import { basename, dirname, join } from "node:path";

const calls = ["openSync", "lstatSync", "readlinkSync", "unlinkSync", "rmdirSync", "mkdirSync"] as const;
const { readdirSync } = fs;

/** As on a disk that takes names which differ only in their case for one, as macOS and Windows have them. @returns the way back */
export function ignoreCase(): () => void {
  const { renameSync } = fs;
  const before = calls.map((name) => [name, fs[name]] as const);
  for (const [name, call] of before) {
    const byName = (path: string, ...more: unknown[]): unknown =>
      Reflect.apply(call, fs, [found(path), ...more]);
    Object.assign(fs, { [name]: byName });
  }
  fs.renameSync = (from, to) => renameSync(found(String(from)), found(String(to)));
  return () => {
    for (const [name, call] of before) Object.assign(fs, { [name]: call });
    fs.renameSync = renameSync;
  };
}

/** By the name that the disk has. */
function found(path: string): string {
  const name = basename(path);
  let names: string[];
  try {
    names = readdirSync(dirname(path));
  } catch {
    return path;
  }
  if (names.includes(name)) return path;
  const other = names.find((known) => known.toLowerCase() === name.toLowerCase());
  return other === undefined ? path : join(dirname(path), other);
}
