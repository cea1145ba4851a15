import {
  closeSync,
  constants,
  fstatSync,
  openSync,
  readlinkSync,
  readSync,
  realpathSync,
  statSync,
} from "node:fs";
import { isAbsolute, relative, sep } from "node:path";

/** Bytes. What is larger was not written for Parley, or not by a friend. */
export const maxBytes = {
  /** AGENTS.md and its like; the system prompt takes less. */
  document: 256 * 1024,
  /** `.env`. */
  variables: 64 * 1024,
  /** `.parley/permissions.json`. */
  rules: 100_000,
  /** `.mcp.json`, and the configurations of other assistants. */
  servers: 1024 * 1024,
  /** Of speech models. */
  catalogue: 1024 * 1024,
  /** `.git/HEAD`, `.git` of a work tree. */
  gitHead: 4096,
  /** A conversation that is imported. */
  session: 128 * 1024 * 1024,
} as const;

export type SmallFile =
  | { kind: "text"; text: string }
  | { kind: "missing" }
  /** `why` goes on after the file's name: “is a pipe”. It holds nothing of what the file says. */
  | { kind: "refused"; why: string };

export interface SmallFileOptions {
  /** Bytes. */
  most: number;
  /** The file must lie in this folder, wherever links lead. Absolute. */
  within?: string;
  /** The file is JSON with an object or a list: what begins otherwise is not read to its end. */
  isJson?: boolean;
}

/**
 * Reads a file that anybody may have put there: a regular file of UTF-8 text without NUL, of limited size. Whatever else
 * it is costs no more than a look at it: nothing is waited for, and no device is opened. Never throws.
 */
export function readSmallFile(path: string, { most, within, isJson = false }: SmallFileOptions): SmallFile {
  let file: number | undefined;
  try {
    const about = kindOf(statSync(path));
    if (about !== null) return refused(about);
    // Between the look and the opening it may have become a pipe: that must not wait for a writer.
    file = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    const stat = fstatSync(file);
    const kind = kindOf(stat);
    if (kind !== null) return refused(kind);
    if (within !== undefined && !isInside(realpathSync(within), placeOf(file, path)))
      return refused(leadsOut);
    if (stat.size > most) return refused(`is larger than ${inWords(most)}`);
    return textIn(file, most, isJson);
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    if (code === "ENOENT" || code === "ENOTDIR") return { kind: "missing" };
    if (code === "ELOOP") return refused("is a link that leads back to itself");
    if (code === "EACCES" || code === "EPERM") return refused("may not be read");
    return refused(`cannot be read (${typeof code === "string" ? code : "unknown reason"})`);
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

const leadsOut = "is a link that leads out of its folder";

const refused = (why: string): SmallFile => ({ kind: "refused", why });

/** Reads at most one byte more than is allowed: some files say that they are empty and are not. */
function textIn(file: number, most: number, isJson: boolean): SmallFile {
  const { size } = fstatSync(file);
  const parts: Buffer[] = [];
  let total = 0;
  for (;;) {
    const ahead = isJson && total === 0 ? 4096 : Math.max(size - total, 0) + 4096;
    const part = Buffer.allocUnsafe(Math.min(ahead, most + 1 - total));
    const count = readSync(file, part);
    if (count === 0) break;
    if (isJson && total === 0 && !beginsAsJson.test(part.toString("utf8", 0, count))) {
      return refused("is not valid JSON");
    }
    parts.push(part.subarray(0, count));
    total += count;
    if (total > most) return refused(`is larger than ${inWords(most)}`);
  }
  const bytes = parts.length === 1 && parts[0] ? parts[0] : Buffer.concat(parts);
  if (bytes.includes(0)) return refused("holds bytes that are no text");
  try {
    return { kind: "text", text: new TextDecoder("utf-8", { fatal: true }).decode(bytes) };
  } catch {
    return refused("is not UTF-8 text");
  }
}

/** Nothing but white space before the first bracket; all of the beginning may be white space. */
const beginsAsJson = /^\uFEFF?\s*([[{]|$)/;

function kindOf(stat: ReturnType<typeof statSync>): string | null {
  if (!stat || stat.isFile()) return null;
  if (stat.isDirectory()) return "is a folder";
  if (stat.isFIFO()) return "is a pipe";
  if (stat.isSocket()) return "is a socket";
  return "is a device";
}

/** Where what is open really lies. Linux says it of the open file itself: no later change of a link counts. */
function placeOf(file: number, path: string): string {
  return process.platform === "linux" ? readlinkSync(`/proc/self/fd/${file}`) : realpathSync(path);
}

function isInside(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

const inWords = (bytes: number) =>
  bytes >= 1024 * 1024 ? `${Math.floor(bytes / 1024 / 1024)} MB` : `${Math.floor(bytes / 1000)} KB`;

/** Deeper than that nothing nests that people write. */
const maxDepth = 200;

/**
 * JSON that somebody else wrote. @throws Error “is not valid JSON” or “nests deeper than …”, to go on after the file's
 * name; nothing of the text is in it
 */
export function parseSmallJson(text: string): unknown {
  if (isDeep(text)) throw new Error(`nests deeper than ${maxDepth} levels`);
  try {
    return JSON.parse(text);
  } catch {
    throw new Error("is not valid JSON");
  }
}

function isDeep(text: string): boolean {
  let depth = 0;
  let isInString = false;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (isInString) {
      if (code === backslash) at++;
      else if (code === quote) isInString = false;
    } else if (code === quote) isInString = true;
    else if (code === openBrace || code === openBracket) {
      if (++depth > maxDepth) return true;
    } else if (code === closeBrace || code === closeBracket) depth--;
  }
  return false;
}

const [quote, backslash, openBrace, closeBrace, openBracket, closeBracket] = [
  0x22, 0x5c, 0x7b, 0x7d, 0x5b, 0x5d,
];
