import { useRef } from "react";
import type { AppInfo } from "../../../shared/ipc/setting-routes.ts";
import { type ChosenKeys, keySheet } from "../../state/keys/key-sheet.ts";
import { useStore } from "../../state/store.ts";
import { texts } from "../../texts/texts.ts";
import { Dialog } from "../ui/Dialog.tsx";
import { Icon } from "../ui/Icon.tsx";
import { useWindowState } from "../window/window-context.ts";
import styles from "./KeysSheet.module.css";

interface KeysSheetProps {
  info: AppInfo | null;
  onClose: () => void;
}

/** Every key there is. */
export function KeysSheet({ info, onClose }: KeysSheetProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const voice = useStore(useWindowState().voicePanel.snapshot)?.settings;
  const way = voice?.["voice.pushToTalk"] ?? "off";
  const quick = info?.quickShortcut;
  const chosen: ChosenKeys = {
    ...(quick && quick.key !== "" && quick.problem === null && { quick: quick.key }),
    ...(voice && way !== "off" && { talk: { key: voice["voice.pushToTalkKey"], way } }),
    questionMark: info?.questionMarkShowsKeys ?? true,
  };
  return (
    <Dialog
      dialog={dialog}
      className={styles.sheet}
      testId="keys-sheet"
      titleId="keys-title"
      onClose={onClose}
    >
      <header>
        <h2 id="keys-title">{texts.keys.title}</h2>
        <span className="sp" />
        <button
          type="button"
          className="btn icon ghost"
          title={texts.common.close}
          aria-label={texts.common.close}
          onClick={() => dialog.current?.close()}
        >
          <Icon name="close" size={16} />
        </button>
      </header>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and the keyboard must reach it */}
      <section className={styles.groups} tabIndex={0} aria-labelledby="keys-title">
        {keySheet(info?.platform, chosen).map(({ title, rows }) => (
          <section key={title} aria-label={title}>
            <h3>{title}</h3>
            <dl>
              {rows.map(({ keys, does }) => (
                <div key={does} className={styles.row}>
                  <dt>{does}</dt>
                  <dd>
                    {keys.map((key) => (
                      <kbd key={key}>{key}</kbd>
                    ))}
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </section>
    </Dialog>
  );
}
