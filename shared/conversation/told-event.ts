import type { Attachment } from "./attachments.ts";
import type { AgentEvent, QueuedInput } from "./events.ts";
import type { ContentBlock } from "./messages.ts";

/** An event as windows and the log get it: images are megabytes, which neither shows. */
export function toldEvent(event: AgentEvent): AgentEvent {
  if (event.type === "input.queued") return { ...event, input: toldInput(event.input) };
  if (event.type !== "message.added") return event;
  return { ...event, message: { ...event.message, content: event.message.content.map(toldBlock) } };
}

/** A prompt that waits, the same way. */
export function toldInput(input: QueuedInput): QueuedInput {
  return input.attachments ? { ...input, attachments: input.attachments.map(named) } : input;
}

function toldBlock(block: ContentBlock): ContentBlock {
  if (block.type !== "text" || !block.attachments) return block;
  return { ...block, attachments: block.attachments.map(named) };
}

const named = ({ from, text }: Attachment): Attachment => ({ from, text });
