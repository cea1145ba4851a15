import type { AttachmentChoice } from "../../../shared/conversation/attachments.ts";

/** A stretch of a text, in UTF-16 units. */
export interface TextRange {
  start: number;
  end: number;
}

/** How a file or a resource stands in a prompt: `@notes.md`, `@"my notes.md"`, `@server:uri`. */
export function mentionOf({ reference }: AttachmentChoice): string {
  const name = reference.startsWith("@") ? reference.slice(1) : reference;
  return /\s/.test(name) ? `@"${name}"` : `@${name}`;
}

/** The text with the `@` and its letters before the caret made whole, and where the caret is then. */
export function withMention(
  text: string,
  caret: number,
  choice: AttachmentChoice,
): { text: string; caret: number } {
  const before = text.slice(0, caret).replace(/@\S*$/, "") + mentionOf(choice);
  const after = text.slice(caret);
  const gap = /^\s/.test(after) ? "" : " ";
  return { text: before + gap + after, caret: before.length + 1 };
}

/** Where it stands as a word of its own. */
export function mentionsIn(text: string, choice: AttachmentChoice): TextRange[] {
  const mention = mentionOf(choice);
  const found: TextRange[] = [];
  for (let start = text.indexOf(mention); start >= 0; start = text.indexOf(mention, start + 1)) {
    const end = start + mention.length;
    const isWord = /^$|\s$/.test(text.slice(0, start)) && !/^[\p{L}\p{N}_/-]|^\.\w/u.test(text.slice(end));
    if (isWord) found.push({ start, end });
  }
  return found;
}

/** Of all that were chosen for a draft, those that stand beside it: files, and what the text still mentions. */
export const besideText = (text: string, chosen: readonly AttachmentChoice[]): AttachmentChoice[] =>
  chosen.filter((choice) => choice.file !== undefined || mentionsIn(text, choice).length > 0);

/** The text when something is no longer mentioned in it: one gap is left between the words around each place. */
export function withoutMentions(text: string, choice: AttachmentChoice): string {
  return mentionsIn(text, choice).reduceRight((rest, { start, end }) => {
    const before = rest.slice(0, start);
    const after = rest.slice(end);
    return before + (/^$|\s$/.test(before) ? after.replace(/^ /, "") : after);
  }, text);
}

/** A text in parts, those that mention something marked. */
export function mentionParts(
  text: string,
  chosen: readonly AttachmentChoice[],
): { text: string; isMention: boolean; start: number }[] {
  const ranges = chosen
    .filter(({ file }) => file === undefined)
    .flatMap((choice) => mentionsIn(text, choice))
    .sort((one, other) => one.start - other.start);
  const parts: { text: string; isMention: boolean; start: number }[] = [];
  let at = 0;
  for (const { start, end } of ranges) {
    if (start < at) continue;
    if (start > at) parts.push({ text: text.slice(at, start), isMention: false, start: at });
    parts.push({ text: text.slice(start, end), isMention: true, start });
    at = end;
  }
  return [...parts, { text: text.slice(at), isMention: false, start: at }];
}
