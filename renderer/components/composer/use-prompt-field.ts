import { type KeyboardEvent, type RefObject, useRef, useState } from "react";
import type { AttachmentChoice } from "../../../shared/conversation/attachments.ts";
import type { CommandSummary } from "../../../shared/ipc.ts";
import {
  attachmentWords,
  completed,
  completionsFor,
  isWholeCommand,
  moveSelection,
  slashed,
  withoutAttachmentWords,
} from "../../state/completion.ts";
import type { PromptDraft } from "../../state/conversation/drafts.ts";
import type { CompletionRow } from "./CompletionList.tsx";
import { type AttachmentState, useAttachments } from "./use-attachments.ts";
import { type Caret, useCaret } from "./use-caret.ts";

interface PromptFieldOptions {
  draft: PromptDraft;
  commands: readonly CommandSummary[];
  /** What `@` and these letters may mean. */
  onFindAttachments: (words: string) => Promise<readonly AttachmentChoice[]>;
}

export interface PromptRow extends CompletionRow {
  command?: CommandSummary;
  attachment?: AttachmentChoice;
}

/** A prompt that is being written, for `PromptField` to show. */
export interface PromptFieldState {
  box: RefObject<HTMLTextAreaElement | null>;
  text: string;
  caret: Caret;
  attachments: AttachmentState;
  /** What the text may become, and which of it the keys choose; none while nothing is offered. */
  rows: readonly PromptRow[];
  selected: number;
  select: (index: number) => void;
  choose: (row: PromptRow) => void;
  /** @param caret its place in the new text; without it the end */
  change: (text: string, caret?: number) => void;
  /** What will be offered is still being looked up. */
  isFinding: boolean;
  /** @returns whether the key was for what is offered */
  takeKey: (event: KeyboardEvent) => boolean;
  /** Sends the text once, however often it is asked to; it stays where it was not taken. @returns whether it was */
  send: (take: (text: string) => Promise<boolean>) => Promise<boolean>;
  /** The same with what is attached, by its references. */
  submit: (take: (text: string, attached: readonly string[]) => Promise<boolean>) => Promise<void>;
}

/** The text, what is attached to it, and what `/` and `@` in it offer. */
export function usePromptField({ draft, commands, onFindAttachments }: PromptFieldOptions): PromptFieldState {
  const box = useRef<HTMLTextAreaElement>(null);
  const isSending = useRef(false);
  const [text, setText] = useState(draft.get);
  const [chosen, setChosen] = useState(0);
  const [closedFor, setClosedFor] = useState<string | null>(null);
  const caret = useCaret(box, text);
  const attachments = useAttachments(draft, attachmentWords(text, caret.at), onFindAttachments);
  const isFinding = attachments.isFinding && closedFor !== text;
  const offered = closedFor === text ? [] : rowsFor(text, commands, attachments.choices);
  const isDone = offered.length === 1 && isWholeCommand(text, commands);
  const rows = isDone ? [] : offered;
  const selected = Math.min(chosen, rows.length - 1);

  const change = (next: string, at = next.length) => {
    draft.set(next);
    setText(next);
    caret.put(at);
    setChosen(0);
    if (closedFor !== null) setClosedFor(null);
  };

  const choose = ({ command, attachment }: PromptRow) => {
    if (command) change(completed(command));
    if (attachment) {
      attachments.choose(attachment);
      const rest = withoutAttachmentWords(text, caret.at);
      change(rest.text, rest.caret);
    }
    box.current?.focus();
  };

  const takeKey = (event: KeyboardEvent): boolean => {
    const last = attachments.chosen.at(-1);
    if (event.key === "Backspace" && text === "" && last) attachments.remove(last.reference);
    const current = rows[selected];
    if (!current) return false;
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      setChosen(moveSelection(selected, event.key === "ArrowDown" ? 1 : -1, rows.length));
    } else if (event.key === "Escape") setClosedFor(text);
    else if (event.key === "Tab" || (event.key === "Enter" && !event.shiftKey)) {
      if (event.key === "Enter" && isWholeCommand(text, commands)) return false;
      choose(current);
    } else return false;
    event.preventDefault();
    return true;
  };

  const send: PromptFieldState["send"] = async (take) => {
    const sent = text;
    if (sent.trim() === "" || isSending.current) return false;
    isSending.current = true;
    // The button that was pressed may go away, and the keyboard with it.
    box.current?.focus();
    const isTaken = await take(sent);
    isSending.current = false;
    if (!isTaken) return false;
    // What was typed while the answer was on its way is the beginning of the next prompt.
    const now = draft.get();
    change(now.startsWith(sent) ? now.slice(sent.length) : now);
    return true;
  };

  const submit: PromptFieldState["submit"] = async (take) => {
    const beside = attachments.chosen;
    const references = beside.map(({ reference }) => reference);
    // After its text: a draft of what was sent already is kept nowhere.
    if (await send((sent) => take(sent, references))) attachments.forget(beside);
  };

  const select = setChosen;
  return {
    ...{ box, text, caret, attachments, isFinding, rows, selected },
    ...{ select, choose, change, takeKey, send, submit },
  };
}

function rowsFor(
  text: string,
  commands: readonly CommandSummary[],
  choices: readonly AttachmentChoice[],
): PromptRow[] {
  return [
    ...completionsFor(text, commands).map((command) => ({
      key: command.name,
      name: slashed(command.name),
      description: command.description,
      command,
    })),
    ...choices.map((attachment) => ({
      key: attachment.reference,
      name: attachment.label,
      description: attachment.detail,
      attachment,
    })),
  ];
}
