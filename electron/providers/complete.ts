import { type AssistantMessage, ModelError, type ModelStreamEvent } from "../agent/ports/ports.ts";

/** Reads a stream to its end for the one whole message. @throws what the stream throws */
export async function wholeMessage(events: AsyncIterable<ModelStreamEvent>): Promise<AssistantMessage> {
  let whole: AssistantMessage | undefined;
  for await (const event of events) if (event.type === "message") whole = event.message;
  if (whole) return whole;
  throw new ModelError("server", "The reply ended before it was complete.", "Try again.");
}
