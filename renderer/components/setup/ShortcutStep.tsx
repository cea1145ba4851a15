import { useEffect, useState } from "react";
import { useStore } from "../../state/store.ts";
import { texts } from "../../texts/texts.ts";
import { ShortcutField } from "../settings/ShortcutField.tsx";
import { Icon } from "../ui/Icon.tsx";
import { useWindowState } from "../window/window-context.ts";
import styles from "./SetUp.module.css";

const t = texts.setUp.shortcut;

interface ShortcutStepProps {
  isDone: boolean;
  /** It is what comes next. */
  isNow: boolean;
  /** Another one was chosen, and Parley has it. */
  onDone: () => void;
}

/** The key that opens the quick prompt, and whether it is free. */
export function ShortcutStep({ isDone, isNow, onDone }: ShortcutStepProps) {
  const shortcut = useStore(useWindowState().info)?.quickShortcut;
  const [first] = useState(shortcut?.key);
  const isOther = shortcut !== undefined && shortcut.key !== first && shortcut.problem === null;
  useEffect(() => {
    if (isOther) onDone();
  }, [isOther, onDone]);
  if (!shortcut) return null;
  const state = isDone ? "done" : isNow ? "now" : "later";
  return (
    <section
      className={styles.step}
      data-state={state}
      aria-labelledby="set-up-shortcut"
      data-testid="set-up-shortcut"
    >
      <span className={styles.no}>{isDone ? <Icon name="check" size={14} /> : "3"}</span>
      <h2 id="set-up-shortcut">
        {t.title} <span>{t.about}</span>
      </h2>
      <div className={styles.in}>
        <ShortcutField name="quickShortcut" value={shortcut.key} labelledBy="set-up-shortcut" />
      </div>
    </section>
  );
}
