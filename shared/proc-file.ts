import { readFileSync } from "node:fs";

/** What a file of `/proc` says; empty where it is not there, or not any more. */
export function procFile(path: string): string {
  try {
    return readFileSync(path, "latin1");
  } catch {
    return "";
  }
}
