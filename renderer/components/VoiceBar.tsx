import { useState } from "react";
import type { VoiceView } from "../../shared/transcript.ts";
import { nextWords, type SpokenWords } from "../state/partial.ts";
import type { Store } from "../state/store.ts";
import { keyLabel, sourceName, voiceLabel } from "../state/wording.ts";
import { Icon } from "./Icon.tsx";
import { LevelBars } from "./LevelBars.tsx";

interface VoiceBarProps {
  voice: VoiceView;
  level: Store<number>;
  platform: string | undefined;
  onStart: () => void;
}

/** What voice is doing in this conversation, and the words while they are being spoken. */
export function VoiceBar({ voice, level, platform, onStart }: VoiceBarProps) {
  const words = useWords(voice.partial);
  if (voice.state === "off") return null;
  if (voice.state === "failed") return <Failed voice={voice} onStart={onStart} />;
  const source = voice.source ? sourceName[voice.source] : "";
  return (
    <section className={`voice ${voice.state}`} aria-label="Voice">
      <LevelBars level={level} />
      <div className="words">
        {words ? (
          <p className="partial" data-testid="partial">
            <span>
              <span className="sure">{words.sure}</span>
              <span className="unsure">{words.unsure}</span>
            </span>
          </p>
        ) : (
          <p className="quiet">{quietLine(voice)}</p>
        )}
        {voice.detail && (
          <p className="hint">
            {voice.detail.message} {voice.detail.hint}
          </p>
        )}
      </div>
      <span className="where">
        {voiceLabel(voice.state, voice.source)} · {source} · {keyLabel(platform, "M", true)}
      </span>
    </section>
  );
}

function Failed({ voice, onStart }: Pick<VoiceBarProps, "voice" | "onStart">) {
  return (
    <section className="voice failed" aria-label="Voice" data-testid="voice-failed">
      <Icon name="alert" size={18} />
      <div className="words">
        <p>
          <b>Voice stopped.</b> {voice.detail?.message ?? "The reason is not known."}
        </p>
        {voice.detail?.hint !== undefined && <p className="hint">{voice.detail.hint}</p>}
      </div>
      <button type="button" className="btn" onClick={onStart} title="Start voice again">
        Try again
      </button>
    </section>
  );
}

function quietLine({ state, source }: VoiceView): string {
  switch (state) {
    case "starting":
      return source === "microphone" ? "Opening the microphone…" : "Opening the sound…";
    case "listening":
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

/** Remembers the partial before, since sure is what stayed the same. */
function useWords(partial: VoiceView["partial"]): SpokenWords | null {
  const [seen, setSeen] = useState<{ partial: VoiceView["partial"]; words: SpokenWords | null }>({
    partial: null,
    words: null,
  });
  if (seen.partial === partial) return seen.words;
  const words = partial && nextWords(seen.words, partial);
  setSeen({ partial, words });
  return words;
}
