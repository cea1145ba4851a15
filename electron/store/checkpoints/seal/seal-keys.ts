import { randomBytes } from "node:crypto";
import { closeSync, existsSync, fsyncSync, openSync, readFileSync, writeSync } from "node:fs";
import { privateMode } from "../../database/private-file.ts";
import { keyBytes } from "./seal.ts";

/** Where the system keeps the key; what is in it is text. */
export interface KeyPlace {
  /** undefined: there is none, or it cannot be opened now. */
  read(): string | undefined;
  /** @returns whether it is kept there, guarded by the system */
  write(text: string): boolean;
}

/**
 * The keys that seal secrets in checkpoints, the one for new seals first. The system's key store keeps it; where there is
 * none, `DATABASE.key` does, for its owner alone: who has that file can read them. One that is locked now is not replaced.
 * @throws what the file system says where a new key could not be kept
 */
export function sealKeys(databaseFile: string, place: KeyPlace | null): Uint8Array[] {
  const file = `${databaseFile}.key`;
  const guarded = parsed(place?.read());
  const inFile = existsSync(file) ? parsed(readFileSync(file, "utf8")) : null;
  const found = [guarded, inFile].filter((key) => key !== null);
  if (found.length > 0) return found;
  const made = new Uint8Array(randomBytes(keyBytes));
  const text = Buffer.from(made).toString("base64");
  if (!place?.write(text)) writeKey(file, text);
  return [made];
}

function parsed(text: string | undefined): Uint8Array | null {
  const key = Buffer.from(text?.trim() ?? "", "base64");
  return key.length === keyBytes ? new Uint8Array(key) : null;
}

/** One that is there, but is no key, gives way. */
function writeKey(file: string, text: string): void {
  const handle = openSync(file, "w", privateMode);
  try {
    writeSync(handle, `${text}\n`);
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}
