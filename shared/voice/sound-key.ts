/** English spellings of one sound, the longer ones first: each pattern becomes the sign of its sound. */
const sounds: readonly [RegExp, string][] = [
  [/^(kn|gn|pn)/, "n"],
  [/^wr/, "r"],
  [/^x/, "s"],
  [/(tch|sch|sh|ch|[ts]io|[ts]ia|dge|j|ge(?=$)|g(?=[iy]))/g, "S"],
  [/th/g, "t"],
  [/ph|v/g, "f"],
  [/gh(?![aeiou])/g, ""],
  [/x/g, "ks"],
  [/c(?=[eiy])|z/g, "s"],
  [/[cqg]|ck/g, "k"],
  [/d/g, "t"],
  [/b/g, "p"],
  [/m/g, "n"],
  [/[wh]/g, ""],
  [/[aeiouy]+/g, "a"],
];

/** How words sound, roughly: what a recogniser takes for each other has the same signs. Words run into each other. */
export function soundKey(words: string): string {
  const letters = words
    .toLowerCase()
    .normalize("NFD")
    .replace(/[^a-z]+/g, "");
  const signs = sounds.reduce((text, [pattern, sign]) => text.replace(pattern, sign), letters);
  return signs.replace(/(.)\1+/g, "$1");
}
