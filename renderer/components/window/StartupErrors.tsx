import { useState } from "react";
import type { AppInfo } from "../../../shared/ipc.ts";
import { texts } from "../../texts/texts.ts";
import { ErrorCard } from "../transcript/messages/ErrorCard.tsx";
import { Icon } from "../ui/Icon.tsx";
import styles from "./StartupErrors.module.css";

/** What was wrong before any window was open (a broken settings file), until it is dismissed. */
export function StartupErrors({ errors }: { errors: AppInfo["startupErrors"] }) {
  const [dismissed, setDismissed] = useState<ReadonlySet<number>>(new Set());
  const shown = errors.map((error, index) => ({ error, index })).filter(({ index }) => !dismissed.has(index));
  if (shown.length === 0) return null;
  return (
    <div className={`col ${styles.startup}`} role="alert">
      {shown.map(({ error, index }) => (
        <ErrorCard key={index} error={error}>
          <button
            type="button"
            className="btn icon ghost"
            aria-label={texts.common.dismiss}
            title={texts.common.dismiss}
            onClick={() => setDismissed(new Set([...dismissed, index]))}
          >
            <Icon name="close" size={14} />
          </button>
        </ErrorCard>
      ))}
    </div>
  );
}
