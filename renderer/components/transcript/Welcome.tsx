import { use } from "react";
import type { AppInfo } from "../../../shared/ipc.ts";
import { keyLabel } from "../../state/conversation/wording.ts";
import { rich } from "../../texts/rich.ts";
import { texts } from "../../texts/texts.ts";
import { RowActionsContext } from "../sessions/row-actions.ts";
import styles from "./Welcome.module.css";

const t = texts.transcript.welcome;

/** The empty transcript: what to do first, and plainly what is missing. The examples work with and without a model. */
export function Welcome({ info, onAsk }: { info: AppInfo | null; onAsk: (text: string) => void }) {
  return (
    <div className={styles.welcome} data-testid="welcome">
      <h2>{t.title}</h2>
      <p>
        {rich(
          t.about(<kbd>{keyLabel(info?.platform, "M", true)}</kbd>, <kbd>{texts.common.keys.enter}</kbd>),
        )}
      </p>
      <ul className={styles.examples} aria-label={t.examples}>
        {t.prompts.map((text) => (
          <li key={text}>
            <button type="button" className="btn" title={t.askTitle} onClick={() => onAsk(text)}>
              {text}
            </button>
          </li>
        ))}
      </ul>
      {info?.provider === "offline" && <OfflineNotice />}
    </div>
  );
}

const makers = [
  ["Anthropic", "ANTHROPIC_API_KEY"],
  ["OpenAI", "OPENAI_API_KEY"],
  ["Gemini", "GEMINI_API_KEY"],
] as const;

/** Without a model: the form for a key is one press away, and nothing has to be restarted. */
function OfflineNotice() {
  const { changeKey } = use(RowActionsContext);
  return (
    <section className={styles.offline} aria-label={t.offline} data-testid="offline-notice">
      <p>
        <b>{t.offlineTitle}</b>
        {t.offlineAbout}
      </p>
      {changeKey && (
        <div className={styles.keys}>
          <span>{t.addKey}</span>
          {makers.map(([maker, variable]) => (
            <button
              key={variable}
              type="button"
              className="btn small"
              aria-label={t.addKeyFor(maker)}
              onClick={() => changeKey(variable)}
            >
              {maker}
            </button>
          ))}
        </div>
      )}
      <p>{t.localServer}</p>
    </section>
  );
}
