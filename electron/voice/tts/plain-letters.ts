/** Letters that are no letter with a mark. */
const letters: ReadonlyMap<string, string> = new Map(
  "ßss æae ÆAE œoe ŒOE øo ØO łl ŁL đd ĐD ðd þth ıi"
    .split(" ")
    .map((pair) => [pair.slice(0, 1), pair.slice(1)]),
);

/** A text in ASCII, for a voice that knows no more: letters lose their accents, and what else there is becomes a pause. Pure. */
export function plainLetters(text: string): string {
  return text
    .normalize("NFC")
    .replace(/[ßæÆœŒøØłŁđĐðþı]/g, (letter) => letters.get(letter) ?? letter)
    .normalize("NFKD")
    .replace(/[‘’]/g, "'")
    .replace(/[“”«»]/g, '"')
    .replace(/…/g, "...")
    .replace(/\p{M}/gu, "")
    .replace(/\s*[–—]\s*/g, ", ")
    .replace(/[^\x20-\x7e]+/g, " ");
}
