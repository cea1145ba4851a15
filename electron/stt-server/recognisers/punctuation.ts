import sherpa from "sherpa-onnx-node";
import type { DetectedModel } from "../models/detect.ts";
import { SttError } from "../stt-error.ts";
import type { RecogniserModel } from "./recogniser.ts";

/** Writes what was heard as people write it: full stops, commas, question marks, capital letters. */
export type Punctuate = (text: string) => string;

/** @throws SttError when the native code refuses the model */
export function loadPunctuation({ files }: DetectedModel, name: string): Punctuate {
  const { model = "", vocabulary = "" } = files;
  try {
    const punctuation = new sherpa.OnlinePunctuation({
      model: { cnnBilstm: model, bpeVocab: vocabulary, numThreads: 1, debug: false, provider: "cpu" },
    });
    return (text) => (text === "" ? "" : punctuation.addPunct(text.toLowerCase()).trim());
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new SttError(
      "bad_model",
      `The punctuation model ${name} cannot be loaded (${why}). Download it again, or delete it.`,
      { cause: error },
    );
  }
}

/** The same recogniser, whose finished utterances are written by `punctuate`. */
export function withPunctuation(model: RecogniserModel, punctuate: Punctuate): RecogniserModel {
  const { createGrammarRecogniser, createReadings, knowsWord, endCost } = model;
  return {
    name: model.name,
    createRecogniser: (options) => model.createRecogniser(options),
    ...(createGrammarRecogniser && {
      createGrammarRecogniser: (phrases: readonly string[]) => createGrammarRecogniser.call(model, phrases),
    }),
    ...(createReadings && { createReadings: (canWait: boolean) => createReadings.call(model, canWait) }),
    ...(knowsWord && { knowsWord: (word: string) => knowsWord.call(model, word) }),
    ...(endCost && { endCost: (text: string) => endCost.call(model, text) }),
    punctuate,
    dispose: () => model.dispose(),
  };
}
