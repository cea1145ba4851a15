import type { SttEvent, SttSessionStatus } from "../../../shared/voice/stt.ts";
import type { Clock } from "../../agent/ports/ports.ts";
import { eventsIn, type NumberedEvent, UnnumberedAnswers } from "./server-answers.ts";
import { type SttClient, SttError } from "./stt-client.ts";

/** A long poll asks for this; it bounds nothing but how often an idle session is asked again. */
export const longPollMs = 5_000;
/** Between polls of a server that cannot wait. */
export const pollPauseMs = 100;
/** Failed or unreadable answers in a row before the session is given up. */
export const maxPollErrors = 3;
/** Asking again for events that are missing in the middle, before they count as lost. */
const maxHoleRetries = 1;
/** Events that one answer brings at most. */
const batchSize = 100;
/** Full answers in a row without news, before it counts as known that the server does not read where to go on. */
const maxRepeats = 3;
/** Empty answers in a row that came at once, before a server that says that it can wait is asked with pauses all the same. */
const maxHasty = 3;

export type PollEvent =
  /** Each event exactly once, in order of `seq`. */
  | { type: "event"; event: SttEvent }
  /** The server dropped this many events before they were read. */
  | { type: "gap"; missed: number }
  /** Something of a known kind that cannot be read; told once for each fault. */
  | { type: "unreadable"; what: string }
  | { type: "status"; status: SttSessionStatus };

export interface PollSession {
  client: Pick<SttClient, "getUpdates" | "canWait">;
  sessionId: string;
  clock: Clock;
  /** The server was asked to stop, and has answered: where it says nothing of how a session stands, no news is the end. */
  hasStopped(): boolean;
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
  hasStopped,
  signal,
}: PollSession): AsyncGenerator<PollEvent, void> {
  /** Everything up to here was delivered or is known to be lost. */
  let cursor = 0;
  let errors = 0;
  let holeRetries = 0;
  let repeats = 0;
  let hasty = 0;
  let status: SttSessionStatus = "starting";
  const told = new Set<string>();
  const unnumbered = new UnnumberedAnswers();

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
    const askedAt = clock.now();
    let answer: Awaited<ReturnType<SttClient["getUpdates"]>>;
    try {
      const waitMs = isOver(status) || holeRetries > 0 ? 0 : longPollMs;
      answer = await client.getUpdates(
        { session_id: sessionId, since_seq: cursor, limit: batchSize, wait_ms: waitMs },
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
    const { batch, unreadable } = eventsIn(unnumbered.news(answer), cursor);
    // A server that says nothing of it runs until it has nothing more to say.
    const now = answer.status ?? (hasStopped() && batch.length === 0 ? "stopped" : "running");
    if (now !== status) {
      status = now;
      // The end is told once the log is read: the last words come first.
      if (!isOver(status)) yield { type: "status", status };
    }
    for (const what of unreadable) {
      if (!told.has(what)) yield { type: "unreadable", what };
      told.add(what);
    }
    const before = cursor;
    if (yield* deliver(batch, answer.first_seq)) continue;
    const isRepeated = batch.length > 0 && cursor === before;
    repeats = isRepeated && batch.length >= batchSize ? repeats + 1 : 0;
    if (repeats >= maxRepeats) {
      throw new SttError(
        "unsupported",
        "The speech server sends the same events again and again: it does not read `since_seq`.",
      );
    }
    // What cannot be read does not keep a session from its end.
    if (isOver(status) && (batch.length === 0 || isRepeated)) {
      yield { type: "status", status };
      return;
    }
    const isHasty = batch.length === 0 && clock.now() - askedAt < pollPauseMs;
    hasty = isHasty ? hasty + 1 : 0;
    const waits = client.canWait && hasty <= maxHasty;
    if (isRepeated || (batch.length === 0 && !waits)) await clock.sleep(pollPauseMs, signal);
  }
}

export const isOver = (status: SttSessionStatus) => status === "stopped" || status === "failed";
