import { useRef } from "react";
import {
  type CheckResult,
  checkNames,
  checkReport,
  checkSummary,
  checkTitle,
} from "../../../shared/doctor.ts";
import { useStore } from "../../state/store.ts";
import { texts } from "../../texts/texts.ts";
import { CodeWords } from "../ui/CodeWords.tsx";
import { CopyButton } from "../ui/CopyButton.tsx";
import { Dialog } from "../ui/Dialog.tsx";
import { useWindowState } from "../window/window-context.ts";
import styles from "./Doctor.module.css";
import sheet from "./SetUp.module.css";

const t = texts.setUp.doctor;

/** "Check this computer": what each part was found to be, and what to do about it. */
export function DoctorSheet() {
  const { doctor, info } = useWindowState();
  const about = useStore(info);
  const results = useStore(doctor.results);
  const dialog = useRef<HTMLDialogElement>(null);
  const known = checkNames.flatMap((name) => results.get(name) ?? []);
  const isOver = known.length === checkNames.length;
  const runtime = about?.isTestRuntime ? ` ${t.development}` : "";
  const head = about
    ? `Parley ${about.version}, Electron ${about.electron}${runtime}, ${about.platform}`
    : "Parley";
  return (
    <Dialog
      dialog={dialog}
      className={sheet.sheet}
      testId="doctor"
      titleId="doctor-title"
      onClose={doctor.close}
    >
      <div className={sheet.top}>
        <div>
          <h1 id="doctor-title">{t.title}</h1>
          <p role="status" data-testid="doctor-summary">
            {isOver ? checkSummary(known) : t.about}
          </p>
          {about?.isTestRuntime && (
            <p className={sheet.fine} data-testid="runtime-notice">
              {texts.common.developmentRuntime(about.electron)}
            </p>
          )}
        </div>
      </div>
      <ul className={`${sheet.steps} ${styles.list}`}>
        {checkNames.map((name) => (
          <li key={name} data-testid="check" data-name={name} data-state={results.get(name)?.state}>
            <b>{checkTitle[name]}</b>
            <Found result={results.get(name)} />
          </li>
        ))}
      </ul>
      <div className={sheet.bottom}>
        {isOver && <CopyButton text={checkReport(head, known)} title={t.copy} />}
        <span className={sheet.fine} />
        <button type="button" className="btn" disabled={!isOver} onClick={doctor.checkAll}>
          {t.again}
        </button>
        <button type="button" className="btn primary" onClick={() => dialog.current?.close()}>
          {t.close}
        </button>
      </div>
    </Dialog>
  );
}

function Found({ result }: { result: CheckResult | undefined }) {
  if (!result) return <span className={styles.waits}>{t.checking}</span>;
  const { state, found, todo } = result;
  return (
    <>
      <span className={styles[state]}>{t.states[state]}</span>
      <p>
        <CodeWords text={found} />
        {todo !== null && (
          <span className={styles.todo}>
            <CodeWords text={todo} />
          </span>
        )}
      </p>
    </>
  );
}
