import { existsSync, renameSync, rmSync, utimesSync } from "node:fs";

/** Where a damaged database lies until what can be read of it was taken over. */
export const asideOf = (file: string): string => `${file}.damaged`;

/** One whose rescue was not finished when the next was damaged: it comes after that one. */
export const earlierOf = (file: string): string => `${asideOf(file)}-earlier`;

/** Whether one is still to be taken over. A setting aside that was cut off is finished first. */
export function isToBeFilled(file: string): boolean {
  const aside = asideOf(file);
  if (!existsSync(aside)) {
    if (existsSync(earlierOf(file))) rename(earlierOf(file), aside);
    else if (existsSync(`${aside}-wal`) && !existsSync(`${file}-wal`)) rename(file, aside);
  }
  return existsSync(aside);
}

/** The log first: beside a new database it would be taken for the log of that one. */
const parts = ["-wal", ""];

/** Puts a damaged database out of the way, whole; nobody has it open. Its time of change is then this moment. */
export function setAside(file: string): void {
  // One whose rescue was never finished has what the new one has not got yet.
  if (existsSync(earlierOf(file))) {
    if (existsSync(asideOf(file))) nameAside(file);
  } else rename(asideOf(file), earlierOf(file));
  rmSync(`${file}-shm`, { force: true });
  rename(file, asideOf(file));
  const now = new Date();
  utimesSync(asideOf(file), now, now);
}

/** Nothing more is taken from it. @returns where it stays for good */
export function nameAside(file: string): string {
  const name = `${asideOf(file)}-${new Date().toISOString().slice(0, 10)}`;
  let free = name;
  for (let next = 2; existsSync(free); next++) free = `${name}-${next}`;
  rename(asideOf(file), free);
  return free;
}

function rename(from: string, to: string): void {
  for (const part of parts) if (existsSync(`${from}${part}`)) renameSync(`${from}${part}`, `${to}${part}`);
}
