import type { Attachment } from "./attachments.ts";
import type { AgentEvent, QueuedInput } from "./events.ts";
import type { ContentBlock } from "./messages.ts";

/** An event as windows and the log get it: images are megabytes, which neither shows. */
export function eventForWindow(event: AgentEvent): AgentEvent {
  if (event.type === "input.queued") return { ...event, input: inputForWindow(event.input) };
  if (event.type !== "message.added") return event;
  return { ...event, message: { ...event.message, content: event.message.content.map(blockForWindow) } };
}

/** A prompt that waits, the same way. */
export function inputForWindow(input: QueuedInput): QueuedInput {
  return input.attachments ? { ...input, attachments: input.attachments.map(named) } : input;
}

function blockForWindow(block: ContentBlock): ContentBlock {
  if (block.type === "tool_result" && block.images) {
    // That there are some is known; they are fetched when they are looked at.
    const images = block.images.map((image) => ({ ...image, source: { ...image.source, data: "" } }));
    return { ...block, images };
  }
  if (block.type !== "text" || !block.attachments) return block;
  return { ...block, attachments: block.attachments.map(named) };
}

const named = ({ images: _, ...rest }: Attachment): Attachment => rest;
