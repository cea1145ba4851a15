/** `shown` and `total` count UTF-16 units of the original. */
export interface Truncated {
  text: string;
  shown: number;
  total: number;
}

/**
 * Cuts `text` to `maxChars`, keeping head and tail with a `...` line between them and a last line that says so.
 * Both lines count inside the limit.
 * @param maxChars UTF-16 units; 0 means no limit. Below about 100 there is room for the plain beginning only.
 * @param toolName named in the last line
 */
export function truncate(text: string, maxChars: number, toolName: string): Truncated {
  const total = text.length;
  if (maxChars === 0 || total <= maxChars) return { text, shown: total, total };

  // Sized with the largest number it can show, so that the finished line is never longer.
  const room = maxChars - marker(total, total, toolName).length - cut.length;
  if (room < 2) {
    const head = text.slice(0, headEnd(text, maxChars));
    return { text: head, shown: head.length, total };
  }
  const head = text.slice(0, headEnd(text, Math.ceil(room / 2)));
  const tail = text.slice(tailStart(text, total - Math.floor(room / 2)));
  const shown = head.length + tail.length;
  return { text: `${head}${cut}${tail}${marker(shown, total, toolName)}`, shown, total };
}

const cut = "\n...\n";
const grouped = new Intl.NumberFormat("en-US");

function marker(shown: number, total: number, toolName: string): string {
  return `\n[OUTPUT TRUNCATED: Showing ${grouped.format(shown)} of ${grouped.format(total)} characters from ${toolName}]`;
}

/** Never in the middle of a surrogate pair: half a pair is no valid JSON text for the API. */
function headEnd(text: string, at: number): number {
  return isLowSurrogate(text, at) ? at - 1 : at;
}

function tailStart(text: string, at: number): number {
  return isLowSurrogate(text, at) ? at + 1 : at;
}

function isLowSurrogate(text: string, at: number): boolean {
  const unit = text.charCodeAt(at);
  return at > 0 && unit >= 0xdc00 && unit <= 0xdfff;
}
