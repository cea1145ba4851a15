import { join } from "node:path";
import { embeddedVoices } from "../../../shared/voice/speech.ts";
import { openFlite } from "./flite.ts";
import { openSherpaVoice } from "./sherpa-voice.ts";
import type { SpeechSynthesiser } from "./speech-synthesiser.ts";

/**
 * Opens a voice by its name in the settings: `slt` or `rms`, `model:ID` of the catalogue, `folder:PATH`.
 * @param modelsFolder where downloaded models are, one folder each
 * @param language of what is said: a voice may know several
 * @throws Error in words where it cannot be had
 */
export async function openVoice(
  name: string,
  modelsFolder: string,
  language: string,
): Promise<SpeechSynthesiser> {
  const embedded = embeddedVoices.find((voice) => voice === name);
  if (embedded) return openFlite(embedded);
  const [, kind = "", place = ""] = /^(model|folder):(.+)$/.exec(name) ?? [];
  if (kind === "folder") return openSherpaVoice(place, language);
  if (kind === "model" && /^[a-z0-9.-]+$/.test(place))
    return openSherpaVoice(join(modelsFolder, place), language);
  throw new Error(`There is no voice “${name}”.`);
}
