import type { KeyboardEvent, ReactNode } from "react";
import { ErrorBoundary } from "react-error-boundary";
import { texts } from "../../texts/texts.ts";
import styles from "./Drawn.module.css";

const t = texts.common.undrawn;

interface DrawnPageProps {
  children: ReactNode;
  /** Puts the window away. Absent where the system's frame does that. */
  onClose?: () => void;
}

/** A page that fails while it is drawn says so and is drawn again when asked; what it knows lives outside of what is drawn. */
export function DrawnPage({ children, onClose }: DrawnPageProps) {
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "Escape") onClose?.();
  };
  return (
    <ErrorBoundary
      fallbackRender={({ resetErrorBoundary }) => (
        <main className={styles.page} onKeyDown={onKeyDown} data-testid="undrawn-page">
          <p role="alert">{t.page}</p>
          <p className="hint">{t.kept}</p>
          <p className={styles.ways}>
            {/* biome-ignore lint/a11y/noAutofocus: what had the keyboard is gone */}
            <button type="button" className="btn primary" autoFocus onClick={resetErrorBoundary}>
              {t.again}
            </button>
            {onClose && (
              <button type="button" className="btn" onClick={onClose}>
                {texts.common.close}
              </button>
            )}
          </p>
        </main>
      )}
    >
      {children}
    </ErrorBoundary>
  );
}

/** One row that fails takes nothing else with it. @param of what it shows: when that changes it is drawn again */
export function DrawnRow({ children, of }: { children: ReactNode; of: unknown }) {
  return (
    <ErrorBoundary
      resetKeys={[of]}
      fallbackRender={({ resetErrorBoundary }) => (
        <p className={styles.row} data-testid="undrawn-row" data-beside="">
          {t.row}
          <button type="button" className="btn small" onClick={resetErrorBoundary}>
            {t.again}
          </button>
        </p>
      )}
    >
      {children}
    </ErrorBoundary>
  );
}
