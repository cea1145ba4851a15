import { once } from "node:events";
import { createInterface } from "node:readline";
import { secretGlobs, seeksSecrets } from "../../shared/secret-files.ts";
import type { GrepOptions } from "../agent/ports.ts";
import { EnvironmentError } from "../agent/ports.ts";
import type { ProcessGroup } from "./process-group.ts";

/** Of one line; a longer one shows its beginning. */
const maxColumns = 500;
const maxErrorChars = 2000;

/**
 * ripgrep's arguments. Hidden files, what .gitignore names and files with keys are left out; links are not followed.
 * @param target relative to the folder that it runs in
 */
export function ripgrepArguments(options: GrepOptions, target: string): string[] {
  const { pattern, glob, ignoreCase, mode } = options;
  const args = ["--no-config", "--color=never", "--no-follow", "--sort=path"];
  if (mode === "content") {
    args.push("--line-number", "--no-heading", "--with-filename");
    args.push(`--max-columns=${maxColumns}`, "--max-columns-preview");
  }
  if (mode === "files") args.push("--files-with-matches");
  if (mode === "count") args.push("--count", "--with-filename");
  if (ignoreCase) args.push("--ignore-case");
  if (glob !== undefined) args.push("--glob", glob);
  // Keys and passwords are found only by who names their files; that is asked for.
  if (!seeksSecrets(target) && (glob === undefined || !seeksSecrets(glob))) {
    args.push(...secretGlobs.flatMap((secret) => ["--iglob", `!${secret}`]));
  }
  return [...args, "-e", pattern, "--", target];
}

/**
 * Reads what ripgrep finds until it has ended or said enough.
 * @throws EnvironmentError for a pattern that it does not understand; the signal's reason when aborted
 */
export async function readMatches(
  group: ProcessGroup,
  { limit, signal }: Pick<GrepOptions, "limit" | "signal">,
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
    for await (const line of createInterface({ input: stdout })) {
      if (lines.length === limit) {
        truncated = true;
        break;
      }
      lines.push(line.replace(/^\.\//, ""));
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
