/**
 * What letters beside a–z sound like, one sign a sound as `phonemes.ts` writes them: Cyrillic and Greek, which are written
 * nearly as they are said. Longer ones come first where one begins like another.
 */
const sounds: Readonly<Record<string, string>> = {
  // Greek, of which two letters are often one sound.
  ...{
    ου: "u",
    αι: "e",
    ει: "i",
    οι: "i",
    υι: "i",
    αυ: "av",
    ευ: "ev",
    μπ: "b",
    ντ: "d",
    γκ: "g",
    γγ: "g",
    τσ: "C",
    τζ: "J",
  },
  ...{
    α: "a",
    β: "v",
    γ: "g",
    δ: "T",
    ε: "e",
    ζ: "z",
    η: "i",
    θ: "T",
    ι: "i",
    κ: "k",
    λ: "l",
    μ: "m",
    ν: "n",
    ξ: "ks",
  },
  ...{ ο: "o", π: "p", ρ: "r", σ: "s", ς: "s", τ: "t", υ: "i", φ: "f", χ: "h", ψ: "ps", ω: "o" },
  // Cyrillic: Russian, Ukrainian, Belarusian, Bulgarian, Serbian, Macedonian.
  ...{
    а: "a",
    б: "b",
    в: "v",
    г: "g",
    ґ: "g",
    ѓ: "J",
    д: "d",
    ђ: "J",
    е: "e",
    ё: "yo",
    є: "ye",
    ж: "Z",
    з: "z",
    ѕ: "dz",
  },
  ...{
    и: "i",
    і: "i",
    ї: "yi",
    й: "y",
    ј: "y",
    к: "k",
    ќ: "C",
    л: "l",
    љ: "ly",
    м: "m",
    н: "n",
    њ: "ny",
    о: "o",
    п: "p",
  },
  ...{
    р: "r",
    с: "s",
    т: "t",
    ћ: "C",
    у: "u",
    ў: "w",
    ф: "f",
    х: "h",
    ц: "ts",
    ч: "C",
    џ: "J",
    ш: "S",
    щ: "S",
    ъ: "x",
  },
  ...{ ы: "i", ь: "", э: "e", ю: "yu", я: "ya" },
};

/** Latin letters that are no other one with a mark on it. */
const latin: Readonly<Record<string, string>> = {
  ...{ ß: "ss", æ: "e", œ: "e", ø: "o", ł: "l", đ: "d", ð: "th", þ: "th", ı: "i", ŋ: "ng", ə: "a" },
};

const pattern = new RegExp(
  `${Object.keys(sounds)
    .sort((one, other) => other.length - one.length)
    .join("|")}`,
  "gu",
);

/** Marks that make another letter of one: they stay when the others are taken off. */
const whole = /[йёїўѓќ]/u;

/** A word in small letters without the marks on them, Latin letters as a–z. */
export const plainLetters = (word: string): string =>
  [...word.toLowerCase().normalize("NFC")]
    .map(
      (letter) =>
        latin[letter] ?? (whole.test(letter) ? letter : letter.normalize("NFD").replace(/\p{Mn}+/gu, "")),
    )
    .join("")
    .normalize("NFC");

/** Letters of these scripts as sounds; those of any other stand for themselves. @param letters as `plainLetters` has them */
export const soundsOfLetters = (letters: string): string =>
  letters.replace(pattern, (letter) => sounds[letter] ?? letter);
