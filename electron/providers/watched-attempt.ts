import type { Clock, ModelStreamEvent } from "../agent/ports/ports.ts";
import { connectionCut } from "./api-errors.ts";
import { type ServerSentEvent, type StreamForm, serverSentEvents } from "./server-sent-events.ts";
import { Watchdog, type WatchdogLimits } from "./watchdog.ts";

/** What arrived together. */
export type StreamEvents = readonly ModelStreamEvent[];

/** For a stream that gives its events one by one. */
export async function* oneByOne(events: AsyncIterable<ModelStreamEvent>): AsyncGenerator<StreamEvents> {
  for await (const event of events) yield [event];
}

export interface AttemptOptions {
  clock: Clock;
  limits: WatchdogLimits;
  host: string;
  signal: AbortSignal;
  /** What went wrong, in words. */
  toError(error: unknown): Error;
}

/** One connection of an attempt. */
export interface Line {
  /** Aborts with the outer signal, and when the request hangs. */
  signal: AbortSignal;
  /** To be read in place of the response: every chunk counts as a sign of life, also pings that an SDK swallows. */
  watch(response: Response): Response;
  /**
   * The same as events, read by ourselves: at half the cost of an SDK's reader behind a watched response.
   * @param read what is given of an event, null for nothing
   * @returns what arrived together, together
   */
  events<T>(
    response: Response,
    read: (event: ServerSentEvent) => T | null,
    form?: StreamForm<T>,
  ): AsyncIterable<T[]>;
}

/**
 * One attempt at a request: ends when it hangs or is aborted, and its errors are ModelErrors.
 * @param open yields deltas and one `message`, what arrived together in one list; after that, how the connection ends
 *   does not matter
 */
export async function* watchedAttempt(
  { clock, limits, host, signal, toError }: AttemptOptions,
  open: (line: Line) => AsyncIterable<StreamEvents> | Promise<AsyncIterable<StreamEvents>>,
): AsyncGenerator<StreamEvents> {
  const watchdog = new Watchdog(clock, limits, host, signal);
  let complete = false;
  let drained = false;
  const signOfLife = () => watchdog.signOfLife();
  const line: Line = {
    signal: watchdog.signal,
    watch(response) {
      watchdog.begun();
      return tapped(response, signOfLife);
    },
    events(response, read, form) {
      watchdog.begun();
      return serverSentEvents(response, signOfLife, read, form);
    },
  };
  try {
    for await (const events of await open(line)) {
      complete ||= events.some(({ type }) => type === "message");
      yield events;
    }
    // Read on to the end: leaving at the message would close a connection that the next request can use.
    drained = true;
    if (!complete) throw connectionCut();
  } catch (error) {
    signal.throwIfAborted();
    if (complete) return;
    // SDKs report an abort in their own words; what matters is who aborted, and why.
    throw toError(watchdog.signal.aborted ? watchdog.signal.reason : error);
  } finally {
    watchdog.dispose(!drained);
  }
}

/** After the finish reason, how the connection ends does not matter. */
export async function* untilFinished<T>(
  chunks: AsyncIterable<T>,
  isFinished: () => boolean,
): AsyncGenerator<T> {
  try {
    yield* chunks;
  } catch (error) {
    if (!isFinished()) throw error;
  }
}

function tapped(response: Response, onChunk: () => void): Response {
  const tap = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      onChunk();
      controller.enqueue(chunk);
    },
  });
  return new Response(response.body?.pipeThrough(tap) ?? null, response);
}
