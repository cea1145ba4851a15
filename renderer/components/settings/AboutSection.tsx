import { useEffect } from "react";
import { useStore } from "../../state/store.ts";
import { texts } from "../../texts/texts.ts";
import { useWindowState } from "../window/window-context.ts";
import styles from "./Settings.module.css";

const t = texts.settingsPage.about;
const check = texts.setUp.doctor;

function useAbout() {
  const { settingsPage } = useWindowState();
  useEffect(() => void settingsPage.loadAbout(), [settingsPage]);
  return useStore(settingsPage.about);
}

/** What runs here, and its log. */
export function VersionRows({ has }: { has: (title: string) => boolean }) {
  const { settingsPage } = useWindowState();
  const about = useAbout();
  if (!about) return null;
  const builtOn = [
    [t.electron, about.electron],
    [t.chromium, about.chromium],
    [t.node, about.node],
  ];
  return (
    <div className={styles.rows} data-testid="about">
      {has(t.parley) && (
        <>
          <div className={styles.row}>
            <div className={styles.lab}>
              <b>{t.parley}</b>
              {about.isDevelopment && (
                <small data-testid="runtime-notice">{texts.common.developmentRuntime(about.electron)}</small>
              )}
            </div>
            {about.isDevelopment && <span className={styles.badge}>{t.development}</span>}
            <span className={styles.fine}>{about.version}</span>
          </div>
          {builtOn.map(([name, version]) => (
            <div key={name} className={styles.row}>
              <div className={styles.lab}>
                <b>{name}</b>
              </div>
              <span className={styles.fine}>{version}</span>
            </div>
          ))}
        </>
      )}
      {has(t.log) && (
        <div className={styles.row}>
          <div className={styles.lab}>
            <b>{t.log}</b>
            <small>{about.logPath}</small>
          </div>
          <button type="button" className="btn" onClick={() => void settingsPage.openPlace("log")}>
            {t.openLog}
          </button>
        </div>
      )}
    </div>
  );
}

/** What the Help menu has, too: the set-up, and the look at each part of this computer. */
export function HelpRows({ has }: { has: (title: string) => boolean }) {
  const { setUp, doctor } = useWindowState();
  const rows = [
    { title: texts.setUp.title, about: texts.setUp.about, act: t.setUp, open: setUp.open },
    { title: check.title, about: check.about, act: t.check, open: doctor.open },
  ];
  return (
    <div className={styles.rows}>
      {rows.map(
        ({ title, about, act, open }) =>
          has(title) && (
            <div key={title} className={styles.row}>
              <div className={styles.lab}>
                <b>{title}</b>
                <small>{about}</small>
              </div>
              <button type="button" className="btn" onClick={open}>
                {act}
              </button>
            </div>
          ),
      )}
    </div>
  );
}

/** What the packages that Parley is made of let others do. */
export function LicenceList() {
  const about = useAbout();
  if (!about) return null;
  return (
    <>
      <p className={styles.fine}>{t.licencesAbout(about.licences.length)}</p>
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
    </>
  );
}
