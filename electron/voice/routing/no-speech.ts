import { asSpoken } from "../../../shared/voice/as-spoken.ts";
import type { SpeechSigns, Utterance } from "../stt/voice-events.ts";

/** So many doubts and it is noise: where a short answer is expected, it takes more. */
const leastDoubts = { usual: 3, expected: 4 };

/** A sound with as much pitch, and as long in one piece, is a voice, however sure the detector is. */
const clearVoice = { share: 0.8, ms: 140 };
/** With less pitch than this it is doubtful, and doubly so; more than so long in one piece is a vowel all the same. */
const fewVoiced = { share: 0.5, doubleShare: 0.3, vowelMs: 150 };
const fewSure = { share: 0.7, doubleShare: 0.35 };
const lowConfidence = { usual: 0.65, double: 0.4 };

/** What the recogniser of English makes of noise: its commonest words, alone. */
const noiseWords: ReadonlySet<string> = new Set(
  "yeah the oh no right it our but who a and i huh okay whoa that you he she ah uh um hm mm ooh well so to of in or an is".split(
    " ",
  ),
);

/**
 * Whether a short utterance is rather a cough, a bark or a bang than something that was said. Pure. A sound that is like a
 * voice is one, whatever was made of it; else the doubts of the words count, too.
 * @param isExpected something waits for just such words
 */
export function isNoSpeech(
  { text, confidence, signs }: Pick<Utterance, "text" | "confidence"> & Partial<Pick<Utterance, "signs">>,
  isExpected: boolean,
): boolean {
  if (!signs) return false;
  const inSound = voiceDoubts(signs) + detectorDoubts(signs);
  if (inSound === 0) return false;
  const words = withoutRepeats(text);
  const isConfirmed =
    typeof signs.closed === "string" && withoutRepeats(signs.closed).join(" ") === words.join(" ");
  const doubts = inSound + confidenceDoubts(confidence) + wordDoubts(words, signs, isConfirmed);
  return doubts >= (isExpected || isConfirmed ? leastDoubts.expected : leastDoubts.usual);
}

function voiceDoubts({ voicedShare, voicedMs }: SpeechSigns): number {
  if (voicedShare < fewVoiced.doubleShare) return 2;
  return voicedShare < fewVoiced.share && voicedMs < fewVoiced.vowelMs ? 1 : 0;
}

function detectorDoubts({ sureShare, voicedShare, voicedMs }: SpeechSigns): number {
  if (sureShare === null || (voicedShare >= clearVoice.share && voicedMs >= clearVoice.ms)) return 0;
  if (sureShare < fewSure.doubleShare) return 2;
  return sureShare < fewSure.share ? 1 : 0;
}

function confidenceDoubts(confidence: number | null): number {
  if (confidence === null || confidence >= lowConfidence.usual) return 0;
  return confidence < lowConfidence.double ? 2 : 1;
}

/** Only of English, which the recogniser of short answers knows. */
function wordDoubts(words: readonly string[], { closed }: SpeechSigns, isConfirmed: boolean): number {
  if (closed === undefined) return 0;
  const isAllNoise = words.every((word) => noiseWords.has(word));
  return (isConfirmed ? 0 : 1) + (isAllNoise ? 1 : 0);
}

/** “oh oh oh” is “oh”. */
const withoutRepeats = (text: string): string[] =>
  asSpoken(text)
    .split(" ")
    .filter((word, index, words) => word !== words[index - 1]);
