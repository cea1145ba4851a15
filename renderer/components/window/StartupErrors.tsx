import { useState } from "react";
import type { UserError } from "../../../shared/conversation/events.ts";
import type { AppInfo } from "../../../shared/ipc/setting-routes.ts";
import { texts } from "../../texts/texts.ts";
import { ErrorCard } from "../transcript/messages/ErrorCard.tsx";
import { CodeWords } from "../ui/CodeWords.tsx";
import { Icon } from "../ui/Icon.tsx";
import styles from "./StartupErrors.module.css";

/** What was wrong before any window was open (a broken settings file), and what a restore came to, until it is mended or dismissed. */
export function StartupErrors({ errors }: { errors: AppInfo["startupErrors"] }) {
  const [dismissed, setDismissed] = useState<readonly string[]>([]);
  const isThere = (dismissed: string) => errors.some(({ message }) => message === dismissed);
  // What was mended is shown when it is wrong again.
  if (!dismissed.every(isThere)) setDismissed(dismissed.filter(isThere));
  const shown = errors.filter(({ message }) => !dismissed.includes(message));
  if (shown.length === 0) return null;
  return (
    <div className={`col ${styles.startup}`} role="alert">
      {shown.map((error) => (
        <Shown
          key={error.message}
          error={error}
          onDismiss={() => setDismissed([...dismissed, error.message])}
        />
      ))}
    </div>
  );
}

function Shown({ error, onDismiss }: { error: UserError; onDismiss(): void }) {
  const { dismiss } = texts.common;
  const button = (
    <button type="button" className="btn icon ghost" aria-label={dismiss} title={dismiss} onClick={onDismiss}>
      <Icon name="close" size={14} />
    </button>
  );
  if (error.code !== "restored") return <ErrorCard error={error} end={button} />;
  return (
    <div className={styles.note} data-testid="restored">
      <p>
        <CodeWords text={error.message} />{" "}
        <small>
          <CodeWords text={error.hint ?? ""} />
        </small>
      </p>
      {button}
    </div>
  );
}
