import type { VoiceOn, VoiceSnapshot } from "../../../shared/voice/voice-snapshot.ts";
import { duration } from "../../state/conversation/wording.ts";
import { texts } from "../../texts/texts.ts";
import { Icon } from "../ui/Icon.tsx";
import { useWindowState } from "../window/window-context.ts";
import { Fact } from "./ContextSection.tsx";
import { Section } from "./Section.tsx";

const t = texts.panel.voice;

/** What listens to this conversation, where its sound goes, and how long the last spoken turn took. */
export function VoiceSection({ now, voice }: { now: VoiceOn; voice: VoiceSnapshot }) {
  const { voicePanel } = useWindowState();
  const { server, turn } = voice;
  const toFirstWords = turn && [turn.recogniseMs, turn.deliverMs, turn.requestMs, turn.firstWordsMs];
  const known = toFirstWords?.flatMap((ms) => ms ?? []) ?? [];
  return (
    <Section
      title={t.title}
      end={
        <span className={server === null ? "pill live" : "pill"}>
          {server !== null && <Icon name="open" size={12} />}
          {server === null ? t.here : t.sentTo(server)}
        </span>
      }
      testId="voice-section"
    >
      <Fact name={t.state}>{now.isMuted ? texts.voice.muted : texts.voice.states[now.state]}</Fact>
      {now.device !== null && <Fact name={t.microphone}>{now.device}</Fact>}
      <Fact name={t.sound}>{now.recordingTo === null ? t.notKept : t.kept}</Fact>
      {known.length > 0 && <Fact name={t.lastTurn}>{duration(known.reduce((sum, ms) => sum + ms, 0))}</Fact>}
      <button type="button" className="btn small" onClick={voicePanel.toggle}>
        {t.more}
      </button>
    </Section>
  );
}
