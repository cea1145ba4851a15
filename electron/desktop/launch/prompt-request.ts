import { z } from "zod";

/** Most of the standard input that goes beside a prompt, in UTF-16 units: as of any attachment. */
export const maxInputChars = 200_000;

/** A prompt of the command line. */
export const promptRequest = z.strictObject({
  text: z.string().min(1).max(100_000),
  /** null: the conversation's own, or that of the settings. */
  level: z.enum(["look", "ask", "work"]).nullable(),
  /** Absolute; null: the conversation's own, or that of the settings. */
  folder: z.string().min(1).max(4096).nullable(),
  /** Names the conversation that it goes on in; null: a new one. */
  reference: z.string().min(1).max(200).nullable(),
  /** What came on the standard input; blank: nothing. */
  input: z.string().max(maxInputChars),
});
export type PromptRequest = z.infer<typeof promptRequest>;

/** What was asked of the command line. `json`: events as they are, one a line. */
export interface PromptWords {
  request: Omit<PromptRequest, "input">;
  json: boolean;
}

const promptMark = new Set(["-p", "--prompt"]);
const withValue = new Set(["--level", "--cwd", "--continue"]);
/** All that a prompt may come with. */
export const promptOptions: readonly string[] = [...promptMark, ...withValue, "--json"];

/**
 * `-p TEXT [--json] [--level look|ask|work] [--cwd DIR] [--continue REFERENCE]`, in any order; values also after a `=`. Pure.
 * @param words behind the launcher's mark
 * @param absolute a path as seen from where it was typed; throws where that folder is gone
 * @returns null: none of it is meant; in words: what is wrong
 */
export function parsePrompt(
  words: readonly string[],
  absolute: (path: string) => string,
): PromptWords | string | null {
  if (!words.some((word) => promptMark.has(word) || word.startsWith("--prompt="))) return null;
  const found = new Map<string, string>();
  let json = false;
  for (let place = 0; place < words.length; place++) {
    const word = words[place] ?? "";
    const at = word.startsWith("--") ? word.indexOf("=") : -1;
    const name = at < 0 ? word : word.slice(0, at);
    if (word === "--json") json = true;
    else if (promptMark.has(name) || withValue.has(name)) {
      const key = promptMark.has(name) ? "-p" : name;
      if (found.has(key)) return `${name} stands twice.`;
      const value = at < 0 ? words[++place] : word.slice(at + 1);
      // The words of a prompt may begin with a dash.
      if (value === undefined || value.trim() === "" || (key !== "-p" && value.startsWith("--"))) {
        return `${name} needs ${wanted[key] ?? "a value"}.`;
      }
      found.set(key, value);
    } else return `What is ${JSON.stringify(word.slice(0, 100))}?`;
  }
  const folder = folderIn(found.get("--cwd"), absolute);
  if (folder === undefined) return "The current folder is gone: --cwd needs a path from the root.";
  const request = promptRequest.omit({ input: true }).safeParse({
    text: found.get("-p"),
    level: found.get("--level") ?? null,
    folder,
    reference: found.get("--continue")?.trim() ?? null,
  });
  if (request.success) return { request: request.data, json };
  const field = request.error.issues[0]?.path[0];
  if (field === "level") return `--level is look, ask or work, not ${JSON.stringify(found.get("--level"))}.`;
  return "That is too long.";
}

/** @returns null: none was given; undefined: it cannot be told */
function folderIn(cwd: string | undefined, absolute: (path: string) => string): string | null | undefined {
  try {
    return cwd === undefined ? null : absolute(cwd);
  } catch {
    return undefined;
  }
}

const wanted: Readonly<Record<string, string>> = {
  "-p": "the words of a prompt",
  "--level": "look, ask or work",
  "--cwd": "a folder",
  "--continue": "a conversation",
};
