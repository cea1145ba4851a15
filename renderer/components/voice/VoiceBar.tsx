import type { UserError } from "../../../shared/conversation/events.ts";
import { microphoneRefused, microphoneSettingsPage } from "../../../shared/voice/microphone-access.ts";
import type { VoiceNow, VoiceOn, VoiceSnapshot } from "../../../shared/voice/voice-snapshot.ts";
import { keyLabel, voiceLabel } from "../../state/conversation/wording.ts";
import type { Readable } from "../../state/store.ts";
import { texts } from "../../texts/texts.ts";
import { SpokenText } from "../transcript/messages/SpokenText.tsx";
import { Icon } from "../ui/Icon.tsx";
import { LevelBars } from "./LevelBars.tsx";
import { VoiceBadges } from "./VoiceBadges.tsx";
import styles from "./VoiceBar.module.css";

const t = texts.voice;

interface VoiceBarProps {
  now: VoiceNow;
  /** null before it is known. */
  panel: VoiceSnapshot | null;
  level: Readable<number>;
  platform: string | undefined;
  onStart: () => void;
  onMute: (isMuted: boolean) => void;
  /** In a meeting: sends what was said since the last time. */
  onAsk: () => void;
  /** Opens the system's settings about microphones. */
  onSystemSettings: () => void;
}

/** What voice is doing in this conversation, and the words while they are being spoken. */
export function VoiceBar(props: VoiceBarProps) {
  const { now: voice, panel, level, platform, onMute, onAsk } = props;
  if (voice.state === "off") return null;
  if (voice.state === "failed") return <Failed {...props} detail={voice.detail} />;
  const source = texts.voice.sources[voice.source];
  // Dictated words stand in the text box.
  const partial = voice.isDictating ? null : voice.partial;
  return (
    <section className={`${styles.voice} ${styles[voice.state]}`} aria-label={t.voice}>
      <LevelBars level={level} />
      <div className={styles.words}>
        {partial ? (
          <SpokenText partial={partial} testId="partial" />
        ) : (
          <p className={styles.quiet}>{quietLine(voice)}</p>
        )}
        {voice.detail && (
          <p className="hint">
            {voice.detail.message} {voice.detail.hint}
          </p>
        )}
      </div>
      <VoiceBadges panel={panel} />
      {voice.source === "both" && (
        <button type="button" className="btn small primary" title={t.askNowTitle} onClick={onAsk}>
          {t.askNow}
        </button>
      )}
      <button
        type="button"
        className="btn small ghost"
        aria-pressed={voice.isMuted}
        title={t.muteTitle}
        onClick={() => onMute(!voice.isMuted)}
      >
        {voice.isMuted ? t.unmute : t.mute}
      </button>
      <span className={styles.where}>
        {t.where(voiceLabel(voice), source, keyLabel(platform, "M", true))}
      </span>
    </section>
  );
}

function Failed({ detail, platform, onStart, onSystemSettings }: VoiceBarProps & { detail: UserError }) {
  const isRefused = detail.code === microphoneRefused && microphoneSettingsPage(platform ?? "") !== null;
  return (
    <section className={`${styles.voice} ${styles.failed}`} aria-label={t.voice} data-testid="voice-failed">
      <Icon name="alert" size={18} />
      <div className={styles.words}>
        <p>
          <b>{t.stopped}</b> {detail.message}
        </p>
        {detail.hint !== undefined && <p className="hint">{detail.hint}</p>}
      </div>
      {isRefused && (
        <button
          type="button"
          className="btn primary"
          title={t.microphoneSettingsTitle}
          onClick={onSystemSettings}
        >
          {t.microphoneSettings}
        </button>
      )}
      <button type="button" className="btn" onClick={onStart} title={t.tryAgainTitle}>
        {texts.common.tryAgain}
      </button>
    </section>
  );
}

/** The device is open and heard. */
const heard: ReadonlySet<VoiceOn["state"]> = new Set(["listening", "hearing", "transcribing"]);

function quietLine({ state, source, isMuted, isDictating, hint }: VoiceOn): string {
  if (isMuted) return t.mutedNow;
  if (isDictating && heard.has(state)) return t.dictatingNow;
  switch (state) {
    case "starting":
      return source === "microphone" ? t.openingMicrophone : t.openingSound;
    case "listening":
      if (hint) return hint;
      return source === "microphone" ? t.speakNow : t.waitingForSpeech;
    case "hearing":
      return t.hearing;
    case "transcribing":
      return t.transcribing;
    case "restarting":
      return t.restarting;
    default:
      return t.finishing;
  }
}
