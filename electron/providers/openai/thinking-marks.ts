/**
 * Thinking is kept in one shape, whoever thought: the signature says whose it is. Claude's own signatures stand as
 * they are; others carry a mark, and none at all means that it is only to be read.
 */
const mark = "parley:";

/** @param owner whose API takes it back, such as `gemini` */
export function markedSignature(owner: string, signature: string): string {
  return `${mark}${owner}:${signature}`;
}

/** @returns the signature as the API gave it; null for thinking of somebody else */
export function signatureOf(owner: string, signature: string): string | null {
  const own = `${mark}${owner}:`;
  return signature.startsWith(own) ? signature.slice(own.length) : null;
}

export function isClaudesOwn(signature: string): boolean {
  return signature !== "" && !signature.startsWith(mark);
}
