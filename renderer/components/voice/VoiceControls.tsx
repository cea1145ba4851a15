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
  source: VoiceSource;
  platform: string | undefined;
  /** What the user presses to talk. */
  talkKey: string;
  onToggle: () => void;
  onSource: (source: VoiceSource) => void;
}

/** The button to talk; while voice is off, with what it would listen to: then the voice bar is not there to say it. */
export function VoiceControls(props: VoiceControlsProps) {
  const { isOn, isMuted, source, platform, talkKey, onToggle, onSource } = props;
  const key = keyLabel(platform, "M", true);
  const look = isMuted ? styles.ib : `${styles.ib} ${styles.on}`;
  return (
    <>
      <button
        type="button"
        className={isOn ? look : `btn ${styles.talk}`}
        data-testid="mic"
        aria-pressed={isOn}
        aria-label={t.talk}
        title={isOn ? t.stopListeningTitle(key) : t.startListeningTitle(key)}
        onClick={onToggle}
      >
        <Icon name="mic" />
        {!isOn && (
          <>
            <span>{t.talk}</span>
            <kbd>{talkKey}</kbd>
          </>
        )}
      </button>
      {!isOn && <VoiceMenu source={source} platform={platform} onSource={onSource} />}
    </>
  );
}
