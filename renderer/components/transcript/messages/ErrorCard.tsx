import type { ReactNode } from "react";
import type { UserError } from "../../../../shared/conversation/events.ts";
import { texts } from "../../../texts/texts.ts";
import { CodeWords } from "../../ui/CodeWords.tsx";
import { Icon } from "../../ui/Icon.tsx";
import styles from "./ErrorCard.module.css";

interface ErrorCardProps {
  error: UserError;
  /** What puts the card away. */
  end?: ReactNode;
  /** What can be done with a press. */
  children?: ReactNode;
}

/** What went wrong, what to do about it, and below that the ways out. */
export function ErrorCard({ error, end, children }: ErrorCardProps) {
  return (
    <div className={styles.problem} data-testid="error-card" data-code={error.code}>
      <Icon name={error.keyVariable === undefined ? "alert" : "key"} />
      <div className={styles.words}>
        <p className={styles.what}>
          <span className="visually-hidden">{texts.common.errorBefore}</span>
          <CodeWords text={error.message} />
        </p>
        {error.hint !== undefined && error.hint !== "" && (
          <p className="hint" data-beside="">
            <CodeWords text={error.hint} />
          </p>
        )}
        {children && <div className={styles.ways}>{children}</div>}
      </div>
      {end}
    </div>
  );
}
