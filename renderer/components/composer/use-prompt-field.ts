import { type KeyboardEvent, type RefObject, useRef, useState } from "react";
import { type AttachmentChoice, maxAttachments } from "../../../shared/conversation/attachments.ts";
import type { CommandSummary } from "../../../shared/ipc/setting-routes.ts";
import { attachmentWords, isWholeCommand, moveSelection } from "../../state/completion.ts";
import { EditHistory, type Written } from "../../state/composer/edit-history.ts";
import { besideText, withMention, withoutMentions } from "../../state/composer/mentions.ts";
import { Recall } from "../../state/composer/recall.ts";
import type { NamedSession } from "../../state/composer/session-lines.ts";
import type { PromptDraft } from "../../state/conversation/drafts.ts";
import { useSignal } from "../../state/signal.ts";
import { lastWordIsBlank, type PromptRow, rowsFor, withWord } from "./prompt-rows.ts";
import { useAttachments } from "./use-attachments.ts";
import { type Caret, useCaret } from "./use-caret.ts";

interface PromptFieldOptions {
  draft: PromptDraft;
  commands: readonly CommandSummary[];
  /** What `@` and these letters may mean. */
  onFindAttachments: (words: string) => Promise<readonly AttachmentChoice[]>;
  /** What was asked before, oldest first. */
  asked?: readonly string[];
  /** Words that a command takes beside those of its usage, by its name. */
  wordsOf?: (command: string) => readonly string[];
  /** The conversations that `/session resume` may mean. */
  sessions?: readonly NamedSession[];
}

/** A prompt that is being written, for `PromptField` to show. */
export interface PromptFieldState {
  box: RefObject<HTMLTextAreaElement | null>;
  text: string;
  caret: Caret;
  /** What stands beside the prompt: files, and what its text mentions. */
  beside: readonly AttachmentChoice[];
  /** What the text may become, and which of it the keys choose; none while nothing is offered. */
  rows: readonly PromptRow[];
  selected: number;
  /** Instead of rows: an `@` has nothing to offer. */
  isNothing: boolean;
  select: (index: number) => void;
  choose: (row: PromptRow) => void;
  /** @param caret its place in the new text; without it the end @param isTyped by the user, letter by letter */
  change: (text: string, caret?: number, isTyped?: boolean) => void;
  /** @returns false where no more can stand beside one prompt */
  attach: (more: readonly AttachmentChoice[]) => boolean;
  detach: (choice: AttachmentChoice) => void;
  /** A file becomes words of the prompt, where the caret is. */
  toText: (choice: AttachmentChoice, text: string) => void;
  /** Takes back the last change, or does it again. */
  undo: () => void;
  redo: () => void;
  /** What will be offered is still being looked up. */
  isFinding: boolean;
  /** @returns whether the key was for what is offered */
  takeKey: (event: KeyboardEvent) => boolean;
  /** Sends the text once, however often it is asked to; it stays where it was not taken. @returns whether it was */
  send: (take: (text: string) => Promise<boolean>) => Promise<boolean>;
  /** The same with what is attached, by its references. */
  submit: (take: (text: string, attached: readonly string[]) => Promise<boolean>) => Promise<void>;
}

/** The text box of the window; null while there is none. */
export const textBox = () => document.querySelector<HTMLElement>('[data-testid="composer"]');

/** The text, what is attached to it, and what `/` and `@` in it offer. */
export function usePromptField(options: PromptFieldOptions): PromptFieldState {
  const { draft, commands, onFindAttachments, asked = [], wordsOf, sessions } = options;
  const box = useRef<HTMLTextAreaElement>(null);
  const isSending = useRef(false);
  const isWriting = useRef(false);
  const [text, setText] = useState(draft.get);
  const [attached, setAttached] = useState(draft.attached);
  const [chosen, setChosen] = useState<number | null>(null);
  const [closedFor, setClosedFor] = useState<string | null>(null);
  const [history] = useState(() => new EditHistory(writtenIn(draft)));
  const [recall] = useState(() => new Recall());
  const caret = useCaret(box, text);
  const beside = besideText(text, attached);
  const { choices, isFinding, isNothing } = useAttachments(
    beside,
    attachmentWords(text, caret.at),
    onFindAttachments,
  );
  const isClosed = closedFor === text;
  const offered = isClosed ? [] : rowsFor(text, commands, choices, { wordsOf, sessions });
  const isDone = offered.length === 1 && offered[0]?.command && isWholeCommand(text, commands);
  const rows = isDone ? [] : offered;
  const selected = Math.min(chosen ?? 0, rows.length - 1);

  const show = ({ text: next, caret: at, attached: all }: Written) => {
    isWriting.current = true;
    if (all !== draft.attached()) draft.attach(all);
    if (next !== draft.get()) draft.set(next);
    isWriting.current = false;
    setText(next);
    setAttached(all);
    caret.put(at);
    setChosen(null);
    if (closedFor !== null) setClosedFor(null);
  };
  useSignal(draft.changed, () => {
    const next = { ...writtenIn(draft), caret: atCaret() };
    if (isWriting.current || (next.text === text && next.attached === attached)) return;
    const isMore = next.text === text && attached.every((one) => next.attached.includes(one));
    // What was sent comes back by no key.
    if (isMore) history.note(next, false);
    else history.forget(next);
    show(next);
  });
  /** Of what the draft is now, which may be newer than what was rendered. */
  const write = (changes: Partial<Written>, isTyped = false) => {
    const next = { ...writtenIn(draft), ...changes };
    history.note(next, isTyped);
    show(next);
  };
  const change: PromptFieldState["change"] = (next, at = next.length, isTyped = false) =>
    write({ text: next, caret: at }, isTyped);
  const atCaret = () => Math.min(box.current?.selectionEnd ?? caret.at, draft.get().length);

  const attach: PromptFieldState["attach"] = (more) => {
    const others = draft
      .attached()
      .filter((one) => more.every(({ reference }) => reference !== one.reference));
    if (besideText(draft.get(), [...others, ...more]).length > maxAttachments) return false;
    write({ attached: [...others, ...more], caret: atCaret() });
    return true;
  };
  const detach: PromptFieldState["detach"] = (choice) => {
    const rest = draft.attached().filter(({ reference }) => reference !== choice.reference);
    const left = choice.file ? draft.get() : withoutMentions(draft.get(), choice);
    write({ text: left, caret: Math.min(atCaret(), left.length), attached: rest });
  };
  const toText: PromptFieldState["toText"] = (choice, words) => {
    const [before, at] = [draft.get(), atCaret()];
    write({
      text: before.slice(0, at) + words + before.slice(at),
      caret: at + words.length,
      attached: draft.attached().filter(({ reference }) => reference !== choice.reference),
    });
  };
  const go = (next: Written | null) => next && show(next);

  const choose = ({ command, attachment, word, line }: PromptRow) => {
    if (command) change(`${command} `);
    if (line !== undefined) change(line);
    if (word !== undefined) change(withWord(text, word));
    if (attachment) {
      const others = draft.attached().filter(({ reference }) => reference !== attachment.reference);
      write({ ...withMention(text, caret.at, attachment), attached: [...others, attachment] });
    }
    box.current?.focus();
  };

  const takeRecall = (key: string): boolean => {
    const next = key === "ArrowUp" ? recall.older(text, asked) : recall.newer(text);
    if (next === null) return false;
    change(next);
    // An older command offers nothing: the arrows go on.
    setClosedFor(next);
    return true;
  };

  const takeKey = (event: KeyboardEvent): boolean => {
    const { key, shiftKey } = event;
    const last = beside.at(-1);
    if (key === "Backspace" && text === "" && last) detach(last);
    const isPlain = !shiftKey && !event.ctrlKey && !event.metaKey && !event.altKey;
    const isArrow = key === "ArrowDown" || key === "ArrowUp";
    const current = rows[selected];
    if (key === "Escape" && (current || (isNothing && !isClosed))) setClosedFor(text);
    else if (!current) {
      if (!isArrow || !isPlain || !takeRecall(key)) return false;
    } else if (isArrow) setChosen(moveSelection(selected, key === "ArrowDown" ? 1 : -1, rows.length));
    else if (key === "Tab" || (key === "Enter" && !shiftKey)) {
      if (key === "Enter" && isWholeCommand(text, commands)) return false;
      // The line is whole as it is: only who chose a word means it.
      if (key === "Enter" && current.word !== undefined && chosen === null && lastWordIsBlank(text))
        return false;
      choose(current);
    } else return false;
    event.preventDefault();
    return true;
  };

  const send: PromptFieldState["send"] = async (take) => {
    const sent = text;
    if ((sent.trim() === "" && draft.attached().length === 0) || isSending.current) return false;
    isSending.current = true;
    // The button that was pressed may go away, and the keyboard with it.
    box.current?.focus();
    const isTaken = await take(sent);
    isSending.current = false;
    if (!isTaken) return false;
    // What was typed while the answer was on its way is the beginning of the next prompt.
    const now = draft.get();
    const rest = now.startsWith(sent) ? now.slice(sent.length) : now;
    show({ text: rest, caret: rest.length, attached: draft.attached() });
    history.forget(writtenIn(draft));
    return true;
  };

  const submit: PromptFieldState["submit"] = async (take) => {
    const sent = new Set(draft.attached());
    const references = beside.map(({ reference }) => reference);
    // After its text: a draft of what was sent already is kept nowhere.
    if (!(await send((words) => take(words, references))) || sent.size === 0) return;
    show({ ...writtenIn(draft), attached: draft.attached().filter((one) => !sent.has(one)) });
    history.forget(writtenIn(draft));
  };

  return {
    ...{ box, text, caret, beside, isFinding: isFinding && !isClosed, rows, selected },
    ...{ isNothing: isNothing && !isClosed, select: setChosen, choose, change, attach, detach, toText },
    ...{ undo: () => go(history.undo()), redo: () => go(history.redo()), takeKey, send, submit },
  };
}

const writtenIn = (draft: PromptDraft): Written => ({
  text: draft.get(),
  caret: draft.get().length,
  attached: draft.attached(),
});
