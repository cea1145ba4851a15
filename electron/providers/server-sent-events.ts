import { createParser } from "eventsource-parser";

/** One event of a stream; `event` is empty where the server named none. */
export interface ServerSentEvent {
  event: string;
  data: string;
}

/**
 * Reads a response's event stream. Events without data are passed over, comments too.
 * @param onChunk called for everything that arrives, comments included
 * @param read what is given of an event, null for nothing
 * @returns what arrived together, together: each generator on the way takes some turns of the microtask queue for
 *   whatever it passes on, and a reply has dozens of events in few chunks
 */
export async function* serverSentEvents<T>(
  { body }: Response,
  onChunk: () => void,
  read: (event: ServerSentEvent) => T | null,
): AsyncGenerator<T[], void, void> {
  if (!body) return;
  const decoder = new TextDecoder();
  const reader = body.getReader();
  let given: T[] = [];
  let failure: { error: unknown } | null = null;
  const parser = createParser({
    onEvent({ event = "", data }) {
      if (failure) return;
      try {
        const one = read({ event, data });
        if (one !== null) given.push(one);
      } catch (error) {
        failure = { error };
      }
    },
  });
  /** @throws what `read` threw, once what came before it was given */
  const mustGoOn = () => {
    if (failure) throw failure.error;
  };
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      onChunk();
      given = [];
      parser.feed(decoder.decode(value, { stream: true }));
      if (given.length > 0) yield given;
      mustGoOn();
    }
  } finally {
    // Also when the reader of the events leaves early: the connection must not stay open.
    await reader.cancel().catch(() => {});
  }
}
