import { tmpdir } from "node:os";
import { resolve } from "node:path";
import { detectModel } from "../../electron/stt-server/models/detect.ts";
import { ModelStore } from "../../electron/stt-server/models/model-store.ts";
import { loadPunctuation } from "../../electron/stt-server/recognisers/punctuation.ts";
import type { Recogniser } from "../../electron/stt-server/recognisers/recogniser.ts";
import { openSherpaVoice } from "../../electron/voice/tts/sherpa-voice.ts";
import { frameSamples, sampleRateHz } from "../../shared/voice/stt.ts";
import { clipsOf, pcmOf } from "../../tests/bench/stt/clips.ts";
import { wordErrors } from "../../tests/bench/word-errors.ts";
import { nothing, type TrialOrder, type TrialResult, trialOrder } from "./trial.ts";

// A process of its own: the native code may end it over a file.

const clips = resolve(import.meta.dirname, "../../tests/fixtures/audio");
const sentence = "he was not an ill disposed young man";

async function tryOne(order: TrialOrder): Promise<TrialResult> {
  if (order.kind.endsWith("-voice")) return await speak(order);
  return order.kind === "punctuation" ? await punctuate(order) : await hear(order);
}

async function hear({ folder, language, hearsEnglish }: TrialOrder): Promise<TrialResult> {
  const model = await new ModelStore({}, tmpdir()).get({ language, model: folder });
  const recogniser = model.createRecogniser();
  const heard = { errors: 0, words: 0, text: "", soundMs: 0, spentMs: 0 };
  for (const clip of clipsOf(clips, resolve(clips, "transcripts.txt"))) {
    const pcm = await pcmOf(clip);
    const startedAt = performance.now();
    const text = await textOf(recogniser, pcm);
    heard.spentMs += performance.now() - startedAt;
    heard.soundMs += (pcm.length * 1000) / sampleRateHz;
    heard.text += text;
    const { errors, words } = wordErrors(clip.transcript, text);
    heard.errors += errors;
    heard.words += words;
  }
  return {
    wordErrorRate: hearsEnglish ? round(heard.errors / heard.words) : null,
    realTimeFactor: round(heard.spentMs / heard.soundMs),
    problem: hearsEnglish && heard.text.trim() === "" ? "it hears nothing of what is said" : null,
  };
}

async function textOf(recogniser: Recogniser, pcm: Int16Array): Promise<string> {
  for (let at = 0; at < pcm.length; at += frameSamples) {
    await recogniser.accept(pcm.subarray(at, at + frameSamples));
  }
  return (await recogniser.finish()).text;
}

async function speak({ folder, language }: TrialOrder): Promise<TrialResult> {
  const voice = await openSherpaVoice(folder, language);
  const startedAt = performance.now();
  const { pcm, sampleRateHz: rateHz } = await voice.synthesise(`${sentence}.`, 1);
  const spentMs = performance.now() - startedAt;
  const peak = pcm.reduce((most, sample) => Math.max(most, Math.abs(sample)), 0);
  return {
    wordErrorRate: null,
    realTimeFactor: round(spentMs / ((pcm.length * 1000) / rateHz)),
    problem: peak < faintest ? "it makes no sound" : null,
  };
}

async function punctuate({ folder, id }: TrialOrder): Promise<TrialResult> {
  const write = loadPunctuation(await detectModel(folder), id);
  const startedAt = performance.now();
  const written = write(sentence);
  const isWritten = /^H.*[.!?]$/.test(written);
  return {
    wordErrorRate: null,
    realTimeFactor: round((performance.now() - startedAt) / spokenMs),
    problem: isWritten ? null : `it writes “${written}”`,
  };
}

/** Of 32,767: whoever speaks is louder. */
const faintest = 300;
/** So long it takes to say the sentence. */
const spokenMs = 2_500;

const round = (value: number) => Math.round(value * 1000) / 1000;

process.once("message", async (message) => {
  const result = await tryOne(trialOrder.parse(message)).catch((error: unknown) =>
    nothing(error instanceof Error ? error.message : String(error)),
  );
  process.send?.(result, () => process.exit(0));
});
