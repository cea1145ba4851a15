import { useMemo } from "react";
import type { RewindPlan } from "../../../shared/conversation/checkpoints.ts";
import { changedLines } from "../../state/panel/changed-lines.ts";
import { texts } from "../../texts/texts.ts";
import { Counts, DiffView } from "../transcript/tools/DiffView.tsx";
import { Icon } from "../ui/Icon.tsx";
import styles from "./RewindDialog.module.css";

const t = texts.rewind;

const actions = {
  restore: { sign: "rewind", label: t.actions.restore },
  remove: { sign: "trash", label: t.actions.remove },
  same: { sign: "lock", label: t.actions.same },
} as const;

interface RewindPreviewListProps {
  plan: RewindPlan;
  /** Also what something else has changed since goes back. */
  overwrite: boolean;
}

/** What would happen, path by path, before anything does. What is as it was already is not listed. */
export function RewindPreviewList({ plan, overwrite }: RewindPreviewListProps) {
  const { part, notRestorable, prompts } = plan;
  const files = useMemo(
    () =>
      changedLines(plan)
        .filter(({ action }) => action !== "same")
        .map((file) => ({
          ...file,
          action: file.isConflict && !overwrite ? ("same" as const) : file.action,
        })),
    [plan, overwrite],
  );
  const goBack = files.filter(({ action }) => action !== "same").length;
  const touchesFiles = part !== "conversation";
  return (
    <div className={styles.plan} data-testid="rewind-preview">
      <p aria-live="polite">{summary(part, { goBack, listed: files.length, prompts })}</p>
      {touchesFiles && files.length > 0 && (
        <ul className={styles.files} aria-label={texts.common.files}>
          {files.map(({ path, action, isConflict, diff, isTooLarge, added, removed }) => {
            const line = (
              <>
                <span className={`${styles.sign} ${styles[action]}`}>
                  <Icon name={actions[action].sign} />
                </span>
                <code>{path}</code>
                {isConflict && <span className="pill amber">{t.changedSince}</span>}
                <Counts added={added} removed={removed} />
                {isTooLarge && <small>{t.tooLarge}</small>}
                <span className={styles.what}>{actions[action].label}</span>
              </>
            );
            return (
              <li key={path} data-testid="rewind-file" data-action={action} data-conflict={isConflict}>
                {diff === null ? (
                  <div className={styles.line}>{line}</div>
                ) : (
                  <details>
                    <summary className={styles.line} title={t.showDiff}>
                      {line}
                    </summary>
                    <DiffView diff={diff} hasOwnHead isTall />
                  </details>
                )}
              </li>
            );
          })}
        </ul>
      )}
      {touchesFiles && notRestorable.length > 0 && (
        <details className={styles.notRestorable} data-testid="not-restorable">
          <summary>{t.cannotRestore(notRestorable.length)}</summary>
          <ul>
            {notRestorable.map(({ path, why }) => (
              <li key={path}>
                <code>{path}</code> {why}
              </li>
            ))}
          </ul>
        </details>
      )}
    </div>
  );
}

function summary(
  part: RewindPlan["part"],
  { goBack, listed, prompts }: { goBack: number; listed: number; prompts: number },
): string {
  const noFile = listed === 0 ? t.noFileSince : t.noFileGoesBack;
  const said = [
    part !== "conversation" && (goBack === 0 ? noFile : t.filesGoBack(goBack)),
    part !== "files" && (prompts === 0 ? t.noPrompts : t.prompts(prompts)),
  ];
  return said.filter(Boolean).join(" ");
}
