import { duration } from "../../../state/conversation/wording.ts";
import { Choice, Fold, Slider } from "./fields.tsx";
import type { VoiceSettingsProps } from "./settings-props.ts";

const whileBusy = [
  ["queue", "waits for its turn"],
  ["steer", "goes into the running turn"],
  ["interrupt", "interrupts the run"],
] as const;

const percent = (value: number) => `${Math.round(value * 100)} %`;

/** When an utterance is over, and what becomes of it. The limits count at once, also while it listens. */
export function ListeningSettings({ settings, set }: VoiceSettingsProps) {
  return (
    <Fold title="End of a turn, and what follows">
      <Slider
        label="Silence that ends a turn"
        hint="Shorter after a clear finish, longer while a phrase is unfinished"
        value={settings["voice.endpointingMs"]}
        min={200}
        max={3000}
        step={50}
        format={duration}
        onChange={(ms) => void set("voice.endpointingMs", ms)}
      />
      <Slider
        label="Ends it in any case"
        value={settings["voice.utteranceEndMs"]}
        min={300}
        max={5000}
        step={100}
        format={duration}
        onChange={(ms) => void set("voice.utteranceEndMs", ms)}
      />
      <Slider
        label="Longest turn"
        value={settings["voice.maxUtteranceMs"]}
        min={5000}
        max={120_000}
        step={5000}
        format={duration}
        onChange={(ms) => void set("voice.maxUtteranceMs", ms)}
      />
      <Slider
        label="Time to correct before it is sent"
        value={settings["voice.reviewMs"]}
        min={0}
        max={15_000}
        step={500}
        format={(ms) => (ms === 0 ? "sent at once" : duration(ms))}
        onChange={(ms) => void set("voice.reviewMs", ms)}
      />
      <Slider
        label="Ignored when less sure than"
        value={settings["voice.minConfidence"]}
        min={0}
        max={0.9}
        step={0.05}
        format={percent}
        onChange={(value) => void set("voice.minConfidence", value)}
      />
      <Choice
        label="During a run, speech"
        value={settings["voice.whileBusy"]}
        options={whileBusy}
        onChange={(value) => void set("voice.whileBusy", value)}
      />
    </Fold>
  );
}
