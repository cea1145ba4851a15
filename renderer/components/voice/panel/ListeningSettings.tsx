import { duration } from "../../../state/conversation/wording.ts";
import { texts } from "../../../texts/texts.ts";
import { Choice, Fold, Slider } from "./fields.tsx";
import type { VoiceSettingsProps } from "./settings-props.ts";

const t = texts.voicePanel.listening;

const whileBusy = [
  ["queue", t.busy.queue],
  ["steer", t.busy.steer],
  ["interrupt", t.busy.interrupt],
] as const;

const percent = (value: number) => texts.common.units.percent(Math.round(value * 100));

/** When an utterance is over, and what becomes of it. The limits count at once, also while it listens. */
export function ListeningSettings({ settings, set }: VoiceSettingsProps) {
  return (
    <Fold title={t.title}>
      <Slider
        label={t.silence}
        hint={t.silenceHint}
        value={settings["voice.endpointingMs"]}
        min={200}
        max={3000}
        step={50}
        format={duration}
        onChange={(ms) => void set("voice.endpointingMs", ms)}
      />
      <Slider
        label={t.utteranceEnd}
        value={settings["voice.utteranceEndMs"]}
        min={300}
        max={5000}
        step={100}
        format={duration}
        onChange={(ms) => void set("voice.utteranceEndMs", ms)}
      />
      <Slider
        label={t.longest}
        value={settings["voice.maxUtteranceMs"]}
        min={5000}
        max={120_000}
        step={5000}
        format={duration}
        onChange={(ms) => void set("voice.maxUtteranceMs", ms)}
      />
      <Slider
        label={t.review}
        value={settings["voice.reviewMs"]}
        min={0}
        max={15_000}
        step={500}
        format={(ms) => (ms === 0 ? t.atOnce : duration(ms))}
        onChange={(ms) => void set("voice.reviewMs", ms)}
      />
      <Slider
        label={t.confidence}
        value={settings["voice.minConfidence"]}
        min={0}
        max={0.9}
        step={0.05}
        format={percent}
        onChange={(value) => void set("voice.minConfidence", value)}
      />
      <Choice
        label={t.whileBusy}
        value={settings["voice.whileBusy"]}
        options={whileBusy}
        onChange={(value) => void set("voice.whileBusy", value)}
      />
    </Fold>
  );
}
