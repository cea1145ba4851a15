import { plainLetters, soundsOfLetters } from "./letter-sounds.ts";

/**
 * English spelling to sounds, by rule: good enough to compare how words sound, not to say them. Tried in order at each
 * letter; the first that fits says which letters it takes and what they sound like. One sign a sound: `T` as in thin, `S` ship, `Z`
 * vision, `C` chip, `J` jam, `N` sing, `A` day, `Y` my, `W` now, `R` her, `x` the vowel that is hardly said.
 */
const rules: readonly [letters: RegExp, sounds: string][] = [
  [/^(?:kn|gn|pn|mn)/y, "n"],
  [/^wr/y, "r"],
  [/^wh/y, "w"],
  [/^x/y, "z"],
  [/^ps/y, "s"],
  [/tion|sion|cian/y, "Sxn"],
  [/ture$/y, "CR"],
  [/(?:ques|que)$/y, "k"],
  [/qu/y, "kw"],
  [/sch(?=[ao])/y, "sk"],
  [/tch|ch/y, "C"],
  [/sch|sh/y, "S"],
  [/th/y, "T"],
  [/ph/y, "f"],
  [/dge|dj/y, "J"],
  [/(?<=^)gh/y, "g"],
  [/(?<=[aeiou])igh/y, ""],
  [/igh/y, "Y"],
  [/ough/y, "o"],
  [/augh/y, "o"],
  [/eigh/y, "A"],
  [/gh/y, ""],
  [/ng(?=$|[^aeiouylr])/y, "N"],
  [/ck|cc(?![eiy])/y, "k"],
  [/c(?=[eiy])/y, "s"],
  [/g(?=[eiy])(?!ir|iv|et|if|ear)/y, "J"],
  [/x/y, "ks"],
  [/mb$/y, "m"],
  [/(?<=[^aeioul])le$/y, "xl"],
  [/lle$|ll/y, "l"],
  [/tt|t/y, "t"],
  // Vowels with what follows them.
  [/(?:ear|eer|ier)/y, "ir"],
  [/(?:air|are$|ayer)/y, "er"],
  [/(?:our|ower)/y, "Wr"],
  [/(?:oar|oor|ore$|or)/y, "or"],
  [/(?:ire$|yre$)/y, "Yr"],
  [/ar/y, "ar"],
  [/(?:er|ir|ur|yr)(?![aeiou])/y, "R"],
  [/(?:eau|oa|oe|ow(?=$))/y, "o"],
  [/(?:au|aw)/y, "o"],
  [/(?:ou|ow)/y, "W"],
  [/(?:oi|oy)/y, "oi"],
  [/(?:oo|ew|eu|ue|ui)/y, "u"],
  [/(?:ai|ay|ei|ey(?!$))/y, "A"],
  [/(?:ee|ea|ie|ey)/y, "i"],
  [/a(?=[^aeiouywx]e$)/y, "A"],
  [/e(?=[^aeiouywx]e$)/y, "i"],
  [/(?<=[aeiouy].*)i(?=ne$)/y, "i"],
  [/i(?=[^aeiouywx]e$)/y, "Y"],
  [/o(?=[^aeiouywx]e$)/y, "o"],
  [/u(?=[^aeiouywx]e$)/y, "u"],
  [/(?<=^[^aeiouy]+)(?:y|i)$/y, "Y"],
  [/(?<=^[^aeiouy]+)e$/y, "i"],
  [/(?<=^[^aeiouy]+)o$/y, "o"],
  [/e$/y, ""],
  [/^es$|(?<=[szxc])es$/y, "xz"],
  [/ed$/y, "d"],
  [/a$/y, "x"],
  [/y(?=[aeiou])/y, "y"],
  [/y/y, "i"],
  [/j/y, "J"],
];

const plain: Readonly<Record<string, string>> = { c: "k", q: "k" };

const known = new Map<string, string>();
/** Words come again and again; what is remembered of them must not grow for ever. */
const maxKnown = 20_000;

/**
 * What a word sounds like, one sign a sound. Letters that nobody knows the sound of, such as Chinese ones, are signs
 * themselves.
 */
export function soundsOfWord(word: string): string {
  const before = known.get(word);
  if (before !== undefined) return before;
  // English is spelled by rules; what is written in other letters is said as it is written.
  const sounds = plainLetters(word)
    .replace(/[^\p{L}]+/gu, "")
    .replace(/[a-z]+|[^a-z]+/g, (letters) =>
      /^[a-z]/.test(letters) ? spelledOut(letters) : soundsOfLetters(letters),
    )
    .replace(/(.)\1+/gu, "$1");
  if (known.size >= maxKnown) known.clear();
  known.set(word, sounds);
  return sounds;
}

/** Words run into each other. */
export const soundsOf = (text: string): string =>
  text
    .split(/\s+/)
    .map(soundsOfWord)
    .join("")
    .replace(/(.)\1+/gu, "$1");

function spelledOut(letters: string): string {
  let sounds = "";
  for (let at = 0; at < letters.length; ) {
    const rule = rules.find(([pattern]) => {
      pattern.lastIndex = at;
      return pattern.test(letters);
    });
    const letter = letters.charAt(at);
    sounds += rule ? rule[1] : (plain[letter] ?? letter);
    at = rule ? rule[0].lastIndex : at + 1;
  }
  return sounds.replace(/(.)\1+/g, "$1");
}
