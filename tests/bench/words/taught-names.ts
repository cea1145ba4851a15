import type { RecogniserModel } from "../../../electron/stt-server/recognisers/recogniser.ts";
import { openFlite } from "../../../electron/voice/tts/flite.ts";
import { learnedWords } from "../../../electron/voice/words/learned-words.ts";
import type { OwnWord } from "../../../shared/voice/voice-settings.ts";
import { finalsOf } from "../../integration/stt/stt-client.ts";
import { hearAll, joinPcm, silence } from "../../integration/stt/stt-in-process.ts";

export const voices = ["slt", "rms", "awb"] as const;
export type Voice = (typeof voices)[number];

/** Made-up names by which the rules were chosen, and names that they were not. */
export const names = {
  chosenBy: listOf("Tavora Mirelle Zolvane Kubernetes Okonjo Brexley Sundarvel Halloran Pelmarch Quintessa"),
  heldOut: listOf(
    "Maldoreen Pirkala Vintervik Esmeray Tolbrandt Juniveer Castorley Hadrielle Norbecka Drovinger",
  ),
};

/** What the teacher says, then what the others say. */
const lesson = "Please write a letter to @ about it";
export const sentences = ["Can you call @ tomorrow morning", "The report from @ is late"];

/** What a session hears of a sentence, and what else it may be. */
export async function heardOf(
  model: RecogniserModel,
  voice: Voice,
  text: string,
  words: readonly OwnWord[] = [],
): Promise<{ text: string; readings: string[] }> {
  const { pcm } = await (await openFlite(voice)).synthesise(`${text}.`, 0.9);
  const hot_words = words.map(({ word }) => word);
  const hot_words_heard_as = Object.fromEntries(words.map(({ word, heardAs }) => [word, heardAs]));
  const events = await hearAll(model, { hot_words, hot_words_heard_as }, () => [
    joinPcm([silence(500), pcm, silence(1500)]),
  ]);
  const finals = finalsOf(events);
  return {
    text: finals.map((final) => final.text).join(" "),
    readings: finals.length === 1 ? (finals[0]?.alternatives ?? []) : [],
  };
}

/** The list after a voice has said each name once, and was corrected; a name of which nothing was heard is typed. */
export async function taughtBy(
  model: RecogniserModel,
  teacher: Voice,
  taught: readonly string[],
): Promise<OwnWord[]> {
  const words: OwnWord[] = [];
  for (const name of taught) {
    const said = lesson.replace("@", name);
    const learned = learnedWords(await heardOf(model, teacher, said), said, "en");
    words.push({ word: name, heardAs: learned.find(({ word }) => word === name)?.heardAs ?? [] });
  }
  return words;
}

function listOf(words: string): string[] {
  return words.split(" ");
}
