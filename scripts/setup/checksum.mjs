import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { pipeline } from "node:stream/promises";
import { SetUpError } from "./say.mjs";

/** The digest of a file's bytes, read in pieces. */
export async function digest(file, algorithm, encoding) {
  const hash = createHash(algorithm);
  await pipeline(createReadStream(file), hash);
  return hash.digest(encoding);
}

/** @throws SetUpError when the file's SHA-256 is not the expected one */
export async function expectSha256(file, expected, what) {
  const found = await digest(file, "sha256", "hex");
  if (found !== expected) throw wrongChecksum(what, expected, found);
}

/**
 * @param integrity as npm writes it: `sha512-` and base64
 * @throws SetUpError when the file does not have it
 */
export async function expectIntegrity(file, integrity, what) {
  const found = `sha512-${await digest(file, "sha512", "base64")}`;
  if (found !== integrity) throw wrongChecksum(what, integrity, found);
}

function wrongChecksum(what, expected, found) {
  return new SetUpError(
    `${what} has a wrong checksum and was thrown away (expected ${expected}, got ${found}). ` +
      "Run the same command again to fetch it anew; if it stays wrong, something on the way changes the file.",
  );
}
