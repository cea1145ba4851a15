import { once } from "node:events";
import type { Readable } from "node:stream";
import { isSecretPath, secretGlobs, seeksSecrets } from "../../shared/safety/secret-files.ts";
import type { GrepOptions } from "../agent/ports/ports.ts";
import { EnvironmentError } from "../agent/ports/ports.ts";
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
  // A name may hold what stands behind names otherwise.
  if (mode !== "files") args.push("--null");
  if (mode === "content") {
    args.push("--line-number", "--no-heading", "--with-filename");
    args.push(`--max-columns=${maxColumns}`, "--max-columns-preview");
  }
  if (mode === "files") args.push("--files-with-matches");
  if (mode === "count") args.push("--count", "--with-filename");
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
  const plain = glob.slice(not.length).replace(/^(?:\.\/)+/, "");
  const folder = target.replace(/^\.\//, "").replace(/[\\[\]{}*?]/g, "\\$&");
  const isOfName = !plain.slice(0, -1).includes("/");
  const below = `${folder}/${plain.replace(/^\//, "")}`;
  return [plain, ...(isOfName || folder === "" ? [] : [below])].map((one) => not + one);
}

/** A pattern that leaves files out names none. */
const namesHidden = /^(?!!)(?:.*[/{,])?\.[^./]/;

const isAboutSecrets = ({ glob }: Pick<GrepOptions, "glob">, target: string) =>
  seeksSecrets(target) || (glob !== undefined && seeksSecrets(glob));

const binaryNote = /: (?:binary file matches|WARNING: stopped searching binary file).*$/;

/**
 * What a line that ripgrep wrote says, as it is shown; null for one of a file that is kept back, by the rules or because
 * it holds keys that nobody asked for.
 */
export function lineReader(options: GrepOptions, target: string): (line: string) => string | null {
  const { mode, hides = () => false } = options;
  const keepsSecrets = !isAboutSecrets(options, target);
  return (line) => {
    const whole = line.replace(/^\.\//, "");
    const end = mode === "files" ? whole.length : whole.indexOf("\0");
    // What it says of a file of bytes names it without a mark.
    const path = end < 0 ? whole.replace(binaryNote, "") : whole.slice(0, end);
    // The first part of a name with a line break in it.
    if (end < 0 && path === whole) return null;
    if (hides(path) || (keepsSecrets && isSecretPath(path))) return null;
    return end < 0 || mode === "files" ? whole : `${path}:${whole.slice(end + 1)}`;
  };
}

/**
 * Reads what ripgrep finds until it has ended or said enough.
 * @param read a line as it is shown; null: it is not
 * @throws EnvironmentError for a pattern that it does not understand; the signal's reason when aborted
 */
export async function readMatches(
  group: ProcessGroup,
  { limit, signal }: Pick<GrepOptions, "limit" | "signal">,
  read: (line: string) => string | null,
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
    for await (const written of writtenLines(stdout)) {
      const line = read(written);
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

/** Only at `\n`, as ripgrep counts: other breaks, such as a lone `\r`, stand in the middle of a file's line. */
async function* writtenLines(stdout: Readable): AsyncGenerator<string> {
  let rest = "";
  for await (const text of stdout.setEncoding("utf8")) {
    const lines = `${rest}${text}`.split("\n");
    rest = lines.pop() ?? "";
    yield* lines.map((line) => line.replace(/\r$/, ""));
  }
  if (rest !== "") yield rest;
}
