/** The first `chars` UTF-16 units; one less where they would end in the middle of a character. */
export function headOf(text: string, chars: number): string {
  // Half a surrogate pair is no valid JSON text for the APIs.
  return text.slice(0, isLowSurrogate(text, chars) ? chars - 1 : chars);
}

/** The last `chars` UTF-16 units; one less where they would begin in the middle of a character. */
export function tailOf(text: string, chars: number): string {
  const at = Math.max(0, text.length - chars);
  return text.slice(isLowSurrogate(text, at) ? at + 1 : at);
}

function isLowSurrogate(text: string, at: number): boolean {
  const unit = text.charCodeAt(at);
  return at > 0 && unit >= 0xdc00 && unit <= 0xdfff;
}

/** Whether half a surrogate pair stands anywhere in it: a server, a file or a model may bring one. */
export const hasHalves = (text: string): boolean => /\p{Cs}/u.test(text);

/** The same with the replacement character for each half of a surrogate pair. */
export const wellFormed = (text: string): string => text.replaceAll(/\p{Cs}/gu, "\ufffd");
