import { asSpoken } from "../../../shared/voice/as-spoken.ts";
import type { SpeechSigns, Utterance } from "../stt/voice-events.ts";

/** With so many doubts it counts as noise. If a short answer is expected, it takes more of them. */
const leastDoubts = { usual: 3, expected: 4 };

/** A sound with as much pitch, and as long in one piece, is a voice. */
const clearVoice = { share: 0.8, ms: 140 };
/** With less pitch than this it is doubtful, or doubly so, unless one piece is as long as a vowel: a fan takes its share of the sound. */
const fewVoiced = { share: 0.5, doubleShare: 0.3, vowelMs: 150 };
const fewSure = { share: 0.7, doubleShare: 0.35 };
/** Of less than this of a horn, a bee or a cough the voice detector is sure. A short answer that is heard right has at least the pitch of a voice. */
const neverSure = 0.05;
const lowConfidence = { usual: 0.65, double: 0.4 };
/** So many words, so sure, were said, be it in a hoarse voice: no noise was ever heard as such. Where the recogniser does not say how sure it is, the detector does. */
const sureSentence = { words: 3, confidence: 0.85 };

/** The words that the recogniser of English most often makes of noise. */
const noiseWords: ReadonlySet<string> = new Set(
  "yeah the oh no right it our but who a and i huh okay whoa that you he she ah uh um hm mm ooh well so to of in or an is".split(
    " ",
  ),
);

/** What the recogniser of English makes of laughter and of heavy breathing, so many times or more. */
const laughter = {
  words: new Set("ha haha hah he heh hey ho hoe huh oh ooh ah uh a up".split(" ")),
  times: 3,
};

/**
 * Whether an utterance is probably laughter, or a short one a cough, a bark or a bang. Pure. A sound that is like a voice is speech,
 * whatever its words are; otherwise doubts about the sound and about the words are added up.
 * @param isExpected something waits for such words
 */
export function isNoSpeech(
  {
    text,
    confidence,
    reason,
    signs,
  }: Pick<Utterance, "text" | "confidence"> & Partial<Pick<Utterance, "reason" | "signs">>,
  isExpected: boolean,
): boolean {
  // Who holds a key while they speak means it: nobody asks whether they did.
  if (reason === "released") return false;
  if (!isExpected && isLaughter(text)) return true;
  // None: it is long, or the server does not say.
  if (!signs) return false;
  const inSound = soundDoubts(signs);
  if (inSound === 0) return false;
  const words = withoutRepeats(text);
  const isSure =
    confidence === null
      ? (signs.sureShare ?? 0) >= fewSure.doubleShare
      : confidence >= sureSentence.confidence;
  if (words.length >= sureSentence.words && isSure) return false;
  const isConfirmed =
    typeof signs.closed === "string" && withoutRepeats(signs.closed).join(" ") === words.join(" ");
  const doubts = inSound + confidenceDoubts(confidence) + wordDoubts(words, signs, isConfirmed);
  const isLikely = isExpected || (isConfirmed && !isNeverSure(signs));
  return doubts >= (isLikely ? leastDoubts.expected : leastDoubts.usual);
}

/** Whether nothing about a sound is unlike a voice. Pure. */
export const isClearVoice = (signs: SpeechSigns): boolean => soundDoubts(signs) === 0;

const soundDoubts = (signs: SpeechSigns) => voiceDoubts(signs) + detectorDoubts(signs);

function voiceDoubts({ voicedShare, voicedMs }: SpeechSigns): number {
  if (voicedShare >= fewVoiced.share || voicedMs >= fewVoiced.vowelMs) return 0;
  return voicedShare < fewVoiced.doubleShare ? 2 : 1;
}

function detectorDoubts(signs: SpeechSigns): number {
  const { sureShare, voicedShare, voicedMs } = signs;
  if (sureShare === null) return 0;
  const hasPitch = voicedShare >= clearVoice.share && voicedMs >= clearVoice.ms;
  if (isNeverSure(signs)) return hasPitch ? 2 : leastDoubts.usual;
  if (hasPitch) return 0;
  if (sureShare < fewSure.doubleShare) return 2;
  return sureShare < fewSure.share ? 1 : 0;
}

const isNeverSure = ({ sureShare }: SpeechSigns) => sureShare !== null && sureShare < neverSure;

function confidenceDoubts(confidence: number | null): number {
  if (confidence === null || confidence >= lowConfidence.usual) return 0;
  return confidence < lowConfidence.double ? 2 : 1;
}

/** "He he he". */
function isLaughter(text: string): boolean {
  const [first = "", ...others] = asSpoken(text).split(" ");
  const isRepeated = others.length + 1 >= laughter.times && others.every((word) => word === first);
  return isRepeated && laughter.words.has(first);
}

/** English only: the recogniser of short answers knows no other language. */
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
