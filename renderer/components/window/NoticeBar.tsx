import { useStore } from "../../state/store.ts";
import { Icon } from "../ui/Icon.tsx";
import { useWindowState } from "./window-context.ts";

/** What was just done with a conversation, with the way back. It stays until it is dismissed: nothing to hurry for. */
export function NoticeBar() {
  const { library } = useWindowState();
  const notice = useStore(library.notice);
  return (
    <div role="status">
      {notice && (
        <div className="toast" data-testid="notice">
          <span>{notice.text}</span>
          {notice.undo && (
            <button type="button" className="btn small" onClick={notice.undo}>
              Undo
            </button>
          )}
          <button
            type="button"
            className="btn icon ghost"
            aria-label="Dismiss"
            title="Dismiss"
            onClick={library.dismiss}
          >
            <Icon name="close" size={13} />
          </button>
        </div>
      )}
    </div>
  );
}
