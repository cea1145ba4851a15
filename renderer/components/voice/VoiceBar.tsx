import type { VoiceView } from "../../../shared/conversation/transcript.ts";
import { microphoneRefused, microphoneSettingsPage } from "../../../shared/voice/microphone-access.ts";
import type { VoicePanelView } from "../../../shared/voice/voice-panel.ts";
import { keyLabel, sourceName, voiceLabel } from "../../state/conversation/wording.ts";
import type { Store } from "../../state/store.ts";
import { SpokenText } from "../transcript/SpokenText.tsx";
import { Icon } from "../ui/Icon.tsx";
import { LevelBars } from "./LevelBars.tsx";
import { VoiceBadges } from "./VoiceBadges.tsx";

interface VoiceBarProps {
  voice: VoiceView;
  /** null before it is known. */
  panel: VoicePanelView | null;
  level: Store<number>;
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
  const { voice, panel, level, platform, onMute, onAsk } = props;
  if (voice.state === "off") return null;
  if (voice.state === "failed") return <Failed {...props} />;
  const source = voice.source ? sourceName[voice.source] : "";
  // Dictated words stand in the text box.
  const partial = voice.isDictating ? null : voice.partial;
  return (
    <section className={`voice ${voice.state}`} aria-label="Voice">
      <LevelBars level={level} />
      <div className="words">
        {partial ? (
          <SpokenText partial={partial} testId="partial" />
        ) : (
          <p className="quiet">{quietLine(voice)}</p>
        )}
        {voice.detail && (
          <p className="hint">
            {voice.detail.message} {voice.detail.hint}
          </p>
        )}
      </div>
      <VoiceBadges panel={panel} />
      {voice.source === "both" && (
        <button
          type="button"
          className="btn small primary"
          title="Send what was said since you last asked"
          onClick={onAsk}
        >
          Ask now
        </button>
      )}
      <button
        type="button"
        className="btn small ghost"
        aria-pressed={voice.isMuted}
        title="What is said while muted is dropped"
        onClick={() => onMute(!voice.isMuted)}
      >
        {voice.isMuted ? "Unmute" : "Mute"}
      </button>
      <span className="where">
        {voiceLabel(voice.state, voice.source)} · {source} · {keyLabel(platform, "M", true)}
      </span>
    </section>
  );
}

function Failed({ voice, platform, onStart, onSystemSettings }: VoiceBarProps) {
  const { detail } = voice;
  const isRefused = detail?.code === microphoneRefused && microphoneSettingsPage(platform ?? "") !== null;
  return (
    <section className="voice failed" aria-label="Voice" data-testid="voice-failed">
      <Icon name="alert" size={18} />
      <div className="words">
        <p>
          <b>Voice stopped.</b> {detail?.message ?? "The reason is not known."}
        </p>
        {detail?.hint !== undefined && <p className="hint">{detail.hint}</p>}
      </div>
      {isRefused && (
        <button
          type="button"
          className="btn primary"
          title="Opens the system's page about which programs may use the microphone"
          onClick={onSystemSettings}
        >
          Microphone settings
        </button>
      )}
      <button type="button" className="btn" onClick={onStart} title="Start voice again">
        Try again
      </button>
    </section>
  );
}

/** The device is open and heard. */
const heard: ReadonlySet<VoiceView["state"]> = new Set(["listening", "hearing", "transcribing"]);

function quietLine({ state, source, isMuted, isDictating, talkHint }: VoiceView): string {
  if (isMuted) return "Muted: what is said is dropped.";
  if (isDictating && heard.has(state)) return "What you say goes into the text box.";
  switch (state) {
    case "starting":
      return source === "microphone" ? "Opening the microphone…" : "Opening the sound…";
    case "listening":
      if (talkHint) return talkHint;
      return source === "microphone" ? "Speak whenever you like." : "Waiting for somebody to speak.";
    case "hearing":
      return "…";
    case "transcribing":
      return "Writing it down…";
    case "restarting":
      return "Starting again…";
    default:
      return "Reading the last words…";
  }
}
