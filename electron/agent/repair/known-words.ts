import type { TranscriptItem } from "../../../shared/conversation/transcript.ts";
import { withoutSecrets } from "../../../shared/safety/redact.ts";
import { isSecretPath } from "../../../shared/safety/secret-files.ts";
import type { ExecutionEnvironment } from "../ports/ports.ts";
import { foldedWhole, wordsOf } from "./word-forms.ts";

/** A word that is to be expected in what is said. */
export interface KnownWord {
  /** As it is written. */
  written: string;
  /** How it may be heard: folded, words run into each other. */
  sounds: readonly string[];
}

/** What goes with one request at most. Characters are UTF-16 units. */
export const knownLimits = { ownWords: 100, fileNames: 100, fileNameChars: 60, conversationChars: 1200 };
/** Letters of a word of the conversation that is worth knowing. */
const minLetters = 4;
const maxLetters = 30;

/** The user's list, whose newest words are its last. */
export const ownWords = (words: readonly string[]): KnownWord[] =>
  words.slice(-knownLimits.ownWords).map((written) => ({ written, sounds: [foldedWhole(written)] }));

/** The end of what was said in the conversation, oldest first: the user's prompts and the replies, and nothing overheard. */
export function lastWords(items: readonly TranscriptItem[]): string {
  const said: string[] = [];
  let left = knownLimits.conversationChars;
  for (const item of items.toReversed()) {
    if (left <= 0) break;
    if (item.kind !== "assistant" && (item.kind !== "user" || item.source === "loopback")) continue;
    const text = withoutSecrets(item.text).replaceAll(/\s+/g, " ").trim().slice(-left);
    left -= text.length;
    if (text !== "") said.unshift(`${item.kind === "user" ? "User" : "Reply"}: ${text}`);
  }
  return said.join("\n");
}

/** The words of a text that can be told from others. */
export function wordsIn(text: string): KnownWord[] {
  const found = new Map<string, KnownWord>();
  for (const word of wordsOf(text)) {
    const written = word.replaceAll(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, "");
    if (!/^[\p{L}\p{M}'’.-]+$/u.test(written)) continue;
    if (written.length < minLetters || written.length > maxLetters) continue;
    const sound = foldedWhole(written);
    if (!found.has(sound)) found.set(sound, { written, sounds: [sound] });
  }
  return [...found.values()];
}

/** Names of a folder: no hidden ones, and none that speak of keys. Empty where it cannot be read. */
export async function fileNames(folder: Pick<ExecutionEnvironment, "listDirectory">): Promise<string[]> {
  try {
    const entries = await folder.listDirectory(".");
    return entries
      .map(({ name }) => name)
      .filter((name) => !name.startsWith(".") && name.length <= knownLimits.fileNameChars)
      .filter((name) => !isSecretPath(name) && withoutSecrets(name) === name && !/[\p{Cc}\p{Cf}]/u.test(name))
      .sort()
      .slice(0, knownLimits.fileNames);
  } catch {
    return [];
  }
}

/** A file is called with or without what stands behind its last dot, and the dot may be said. */
export function namedFiles(names: readonly string[]): KnownWord[] {
  return names.flatMap((written) => {
    const stem = written.replace(/(?<=.)\.[^.]+$/, "");
    const sounds = [foldedWhole(stem), foldedWhole(written), foldedWhole(written.replaceAll(".", " dot "))];
    return stem === written
      ? [{ written, sounds }]
      : [
          { written, sounds },
          { written: stem, sounds },
        ];
  });
}
