import { keyLabel } from "../../state/conversation/wording.ts";
import type { VoiceSource } from "../../state/window-state.ts";
import { texts } from "../../texts/texts.ts";
import { Icon } from "../ui/Icon.tsx";
import styles from "./VoiceControls.module.css";

const t = texts.voice;

interface VoiceControlsProps {
  isOn: boolean;
  source: VoiceSource;
  platform: string | undefined;
  isDictating: boolean;
  onDictate: () => void;
  onToggle: () => void;
  onSource: (source: VoiceSource) => void;
}

const sources: VoiceSource[] = ["microphone", "loopback", "both"];

/** What these computers play has been heard by nobody yet, as far as we know. */
const isUntried = (platform: string | undefined) => platform === "win32" || platform === "darwin";

/** The microphone button, and what it listens to. */
export function VoiceControls(props: VoiceControlsProps) {
  const { isOn, source, platform, isDictating, onDictate, onToggle, onSource } = props;
  const key = keyLabel(platform, "M", true);
  return (
    <>
      <select
        className={styles.source}
        data-testid="voice-source"
        aria-label={t.listenTo}
        title={t.listenToTitle}
        value={source}
        onChange={(event) => {
          const chosen = sources.find((name) => name === event.target.value);
          if (chosen) onSource(chosen);
        }}
      >
        {sources.map((name) => (
          <option key={name} value={name}>
            {name !== "microphone" && isUntried(platform)
              ? t.untriedSource(texts.voice.sources[name])
              : texts.voice.sources[name]}
          </option>
        ))}
      </select>
      <button
        type="button"
        className={isDictating ? `btn round ${styles.dictate} ${styles.on}` : `btn round ${styles.dictate}`}
        data-testid="dictate"
        aria-pressed={isDictating}
        aria-label={t.dictate}
        title={(isDictating ? t.stopDictatingTitle : t.dictateTitle)(keyLabel(platform, "D", true))}
        onClick={onDictate}
      >
        <Icon name="dictate" />
      </button>
      <button
        type="button"
        className={isOn ? `btn round ${styles.mic} ${styles.on}` : `btn round ${styles.mic}`}
        data-testid="mic"
        aria-pressed={isOn}
        aria-label={t.voice}
        title={isOn ? t.stopListeningTitle(key) : t.startListeningTitle(key)}
        onClick={onToggle}
      >
        <Icon name="mic" />
      </button>
    </>
  );
}
