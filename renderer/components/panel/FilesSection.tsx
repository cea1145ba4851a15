import { useMemo } from "react";
import type { ConversationChanges } from "../../../shared/conversation/checkpoints.ts";
import { changedLines, totalOf } from "../../state/panel/changed-lines.ts";
import { texts } from "../../texts/texts.ts";
import { Counts } from "../transcript/tools/DiffView.tsx";
import { Icon } from "../ui/Icon.tsx";
import { useWindowState } from "../window/window-context.ts";
import styles from "./FilesSection.module.css";
import { Section } from "./Section.tsx";

const t = texts.panel.files;

/** The files that this conversation changed: how many lines, which ones, and the way back. */
export function FilesSection({ changes, isBusy }: { changes: ConversationChanges; isBusy: boolean }) {
  const { panel, history } = useWindowState();
  const files = useMemo(() => changedLines(changes), [changes]);
  const { checkpointId } = changes;
  return (
    <Section title={t.title} end={<Counts {...totalOf(files)} />} testId="files-changed">
      <ul className={styles.list}>
        {files.map(({ path, change, added, removed }) => (
          <li key={path} className={styles.row} data-testid="changed-file">
            <button
              type="button"
              className={styles.file}
              title={t.show(path)}
              aria-label={t.show(path)}
              onClick={() => panel.review(path)}
            >
              <Icon name="file" />
              <bdi className={styles.name}>
                <span>{path.slice(0, path.lastIndexOf("/") + 1)}</span>
                {path.slice(path.lastIndexOf("/") + 1)}
              </bdi>
              {added + removed > 0 ? (
                <Counts added={added} removed={removed} />
              ) : (
                <small>{t.changes[change]}</small>
              )}
            </button>
            <span className={styles.acts}>
              {checkpointId !== null && (
                <button
                  type="button"
                  className="btn icon ghost"
                  title={t.rewindFile(path)}
                  aria-label={t.rewindFile(path)}
                  disabled={isBusy}
                  onClick={() => history.rewindChanges(checkpointId, path)}
                >
                  <Icon name="rewind" size={14} />
                </button>
              )}
              {change !== "removed" && (
                <button
                  type="button"
                  className="btn icon ghost"
                  title={t.open(path)}
                  aria-label={t.open(path)}
                  onClick={() => panel.openFile(path)}
                >
                  <Icon name="open" size={14} />
                </button>
              )}
            </span>
          </li>
        ))}
      </ul>
      <div className={styles.buttons}>
        <button type="button" className="btn small" onClick={() => panel.review(null)}>
          {t.review}
        </button>
        {checkpointId !== null && (
          <button
            type="button"
            className="btn small ghost"
            disabled={isBusy}
            onClick={() => history.rewindChanges(checkpointId)}
          >
            <Icon name="rewind" size={14} />
            {t.rewind}
          </button>
        )}
      </div>
    </Section>
  );
}
