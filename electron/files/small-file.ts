import {
  type BigIntStats,
  closeSync,
  constants,
  fstatSync,
  openSync,
  readSync,
  type Stats,
  statSync,
} from "node:fs";
import { codeOf } from "./calls.ts";
import { withFileIn } from "./file-content.ts";
import { atPlace } from "./place.ts";
import { doNow, done } from "./work.ts";

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
  /** The file must lie in this folder, wherever links lead, whatever is swapped meanwhile. Absolute, and free of links. */
  within?: string;
  /** The file is JSON with an object or a list: what begins otherwise is not read to its end. */
  isJson?: boolean;
}

/**
 * Reads a file that anybody may have put there: a regular file of UTF-8 text without NUL, of limited size. Whatever else
 * it is costs no more than a look at it: nothing is waited for, and no device is opened. Never throws.
 */
export function readSmallFile(path: string, options: SmallFileOptions): SmallFile {
  try {
    return options.within === undefined
      ? readAnywhere(path, options)
      : readBelow(options.within, path, options);
  } catch (error) {
    const code = codeOf(error);
    if (["ENOENT", "ENOTDIR", "DANGLING"].includes(code)) return { kind: "missing" };
    if (code === "OUTSIDE") return refused("is a link that leads out of its folder");
    if (code === "ELOOP") return refused("is a link that leads back to itself");
    if (code === "EACCES" || code === "EPERM") return refused("may not be read");
    return refused(`cannot be read (${code === "" ? "unknown reason" : code})`);
  }
}

function readAnywhere(path: string, options: SmallFileOptions): SmallFile {
  const about = kindOf(statSync(path));
  if (about !== null) return refused(about);
  // Between the look and the opening it may have become a pipe: that must not wait for a writer.
  const file = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    const kind = kindOf(fstatSync(file));
    return kind === null ? textIn(file, options) : refused(kind);
  } finally {
    closeSync(file);
  }
}

function readBelow(folder: string, path: string, options: SmallFileOptions): SmallFile {
  return doNow(
    atPlace(folder, path, "follow", function* ({ folder: held, name, stats }) {
      if (!stats) return { kind: "missing" };
      const kind = kindOf(stats);
      if (kind !== null || name === null) return refused(kind ?? "is a folder");
      return yield* withFileIn(held, name, stats, (file) => done(textIn(file, options)));
    }),
  );
}

const refused = (why: string): SmallFile => ({ kind: "refused", why });

/** Reads at most one byte more than is allowed: some files say that they are empty and are not. */
function textIn(file: number, { most, isJson = false }: SmallFileOptions): SmallFile {
  const { size } = fstatSync(file);
  if (size > most) return refused(`is larger than ${inWords(most)}`);
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

function kindOf(stat: Stats | BigIntStats): string | null {
  if (stat.isFile()) return null;
  if (stat.isDirectory()) return "is a folder";
  if (stat.isFIFO()) return "is a pipe";
  if (stat.isSocket()) return "is a socket";
  return "is a device";
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
