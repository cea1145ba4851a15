/** One event of a stream; `event` is empty where the server named none. */
export interface ServerSentEvent {
  event: string;
  data: string;
}

/**
 * Reads a response's event stream. Events without data are passed over, comments too.
 * Source: the HTML standard, "Interpreting an event stream".
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
  let rest = "";
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      onChunk();
      rest = withPlainLineEnds(rest + decoder.decode(value, { stream: true }));
      const given: T[] = [];
      let from = 0;
      try {
        for (let end = rest.indexOf("\n\n"); end >= 0; end = rest.indexOf("\n\n", from)) {
          const event = parsed(rest.slice(from, end));
          from = end + 2;
          const one = event && read(event);
          if (one !== null) given.push(one);
        }
      } catch (error) {
        // What came before it was said.
        if (given.length > 0) yield given;
        throw error;
      }
      if (given.length > 0) yield given;
      rest = rest.slice(from);
    }
  } finally {
    // Also when the reader of the events leaves early: the connection must not stay open.
    await reader.cancel().catch(() => {});
  }
}

/** A lone CR at the end may be half of a line end: it waits for what follows. */
function withPlainLineEnds(text: string): string {
  return text.includes("\r") ? text.replaceAll(/\r\n|\r(?!$)/g, "\n") : text;
}

function parsed(block: string): ServerSentEvent | null {
  let event = "";
  let data: string | null = null;
  for (const line of block.split("\n")) {
    const colon = line.indexOf(":");
    const field = colon < 0 ? line : line.slice(0, colon);
    if (field !== "data" && field !== "event") continue;
    const value = colon < 0 ? "" : line.slice(line[colon + 1] === " " ? colon + 2 : colon + 1);
    if (field === "event") event = value;
    else data = data === null ? value : `${data}\n${value}`;
  }
  return data === null ? null : { event, data };
}
