import type { Settings } from "../../../shared/settings.ts";
import { maxOwnWords, type OwnWord } from "../../../shared/voice/voice-settings.ts";
import type { Clock } from "../../agent/ports/ports.ts";
import { type HeardText, type LearnedWord, learnedWords } from "./learned-words.ts";
import { withLearned, withoutForm, withUse } from "./taught-words.ts";
import { wordChanges } from "./word-changes.ts";

export interface WordTeacherOptions {
  settings(): Settings;
  changeWords(words: readonly OwnWord[]): void;
  clock: Pick<Clock, "now">;
  /** A word was learned: the user may take it back by `forget`. */
  onLearned(words: readonly string[]): void;
}

/** Corrections of words like any others that are remembered, to see whether they come again. */
const maxOnce = 200;
/** Prompts whose first words are remembered: a second correction is one of what was heard, too. */
const maxPrompts = 100;

/** Learns the user's words from what they correct, and puts them on the list in the settings. */
export class WordTeacher {
  readonly #options: WordTeacherOptions;
  /** By word and what it was heard as, in which prompt: ordinary words that were corrected once. */
  readonly #once = new Map<string, string>();
  /** What was heard of prompts that were corrected, by their ids. */
  readonly #heard = new Map<string, HeardText>();
  /** What the user took back, by the prompts that had taught it: they teach it no more. */
  readonly #forgotten = new Map<string, readonly string[]>();
  /** The list before the last lesson, what that taught, and what had to make room for it. */
  #last: {
    promptId: string;
    before: readonly OwnWord[];
    learned: readonly string[];
    gone: readonly OwnWord[];
  } | null = null;

  constructor(options: WordTeacherOptions) {
    this.#options = options;
  }

  /** @param promptId of what was corrected, which may be corrected again */
  corrected(promptId: string, heardNow: HeardText, text: string): void {
    const { settings, changeWords, onLearned } = this.#options;
    if (!settings()["voice.learnWords"] || text === heardNow.text) return;
    const heard = this.#heard.get(promptId) ?? heardNow;
    remember(this.#heard, promptId, heard, maxPrompts);
    const before = settings()["voice.words"];
    const lessons = learnedWords(heard, text, settings()["voice.language"]).filter(
      (lesson) =>
        !this.#forgotten.get(promptId)?.includes(lesson.word) &&
        (!lesson.isOrdinary || this.#isRepeated(lesson, promptId)),
    );
    const unlearned = withoutWrongForms(before, heard.text, text);
    const words = lessons.reduce<readonly OwnWord[]>(
      (list, lesson) => withLearned(list, lesson, this.#today),
      unlearned,
    );
    if (JSON.stringify(words) === JSON.stringify(before)) return;
    changeWords(words);
    const learned = lessons.map(({ word }) => word);
    if (learned.length === 0) return;
    const gone = before.filter(({ word }) => !words.some((own) => own.word === word));
    this.#last = { promptId, before, learned, gone };
    onLearned(learned);
  }

  /** Words that were said are in use: they stay longest. */
  heard(text: string): void {
    const used = withUse(this.#options.settings()["voice.words"], text, this.#today);
    if (used) this.#options.changeWords(used);
  }

  /** Takes back what was learned last: each of those words is as it was before. */
  forget(): void {
    const last = this.#last;
    this.#last = null;
    if (!last) return;
    const { settings, changeWords } = this.#options;
    const forgotten = [...(this.#forgotten.get(last.promptId) ?? []), ...last.learned];
    remember(this.#forgotten, last.promptId, forgotten, maxPrompts);
    const isLearned = ({ word }: OwnWord) =>
      last.learned.some((one) => one.toLowerCase() === word.toLowerCase());
    const earlier = last.before.filter(isLearned);
    const words = settings()["voice.words"].flatMap((own) => {
      if (!isLearned(own)) return [own];
      return earlier.filter(({ word }) => word.toLowerCase() === own.word.toLowerCase());
    });
    const gone = last.gone.filter((one) => !words.some(({ word }) => word === one.word));
    changeWords([...words, ...gone].slice(0, maxOwnWords));
  }

  get #today(): string {
    return new Date(this.#options.clock.now()).toISOString().slice(0, 10);
  }

  /** Of another prompt: one that is corrected again has the same change as before. */
  #isRepeated({ word, heardAs }: LearnedWord, promptId: string): boolean {
    const key = `${heardAs[0] ?? ""} ${word}`.toLowerCase();
    const earlier = this.#once.get(key);
    if (earlier !== undefined && earlier !== promptId) return this.#once.delete(key);
    remember(this.#once, key, promptId, maxOnce);
    return false;
  }
}

/** Where one of the user's words stood that was not said, and they put back what it had been taken from. */
function withoutWrongForms(list: readonly OwnWord[], heard: string, text: string): readonly OwnWord[] {
  return wordChanges(heard, text).changes.reduce<readonly OwnWord[]>(
    (words, { from, to }) => withoutForm(words, from.join(" "), to.join(" ")),
    list,
  );
}

function remember<T>(map: Map<string, T>, key: string, value: T, max: number): void {
  map.set(key, value);
  for (const oldest of map.keys()) if (map.size > max) map.delete(oldest);
}
