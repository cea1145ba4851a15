import { keyLabel } from "../../state/conversation/wording.ts";
import type { VoiceSource } from "../../state/window-state.ts";
import { texts } from "../../texts/texts.ts";
import { Icon } from "../ui/Icon.tsx";
import styles from "./VoiceControls.module.css";
import { VoiceMenu } from "./VoiceMenu.tsx";

const t = texts.voice;

interface VoiceControlsProps {
  isOn: boolean;
  /** It is on, and hears nothing. */
  isMuted: boolean;
  /** A file is not chosen here: it is said while one is heard. */
  source: VoiceSource | "file";
  platform: string | undefined;
  isDictating: boolean;
  onDictate: () => void;
  onToggle: () => void;
  onSource: (source: VoiceSource) => void;
}

/** The microphone button, and what it listens to. */
export function VoiceControls(props: VoiceControlsProps) {
  const { isOn, isMuted, source, platform, isDictating, onDictate, onToggle, onSource } = props;
  const key = keyLabel(platform, "M", true);
  return (
    <>
      <button
        type="button"
        className={
          isDictating ? `${styles.ib} ${styles.dictate} ${styles.on}` : `${styles.ib} ${styles.dictate}`
        }
        data-testid="dictate"
        aria-pressed={isDictating}
        aria-label={t.dictate}
        title={(isDictating ? t.stopDictatingTitle : t.dictateTitle)(keyLabel(platform, "D", true))}
        onClick={onDictate}
      >
        <Icon name="dictate" />
        <span>{t.dictate}</span>
      </button>
      <button
        type="button"
        className={isOn && !isMuted ? `${styles.ib} ${styles.on}` : styles.ib}
        data-testid="mic"
        aria-pressed={isOn}
        aria-label={t.voice}
        title={isOn ? t.stopListeningTitle(key) : t.startListeningTitle(key)}
        onClick={onToggle}
      >
        <Icon name="mic" />
      </button>
      <VoiceMenu source={source} platform={platform} onSource={onSource} />
    </>
  );
}
