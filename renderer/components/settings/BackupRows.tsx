import { useState } from "react";
import { useStore } from "../../state/store.ts";
import { texts } from "../../texts/texts.ts";
import { useWindowState } from "../window/window-context.ts";
import styles from "./Settings.module.css";

const t = texts.settingsPage.data;

/** All that is the user's into one file. */
export function BackUpRow() {
  const { settingsPage } = useWindowState();
  const done = useStore(settingsPage.backedUp);
  const [withCheckpoints, setWithCheckpoints] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const backUp = async () => {
    setBusy(true);
    await settingsPage.backUp(withCheckpoints);
    setBusy(false);
  };
  return (
    <div className={`${styles.row} ${styles.tall}`}>
      <div className={styles.lab}>
        <b>{t.backUpTitle}</b>
        <small>{t.backUpAbout}</small>
        <label className={styles.choice}>
          <input
            type="checkbox"
            data-testid="backup-checkpoints"
            checked={withCheckpoints}
            onChange={(event) => setWithCheckpoints(event.target.checked)}
          />
          {t.withCheckpoints}
        </label>
        <p role="status" data-testid="data-backed-up">
          {isBusy ? t.backingUp : done && t.backedUp(done.count, done.path)}
        </p>
      </div>
      <button
        type="button"
        className="btn"
        data-testid="data-back-up"
        disabled={isBusy}
        onClick={() => void backUp()}
      >
        {t.backUp}
      </button>
    </div>
  );
}

/** What a back-up has and is not here. It is read first: what it holds is said before anything happens. */
export function RestoreRow() {
  const { settingsPage } = useWindowState();
  const backup = useStore(settingsPage.backup);
  const [withSettings, setWithSettings] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const choose = async () => {
    setBusy(true);
    setWithSettings(false);
    await settingsPage.chooseBackup();
    setBusy(false);
  };
  return (
    <div className={`${styles.row} ${styles.tall}`}>
      <div className={styles.lab}>
        <b>{t.restoreTitle}</b>
        <small>{t.restoreAbout}</small>
        <p role="status" data-testid="backup-found">
          {isBusy
            ? t.checking
            : backup &&
              t.backupIs(backup.conversations, backup.messages, new Date(backup.madeAt).toLocaleString())}
        </p>
      </div>
      <button
        type="button"
        className="btn"
        data-testid="data-restore"
        disabled={isBusy}
        onClick={() => void choose()}
      >
        {t.restore}
      </button>
      {backup && (
        <div className={styles.ask}>
          <div className={styles.lab}>
            {backup.settings > 0 && (
              <label className={styles.choice}>
                <input
                  type="checkbox"
                  data-testid="restore-settings"
                  checked={withSettings}
                  onChange={(event) => setWithSettings(event.target.checked)}
                />
                {t.withSettings(backup.settings)}
              </label>
            )}
            <small>{t.restoreWarns}</small>
          </div>
          <button
            type="button"
            className="btn primary"
            data-testid="data-restore-now"
            onClick={() => void settingsPage.restore(withSettings)}
          >
            {t.restoreNow}
          </button>
        </div>
      )}
    </div>
  );
}
