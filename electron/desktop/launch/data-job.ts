/** What `parley` does with all data, without a window: it ends when that is done. Paths are as they were given. */
export type DataJob =
  | { type: "back-up"; file: string; withCheckpoints: boolean }
  | { type: "restore"; file: string; withSettings: boolean };

const wants = {
  "--backup": "--checkpoints",
  "--restore": "--settings",
} as const;
/** All that a job is asked for by. */
export const jobOptions: readonly string[] = Object.entries(wants).flat();
const isJob = (name: string): name is keyof typeof wants => Object.hasOwn(wants, name);

/**
 * `--backup FILE [--checkpoints]`, `--restore FILE [--settings]`, the file also after a `=`. Pure.
 * @param words behind the launcher's mark
 * @returns null: none of it is meant; in words: what is wrong
 */
export function parseDataJob(words: readonly string[]): DataJob | string | null {
  const at = words.findIndex((word) => isJob(word.split("=")[0] ?? ""));
  if (at < 0) return null;
  const word = words[at] ?? "";
  const [name = ""] = word.split("=");
  if (!isJob(name)) return null;
  const isInline = word.includes("=");
  const file = isInline ? word.slice(name.length + 1) : (words[at + 1] ?? "");
  if (file.trim() === "" || (!isInline && file.startsWith("--"))) return `${name} needs a file.`;
  const others = words.toSpliced(at, isInline ? 1 : 2);
  const option = wants[name];
  const stranger = others.find((other) => other !== option);
  if (stranger !== undefined) return `${JSON.stringify(stranger.slice(0, 100))} does not go with ${name}.`;
  const isWanted = others.length > 0;
  return name === "--backup"
    ? { type: "back-up", file, withCheckpoints: isWanted }
    : { type: "restore", file, withSettings: isWanted };
}
