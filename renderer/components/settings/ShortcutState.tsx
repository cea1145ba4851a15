import { useState } from "react";
import { windowActionOfShortcut } from "../../state/keys/window-keys.ts";
import { useStore } from "../../state/store.ts";
import { texts } from "../../texts/texts.ts";
import { CodeWords } from "../ui/CodeWords.tsx";
import { useWindowState } from "../window/window-context.ts";
import styles from "./Settings.module.css";

const t = texts.settingsPage.shortcut;

/** What is wrong with the quick prompt's shortcut, and what mends it; nothing where it is right. */
export function ShortcutState() {
  const { info, settingsPage } = useWindowState();
  const shortcut = useStore(info)?.quickShortcut;
  const [answer, setAnswer] = useState<{ key: string; said: string | null } | null>(null);
  if (!shortcut) return null;
  const { key, desktop } = shortcut;
  const said = answer?.key === key ? answer.said : null;
  const action = windowActionOfShortcut(key);
  const problem = shortcut.problem ?? (action && t.alsoInWindow(key, texts.keys.actions[action]));
  if (said === null && problem === null) return null;
  return (
    <span className={styles.state} data-testid="shortcut-state" role="status">
      <span>
        <CodeWords text={said ?? problem ?? ""} />
      </span>
      {desktop && said === null && (
        <button
          type="button"
          className="btn small"
          onClick={() => void settingsPage.bindShortcut().then((said) => setAnswer({ key, said }))}
        >
          {t.bind(t.desktops[desktop])}
        </button>
      )}
    </span>
  );
}
