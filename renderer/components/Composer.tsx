import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from "react";
import type { AttachmentChoice } from "../../shared/attachments.ts";
import type { CommandSummary } from "../../shared/ipc.ts";
import { maxPromptChars } from "../../shared/ipc.ts";
import {
  completed,
  completionsFor,
  isWholeCommand,
  moveSelection,
  slashed,
  usageFor,
  withoutAttachmentWords,
} from "../state/completion.ts";
import { AttachmentChips } from "./AttachmentChips.tsx";
import { CompletionList, type CompletionRow, completionId, completionListId } from "./CompletionList.tsx";
import { Icon } from "./Icon.tsx";
import { useAttachments } from "./use-attachments.ts";
import { useDictation } from "./use-dictation.ts";

interface ComposerProps {
  /** Where the text of this conversation is kept while another one is shown. */
  draft: { get: () => string; set: (text: string) => void; flush: () => void };
  commands: readonly CommandSummary[];
  isRunning: boolean;
  /** @returns false when the text was not taken: it then stays in the box */
  onSubmit: (text: string, attached: readonly string[]) => Promise<boolean>;
  /** What `@` and these letters may mean. */
  onFindAttachments: (words: string) => Promise<readonly AttachmentChoice[]>;
  /** Says it into the running turn. @returns false when it was not taken */
  onSteer: (text: string) => Promise<boolean>;
  onStop: () => void;
  /** Takes the keyboard each time this grows. */
  focusRequest: number;
  /** Text from elsewhere, put behind what stands here each time `count` grows. */
  insertion: { text: string; count: number };
  /** What is being said for this box (null: nothing), and the last utterance for it. */
  partial: string | null;
  dictated: { text: string; count: number };
  /** Further controls in the bottom row. */
  children: ReactNode;
}

/** Enter sends, Shift+Enter starts a line, Esc closes the completion or else stops the run. */
export function Composer(props: ComposerProps) {
  const { draft, commands, isRunning, onSubmit, onSteer, onStop, focusRequest, insertion } = props;
  const { partial, dictated, onFindAttachments } = props;
  const box = useRef<HTMLTextAreaElement>(null);
  const isSending = useRef(false);
  const [text, setText] = useState(draft.get);
  const [selected, setSelected] = useState(0);
  const [closedFor, setClosedFor] = useState<string | null>(null);

  const attachments = useAttachments(text, onFindAttachments);
  const rows = closedFor === text ? [] : rowsFor(text, commands, attachments.choices);
  const isOpen = rows.length > 0 && !(rows.length === 1 && isWholeCommand(text, commands));
  const at = Math.min(selected, rows.length - 1);
  const current = isOpen ? rows[at] : undefined;
  const usage = usageFor(text, commands);

  // biome-ignore lint/correctness/useExhaustiveDependencies: the request is the occasion, not an input
  useEffect(() => box.current?.focus(), [focusRequest]);
  const inserted = useRef(insertion.count);
  useEffect(() => {
    if (inserted.current === insertion.count) return;
    inserted.current = insertion.count;
    const before = draft.get();
    const next = before.trim() === "" ? insertion.text : `${before}\n${insertion.text}`;
    draft.set(next);
    setText(next);
    box.current?.focus();
  }, [insertion, draft]);

  const change = (next: string) => {
    draft.set(next);
    setText(next);
    setSelected(0);
    if (closedFor !== null) setClosedFor(null);
  };

  const submitAll = async (sent: string) => {
    const beside = attachments.chosen;
    const isTaken = await onSubmit(
      sent,
      beside.map(({ reference }) => reference),
    );
    if (isTaken) attachments.forget(beside);
    return isTaken;
  };

  const dictation = useDictation({ box, text, partial, dictated, onText: change });

  const send = async (take: (text: string) => Promise<boolean> = submitAll) => {
    const sent = text;
    if (sent.trim() === "" || isSending.current) return;
    isSending.current = true;
    // The button that was pressed may go away, and the keyboard with it.
    box.current?.focus();
    const isTaken = await take(sent);
    isSending.current = false;
    if (!isTaken) return;
    // What was typed while the answer was on its way is the beginning of the next prompt.
    const now = draft.get();
    change(now.startsWith(sent) ? now.slice(sent.length) : now);
  };

  const choose = (row: Row) => {
    if (row.command) change(completed(row.command));
    if (row.attachment) {
      attachments.choose(row.attachment);
      change(withoutAttachmentWords(text));
    }
    box.current?.focus();
  };

  const onKeyDown = (event: KeyboardEvent) => {
    // While an input method composes, Enter and Esc belong to it.
    if (event.nativeEvent.isComposing || event.keyCode === 229) return;
    if (current) {
      if (event.key === "ArrowDown" || event.key === "ArrowUp") {
        event.preventDefault();
        setSelected(moveSelection(at, event.key === "ArrowDown" ? 1 : -1, rows.length));
        return;
      }
      const isChoice = event.key === "Tab" || (event.key === "Enter" && !event.shiftKey);
      if (isChoice && !(event.key === "Enter" && isWholeCommand(text, commands))) {
        event.preventDefault();
        choose(current);
        return;
      }
      if (event.key === "Escape") {
        event.preventDefault();
        setClosedFor(text);
        return;
      }
    }
    const last = attachments.chosen.at(-1);
    if (event.key === "Backspace" && text === "" && last) attachments.remove(last.reference);
    if (event.key === "Enter" && !event.shiftKey) {
      event.preventDefault();
      void send(isRunning && (event.ctrlKey || event.metaKey) ? onSteer : submitAll);
    }
  };

  return (
    <form
      className="comp"
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
    >
      {isOpen && current && (
        <CompletionList
          label={current.command ? "Commands" : "Files and resources"}
          rows={rows}
          current={at}
          onChoose={(index) => rows[index] && choose(rows[index])}
          onPoint={setSelected}
        />
      )}
      <AttachmentChips
        chosen={attachments.chosen}
        onRemove={(reference) => {
          attachments.remove(reference);
          box.current?.focus();
        }}
      />
      <textarea
        ref={box}
        data-testid="composer"
        rows={1}
        value={dictation.shown}
        // Words that still change cannot be typed into; they are finished in a moment.
        readOnly={partial !== null}
        data-dictating={partial !== null || undefined}
        maxLength={maxPromptChars}
        placeholder="Type, or press the microphone and speak.  / for commands, @ for files"
        aria-label="Message"
        title="Enter sends · Shift+Enter starts a line · / lists the commands · @ attaches files and resources"
        role="combobox"
        aria-expanded={isOpen}
        aria-autocomplete="list"
        aria-controls={isOpen ? completionListId : undefined}
        aria-activedescendant={current ? completionId(at) : undefined}
        onChange={(event) => {
          change(event.target.value);
          dictation.onSelect();
        }}
        onKeyDown={onKeyDown}
        onSelect={dictation.onSelect}
        onBlur={draft.flush}
      />
      <div className="row">
        <span className="hint">
          {usage ? <code>{usage.usage}</code> : keysLine(current !== undefined, isRunning)}
        </span>
        {props.children}
        {isRunning && (
          <button
            type="button"
            className="btn stop"
            data-testid="stop"
            onClick={() => {
              onStop();
              box.current?.focus();
            }}
            title="Stop this run (Esc)"
          >
            <Icon name="stop" size={12} /> Stop
          </button>
        )}
        <button
          type="submit"
          className="btn round"
          data-testid="send"
          disabled={text.trim() === ""}
          aria-label={isRunning ? "Queue" : "Send"}
          title={
            isRunning
              ? "Queue this for after the run (Enter); Ctrl/Cmd+Enter says it into the running turn"
              : "Send (Enter)"
          }
        >
          <Icon name="send" />
        </button>
      </div>
    </form>
  );
}

interface Row extends CompletionRow {
  command?: CommandSummary;
  attachment?: AttachmentChoice;
}

function rowsFor(
  text: string,
  commands: readonly CommandSummary[],
  choices: readonly AttachmentChoice[],
): Row[] {
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

function keysLine(isCompleting: boolean, isRunning: boolean): string {
  if (isCompleting) return "↑ ↓ choose · Enter completes · Esc closes";
  return isRunning ? "Enter queues · Ctrl+Enter steers · Esc stops" : "Enter sends";
}
