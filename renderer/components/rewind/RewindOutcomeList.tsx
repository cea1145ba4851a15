import type { RewindOutcome } from "../../../shared/conversation/checkpoints.ts";
import { texts } from "../../texts/texts.ts";
import { Icon } from "../ui/Icon.tsx";
import styles from "./RewindDialog.module.css";

const t = texts.rewind;

const signs = { restored: "check", removed: "check", skipped: "lock", failed: "close" } as const;

/** What became of each path. */
export function RewindOutcomeList({ outcome: { files, prompts } }: { outcome: RewindOutcome }) {
  return (
    <div className={styles.plan} data-testid="rewind-outcome" role="status">
      {prompts > 0 && <p>{t.promptsLeft(prompts)}</p>}
      {files.length === 0 ? (
        <p>{t.noFileChanged}</p>
      ) : (
        <ul className={styles.files} aria-label={texts.common.files}>
          {files.map(({ path, result, why }) => (
            <li key={path} className={styles.line} data-testid="rewind-result" data-result={result}>
              <span className={`${styles.sign} ${styles[result]}`}>
                <Icon name={signs[result]} />
              </span>
              <code>{path}</code>
              <span className={styles.what}>
                {why === undefined ? t.results[result] : t.resultWhy(t.results[result], why)}
              </span>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
