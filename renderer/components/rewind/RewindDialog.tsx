import { useEffect, useEffectEvent, useRef, useState } from "react";
import type { RewindOutcome, RewindPart, RewindPlan } from "../../../shared/conversation/checkpoints.ts";
import type { UserError } from "../../../shared/conversation/events.ts";
import type { RewindTarget } from "../../state/conversation/history.ts";
import { oneLine } from "../../state/conversation/tool-summary.ts";
import { texts } from "../../texts/texts.ts";
import { ErrorCard } from "../transcript/messages/ErrorCard.tsx";
import { Dialog } from "../ui/Dialog.tsx";
import { Icon } from "../ui/Icon.tsx";
import { useWindowState } from "../window/window-context.ts";
import styles from "./RewindDialog.module.css";
import { RewindOutcomeList } from "./RewindOutcomeList.tsx";
import { RewindPreviewList } from "./RewindPreviewList.tsx";

const t = texts.rewind;

const parts: { part: RewindPart; label: string }[] = [
  { part: "both", label: t.parts.both },
  { part: "files", label: t.parts.files },
  { part: "conversation", label: t.parts.conversation },
];

/** Shows what a rewind would do, lets the user choose, does it and says what became of each file. */
export function RewindDialog({ target }: { target: RewindTarget }) {
  const { history, focusWanted } = useWindowState();
  const dialog = useRef<HTMLDialogElement>(null);
  const isOfFiles = "checkpointId" in target.to;
  const path = "checkpointId" in target.to ? target.to.path : undefined;
  const [to, setTo] = useState(target.to);
  const [part, setPart] = useState<RewindPart>(isOfFiles ? "files" : "both");
  const [overwrite, setOverwrite] = useState(false);
  const [plan, setPlan] = useState<RewindPlan | null>(null);
  const [outcome, setOutcome] = useState<RewindOutcome | null>(null);
  const [failure, setFailure] = useState<UserError | null>(null);
  const [isWorking, setWorking] = useState(false);

  const asked = useRef(0);
  const look = useEffectEvent(async (wanted: RewindPart) => {
    const asking = ++asked.current;
    const answer = await history.previewRewind({ ...target, to }, wanted);
    // An answer for what is no longer chosen must not be taken for one that is.
    if (asking !== asked.current) return;
    setPlan(answer.ok ? answer.value : null);
    setFailure(answer.ok ? null : answer.error);
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: which prompt is the occasion, not an input
  useEffect(() => void look(part), [part, to]);

  const conflicts = plan?.files.filter(({ isConflict }) => isConflict).length ?? 0;
  const rewind = async () => {
    setWorking(true);
    setFailure(null);
    // Where no conflict was shown, nobody has agreed to one.
    const answer = await history.rewind({ ...target, to }, part, overwrite && conflicts > 0);
    setWorking(false);
    if (answer.ok) setOutcome(answer.value);
    else setFailure(answer.error);
  };
  const redo = async () => {
    setWorking(true);
    const done = await history.redo();
    setWorking(false);
    if (done) dialog.current?.close();
  };
  const isReady = plan?.part === part && !isWorking;

  return (
    <Dialog
      dialog={dialog}
      className={styles.rewind}
      testId="rewind-dialog"
      titleId="rewind-title"
      byVoice
      onClose={() => {
        history.rewinding.set(null);
        // The prompt that left the conversation waits in the text box.
        if (outcome && part !== "files") focusWanted.emit();
      }}
    >
      <div className={styles.head}>
        <Icon name="rewind" />
        <h2 id="rewind-title">{outcome ? t.done : titleOf(isOfFiles, path)}</h2>
        {!outcome && path === undefined && (
          <fieldset className={styles.parts} disabled={isWorking}>
            <legend className="visually-hidden">{t.whatGoesBack}</legend>
            {parts.map((one) => (
              <label key={one.part}>
                <input
                  type="radio"
                  name="rewind-part"
                  value={one.part}
                  checked={part === one.part}
                  onChange={() => setPart(one.part)}
                />
                {one.label}
              </label>
            ))}
          </fieldset>
        )}
      </div>
      {outcome ? (
        <RewindOutcomeList outcome={outcome} />
      ) : (
        <>
          {target.prompts && (
            <label>
              {t.before}
              <select
                data-testid="rewind-prompt"
                value={"messageId" in to ? to.messageId : ""}
                disabled={isWorking}
                onChange={(event) => {
                  setPlan(null);
                  // A yes to other files is none to these.
                  setOverwrite(false);
                  setTo({ messageId: event.target.value });
                }}
              >
                {target.prompts.map(({ messageId, text }) => (
                  <option key={messageId} value={messageId}>
                    {oneLine(text)}
                  </option>
                ))}
              </select>
            </label>
          )}
          {plan && <RewindPreviewList plan={plan} overwrite={overwrite} />}
          {conflicts > 0 && (
            <fieldset className={styles.conflicts} disabled={isWorking}>
              <legend>{t.conflicts(conflicts)}</legend>
              <label>
                <input
                  type="radio"
                  name="overwrite"
                  checked={!overwrite}
                  onChange={() => setOverwrite(false)}
                />
                {t.leave(conflicts)}
              </label>
              <label>
                <input
                  type="radio"
                  name="overwrite"
                  checked={overwrite}
                  onChange={() => setOverwrite(true)}
                />
                {t.overwrite}
              </label>
            </fieldset>
          )}
        </>
      )}
      {failure && (
        <div role="alert">
          <ErrorCard error={failure} />
        </div>
      )}
      <div className={styles.foot}>
        {/* Without a checkpoint it is not known whether it can. */}
        <p>{!outcome && plan?.checkpoint && t.canBeTakenBack}</p>
        {outcome ? (
          <>
            {outcome.redoCheckpointId !== null && (
              <button type="button" className="btn" disabled={isWorking} onClick={() => void redo()}>
                {texts.common.redo}
              </button>
            )}
            <button type="button" className="btn primary" onClick={() => dialog.current?.close()}>
              {texts.common.close}
            </button>
          </>
        ) : (
          <>
            <button type="button" className="btn" onClick={() => dialog.current?.close()}>
              {texts.common.cancel}
            </button>
            <button
              type="button"
              className="btn primary"
              data-testid="rewind-now"
              disabled={!isReady}
              onClick={() => void rewind()}
            >
              {t.rewind}
            </button>
          </>
        )}
      </div>
    </Dialog>
  );
}

const titleOf = (isOfFiles: boolean, path: string | undefined): string =>
  path === undefined ? (isOfFiles ? t.titleOfFiles : t.title) : t.titleOfFile(path);
