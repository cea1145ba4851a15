import { useStore } from "../../../state/store.ts";
import { isVoice, voiceOf } from "../../../state/voice/speech-models.ts";
import { texts } from "../../../texts/texts.ts";
import { useWindowState } from "../../window/window-context.ts";

/** What a setting can be, and as people read it. */
type Choices = readonly (readonly [value: string, name: string])[];

const t = texts.voicePanel;
const voices: Choices = [
  ["slt", t.speaking.voices.slt],
  ["rms", t.speaking.voices.rms],
  ["system", t.speaking.voices.system],
];

/** Those that come along, and those that were downloaded. */
export function useVoices(): Choices {
  const models = useStore(useWindowState().voicePanel.models) ?? [];
  const downloaded = models.filter((model) => isVoice(model) && model.state === "installed");
  return [...voices, ...downloaded.map((model) => [voiceOf(model), model.name] as const)];
}

/** What turns speech into words: what comes along, and what was downloaded. */
export function useRecognisers(): Choices {
  const models = useStore(useWindowState().voicePanel.models) ?? [];
  const downloaded = models.filter(
    (model) => !isVoice(model) && model.kind !== "punctuation" && model.state === "installed",
  );
  return [["", t.models.builtIn], ...downloaded.map(({ id, name }) => [id, name] as const)];
}

/** Those of the speech server in use; its name is null where that is Parley itself. */
export function useMicrophones(): { server: string | null; chosen: string; choices: Choices } {
  const { voicePanel } = useWindowState();
  const { server = null, settings } = useStore(voicePanel.snapshot) ?? {};
  const { capture = [] } = useStore(voicePanel.devices) ?? {};
  const own =
    server === null ? settings?.["voice.microphone"] : settings?.["voice.serverMicrophones"][server];
  const found = capture
    .filter(({ id }) => id !== "default")
    .map(({ id, name }, index) => [id, name || t.now.microphoneNumber(index + 1)] as const);
  const usual = server === null ? t.now.systemDefault : t.now.serverDefault;
  return { server, chosen: own ?? "", choices: [["", usual], ...found] };
}
