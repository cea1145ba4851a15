import { useRef } from "react";
import type { UserError } from "../../../shared/conversation/events.ts";
import { microphoneRefused, microphoneSettingsPage } from "../../../shared/voice/microphone-access.ts";
import type { VoiceSettings } from "../../../shared/voice/voice-settings.ts";
import {
  hears,
  silenceOf,
  type VoiceNow,
  type VoiceOn,
  type VoiceSnapshot,
} from "../../../shared/voice/voice-snapshot.ts";
import { keyLabel, voiceLabel } from "../../state/conversation/wording.ts";
import type { Readable } from "../../state/store.ts";
import type { VoiceSource } from "../../state/window-state.ts";
import { texts } from "../../texts/texts.ts";
import { SpokenText } from "../transcript/messages/SpokenText.tsx";
import { CodeWords } from "../ui/CodeWords.tsx";
import { Icon } from "../ui/Icon.tsx";
import { LevelBars } from "./LevelBars.tsx";
import { SilenceRing } from "./SilenceRing.tsx";
import { VoiceBadges } from "./VoiceBadges.tsx";
import styles from "./VoiceBar.module.css";
import { VoiceMenu } from "./VoiceMenu.tsx";

const t = texts.voice;

interface VoiceBarProps {
  now: VoiceNow;
  /** null before it is known. */
  panel: VoiceSnapshot | null;
  level: Readable<number>;
  platform: string | undefined;
  onStart: () => void;
  onMute: (isMuted: boolean) => void;
  onDictate: () => void;
  onSource: (source: VoiceSource) => void;
  /** In a meeting: sends what was said since the last time. */
  onAsk: () => void;
  /** In a meeting: shows its page; null where that is shown, words that are being said included. */
  onMeeting: (() => void) | null;
  /** What is said answers a question that waits. */
  isAnswering: boolean;
  /** How a key opens the microphone: then no pause ends what is said. */
  talkKey: VoiceSettings["voice.pushToTalk"];
  /** Opens the system's settings about microphones. */
  onSystemSettings: () => void;
}

type Will = Pick<VoiceBarProps, "isAnswering" | "talkKey">;

/** What voice is doing in this conversation, and the words while they are being spoken. */
export function VoiceBar(props: VoiceBarProps) {
  const { now: voice, panel, level, platform, isAnswering, talkKey, onMeeting } = props;
  const menu = useRef<HTMLButtonElement>(null);
  if (voice.state === "off") return null;
  if (voice.state === "failed") return <Failed {...props} detail={voice.detail} />;
  const { source, isMuted, isDictating } = voice;
  const hearsUser = source === "microphone" || source === "both";
  const will = willOf(voice, { isAnswering, talkKey });
  // Dictated words stand in the text box, those of a meeting on its page.
  const partial = isDictating || onMeeting === null ? null : voice.partial;
  const silence = silenceOf(voice);
  const look = silence ? styles.silent : styles[voice.state];
  return (
    <section className={`${styles.voice} ${look}`} aria-label={t.voice}>
      <LevelBars level={level} />
      <div className={styles.words}>
        {partial ? (
          <SpokenText partial={partial} testId="partial" />
        ) : (
          <p className={styles.quiet}>
            <CodeWords text={silence?.message ?? quietLine(voice)} />
          </p>
        )}
        {voice.detail && (
          <p className="hint">
            <CodeWords
              text={`${silence && !partial ? "" : voice.detail.message} ${voice.detail.hint ?? ""}`.trim()}
            />
          </p>
        )}
      </div>
      {silence && (
        <button
          type="button"
          className="btn small"
          data-testid="choose-microphone"
          title={t.chooseMicrophoneTitle}
          onClick={() => menu.current?.click()}
        >
          {t.chooseMicrophone}
        </button>
      )}
      <div className={styles.foot}>
        <VoiceMenu
          source={source}
          platform={platform}
          label={(source === "microphone" ? voice.device : null) ?? t.sources[source]}
          opener={menu}
          onSource={props.onSource}
        />
        <button
          type="button"
          className="btn small ghost"
          aria-pressed={isMuted}
          title={t.muteTitle}
          onClick={() => props.onMute(!isMuted)}
        >
          <Icon name={isMuted ? "mic" : "micOff"} size={14} />
          {isMuted ? t.unmute : t.mute}
        </button>
        {hearsUser && (
          <button
            type="button"
            className="btn small ghost"
            data-testid="dictate"
            aria-pressed={isDictating}
            title={(isDictating ? t.stopDictatingTitle : t.dictateTitle)(keyLabel(platform, "D", true))}
            onClick={props.onDictate}
          >
            <Icon name="dictate" size={14} />
            {t.dictate}
          </button>
        )}
        {source === "both" && (
          <>
            <button type="button" className="btn small primary" title={t.askNowTitle} onClick={props.onAsk}>
              {t.askNow}
            </button>
            {onMeeting && (
              <button
                type="button"
                className="btn small ghost"
                title={texts.meeting.openTitle}
                data-testid="bar-meeting"
                onClick={onMeeting}
              >
                {texts.meeting.title}
              </button>
            )}
          </>
        )}
        <VoiceBadges panel={panel} />
        <span className={styles.where} data-testid="voice-will">
          {will === null ? (
            t.where(voiceLabel(voice), keyLabel(platform, "M", true))
          ) : (
            <>
              {talkKey === "off" && (
                <SilenceRing
                  isSilent={voice.state === "transcribing"}
                  ms={panel?.settings["voice.utteranceEndMs"] ?? 0}
                />
              )}
              {will}
              {talkKey === "off" && (
                <span className={styles.now}>
                  <kbd>{texts.common.keys.enter}</kbd> {t.will.now}
                </span>
              )}
            </>
          )}
        </span>
      </div>
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
          <b>{t.stopped}</b> <CodeWords text={detail.message} />
        </p>
        {detail.hint !== undefined && (
          <p className="hint">
            <CodeWords text={detail.hint} />
          </p>
        )}
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

/** Something is being said that is sent by itself. */
export function willSend(now: VoiceNow): boolean {
  if (!hears(now)) return false;
  const { state, source, partial, isDictating } = now;
  // Servers need not tell when speech begins: words are being said all the same.
  const isSaying = state === "hearing" || partial !== null;
  return isSaying && source !== "both" && !isDictating;
}

/** What becomes of the words that are being said; null where nothing is said, or nothing becomes of it by itself. */
function willOf(now: VoiceNow, { isAnswering, talkKey }: Will): string | null {
  if (!willSend(now)) return null;
  if (isAnswering) return t.will.answer;
  return t.will[talkKey];
}

function quietLine(voice: VoiceOn): string {
  const { state, source, isMuted, isDictating, hint } = voice;
  if (isMuted) return t.mutedNow;
  if (isDictating && hears(voice)) return t.dictatingNow;
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
