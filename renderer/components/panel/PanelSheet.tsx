import { type ReactNode, useRef } from "react";
import { windowActionOf } from "../../state/keys/window-keys.ts";
import { useStore } from "../../state/store.ts";
import { texts } from "../../texts/texts.ts";
import { Dialog } from "../ui/Dialog.tsx";
import { useWindowState } from "../window/window-context.ts";
import styles from "./PanelSheet.module.css";

/** The panel in a window that has no room for it beside the conversation. Its key closes it, too. */
export function PanelSheet({ children }: { children: (close: () => void) => ReactNode }) {
  const { panel } = useWindowState();
  const dialog = useRef<HTMLDialogElement>(null);
  const isOpen = useStore(panel.isSheetOpen);
  if (!isOpen) return null;
  return (
    <Dialog
      dialog={dialog}
      className={styles.sheet}
      testId="panel-sheet"
      titleId="panel-sheet-title"
      onClose={() => panel.isSheetOpen.set(false)}
    >
      <h2 id="panel-sheet-title" className="visually-hidden">
        {texts.panel.label}
      </h2>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: a key of the sheet as a whole */}
      <div
        className={styles.inside}
        onKeyDown={(event) => {
          if (windowActionOf(event) !== "panel") return;
          event.preventDefault();
          dialog.current?.close();
        }}
      >
        {children(() => dialog.current?.close())}
      </div>
    </Dialog>
  );
}
