import { type KeyboardEvent, type ReactNode, useEffect } from "react";
import type { AttachmentChoice } from "../../../shared/conversation/attachments.ts";
import type { CommandSummary } from "../../../shared/ipc.ts";
import { usageFor } from "../../state/completion.ts";
import type { PromptDraft } from "../../state/conversation/drafts.ts";
import { keyLabel } from "../../state/conversation/wording.ts";
import { type Signal, useSignal } from "../../state/signal.ts";
import { texts } from "../../texts/texts.ts";
import { Icon } from "../ui/Icon.tsx";
import styles from "./Composer.module.css";
import { PromptField } from "./PromptField.tsx";
import { useDictation } from "./use-dictation.ts";
import { usePromptField } from "./use-prompt-field.ts";

const t = texts.composer;

interface ComposerProps {
  /** Where the prompt of this conversation is kept while another one is shown. */
  draft: PromptDraft & { flush: () => void };
  commands: readonly CommandSummary[];
  isRunning: boolean;
  /** What is sent answers a question of the running turn. */
  isAnswering: boolean;
  platform: string | undefined;
  /** @returns false when the text was not taken: it then stays in the box */
  onSubmit: (text: string, attached: readonly string[]) => Promise<boolean>;
  /** What `@` and these letters may mean. */
  onFindAttachments: (words: string) => Promise<readonly AttachmentChoice[]>;
  /** Says it into the running turn. @returns false when it was not taken */
  onSteer: (text: string) => Promise<boolean>;
  onStop: () => void;
  /** It takes the keyboard then, as it does at first. */
  focusWanted?: Signal | undefined;
  /** Text from elsewhere, put behind what stands here. */
  inserted?: Signal<string> | undefined;
  /** What is being said for this box (null: nothing), and each utterance for it, once it is finished. */
  partial: string | null;
  dictated: Signal<string>;
  /** Further controls in the bottom row. */
  children: ReactNode;
}

/** Enter sends, Shift+Enter starts a line, Esc closes the completion or else stops the run. */
export function Composer(props: ComposerProps) {
  const { draft, commands, isRunning, isAnswering, onSubmit, onSteer, onStop, focusWanted, inserted } = props;
  const { partial, dictated, onFindAttachments } = props;
  const field = usePromptField({ draft, commands, onFindAttachments });
  const { box, text, caret, change } = field;
  const usage = usageFor(text, commands);
  const shown = useDictation({ box, text, caret: caret.at, partial, dictated, onText: change });

  useEffect(() => box.current?.focus(), [box]);
  useSignal(focusWanted, () => box.current?.focus());
  useSignal(inserted, (words) => {
    const before = draft.get();
    change(before.trim() === "" ? words : `${before}\n${words}`);
    box.current?.focus();
  });

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "Enter" || event.shiftKey) return;
    event.preventDefault();
    void (isRunning && (event.ctrlKey || event.metaKey) ? field.send(onSteer) : field.submit(onSubmit));
  };

  return (
    <form
      className={styles.comp}
      onSubmit={(event) => {
        event.preventDefault();
        void field.submit(onSubmit);
      }}
    >
      <PromptField
        field={field}
        label={t.message}
        placeholder={isAnswering ? t.answerPlaceholder : t.placeholder}
        title={t.title}
        dictated={partial === null ? undefined : shown}
        onKeyDown={onKeyDown}
        onBlur={draft.flush}
      />
      <div className={styles.row}>
        <span className="hint">
          {usage ? <code>{usage.usage}</code> : keysLine(field.rows.length > 0, props)}
        </span>
        {props.children}
        {isRunning && (
          <button
            type="button"
            className={`btn ${styles.stop}`}
            data-testid="stop"
            onClick={() => {
              onStop();
              box.current?.focus();
            }}
            title={t.stopTitle}
          >
            <Icon name="stop" size={12} /> {texts.common.stop}
          </button>
        )}
        <button
          type="submit"
          className="btn round"
          data-testid="send"
          disabled={text.trim() === ""}
          aria-label={isAnswering ? t.answer : isRunning ? t.queue : texts.common.send}
          title={isAnswering ? t.answerTitle : isRunning ? t.queueTitle : t.sendTitle}
        >
          <Icon name="send" />
        </button>
      </div>
    </form>
  );
}

function keysLine(
  isCompleting: boolean,
  { isRunning, isAnswering, platform }: Pick<ComposerProps, "isRunning" | "isAnswering" | "platform">,
): string {
  if (isCompleting) return t.completionKeys;
  if (isAnswering) return t.answeringKeys(keyLabel(platform, "⏎"));
  return isRunning ? t.runningKeys(keyLabel(platform, "⏎")) : t.idleKeys;
}
