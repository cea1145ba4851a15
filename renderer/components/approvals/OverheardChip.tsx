import { texts } from "../../texts/texts.ts";
import { useWindowState } from "../window/window-context.ts";
import styles from "./OverheardChip.module.css";

const t = texts.approvals.level;

/** Words from the computer's sound are part of the conversation: every change asks until the user vouches for them. */
export function OverheardChip() {
  const windowState = useWindowState();
  return (
    <span className={`pill amber ${styles.overheard}`} data-testid="overheard" title={t.overheardTitle}>
      {t.overheard}
      <button
        type="button"
        data-testid="lift-overheard"
        title={t.liftTitle}
        onClick={windowState.liftOverheard}
      >
        {t.lift}
      </button>
    </span>
  );
}
