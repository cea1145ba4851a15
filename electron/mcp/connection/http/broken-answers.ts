import type { JSONRPCMessage, RequestId } from "@modelcontextprotocol/sdk/types.js";
import { z } from "zod";

const request = z.object({ id: z.union([z.string(), z.number()]), method: z.string() });
const cancellation = z.object({
  method: z.literal("notifications/cancelled"),
  params: z.object({ requestId: z.union([z.string(), z.number()]) }),
});

/**
 * Notices streams of events that end before the answer for which they were opened: the SDK would wait for it for ever. One whose
 * events have ids is taken up again, and is left to the SDK.
 */
export class BrokenAnswers {
  /** Told of a request that will not be answered any more. */
  onBroken: (id: RequestId) => void = () => {};
  readonly #open = new Set<RequestId>();

  /** @returns to be called when its stream can be taken up again */
  sent(message: JSONRPCMessage | JSONRPCMessage[]): () => void {
    const cancelled = cancellation.safeParse(message);
    if (cancelled.success) this.#open.delete(cancelled.data.params.requestId);
    const asked = request.safeParse(message);
    if (!asked.success) return () => {};
    const { id } = asked.data;
    this.#open.add(id);
    return () => void this.#open.delete(id);
  }

  received(message: JSONRPCMessage): void {
    if (!("method" in message) && message.id !== undefined) this.#open.delete(message.id);
  }

  /** Nobody waits any more. */
  clear(): void {
    this.#open.clear();
  }

  observing(base: typeof fetch): typeof fetch {
    return async (input, init) => {
      const response = await base(input, init);
      const isStream = response.headers.get("content-type")?.includes("text/event-stream") ?? false;
      const asked = init?.method === "POST" && isStream ? request.safeParse(jsonIn(init.body)) : null;
      if (!asked?.success || !response.body) return response;
      const { id } = asked.data;
      // What came last is read first.
      const onEnd = () => void setImmediate(() => this.#ended(id));
      const { status, statusText, headers } = response;
      return new Response(untilEnd(response.body, onEnd), { status, statusText, headers });
    };
  }

  #ended(id: RequestId): void {
    if (this.#open.delete(id)) this.onBroken(id);
  }
}

function jsonIn(body: unknown): unknown {
  try {
    return typeof body === "string" ? JSON.parse(body) : null;
  } catch {
    return null;
  }
}

/** @param onEnd called once, however it ends */
function untilEnd(body: ReadableStream<Uint8Array>, onEnd: () => void): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  return new ReadableStream({
    async pull(controller) {
      try {
        const { done, value } = await reader.read();
        if (!done) return controller.enqueue(value);
        onEnd();
        controller.close();
      } catch (error) {
        onEnd();
        controller.error(error);
      }
    },
    cancel: (reason) => reader.cancel(reason),
  });
}
