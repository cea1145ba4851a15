import type { ReactNode } from "react";
import type { UserError } from "../../../../shared/conversation/events.ts";
import { texts } from "../../../texts/texts.ts";
import { CodeWords } from "../../ui/CodeWords.tsx";
import { Icon } from "../../ui/Icon.tsx";
import styles from "./ErrorCard.module.css";

/** What went wrong and what to do about it. `children`: what can be done with a click. */
export function ErrorCard({ error, children }: { error: UserError; children?: ReactNode }) {
  return (
    <div className={styles.problem} data-testid="error-card" data-code={error.code}>
      <Icon name="alert" size={18} />
      <div className={styles.words}>
        <p>
          <span className="visually-hidden">{texts.common.errorBefore}</span>
          <CodeWords text={error.message} />
        </p>
        {error.hint !== undefined && error.hint !== "" && (
          <p className="hint" data-beside="">
            <CodeWords text={error.hint} />
          </p>
        )}
      </div>
      {children}
    </div>
  );
}
