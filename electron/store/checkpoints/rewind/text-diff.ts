import { createTwoFilesPatch, FILE_HEADERS_ONLY } from "diff";

/** Of each of the two texts, in bytes. */
export const mostDiffBytes = 200_000;
/** A comparison that takes longer is given up, in milliseconds. */
const mostMs = 500;

/** @returns a unified diff; null for what is not text, too large, or too different to be compared in time */
export function textDiff(
  path: string,
  before: Uint8Array | undefined,
  after: Uint8Array | undefined,
): string | null {
  const [from, to] = [textOf(before), textOf(after)];
  if (from === null || to === null) return null;
  const [fromName, toName] = [before ? path : "/dev/null", after ? path : "/dev/null"];
  const options = { headerOptions: FILE_HEADERS_ONLY, timeout: mostMs };
  return createTwoFilesPatch(fromName, toName, from, to, undefined, undefined, options)?.trimEnd() ?? null;
}

/** Nothing is an empty text. */
function textOf(bytes: Uint8Array | undefined): string | null {
  if (!bytes) return "";
  if (bytes.length > mostDiffBytes || bytes.includes(0)) return null;
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}
