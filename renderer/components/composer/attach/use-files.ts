import { type ClipboardEvent, useState } from "react";
import { type AttachmentChoice, maxAttachments } from "../../../../shared/conversation/attachments.ts";
import { maxPromptChars } from "../../../../shared/ipc/route-parts.ts";
import type { Attaching } from "../../../state/composer/attaching.ts";
import { isLongPaste, pastedFiles } from "../../../state/composer/pasted.ts";
import { texts } from "../../../texts/texts.ts";
import type { PromptFieldState } from "../use-prompt-field.ts";

const t = texts.composer.files;

export interface Files {
  /** Names of those that are being read. */
  reading: readonly string[];
  add: (files: readonly File[]) => Promise<void>;
  /** Takes what another one made of it. @param made null: it failed, which was said */
  take: (made: AttachmentChoice | null) => void;
  paste: (event: ClipboardEvent) => void;
}

/** Files for the prompt that is being written. @param takesPastes a long paste may become an attachment */
export function useFiles(field: PromptFieldState, attaching: Attaching, takesPastes: boolean): Files {
  const [reading, setReading] = useState<readonly string[]>([]);
  const take: Files["take"] = (made) => {
    if (made && !field.attach([made])) attaching.fail(t.tooMany(maxAttachments));
    field.box.current?.focus();
  };
  const add: Files["add"] = async (files) => {
    // One that is too many is not read at all.
    if (field.beside.length + files.length > maxAttachments) return attaching.fail(t.tooMany(maxAttachments));
    setReading((names) => [...names, ...files.map(({ name }) => name)]);
    for (const file of files) {
      take(await attaching.file(file));
      setReading((names) => names.toSpliced(names.indexOf(file.name), 1));
    }
  };
  const paste: Files["paste"] = (event) => {
    const files = pastedFiles(event.clipboardData);
    const text = event.clipboardData.getData("text/plain");
    if (files.length > 0) void add(files);
    else if (takesPastes && isLongPaste(text)) void attaching.paste(text).then(take);
    else if (isCut(field.box.current, text)) attaching.fail(t.pasteTooLong(text.length, maxPromptChars));
    else return;
    event.preventDefault();
  };
  return { reading, add, take, paste };
}

/** Whether the box would take a part of a paste only, without a word. */
function isCut(box: HTMLTextAreaElement | null, pasted: string): boolean {
  if (!box) return false;
  const { value, selectionStart, selectionEnd } = box;
  return value.length - (selectionEnd - selectionStart) + pasted.length > maxPromptChars;
}
