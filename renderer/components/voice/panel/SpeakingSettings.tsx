import { useStore } from "../../../state/store.ts";
import { isVoice, voiceOf } from "../../../state/voice/speech-models.ts";
import { useWindowState } from "../../window/window-context.ts";
import { Choice, Fold, Slider, Switch } from "./fields.tsx";
import type { VoiceSettingsProps } from "./settings-props.ts";

const when = [
  ["spoken", "to spoken prompts"],
  ["always", "always"],
  ["never", "never"],
] as const;

const voices: readonly (readonly [string, string])[] = [
  ["slt", "slt: a woman's (built in)"],
  ["rms", "rms: a man's (built in)"],
  ["system", "The system's own"],
];

const pace = (value: number) => `${value.toFixed(2)} ×`;
const percent = (value: number) => `${Math.round(value * 100)} %`;

/** Whether, and how, replies are said aloud. */
export function SpeakingSettings({ settings, set }: VoiceSettingsProps) {
  const { desk } = useWindowState();
  const models = useStore(desk.models) ?? [];
  const voice = settings["voice.voice"];
  const downloaded = models
    .filter((model) => isVoice(model) && model.state === "installed")
    .map((model) => [voiceOf(model), model.name] as const);
  return (
    <Fold title="Spoken replies" onOpen={() => void desk.loadModels()}>
      <Choice
        label="Said aloud"
        value={settings["voice.speak"]}
        options={when}
        onChange={(value) => void set("voice.speak", value)}
      />
      <Choice
        label="Voice"
        value={voice}
        options={[...voices, ...downloaded]}
        onChange={(value) => void set("voice.voice", value)}
      />
      {voice.startsWith("system") && (
        <p className="hint">
          Parley cannot cancel the echo of a voice of the system: use headphones or push-to-talk to interrupt
          it.
        </p>
      )}
      <Slider
        label="Pace"
        value={settings["voice.rate"]}
        min={0.5}
        max={2}
        step={0.05}
        format={pace}
        onChange={(value) => void set("voice.rate", value)}
      />
      <Slider
        label="Volume"
        value={settings["voice.volume"]}
        min={0}
        max={1}
        step={0.05}
        format={percent}
        onChange={(value) => void set("voice.volume", value)}
      />
      <Switch
        label="Chime when listening begins and ends"
        value={settings["voice.chime"]}
        onChange={(value) => void set("voice.chime", value)}
      />
    </Fold>
  );
}
