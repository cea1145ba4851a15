import type { AttachmentChoice } from "../../../shared/conversation/attachments.ts";

/** Of fewer nobody is told. */
export const leastTokens = 500;

/** English has about so many characters a token. */
const charsPerToken = 4;

/** A guess at what a prompt costs, in tokens: its words and the texts beside it; what an image costs is up to the model. */
export function promptTokens(text: string, beside: readonly AttachmentChoice[]): number {
  const files = beside.reduce((sum, { file }) => sum + (file && file.kind !== "image" ? file.bytes : 0), 0);
  const tokens = (text.length + files) / charsPerToken;
  return tokens < 10_000 ? Math.round(tokens / 10) * 10 : Math.round(tokens / 100) * 100;
}
