import { once } from "node:events";
import type { Readable } from "node:stream";
import { z } from "zod";
import { grouped } from "../../shared/grouped.ts";
import { isSecretPath, secretGlobs, seeksSecrets } from "../../shared/safety/secret-files.ts";
import type { GrepOptions } from "../agent/ports/ports.ts";
import { EnvironmentError } from "../agent/ports/ports.ts";
import { shownName } from "./environment/from-folder.ts";
import { cutBefore } from "./environment/text-content.ts";
import { inOurLanguage, spellings } from "./path-pattern.ts";
import type { ProcessGroup } from "./process/process-group.ts";

/** Of one line; a longer one shows its beginning. */
const maxColumns = 500;
const maxErrorChars = 2000;

/**
 * ripgrep's arguments. Hidden files that no pattern names, what .gitignore names and files with keys are left out; links
 * are not followed.
 * @param target relative to the folder that it runs in
 */
export function ripgrepArguments(options: GrepOptions, target: string): string[] {
  const { pattern, glob, ignoreCase, mode } = options;
  const args = ["--no-config", "--color=never", "--no-follow", "--sort=path"];
  // A name may hold line breaks and whatever else stands behind names: only JSON and NUL tell where it ends.
  if (mode === "content") args.push("--json");
  if (mode === "files") args.push("--null", "--files-with-matches");
  if (mode === "count") args.push("--null", "--count", "--with-filename");
  if (ignoreCase) args.push("--ignore-case");
  if (glob !== undefined) args.push(...globsOf(glob, target).flatMap((one) => ["--glob", one]));
  if (glob !== undefined && namesHidden.test(glob)) args.push("--hidden");
  // Keys and passwords are found only by who names their files; that is asked for.
  if (!isAboutSecrets(options, target)) {
    args.push(...secretGlobs.flatMap((secret) => ["--iglob", `!${secret}`]));
  }
  return [...args, "-e", pattern, "--", target];
}

/** For ripgrep a pattern with a slash begins in the folder that it runs in, and never with a dot: here in the target, too. */
function globsOf(glob: string, target: string): string[] {
  const not = glob.startsWith("!") ? "!" : "";
  const plain = inOurLanguage(glob)
    .slice(not.length)
    .replace(/^(?:\.\/)+/, "");
  const folder = target.replace(/^\.\//, "").replace(/[\\[\]{}*?]/g, "\\$&");
  const isOfName = !plain.slice(0, -1).includes("/");
  const below = `${folder}/${plain.replace(/^\//, "")}`;
  const all = [plain, ...(isOfName || folder === "" ? [] : [below])];
  return all.flatMap(spellings).map((one) => not + one);
}

/** A pattern that leaves files out names none. */
const namesHidden = /^(?!!)(?:.*[/{,])?\.[^./]/;

const isAboutSecrets = ({ glob }: Pick<GrepOptions, "glob">, target: string) =>
  seeksSecrets(target) || (glob !== undefined && seeksSecrets(glob));

/** A match: the file's whole path, and what is found there. */
interface Match {
  path: string;
  /** Null where only the file's name was asked for. */
  text: string | null;
}

/**
 * How a match is shown; null for one in a file that is kept back, by the rules or because it holds keys that nobody asked for.
 */
export function matchLine(options: GrepOptions, target: string): (match: Match) => string | null {
  const { hides = () => false } = options;
  const keepsSecrets = !isAboutSecrets(options, target);
  return ({ path: written, text }) => {
    const path = written.replace(/^\.[\\/]/, "");
    if (hides(path) || (keepsSecrets && isSecretPath(path))) return null;
    return text === null ? shownName(path) : `${shownName(path)}:${text}`;
  };
}

/**
 * Reads what ripgrep finds until it has ended or said enough.
 * @param show {@link matchLine}
 * @throws EnvironmentError for a pattern that it does not understand; the signal's reason when aborted
 */
export async function readMatches(
  group: ProcessGroup,
  { limit, mode, signal }: Pick<GrepOptions, "limit" | "mode" | "signal">,
  show: (match: Match) => string | null,
): Promise<{ lines: string[]; truncated: boolean }> {
  const { stdout, stderr } = group.child;
  if (!stdout || !stderr) throw new Error("ripgrep was started without pipes.");
  let errors = "";
  stderr.setEncoding("utf8").on("data", (text: string) => {
    errors = (errors + text).slice(0, maxErrorChars);
  });
  const stop = () => void group.end();
  signal.addEventListener("abort", stop, { once: true });
  try {
    const lines: string[] = [];
    let truncated = false;
    for await (const match of matchReaders[mode](stdout)) {
      const line = show(match);
      if (line === null) continue;
      if (lines.length === limit) {
        truncated = true;
        break;
      }
      lines.push(line);
    }
    signal.throwIfAborted();
    if (truncated) return { lines, truncated };
    const { code } = await group.exited;
    if (!stderr.closed) await once(stderr, "close");
    // With matches, an error is about some file that could not be read: the rest is still worth having.
    if (code !== 0 && code !== 1 && lines.length === 0) throw new EnvironmentError(errors.trim());
    return { lines, truncated };
  } finally {
    signal.removeEventListener("abort", stop);
    await group.end();
    stdout.destroy();
  }
}

const matchReaders: Record<GrepOptions["mode"], (stdout: Readable) => AsyncGenerator<Match>> = {
  content: contentMatches,
  files: fileMatches,
  count: countMatches,
};

/** What JSON calls text; bytes in base64 where it is not UTF-8. */
const jsonText = z
  .union([z.object({ text: z.string() }), z.object({ bytes: z.string() })])
  .transform((value) => ("text" in value ? value.text : Buffer.from(value.bytes, "base64").toString("utf8")));

/** ripgrep's JSON: https://docs.rs/grep-printer/latest/grep_printer/struct.JSON.html */
const jsonMessage = z.discriminatedUnion("type", [
  z.object({ type: z.literal("begin"), data: z.object({ path: jsonText }) }),
  z.object({
    type: z.literal("match"),
    data: z.object({ path: jsonText, lines: jsonText, line_number: z.number() }),
  }),
]);

async function* contentMatches(stdout: Readable): AsyncGenerator<Match> {
  let path = "";
  for await (const written of parts(stdout, "\n")) {
    if (written === null) {
      yield { path, text: ` a line of more than ${grouped(maxPartChars)} characters matches` };
      continue;
    }
    const message = jsonMessage.safeParse(parsed(written));
    if (!message.success) continue;
    const { type, data } = message.data;
    path = data.path;
    if (type === "match") yield { path, text: matchText(data.lines, data.line_number) };
  }
}

/** Undefined for the half of a message that a program leaves which was ended. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function matchText(lines: string, number: number): string {
  const line = lines.replace(/\r?\n$/, "");
  if (line.includes("\0")) return " binary file matches";
  const isLong = line.length > maxColumns;
  return `${number}:${isLong ? `${line.slice(0, cutBefore(line, maxColumns))} [… the rest of a long line]` : line}`;
}

async function* fileMatches(stdout: Readable): AsyncGenerator<Match> {
  for await (const path of parts(stdout, "\0")) if (path) yield { path, text: null };
}

/** `path NUL count LF path NUL count LF`: a count has no line break, and so it ends at the first. */
async function* countMatches(stdout: Readable): AsyncGenerator<Match> {
  let path: string | null = null;
  for await (const part of parts(stdout, "\0")) {
    const end: number = path === null ? -1 : (part ?? "").indexOf("\n");
    if (path !== null) yield { path, text: (part ?? "").slice(0, end) };
    path = (part ?? "").slice(end + 1);
  }
}

/** A part that is longer cannot be told; a path is not. */
const maxPartChars = 1_000_000;

/**
 * What stands between separators.
 * @returns null for a part of more than {@link maxPartChars} characters
 */
async function* parts(stdout: Readable, separator: string): AsyncGenerator<string | null> {
  let rest = "";
  let isTooLong = false;
  for await (const text of stdout.setEncoding("utf8")) {
    const [first = "", ...others] = String(text).split(separator);
    rest = isTooLong ? "" : rest + first;
    isTooLong ||= rest.length > maxPartChars;
    for (const next of others) {
      yield isTooLong ? null : rest;
      rest = next;
      isTooLong = rest.length > maxPartChars;
    }
  }
  if (isTooLong || rest !== "") yield isTooLong ? null : rest;
}
