import { OwnWords } from "../../../electron/stt-server/rescoring/own-words.ts";

const syllables = "ba co di fu la me no pi ra so tu va ze kor lin mar nel tan vek".split(" ");
const syllable = (index: number, place: number) =>
  syllables[Math.floor((index * 7919) / syllables.length ** place) % syllables.length] ?? "";
const word = (index: number) => `${syllable(index, 0)}${syllable(index, 1)}${syllable(index, 2)}`;

/** As many words as a list holds, each misheard in three ways. */
export const manyWords = Array.from({ length: 500 }, (_, index) => ({
  word: word(index),
  heardAs: [1, 2, 3].map((more) => word(index + 1000 * more)),
}));

export const longList = new OwnWords(manyWords);
