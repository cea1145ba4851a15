/** Scripts that one language is written in, or one far more than others; of Han and Cyrillic see below. */
const scripts: readonly (readonly [script: RegExp, language: string])[] = [
  [/[\p{Script=Hiragana}\p{Script=Katakana}]/gu, "ja"],
  [/\p{Script=Hangul}/gu, "ko"],
  [/\p{Script=Han}/gu, "zh"],
  [/\p{Script=Cyrillic}/gu, "ru"],
  [/\p{Script=Greek}/gu, "el"],
  [/\p{Script=Hebrew}/gu, "he"],
  [/\p{Script=Arabic}/gu, "ar"],
  [/\p{Script=Devanagari}/gu, "hi"],
  [/\p{Script=Bengali}/gu, "bn"],
  [/\p{Script=Tamil}/gu, "ta"],
  [/\p{Script=Thai}/gu, "th"],
  [/\p{Script=Georgian}/gu, "ka"],
  [/\p{Script=Armenian}/gu, "hy"],
];

/** So much of a text is looked at, UTF-16 units: a reply is looked at again with every word that comes. */
const lookedAtChars = 600;
const latinAlone = /^[\p{Script=Latin}\P{L}]*$/u;
/** Letters that Russian has not and Ukrainian has. */
const ukrainian = /[іїєґ]/iu;
/** Japanese is written in Han, too: so much of it in its own letters is enough. */
const leastKana = 0.1;

/**
 * The language that most letters of a text are written in, for screen readers to choose a voice by, as far as the script tells
 * it. Pure. @returns undefined for Latin letters, which many languages share, and where there are none
 */
export function writtenLanguage(text: string): string | undefined {
  const begin = text.slice(0, lookedAtChars);
  if (latinAlone.test(begin)) return undefined;
  const all = begin.match(/\p{L}/gu)?.length ?? 0;
  const shares = scripts.map(([script, language]) => {
    const share = (begin.match(script)?.length ?? 0) / Math.max(1, all);
    return { language, share };
  });
  const share = (language: string) => shares.find((one) => one.language === language)?.share ?? 0;
  if (share("ja") >= leastKana && share("ja") + share("zh") > 0.5) return "ja";
  const most = shares.find((one) => one.share > 0.5)?.language;
  return most === "ru" && ukrainian.test(begin) ? "uk" : most;
}
