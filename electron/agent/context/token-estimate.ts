import type { Attachment } from "../../../shared/conversation/attachments.ts";
import type { ContentBlock, Message } from "../../../shared/conversation/messages.ts";

const charsPerToken = 4;
/** What an image costs about, whatever its size in bytes. */
const imageTokens = 1600;

type Counted = Pick<Message, "content">;

const known = new WeakMap<Counted, number>();

/**
 * About how many tokens a message takes in a request. Each message is looked at once: a sum over a history that was
 * counted before costs nothing but additions, and whoever keeps the sum pays for new messages only.
 */
export function tokensOf(message: Counted): number {
  const counted = known.get(message);
  if (counted !== undefined) return counted;
  const tokens = message.content.reduce((sum, block) => sum + tokensOfBlock(block), 0);
  known.set(message, tokens);
  return tokens;
}

export const tokensOfAll = (messages: readonly Counted[]): number =>
  messages.reduce((sum, message) => sum + tokensOf(message), 0);

function tokensOfBlock(block: ContentBlock): number {
  switch (block.type) {
    case "text":
      return fromChars(block.text.length + besideChars(block.meeting)) + tokensOfAttached(block.attachments);
    case "thinking":
      return fromChars(block.thinking.length);
    case "redacted_thinking":
      return fromChars(block.data.length);
    case "tool_use":
      return fromChars(block.name.length + (JSON.stringify(block.input) ?? "").length);
    case "tool_result":
      return fromChars(block.content.length) + (block.images?.length ?? 0) * imageTokens;
    case "image":
      return imageTokens;
  }
}

function tokensOfAttached(attachments: readonly Attachment[] = []): number {
  return attachments.reduce(
    (sum, { from, text, images = [] }) =>
      sum + fromChars(from.length + text.length) + images.length * imageTokens,
    0,
  );
}

const besideChars = (beside: unknown) => (beside === undefined ? 0 : JSON.stringify(beside).length);

const fromChars = (chars: number) => Math.ceil(chars / charsPerToken);
