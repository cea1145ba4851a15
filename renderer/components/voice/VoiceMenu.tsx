import { useCallback, useEffect, useRef, useState } from "react";
import { isOn } from "../../../shared/voice/voice-snapshot.ts";
import { keyLabel } from "../../state/conversation/wording.ts";
import { useStore } from "../../state/store.ts";
import type { VoiceSource } from "../../state/window-state.ts";
import { texts } from "../../texts/texts.ts";
import { Icon, type IconName } from "../ui/Icon.tsx";
import menu from "../ui/Menu.module.css";
import { usePopover } from "../ui/use-popover.ts";
import { useWindowState } from "../window/window-context.ts";
import styles from "./VoiceMenu.module.css";

const t = texts.voice;

const sources: readonly VoiceSource[] = ["microphone", "loopback", "both"];
const icons: Record<VoiceSource, IconName> = { microphone: "mic", loopback: "speaker", both: "users" };

/** What these computers play has been heard by nobody yet, as far as we know. */
const isUntried = (platform: string | undefined) => platform === "win32" || platform === "darwin";

interface VoiceMenuProps {
  /** A file is not chosen here: it is said while one is heard. */
  source: VoiceSource | "file";
  platform: string | undefined;
  /** What is heard, to stand on its button; else that is an arrow alone. */
  label?: string;
  /** Becomes its button, for what else opens the menu. */
  opener?: React.RefObject<HTMLButtonElement | null>;
  onSource: (source: VoiceSource) => void;
}

/** What is listened to, with which microphone, and the way to all of voice. */
export function VoiceMenu({ source, platform, label, opener, onSource }: VoiceMenuProps) {
  const [isOpen, setOpen] = useState(false);
  const own = useRef<HTMLButtonElement>(null);
  const button = opener ?? own;
  const close = useCallback(() => setOpen(false), []);
  return (
    <>
      <button
        ref={button}
        type="button"
        className={label === undefined ? styles.arrow : "btn small ghost"}
        data-testid="voice-source"
        data-source={source}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        aria-label={t.sourceNow(label ?? t.sources[source])}
        title={t.listenToTitle}
        onClick={() => setOpen(true)}
      >
        {label !== undefined && (
          <>
            <Icon name={source === "file" ? "file" : icons[source]} size={14} />
            <bdi className={styles.label}>{label}</bdi>
          </>
        )}
        <Icon name="below" size={12} />
      </button>
      {isOpen && (
        <Menu source={source} platform={platform} onSource={onSource} button={button} onClose={close} />
      )}
    </>
  );
}

interface MenuProps extends VoiceMenuProps {
  button: React.RefObject<HTMLButtonElement | null>;
  onClose: () => void;
}

function Menu({ source, platform, onSource, button, onClose }: MenuProps) {
  const { voicePanel, settingsPage, dictate } = useWindowState();
  const voice = useStore(voicePanel.snapshot);
  const devices = useStore(voicePanel.devices);
  const box = useRef<HTMLDivElement>(null);
  const onKeyDown = usePopover(box, button, onClose);
  useEffect(() => void voicePanel.loadDevices(), [voicePanel]);
  const server = voice?.server ?? null;
  const settings = voice?.settings;
  const microphone =
    (server === null ? settings?.["voice.microphone"] : settings?.["voice.serverMicrophones"][server]) ?? "";
  const isDictating = voice !== null && isOn(voice.now) && voice.now.isDictating;
  const isHeld = settings?.["voice.pushToTalk"] === "hold";
  const leave = (act: () => void) => () => {
    onClose();
    button.current?.focus();
    act();
  };
  const mark = (isChosen: boolean) => (
    <span className={styles.mark} aria-hidden="true">
      {isChosen ? "✓" : ""}
    </span>
  );
  const device = (id: string, name: string) => (
    <button
      key={id}
      type="button"
      role="menuitemradio"
      tabIndex={-1}
      aria-checked={microphone === id}
      data-testid="menu-microphone"
      data-id={id}
      onClick={leave(() => void voicePanel.chooseMicrophone(id))}
    >
      {mark(microphone === id)}
      <span className={styles.text}>{name}</span>
    </button>
  );
  return (
    <div
      ref={box}
      popover="auto"
      role="menu"
      className={`${menu.menuCard} ${styles.menu}`}
      data-testid="voice-menu"
      aria-label={t.listenTo}
      onKeyDown={onKeyDown}
    >
      <p className={styles.head}>{t.listenTo}</p>
      {sources.map((one) => (
        <button
          key={one}
          type="button"
          role="menuitemradio"
          tabIndex={-1}
          aria-checked={source === one}
          data-testid="menu-source"
          data-source={one}
          onClick={leave(() => onSource(one))}
        >
          {mark(source === one)}
          <Icon name={icons[one]} size={15} />
          <span className={styles.text}>
            {one !== "microphone" && isUntried(platform) ? t.untriedSource(t.sources[one]) : t.sources[one]}
            {t.sourceAbout[one] !== "" && <small>{t.sourceAbout[one]}</small>}
          </span>
        </button>
      ))}
      <button type="button" role="menuitem" tabIndex={-1} onClick={leave(voicePanel.listenToFile)}>
        {mark(source === "file")}
        <Icon name="file" size={15} />
        <span className={styles.text}>{t.soundFile}</span>
      </button>
      <hr />
      <p className={styles.head}>{t.sources.microphone}</p>
      {device("", texts.setUp.microphone.systemDefault)}
      {devices?.capture?.map(({ id, name }) => device(id, name))}
      <hr />
      <button
        type="button"
        role="menuitemcheckbox"
        tabIndex={-1}
        aria-checked={isDictating}
        data-testid="menu-dictate"
        onClick={leave(dictate)}
      >
        {mark(isDictating)}
        <Icon name="dictate" size={15} />
        <span className={styles.text}>{t.dictate}</span>
        <kbd>{keyLabel(platform, "D", true)}</kbd>
      </button>
      <button
        type="button"
        role="menuitemcheckbox"
        tabIndex={-1}
        aria-checked={isHeld}
        onClick={leave(() => void voicePanel.set("voice.pushToTalk", isHeld ? "off" : "hold"))}
      >
        {mark(isHeld)}
        <Icon name="keyboard" size={15} />
        <span className={styles.text}>{t.holdToTalk(settings?.["voice.pushToTalkKey"] ?? "")}</span>
      </button>
      <button type="button" role="menuitem" tabIndex={-1} onClick={leave(voicePanel.toggle)}>
        {mark(false)}
        <Icon name="panel" size={15} />
        <span className={styles.text}>{t.openPanel}</span>
        <kbd>{keyLabel(platform, "L", true)}</kbd>
      </button>
      <button type="button" role="menuitem" tabIndex={-1} onClick={leave(() => settingsPage.open("voice"))}>
        {mark(false)}
        <Icon name="sliders" size={15} />
        <span className={styles.text}>{t.voiceSettings}</span>
      </button>
    </div>
  );
}
