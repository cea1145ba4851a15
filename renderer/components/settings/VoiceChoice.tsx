import { useEffect } from "react";
import { texts } from "../../texts/texts.ts";
import { useMicrophones, useRecognisers, useVoices } from "../voice/panel/use-choices.ts";
import { useWindowState } from "../window/window-context.ts";
import { OpenSelect } from "./OpenSelect.tsx";

/** The settings that name a device, a model or a voice. */
type VoiceChoiceSetting = "voice.microphone" | "voice.model" | "voice.voice";

export const isVoiceChoice = (name: string): name is VoiceChoiceSetting =>
  name === "voice.microphone" || name === "voice.model" || name === "voice.voice";

interface VoiceChoiceProps {
  name: VoiceChoiceSetting;
  value: string;
  onChoose: (value: string) => void;
  named: Readonly<Record<string, string>>;
}

/** What is there, by its name as in the voice panel, and any other by its id. */
export function VoiceChoice({ name, value, onChoose, named }: VoiceChoiceProps) {
  const { voicePanel } = useWindowState();
  const microphones = useMicrophones();
  const choices = {
    "voice.microphone": microphones.choices,
    "voice.model": useRecognisers(),
    "voice.voice": useVoices(),
  }[name];
  useEffect(() => {
    if (name === "voice.microphone") void voicePanel.loadDevices();
    else if (voicePanel.models.get() === null) void voicePanel.loadModels();
  }, [name, voicePanel]);
  // Each speech server has its own microphones.
  const isServers = name === "voice.microphone" && microphones.server !== null;
  const chosen = isServers ? microphones.chosen : value;
  return (
    <OpenSelect
      value={chosen}
      other={texts.settingsPage.voice.other}
      onChoose={isServers ? (id) => void voicePanel.chooseMicrophone(id) : onChoose}
      named={named}
    >
      {!choices.some(([id]) => id === chosen) && <option value={chosen}>{chosen}</option>}
      {choices.map(([id, said]) => (
        <option key={id} value={id}>
          {said}
        </option>
      ))}
    </OpenSelect>
  );
}
