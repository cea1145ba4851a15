import { useStore } from "../../state/store.ts";
import { texts } from "../../texts/texts.ts";
import { Icon } from "../ui/Icon.tsx";
import styles from "./NoticeBar.module.css";
import { useWindowState } from "./window-context.ts";

/** What was just done with a conversation, with the way back. It stays until it is dismissed: nothing to hurry for. */
export function NoticeBar() {
  const { library } = useWindowState();
  const notice = useStore(library.notice);
  return (
    <div role="status">
      {notice && (
        <div className={styles.toast} data-testid="notice">
          <span>{notice.text}</span>
          {notice.undo && (
            <button type="button" className="btn small" onClick={notice.undo}>
              {texts.common.undo}
            </button>
          )}
          <button
            type="button"
            className="btn icon ghost"
            aria-label={texts.common.dismiss}
            title={texts.common.dismiss}
            onClick={library.dismiss}
          >
            <Icon name="close" size={13} />
          </button>
        </div>
      )}
    </div>
  );
}
