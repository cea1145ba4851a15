import { type KeyboardEvent, useId, useRef, useState } from "react";
import { heldAlone, pressedKey } from "../../state/keys/pressed-key.ts";
import { useStore } from "../../state/store.ts";
import { texts } from "../../texts/texts.ts";
import { CodeWords } from "../ui/CodeWords.tsx";
import { Icon } from "../ui/Icon.tsx";
import { useWindowState } from "../window/window-context.ts";
import styles from "./ShortcutField.module.css";
import { ShortcutState } from "./ShortcutState.tsx";

const t = texts.settingsPage.shortcut;

/** The settings that are keys. */
type ShortcutSetting = "quickShortcut" | "voice.pushToTalkKey";

export const isShortcutSetting = (name: string): name is ShortcutSetting =>
  name === "quickShortcut" || name === "voice.pushToTalkKey";

interface ShortcutFieldProps {
  name: ShortcutSetting;
  value: string;
  /** What it is named by. */
  labelledBy: string;
}

/** A key as it is, and the way to another: it is pressed. */
export function ShortcutField({ name, value, labelledBy }: ShortcutFieldProps) {
  const { settingsPage } = useWindowState();
  const [isAsking, setAsking] = useState(false);
  const [held, setHeld] = useState("");
  const [why, setWhy] = useState<string | null>(null);
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  const isHeldKey = name === "voice.pushToTalkKey";
  const end = () => {
    setAsking(false);
    setHeld("");
  };
  const keep = async (text: string) => {
    end();
    setWhy(await settingsPage.change(name, text));
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (!isAsking || event.key === "Tab") return;
    event.preventDefault();
    // Neither the dialog nor the window is meant.
    event.stopPropagation();
    if (event.nativeEvent.repeat) return;
    if (event.key === "Escape") return end();
    const isPlain = !(event.ctrlKey || event.altKey || event.metaKey || event.shiftKey);
    if (isPlain && event.key === "Backspace" && !isHeldKey) return void keep("");
    const pressed = pressedKey(event);
    setWhy(pressed.kind === "unfit" ? t.unfit(pressed.text) : null);
    if (pressed.kind === "key") void keep(pressed.text);
    else setHeld(pressed.kind === "held" ? pressed.text : "");
  };
  const onKeyUp = (event: KeyboardEvent) => {
    if (!isAsking) return;
    // Let go again with nothing else: what was held alone.
    const alone = isHeldKey && !held.includes("+") ? heldAlone(event.code) : null;
    if (alone !== null) void keep(alone);
    else setHeld("");
  };
  const shown = isAsking ? held : value;
  return (
    <span className={styles.shortcut} data-testid="shortcut" data-asking={isAsking}>
      <button
        ref={button}
        type="button"
        className={styles.keys}
        data-testid="setting-control"
        data-kind="keys"
        id={id}
        aria-labelledby={`${labelledBy} ${id}`}
        aria-description={t.press}
        data-value={value}
        title={t.press}
        onClick={() => {
          setWhy(null);
          setAsking(true);
        }}
        onKeyDown={onKeyDown}
        onKeyUp={onKeyUp}
        onBlur={end}
      >
        {shown === "" ? (
          <span className={styles.fine}>{isAsking ? t.pressNow : t.noKey}</span>
        ) : (
          shown.split("+").map((key) => <kbd key={key}>{key}</kbd>)
        )}
      </button>
      {isAsking ? (
        <span className={styles.fine}>{isHeldKey ? t.askingHeld : t.asking}</span>
      ) : (
        <>
          {name === "quickShortcut" && <Standing value={value} />}
          <button type="button" className="btn small ghost" onClick={() => button.current?.click()}>
            {t.other}
          </button>
        </>
      )}
      {why !== null && (
        <span className={styles.why} role="alert" data-testid="shortcut-problem">
          <CodeWords text={why} />
        </span>
      )}
    </span>
  );
}

/** Whether the shortcut reaches Parley, where that is known. */
function Standing({ value }: { value: string }) {
  const shortcut = useStore(useWindowState().info)?.quickShortcut;
  // Main has not tried this one yet.
  if (!shortcut || shortcut.key !== value || value === "") return null;
  if (shortcut.problem !== null) return <ShortcutState />;
  if (!shortcut.isFree) return null;
  return (
    <span className={styles.free} data-testid="shortcut-free">
      <Icon name="check" size={14} />
      {t.free}
    </span>
  );
}
