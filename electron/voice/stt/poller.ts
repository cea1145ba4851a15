import { type SttEvent, type SttSessionStatus, sttEvent } from "../../../shared/voice/stt.ts";
import type { Clock } from "../../agent/ports/ports.ts";
import { type SttClient, SttError } from "./stt-client.ts";

/** A long poll asks for this; it bounds nothing but how often an idle session is asked again. */
export const longPollMs = 5_000;
/** Between polls of a server that cannot wait. */
export const pollPauseMs = 100;
/** Failed or unreadable answers in a row before the session is given up. */
export const maxPollErrors = 3;
/** Asking again for events that are missing in the middle, before they count as lost. */
const maxHoleRetries = 1;

export type PollEvent =
  /** Each event exactly once, in order of `seq`. */
  | { type: "event"; event: SttEvent }
  /** The server dropped this many events before they were read. */
  | { type: "gap"; missed: number }
  | { type: "status"; status: SttSessionStatus };

export interface PollSession {
  client: Pick<SttClient, "getUpdates" | "canWait">;
  sessionId: string;
  clock: Clock;
  /** Ends the polling at once; what was not read yet stays unread. */
  signal: AbortSignal;
}

/**
 * Reads a session's log until the session has ended and its log is read to the end, whatever the server does:
 * repeats, holes, unknown events, unreadable answers. One request is in flight at a time. The last event is the status
 * that the session ended with.
 * @throws SttError after `maxPollErrors` failures in a row, or when the connection is gone
 */
export async function* pollSession({
  client,
  sessionId,
  clock,
  signal,
}: PollSession): AsyncGenerator<PollEvent, void> {
  /** Everything up to here was delivered or is known to be lost. */
  let cursor = 0;
  let errors = 0;
  let holeRetries = 0;
  let status: SttSessionStatus = "starting";

  /** What an answer brings that is news. @returns whether events are missing in its middle */
  function* deliver(batch: NumberedEvent[], firstSeq: number | undefined): Generator<PollEvent, boolean> {
    const lost = firstSeq === undefined ? 0 : firstSeq - cursor - 1;
    if (lost > 0) {
      cursor += lost;
      yield { type: "gap", missed: lost };
    }
    for (const { seq, event } of batch) {
      if (seq <= cursor) continue;
      const missed = seq - cursor - 1;
      if (missed > 0 && holeRetries < maxHoleRetries) {
        holeRetries += 1;
        return true;
      }
      cursor = seq;
      holeRetries = 0;
      if (missed > 0) yield { type: "gap", missed };
      if (event) yield { type: "event", event };
    }
    return false;
  }

  for (;;) {
    signal.throwIfAborted();
    let answer: Awaited<ReturnType<SttClient["getUpdates"]>>;
    try {
      const waitMs = isOver(status) || holeRetries > 0 ? 0 : longPollMs;
      answer = await client.getUpdates(
        { session_id: sessionId, since_seq: cursor, limit: 100, wait_ms: waitMs },
        signal,
      );
      errors = 0;
    } catch (error) {
      signal.throwIfAborted();
      errors += 1;
      if (errors >= maxPollErrors || (error instanceof SttError && error.kind === "closed")) throw error;
      await clock.sleep(pollPauseMs, signal);
      continue;
    }
    if (answer.status !== status) {
      status = answer.status;
      // The end is told once the log is read: the last words come first.
      if (!isOver(status)) yield { type: "status", status };
    }
    const batch = inOrder(answer.events);
    if (yield* deliver(batch, answer.first_seq)) continue;
    if (isOver(status) && batch.length === 0) {
      yield { type: "status", status };
      return;
    }
    if (batch.length === 0 && !client.canWait) await clock.sleep(pollPauseMs, signal);
  }
}

interface NumberedEvent {
  seq: number;
  /** null for an event of a kind that we do not know: its number counts all the same. */
  event: SttEvent | null;
}

function inOrder(raw: unknown[]): NumberedEvent[] {
  return raw
    .flatMap((value) => {
      if (typeof value !== "object" || value === null || !("seq" in value)) return [];
      const { seq } = value;
      if (typeof seq !== "number" || !Number.isInteger(seq)) return [];
      const parsed = sttEvent.safeParse(value);
      return [{ seq, event: parsed.success ? parsed.data : null }];
    })
    .sort((a, b) => a.seq - b.seq);
}

export const isOver = (status: SttSessionStatus) => status === "stopped" || status === "failed";
