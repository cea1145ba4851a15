import { useEffect } from "react";
import { hasFence } from "../../../shared/safety/permissions.ts";
import { useStore } from "../../state/store.ts";
import { texts } from "../../texts/texts.ts";
import { Icon } from "../ui/Icon.tsx";
import { useWindowState } from "../window/window-context.ts";
import styles from "./Settings.module.css";

const t = texts.settingsPage;

/** How the fence stands, with what mends it. */
export function FenceState() {
  const windowState = useWindowState();
  const fence = useStore(windowState.info)?.fence;
  const isMissing = fence?.setting === "on" && !fence.isThere && !fence.isChecking;
  // It may have been installed since.
  useEffect(() => {
    if (isMissing) windowState.checkFence();
  }, [isMissing, windowState]);
  if (!fence) return null;
  if (hasFence(fence)) {
    return (
      <span className={styles.end} data-testid="fence-state">
        <Icon name="check" size={12} />
        {t.fence.works}
      </span>
    );
  }
  if (fence.setting === "on" && fence.isChecking) {
    return (
      <span className={styles.end} data-testid="fence-state" role="status">
        {t.fence.checking}
      </span>
    );
  }
  return (
    <span className={styles.end} data-testid="fence-state">
      {fence.setting === "off" ? t.fence.off : t.fence.missing(fence.why ?? "")}
      {fence.mend !== null && t.fence.mend(fence.mend)}
      {fence.setting === "on" && (
        <button type="button" className="btn small" onClick={windowState.checkFence}>
          {t.fence.check}
        </button>
      )}
    </span>
  );
}

/** What folders bring and the user trusts: each can be asked for again. */
export function TrustedFiles() {
  const { settingsPage } = useWindowState();
  const trusted = useStore(settingsPage.trusted);
  return (
    <div className={styles.rows} data-testid="trusted-files">
      {trusted.length === 0 && <p className={`${styles.row} ${styles.fine}`}>{t.trust.none}</p>}
      {trusted.map((path) => (
        <div key={path} className={styles.row}>
          <div className={styles.lab}>
            <code>{path}</code>
          </div>
          <button
            type="button"
            className="btn icon ghost"
            aria-label={t.removeOne(path)}
            title={t.removeOne(path)}
            onClick={() => void settingsPage.forgetTrust(path)}
          >
            <Icon name="close" size={13} />
          </button>
        </div>
      ))}
    </div>
  );
}
