const vowels = "aeiouAYWRx";
const consonants = "pbtdkgfvTszSZCJmnNlrwyh";
const signs = vowels + consonants;

/** Sounds that are taken for each other, each for each of its row, and what that costs of a whole sound. */
const near: readonly [sounds: string, cost: number][] = [
  ["pb", 0.3],
  ["td", 0.3],
  ["kg", 0.3],
  ["fv", 0.3],
  ["sz", 0.25],
  ["SZ", 0.25],
  ["CJ", 0.3],
  ["nN", 0.3],
  ["yi", 0.3],
  ["wu", 0.3],
  ["mn", 0.4],
  ["SC", 0.4],
  ["ZJ", 0.4],
  ["fT", 0.4],
  ["mN", 0.5],
  ["sTS", 0.5],
  ["tTd", 0.5],
  ["vb", 0.5],
  ["tC", 0.5],
  ["dJ", 0.5],
  ["yJ", 0.5],
  ["lwr", 0.5],
  ["vw", 0.5],
  ["ptk", 0.6],
  ["bdg", 0.6],
  ["pf", 0.6],
  ["ln", 0.6],
  ["lo", 0.6],
  ["lu", 0.6],
  ["dn", 0.7],
  ["vm", 0.7],
  ["iexA", 0.3],
  ["Rxer", 0.3],
  ["aexoW", 0.35],
  ["ouxW", 0.35],
  ["aYi", 0.4],
];
/** Any vowel for any other one; anything else for anything else costs a whole sound. */
const vowelCost = 0.55;

/** What it costs to hear a sound that was not said, or not to hear one. */
const weights = Float64Array.from(signs, (sign) => {
  if (sign === "x") return 0.35;
  if (vowels.includes(sign)) return 0.55;
  return "hrwy".includes(sign) ? 0.5 : 0.85;
});
const count = signs.length;
const replacing = new Float64Array(count * count).fill(1);
for (let one = 0; one < count; one++) {
  for (let other = 0; other < count; other++) {
    const areVowels = one < vowels.length && other < vowels.length;
    if (areVowels) replacing[one * count + other] = vowelCost;
    if (one === other) replacing[one * count + other] = 0;
  }
}
for (const [row, cost] of near) {
  for (const one of row) {
    for (const other of row) {
      const place = signs.indexOf(one) * count + signs.indexOf(other);
      if (one !== other) replacing[place] = Math.min(cost, replacing[place] ?? cost);
    }
  }
}

/** What it costs not to hear a letter of which nobody knows the sound, or to hear it: a whole sound for any other. */
const unknownWeight = 0.85;
const weightOf = (code: number) => weights[code] ?? unknownWeight;
const costOf = (one: number, other: number) =>
  one < count && other < count ? (replacing[one * count + other] ?? 1) : Number(one !== other);

/** A row of sounds, ready to be compared. */
export interface Sounds {
  /** A known sound by its place in `signs`, another letter by what it is beyond them. */
  codes: Uint32Array;
  /** By how much its sounds count. */
  weight: number;
}

/** @param sounds as `soundsOf` says them; signs that are no letters are left out */
export function readySounds(sounds: string): Sounds {
  const codes = Uint32Array.from(
    [...sounds].flatMap((sign) => {
      const code = signs.indexOf(sign);
      if (code >= 0) return [code];
      return /\p{L}/u.test(sign) ? [count + (sign.codePointAt(0) ?? 0)] : [];
    }),
  );
  return { codes, weight: codes.reduce((sum, code) => sum + weightOf(code), 0) };
}

const maxSounds = 64;
let before = new Float64Array(maxSounds + 1);
let row = new Float64Array(maxSounds + 1);

/**
 * How differently two rows of sounds sound: 0 = alike, 1 = nothing in common. What is more than `limit` apart is not
 * worked out to the end: then 1.
 */
export function soundDistance(one: Sounds, other: Sounds, limit = 1): number {
  const longer = Math.max(one.weight, other.weight);
  if (longer === 0) return 0;
  const most = limit * longer;
  if (Math.abs(one.weight - other.weight) > most) return 1;
  const width = Math.min(other.codes.length, maxSounds);
  const height = Math.min(one.codes.length, maxSounds);
  before[0] = 0;
  for (let j = 0; j < width; j++) before[j + 1] = (before[j] ?? 0) + weightOf(other.codes[j] ?? 0);
  for (let i = 0; i < height; i++) {
    const sound = one.codes[i] ?? 0;
    const gone = weightOf(sound);
    let left = (before[0] ?? 0) + gone;
    let least = left;
    row[0] = left;
    for (let j = 0; j < width; j++) {
      const heard = other.codes[j] ?? 0;
      const replaced = (before[j] ?? 0) + costOf(sound, heard);
      const missed = (before[j + 1] ?? 0) + gone;
      const added = left + weightOf(heard);
      left = Math.min(replaced, missed, added);
      row[j + 1] = left;
      if (left < least) least = left;
    }
    if (least > most) return 1;
    [before, row] = [row, before];
  }
  return Math.min(1, (before[width] ?? 0) / longer);
}
