import { useCallback, useRef, useState } from "react";
import { useStore } from "../../state/store.ts";
import { texts } from "../../texts/texts.ts";
import { Dialog } from "../ui/Dialog.tsx";
import { Logo } from "../ui/Logo.tsx";
import { useWindowState } from "../window/window-context.ts";
import { MicrophoneStep } from "./MicrophoneStep.tsx";
import { ModelStep } from "./ModelStep.tsx";
import styles from "./SetUp.module.css";
import { ShortcutStep } from "./ShortcutStep.tsx";

const t = texts.setUp;

/** The first run: a model, a microphone and a shortcut on one sheet. Each can be left out, and nothing needs a file or a restart. */
export function SetUpSheet() {
  const windowState = useWindowState();
  const { setUp } = windowState;
  const dialog = useRef<HTMLDialogElement>(null);
  const [hasModel, setHasModel] = useState(false);
  const [hasHeard, setHasHeard] = useState(false);
  const [hasShortcut, setHasShortcut] = useState(false);
  const shortcutChosen = useCallback(() => setHasShortcut(true), []);
  const view = useStore(windowState.view);
  const close = () => dialog.current?.close();
  const start = async () => {
    // The microphone is the sheet's until then.
    await setUp.stopListening();
    close();
    if (hasHeard) await windowState.startVoice("microphone");
  };
  return (
    <Dialog
      dialog={dialog}
      className={styles.sheet}
      testId="set-up"
      titleId="set-up-title"
      onClose={() => {
        setUp.end();
        windowState.focusWanted.emit();
      }}
    >
      <div className={styles.top}>
        <Logo size={28} />
        <div>
          <h1 id="set-up-title">{t.title}</h1>
          <p>{t.about}</p>
        </div>
        <button type="button" className="btn ghost" data-testid="set-up-skip" onClick={close}>
          {t.skipAll}
        </button>
      </div>
      <div className={styles.steps}>
        <ModelStep isDone={hasModel} onDone={setHasModel} />
        {view && (
          <MicrophoneStep
            conversationId={view.conversationId}
            isDone={hasHeard}
            isNow={hasModel}
            onHeard={() => setHasHeard(true)}
          />
        )}
        <ShortcutStep isDone={hasShortcut} isNow={hasModel && hasHeard} onDone={shortcutChosen} />
      </div>
      <div className={styles.bottom}>
        <span className={styles.fine}>{t.later}</span>
        {!(hasModel && hasHeard) && (
          <button type="button" className="btn ghost" onClick={close}>
            {t.skipRest}
          </button>
        )}
        <button
          type="button"
          className="btn primary"
          data-testid="set-up-done"
          disabled={!hasModel && !hasHeard && !hasShortcut}
          onClick={() => void start()}
        >
          {hasHeard ? t.start : t.done}
        </button>
      </div>
    </Dialog>
  );
}
