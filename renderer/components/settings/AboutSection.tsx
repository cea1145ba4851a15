import { useEffect } from "react";
import { useStore } from "../../state/store.ts";
import { texts } from "../../texts/texts.ts";
import { useWindowState } from "../window/window-context.ts";
import styles from "./Settings.module.css";

const t = texts.settingsPage.about;

/** Versions, the log, and what the packages that Parley is made of let others do. */
export function AboutSection() {
  const { settingsPage } = useWindowState();
  const about = useStore(settingsPage.about);
  useEffect(() => void settingsPage.loadAbout(), [settingsPage]);
  if (!about) return null;
  const versions = [
    [t.parley, about.version],
    [t.electron, about.electron],
    [t.chromium, about.chromium],
    [t.node, about.node],
  ];
  return (
    <>
      <section className={styles.group} data-testid="about">
        <h2>
          {t.versions}
          {about.isDevelopment && <span className={styles.end}>{t.development}</span>}
        </h2>
        {about.isDevelopment && (
          <p className={styles.fine} data-testid="runtime-notice">
            {texts.common.developmentRuntime(about.electron)}
          </p>
        )}
        <div className={styles.rows}>
          {versions.map(([name, version]) => (
            <div key={name} className={styles.row}>
              <div className={styles.lab}>
                <b>{name}</b>
              </div>
              <span className={styles.fine}>{version}</span>
            </div>
          ))}
          <div className={styles.row}>
            <div className={styles.lab}>
              <b>{t.log}</b>
              <small>{about.logPath}</small>
            </div>
            <button type="button" className="btn" onClick={() => void settingsPage.openPlace("log")}>
              {t.openLog}
            </button>
          </div>
        </div>
      </section>
      <section className={styles.group}>
        <h2>{t.licences(about.licences.length)}</h2>
        <p className={styles.fine}>{t.licencesAbout}</p>
        <ul className={`${styles.rows} ${styles.licences}`} data-testid="licences">
          {about.licences.map(({ name, version, licence }) => (
            <li key={name}>
              <span>
                {name} {version}
              </span>
              <span className={styles.fine}>{licence}</span>
            </li>
          ))}
        </ul>
      </section>
    </>
  );
}
