import { useMemo, useRef } from "react";
import { changedLines, totalOf } from "../../state/panel/changed-lines.ts";
import { useStore } from "../../state/store.ts";
import { texts } from "../../texts/texts.ts";
import { Counts, DiffView } from "../transcript/tools/DiffView.tsx";
import { Dialog } from "../ui/Dialog.tsx";
import { Icon } from "../ui/Icon.tsx";
import { useWindowState } from "../window/window-context.ts";
import styles from "./ReviewDialog.module.css";

const t = texts.panel.files;

/** All that this conversation changed in files, line by line. @param path the file that is opened; null: the first */
export function ReviewDialog({ path }: { path: string | null }) {
  const { panel } = useWindowState();
  const changes = useStore(panel.changes);
  const files = useMemo(() => changedLines(changes), [changes]);
  const dialog = useRef<HTMLDialogElement>(null);
  const opened = path ?? files[0]?.path;
  return (
    <Dialog
      dialog={dialog}
      className={styles.review}
      testId="review"
      titleId="review-title"
      byVoice
      onClose={() => panel.reviewed.set(null)}
    >
      <header>
        <h2 id="review-title">{t.title}</h2>
        <Counts {...totalOf(files)} />
        <span className="sp" />
        <button
          type="button"
          className="btn icon ghost"
          title={texts.common.close}
          aria-label={texts.common.close}
          onClick={() => dialog.current?.close()}
        >
          <Icon name="close" size={16} />
        </button>
      </header>
      <ul className={styles.files}>
        {files.map(({ path: name, change, diff, added, removed }) => (
          <li key={name} data-testid="review-file">
            <details open={name === opened}>
              <summary>
                <Icon name="chevronRight" size={14} />
                <code>{name}</code>
                <Counts added={added} removed={removed} />
                <small>{t.changes[change]}</small>
              </summary>
              {diff === null ? (
                <p className={styles.none}>{t.noLines}</p>
              ) : (
                <DiffView diff={diff} hasOwnHead isTall />
              )}
            </details>
            {/* Beside the line, not in it: what is pressed in a summary is none for screen readers. */}
            {change !== "removed" && (
              <button
                type="button"
                className={`btn icon ghost ${styles.open}`}
                title={t.open(name)}
                aria-label={t.open(name)}
                onClick={() => panel.openFile(name)}
              >
                <Icon name="open" size={14} />
              </button>
            )}
          </li>
        ))}
      </ul>
    </Dialog>
  );
}
