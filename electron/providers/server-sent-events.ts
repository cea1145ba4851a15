import { createParser } from "eventsource-parser";

/** One event of a stream; `event` is empty where the server named none. */
export interface ServerSentEvent {
  event: string;
  data: string;
}

export interface StreamForm<T> {
  /** Nothing of use comes behind it, and perhaps never an end. */
  isLast?(given: T): boolean;
  /**
   * What is given of a body that is no stream, but JSON, a page or a line of words. Where it is there, a last event counts
   * that has no blank line behind it.
   */
  readWhole?(text: string): T[];
}

/** How long the end of a stream may take to come behind its last event, in milliseconds. */
const lastEndMs = 200;

/** What a line of a stream begins with. */
const fields = ["data:", "event:", "id:", "retry:", ":"];

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
  { isLast, readWhole }: StreamForm<T> = {},
): AsyncGenerator<T[], void, void> {
  if (!body) return;
  const decoder = new TextDecoder();
  const reader = body.getReader();
  let given: T[] = [];
  /** The body so far, as long as there was no event in it. */
  let before: string[] | null = readWhole ? [] : null;
  /** It begins as nothing of a stream does. */
  let isDocument = false;
  let failure: { error: unknown } | null = null;
  const parser = createParser({
    onEvent({ event = "", data }) {
      before = null;
      take({ event, data });
    },
    // llama.cpp once told errors so.
    onError({ field, value = "" }) {
      if (field === "error") take({ event: "error", data: value });
    },
  });
  function take(event: ServerSentEvent): void {
    if (failure) return;
    try {
      const one = read(event);
      if (one !== null) given.push(one);
    } catch (error) {
      failure = { error };
    }
  }
  function addText(text: string): void {
    if (before) {
      const more = before.length > 0 ? text : text.trimStart();
      if (before.length === 0) isDocument = /^[{[<]/.test(more);
      if (more !== "") before.push(more);
      if (!isDocument) parser.feed(more);
    } else parser.feed(text);
  }
  /** @throws what `read` threw, once what came before it was given */
  const mustGoOn = (isCut = false) => {
    if (failure && !(isCut && failure.error instanceof SyntaxError)) throw failure.error;
  };
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      onChunk();
      given = [];
      addText(decoder.decode(value, { stream: true }));
      if (given.length > 0) yield given;
      mustGoOn();
      if (isLast && given.some(isLast)) {
        await endOf(reader);
        return;
      }
    }
    if (!readWhole) return;
    given = [];
    // Some leave out the blank line behind the last event. What is no JSON there was cut.
    if (!isDocument) parser.feed("\n\n");
    if (given.length > 0) yield given;
    mustGoOn(true);
    const whole = before?.join("") ?? "";
    const isStream = fields.some((field) => whole.startsWith(field) || field.startsWith(whole));
    if (!isStream) yield readWhole(whole);
  } finally {
    // Also when the reader of the events leaves early: the connection must not stay open.
    await reader.cancel().catch(() => {});
  }
}

/** A connection whose end was read can be used again; one that stays open holds up nobody. */
async function endOf(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<void> {
  const timer = setTimeout(() => void reader.cancel().catch(() => {}), lastEndMs);
  try {
    while (!(await reader.read()).done);
  } catch {
    // How it ends does not matter.
  } finally {
    clearTimeout(timer);
  }
}
