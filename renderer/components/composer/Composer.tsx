import { type KeyboardEvent, type ReactNode, useEffect, useState } from "react";
import type { AttachmentChoice } from "../../../shared/conversation/attachments.ts";
import { grouped } from "../../../shared/grouped.ts";
import type { ScreenSource } from "../../../shared/ipc/attachment-routes.ts";
import type { CommandSummary } from "../../../shared/ipc/setting-routes.ts";
import { usageFor } from "../../state/completion.ts";
import type { Attaching } from "../../state/composer/attaching.ts";
import { pastedFiles } from "../../state/composer/pasted.ts";
import { leastTokens, promptTokens } from "../../state/composer/prompt-tokens.ts";
import type { NamedSession } from "../../state/composer/session-lines.ts";
import type { PromptDraft } from "../../state/conversation/drafts.ts";
import { keyLabel } from "../../state/conversation/wording.ts";
import type { Inserted } from "../../state/shown-conversation.ts";
import { type Signal, useSignal } from "../../state/signal.ts";
import { texts } from "../../texts/texts.ts";
import { Icon } from "../ui/Icon.tsx";
import { AddMenu } from "./attach/AddMenu.tsx";
import { AttachmentDialog } from "./attach/AttachmentDialog.tsx";
import { ScreenDialog } from "./attach/ScreenDialog.tsx";
import { useDrops } from "./attach/use-drops.ts";
import { useFiles } from "./attach/use-files.ts";
import styles from "./Composer.module.css";
import { PromptField } from "./PromptField.tsx";
import { useDictation } from "./use-dictation.ts";
import { usePromptField } from "./use-prompt-field.ts";
import { useTypeAnywhere } from "./use-type-anywhere.ts";

const t = texts.composer;

interface ComposerProps {
  /** Where the prompt of this conversation is kept while another one is shown. */
  draft: PromptDraft & { flush: () => void };
  commands: readonly CommandSummary[];
  /** Stands before the keys, below the box. */
  under?: ReactNode;
  /** Stands in place of the signs that offer something. */
  offers?: ReactNode;
  isRunning: boolean;
  /** What is sent answers a question of the running turn. */
  isAnswering: boolean;
  platform: string | undefined;
  /** What was asked before in this conversation, oldest first. */
  asked?: readonly string[];
  /** Words that a command takes beside those of its usage, by its name. */
  wordsOf?: (command: string) => readonly string[];
  /** The conversations that `/session resume` may mean. */
  sessions?: readonly NamedSession[];
  /** A command was begun whose further words may be wanted. */
  onCommand?: (command: string) => void;
  attaching: Attaching;
  /** What the empty box says, where it is not the usual. */
  placeholder?: string | undefined;
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
  inserted?: Signal<Inserted> | undefined;
  /** What stands here is sent. */
  sendWanted?: Signal | undefined;
  /** What stands here goes, if it still is this. */
  withdrawn?: Signal<string> | undefined;
  /** What is being said for this box (null: nothing), and each utterance for it, once it is finished. */
  partial: string | null;
  dictated: Signal<string>;
  /** Enter without any text sends what is being said; null: nothing is. */
  onSendSpoken: (() => void) | null;
  /** Ends what Parley says aloud; null: it says nothing. */
  onSilence: (() => void) | null;
  /** Further controls in the bottom row. */
  children: ReactNode;
}

/** Enter sends, Shift+Enter starts a line, Esc closes the completion or else stops the run. */
export function Composer(props: ComposerProps) {
  const { draft, commands, isRunning, isAnswering, attaching, onSubmit, onSteer, onSilence } = props;
  const { partial, dictated, onFindAttachments, asked, wordsOf, sessions, onCommand } = props;
  const field = usePromptField({
    ...{ draft, commands, onFindAttachments },
    ...(asked && { asked }),
    ...(wordsOf && { wordsOf }),
    ...(sessions && { sessions }),
  });
  const { box, text, caret, change } = field;
  const usage = usageFor(text, commands);
  const tokens = promptTokens(text, field.beside);
  const begun = usage?.name;
  useEffect(() => {
    if (begun !== undefined) onCommand?.(begun);
  }, [begun, onCommand]);
  const shown = useDictation({ box, text, caret: caret.at, partial, dictated, onText: change });
  // A command's line and an answer take no attachments.
  const files = useFiles(field, attaching, !isAnswering && !text.startsWith("/"));
  const [screens, setScreens] = useState<readonly ScreenSource[] | null>(null);
  const [opened, setOpened] = useState<AttachmentChoice | null>(null);
  const isOver = useDrops((dropped) => void files.add(dropped));

  useEffect(() => box.current?.focus(), [box]);
  useSignal(props.focusWanted, () => box.current?.focus());
  useSignal(props.sendWanted, () => void field.submit(onSubmit));
  useSignal(props.inserted, ({ text: words, attached }) => {
    const before = draft.get();
    change(before.trim() === "" ? words : `${before}\n${words}`);
    if (attached.length > 0) field.attach(attached);
    box.current?.focus();
  });
  useSignal(props.withdrawn, (words) => {
    if (draft.get() !== words) return;
    for (const choice of draft.attached()) field.detach(choice);
    change("");
  });
  useTypeAnywhere(box, (event) => {
    const { clipboardData } = event;
    if (!clipboardData || pastedFiles(clipboardData).length === 0) return;
    event.preventDefault();
    void files.add(pastedFiles(clipboardData));
  });

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "Enter" || event.shiftKey) return;
    event.preventDefault();
    if (text.trim() === "" && field.beside.length === 0 && props.onSendSpoken) return props.onSendSpoken();
    if (!isRunning || (!event.ctrlKey && !event.metaKey)) return void field.submit(onSubmit);
    if (field.beside.length > 0) return attaching.fail(t.files.notIntoRun);
    void field.send(onSteer);
  };
  const takeScreen = async () => {
    const list = await attaching.screens();
    if (list?.kind === "choose") setScreens(list.sources);
    else files.take(list?.attached ?? null);
  };
  /** A sign that offers something, at the caret. */
  const begin = (sign: "@" | "/") => {
    const before = text.slice(0, caret.at);
    const start = sign === "/" ? "/" : `${before}${/^$|\s$/.test(before) ? "" : " "}@`;
    change(sign === "/" ? `/${text}` : start + text.slice(caret.at), start.length);
    box.current?.focus();
  };

  return (
    <>
      <form
        className={styles.comp}
        data-drop={isOver || undefined}
        data-written={text !== "" || undefined}
        onSubmit={(event) => {
          event.preventDefault();
          void field.submit(onSubmit);
        }}
      >
        {isOver && <p className={styles.drop}>{t.files.drop}</p>}
        <PromptField
          field={field}
          label={t.message}
          placeholder={isAnswering ? t.answerPlaceholder : (props.placeholder ?? t.placeholder)}
          title={t.title}
          dictated={partial === null ? undefined : shown}
          reading={files.reading}
          onKeyDown={onKeyDown}
          onPaste={files.paste}
          onBlur={draft.flush}
          onOpen={setOpened}
        />
        <div className={styles.row}>
          <AddMenu onFiles={(picked) => void files.add(picked)} onScreen={() => void takeScreen()} />
          {props.offers ?? (
            <>
              <button
                type="button"
                className={styles.ib}
                aria-label={t.mention}
                title={t.mention}
                onClick={() => begin("@")}
              >
                <Icon name="at" />
              </button>
              <button
                type="button"
                className={styles.ib}
                aria-label={t.command}
                title={t.command}
                disabled={text.trim() !== ""}
                onClick={() => begin("/")}
              >
                <Icon name="slash" />
              </button>
              <span className="sp" />
            </>
          )}
          {tokens >= leastTokens && (
            <small className={styles.tokens} data-testid="prompt-tokens" title={t.tokensTitle}>
              {t.tokens(grouped(tokens))}
            </small>
          )}
          {props.children}
          {(isRunning || onSilence) && (
            <button
              type="button"
              className={`${styles.ib} ${styles.stop}`}
              data-testid={isRunning ? "stop" : "silence"}
              aria-label={texts.common.stop}
              onClick={() => {
                if (isRunning) props.onStop();
                else onSilence?.();
                box.current?.focus();
              }}
              title={isRunning ? t.stopTitle : texts.transcript.stopSpeakingTitle}
            >
              <Icon name="stop" size={14} />
            </button>
          )}
          <button
            type="submit"
            className={`${styles.ib} ${styles.go}`}
            data-testid="send"
            disabled={text.trim() === "" && field.beside.length === 0}
            aria-label={isAnswering ? t.answer : isRunning ? t.queue : texts.common.send}
            title={isAnswering ? t.answerTitle : isRunning ? t.queueTitle : t.sendTitle}
          >
            <Icon name="send" />
          </button>
        </div>
      </form>
      <div className={styles.under}>
        {!usage && props.under}
        <p>{usage ? <code>{usage.usage}</code> : keysLine(field.rows.length > 0, props)}</p>
      </div>
      {screens && (
        <ScreenDialog
          sources={screens}
          onChoose={(id) => void attaching.screen(id).then(files.take)}
          onClose={() => {
            setScreens(null);
            box.current?.focus();
          }}
        />
      )}
      {opened && (
        <AttachmentDialog
          load={() => attaching.open({ reference: opened.reference })}
          onToText={opened.file?.kind === "pasted" ? (words) => field.toText(opened, words) : undefined}
          onClose={() => {
            setOpened(null);
            box.current?.focus();
          }}
        />
      )}
    </>
  );
}

function keysLine(
  isCompleting: boolean,
  { isRunning, isAnswering, platform }: Pick<ComposerProps, "isRunning" | "isAnswering" | "platform">,
): string {
  if (isCompleting) return t.completionKeys;
  const sendNow = keyLabel(platform, texts.common.keys.enter);
  if (isAnswering) return t.answeringKeys(sendNow);
  return isRunning ? t.runningKeys(sendNow) : t.idleKeys;
}
