import { type FormEvent, useEffect, useState } from "react";
import { useStore } from "../../state/store.ts";
import { texts } from "../../texts/texts.ts";
import { useWindowState } from "../window/window-context.ts";
import { BackUpRow, RestoreRow } from "./BackupRows.tsx";
import styles from "./Settings.module.css";

const t = texts.settingsPage.data;

/** Where everything is and how large it is; all of it in one file; the end of all of it. */
export function DataRows({ has }: { has: (title: string) => boolean }) {
  const { settingsPage } = useWindowState();
  const exported = useStore(settingsPage.exported);
  const [isAsking, setAsking] = useState(false);
  return (
    <div className={styles.rows}>
      {has(t.where) && <Places />}
      {has(t.exportTitle) && (
        <div className={styles.row}>
          <div className={styles.lab}>
            <b>{t.exportTitle}</b>
            <small>{t.exportAbout}</small>
            <p role="status" data-testid="data-exported">
              {exported && t.exported(exported.count, exported.path)}
            </p>
          </div>
          <button
            type="button"
            className="btn"
            data-testid="data-export"
            onClick={() => void settingsPage.exportAll()}
          >
            {t.export}
          </button>
        </div>
      )}
      {has(t.backUpTitle) && <BackUpRow />}
      {has(t.restoreTitle) && <RestoreRow />}
      {has(t.deleteTitle) && (
        <div className={`${styles.row} ${styles.tall}`}>
          <div className={styles.lab}>
            <b>{t.deleteTitle}</b>
            <small>{t.deleteAbout}</small>
          </div>
          <button
            type="button"
            className={`btn ${styles.danger}`}
            data-testid="data-delete"
            aria-expanded={isAsking}
            onClick={() => setAsking(!isAsking)}
          >
            {t.delete}
          </button>
          {isAsking && <DeleteAll />}
        </div>
      )}
    </div>
  );
}

function Places() {
  const { settingsPage } = useWindowState();
  const data = useStore(settingsPage.data);
  useEffect(() => void settingsPage.loadData(), [settingsPage]);
  return (
    <>
      <div className={styles.row}>
        <div className={styles.lab}>
          <b>{t.where}</b>
          <small data-testid="data-folder">{data?.folder}</small>
        </div>
        <button type="button" className="btn" onClick={() => void settingsPage.openPlace("folder")}>
          {t.openFolder}
        </button>
      </div>
      {data?.parts.map(({ kind, bytes }) => (
        <div key={kind} className={styles.row} data-testid="data-part" data-kind={kind}>
          <div className={styles.lab}>
            <b>{t.kinds[kind]}</b>
          </div>
          <span className={styles.fine}>{sizeOf(bytes)}</span>
        </div>
      ))}
    </>
  );
}

/** Small files are told in kilobytes: nothing is said to be there that is not. */
const sizeOf = (bytes: number) =>
  bytes < 1_000_000 ? t.kilobytes(Math.ceil(bytes / 1000)) : t.megabytes((bytes / 1_000_000).toFixed(1));

function DeleteAll() {
  const { settingsPage } = useWindowState();
  const [word, setWord] = useState("");
  const isSaid = word.trim().toLowerCase() === t.deleteWord;
  const remove = (event: FormEvent) => {
    event.preventDefault();
    if (isSaid) void settingsPage.deleteAll("delete");
  };
  return (
    <form className={styles.ask} onSubmit={remove}>
      <label>
        {t.deleteAsk(t.deleteWord)}
        <span className={styles.field}>
          <input
            data-testid="data-delete-word"
            value={word}
            autoComplete="off"
            spellCheck={false}
            // biome-ignore lint/a11y/noAutofocus: the user has just asked for this field
            autoFocus
            onChange={(event) => setWord(event.target.value)}
          />
        </span>
      </label>
      <button
        type="submit"
        className={`btn ${styles.danger}`}
        data-testid="data-delete-now"
        disabled={!isSaid}
      >
        {t.deleteNow}
      </button>
    </form>
  );
}
