import type { Settings } from "../../../shared/settings.ts";
import { isEmbedded } from "../../../shared/voice/speech.ts";
import type { SpeechErrors } from "../../../shared/voice/speech-offer.ts";
import type { RecommendedFor } from "../../../shared/voice/stt.ts";

/** A model of the catalogue. */
export interface DownloadedModel {
  id: string;
  name: string;
  bytes: number | null;
}

/** One that is offered before all others. */
export interface RecommendedModel extends DownloadedModel {
  /** ISO 639 codes. */
  languages: readonly string[];
  isTried: boolean;
  errors: SpeechErrors | null;
}

/** What there is to be offered, and what there is already. */
export interface SpeechModels {
  recommended: Partial<Record<RecommendedFor, RecommendedModel>>;
  /** The environment names a recogniser: it is the user's own affair. */
  hasOwn: boolean;
  /** A small recogniser for the language is there: the one for English comes along, except with a package. */
  isHeard(languageCode: string): boolean;
  /** A better one is. */
  isHeardWell(languageCode: string): boolean;
  /** The small Vosk model that listens beside one that is downloaded; null where one is there, or none can be had. */
  companion(languageCode: string): DownloadedModel | null;
}

/** The recogniser that would be better than what hears now; null where nothing is offered. Pure. */
export function betterRecogniser(settings: Settings, models: SpeechModels): RecommendedModel | null {
  const { "voice.server": server, "voice.model": model, "voice.declined": declined } = settings;
  if (server !== "built-in" || model !== "" || models.hasOwn || declined.includes("recogniser")) return null;
  const code = codeOf(settings);
  if (code === "en") return models.recommended.english ?? null;
  if (models.isHeardWell(code)) return null;
  const several = models.recommended.languages;
  return several && (code === "auto" || several.languages.includes(code)) ? several : null;
}

/** The natural voice, where a voice from the nineties speaks; null where nothing is offered. Pure. */
export function betterVoice(settings: Settings, models: SpeechModels): RecommendedModel | null {
  const { "voice.voice": voice, "voice.declined": declined } = settings;
  if (!isEmbedded(voice) || declined.includes("voice")) return null;
  const code = codeOf(settings);
  const natural = models.recommended.voice;
  return natural && (code === "auto" || natural.languages.includes(code)) ? natural : null;
}

export const codeOf = ({ "voice.language": language }: Pick<Settings, "voice.language">): string =>
  language.toLowerCase().split(/[-_]/)[0] ?? "";
