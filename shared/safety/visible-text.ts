/**
 * Text that shows all of itself: what would move the cursor, change colours, turn the direction of reading or be
 * invisible stands there by name (`␛`, `⟨U+202E⟩`). Line ends and tabs stay.
 */
export function visibleText(text: string): string {
  return text.replace(unseen, (char) => {
    const code = char.codePointAt(0) ?? 0;
    if (char === "\n" || char === "\t") return char;
    if (code < 0x20) return String.fromCodePoint(0x2400 + code);
    if (code === 0x7f) return "␡";
    return `⟨U+${code.toString(16).toUpperCase().padStart(4, "0")}⟩`;
  });
}

/** Controls, formats (bidi, zero width, tags), odd blanks and line ends, private use, half pairs, fillers that show nothing. */
const unseen =
  /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}\u00A0\u1680\u2000-\u200A\u202F\u205F\u3000\u115F\u1160\u3164\uFFA0\u2800]|\u034F|[\uFE00-\uFE0F\u{E0100}-\u{E01EF}]/gu;

/** The text of a link. Signs that belong to a picture are no hiding place; all else that is invisible stands there by name. */
export function linkText(text: string): string {
  return text
    .split(emoji)
    .map((part, index) => (index % 2 === 1 ? part : visibleText(part)))
    .join("");
}

const emoji =
  /(\p{Extended_Pictographic}(?:\uFE0F|\p{Emoji_Modifier})?(?:\u200D\p{Extended_Pictographic}(?:\uFE0F|\p{Emoji_Modifier})?)*)/u;
