import { texts } from "../../texts/texts.ts";
import notice from "../window/NoticeLine.module.css";
import { useWindowState } from "../window/window-context.ts";

const t = texts.approvals.level;

/** Words from the computer's sound are part of the conversation: every change asks until the user vouches for them. */
export function OverheardNotice() {
  const windowState = useWindowState();
  return (
    <section className={notice.noticeLine} role="status" data-testid="overheard" title={t.overheardTitle}>
      <p>{t.overheard}</p>
      <button
        type="button"
        className="btn small"
        data-testid="lift-overheard"
        title={t.liftTitle}
        onClick={windowState.liftOverheard}
      >
        {t.lift}
      </button>
    </section>
  );
}
