/** A word without the marks around it, in its own letters: “Zorvath,” is Zorvath. */
export const bareWord = (word: string): string => marksOf(word).bare;

/** The same as a recogniser without punctuation writes it. */
export const plainWord = (word: string): string => bareWord(word).toLowerCase().replaceAll("’", "'");

/** What is written before and behind a word. Of what has no letter at all everything is the word. */
export function marksOf(word: string): { before: string; bare: string; behind: string } {
  const [, before = "", bare = word, behind = ""] =
    /^([^\p{L}\p{M}\p{N}]*)(.*?)([^\p{L}\p{M}\p{N}]*)$/su.exec(word) ?? [];
  return bare === "" ? { before: "", bare: word, behind: "" } : { before, bare, behind };
}

/** A text as a recogniser without punctuation writes it. */
export const plainText = (text: string): string =>
  text
    .split(" ")
    .map(plainWord)
    .filter((word) => word !== "")
    .join(" ");
