import type { ApiMessage } from "../../agent/ports/ports.ts";

/**
 * Thinking is kept in one shape, whoever thought: the signature says whose it is. Claude's own signatures stand as
 * they are; others carry a mark, and none at all means that it is only to be read.
 */
const mark = "parley:";

/** What an API has refused to take back, such as after a change of the account; kept as long as the program runs. */
const refused = new Set<string>();

/** @param owner whose API takes it back, such as `gemini` */
export function markedSignature(owner: string, signature: string): string {
  return `${mark}${owner}:${signature}`;
}

/** @returns the signature as the API gave it; null for thinking of somebody else, or that is refused */
export function signatureOf(owner: string, signature: string): string | null {
  const own = `${mark}${owner}:`;
  return signature.startsWith(own) && !refused.has(signature) ? signature.slice(own.length) : null;
}

export function isClaudesOwn(signature: string): boolean {
  return signature !== "" && !signature.startsWith(mark);
}

/** Whether an API says so of what its model thought before. Sources: the words of OpenAI, Gemini, and Claude behind OpenRouter. */
export const refusesThinking = (said: string): boolean =>
  /(?:corrupted|invalid) thought[_ ]?signature|thought[_ ]?signature .{0,40}not valid|invalid `?signature`? in `?thinking|invalid_encrypted_content|encrypted content .*(?:verified|decrypted)/i.test(
    said,
  );

/**
 * What the model thought in these messages is sent to its API no more: better than a conversation that is stuck.
 * @returns whether any of it was sent until now
 */
export function leaveOutThinking(owner: string, messages: readonly ApiMessage[]): boolean {
  const sent = messages.flatMap(({ content }) =>
    content.flatMap((block) =>
      block.type === "thinking" && signatureOf(owner, block.signature) !== null ? [block.signature] : [],
    ),
  );
  for (const signature of sent) refused.add(signature);
  return sent.length > 0;
}
