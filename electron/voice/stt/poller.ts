import type { SttSessionStatus } from "../../../shared/voice/stt.ts";
import type { Clock } from "../../agent/ports/ports.ts";
import type { UpdatesAnswer } from "./server-answers.ts";
import { batchSize, type LogNews, SessionLog } from "./session-log.ts";
import type { SttClient } from "./stt-client.ts";
import { isSttError, SttError } from "./stt-errors.ts";

/** A long poll asks for this; it bounds nothing but how often an idle session is asked again. */
export const longPollMs = 5_000;
/** Between polls of a server that cannot wait, in milliseconds. */
export const pollPauseMs = 100;
/** Failed or unreadable answers in a row before the session is given up. */
export const maxPollErrors = 3;
/** Full answers in a row without news, before it counts as known that the server does not read where to go on. */
const maxRepeats = 3;
/** Answers without news in a row that came at once, before a server that says that it can wait is asked with pauses all the same. */
const maxHasty = 3;

export type PollEvent =
  | LogNews
  | { type: "status"; status: SttSessionStatus }
  /** The server, which says nothing of its status, was stopped and has nothing more to say at this moment. */
  | { type: "quiet" };

export interface PollSession {
  client: Pick<SttClient, "getUpdates" | "canWait" | "canGoOn">;
  sessionId: string;
  clock: Clock;
  /** The server was asked to stop, and has answered: where it says nothing of how a session stands, no news is the end. */
  hasStopped(): boolean;
  /** There is time for words that come late: then no news is no end, and it is read on until `signal`. */
  canLinger(): boolean;
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
  canLinger,
  signal,
}: PollSession): AsyncGenerator<PollEvent, void> {
  const log = new SessionLog(client.canGoOn);
  let errors = 0;
  let repeats = 0;
  let hasty = 0;
  let hasFailed = false;
  let hasLingered = false;
  let status: SttSessionStatus = "starting";

  for (;;) {
    signal.throwIfAborted();
    const askedAt = clock.now();
    // An answer that was on its way when the session was stopped does not know of the last words.
    const wasStopped = hasStopped();
    const waitMs = isOver(status) || log.hasHole ? 0 : longPollMs;
    let answer: UpdatesAnswer;
    try {
      answer = await client.getUpdates(
        { session_id: sessionId, since_seq: log.cursor, limit: batchSize, wait_ms: waitMs },
        signal,
      );
      errors = 0;
    } catch (error) {
      signal.throwIfAborted();
      errors += 1;
      if (errors >= maxPollErrors || isSttError(error, "closed")) throw error;
      await clock.sleep(pollPauseMs, signal);
      continue;
    }
    const tookMs = clock.now() - askedAt;
    const batch = log.batchOf(answer, client.canWait && tookMs >= pollPauseMs && tookMs < waitMs);
    const { events, isNews, isFull } = batch;
    hasFailed ||= events.some(({ event }) => event?.type === "error" && event.fatal);
    // A server that says nothing of it runs until it has nothing more to say.
    const isQuiet = answer.status === undefined && wasStopped && !isNews && !isFull;
    const lingers = isQuiet && !hasFailed && canLinger();
    if (lingers && !hasLingered) yield { type: "quiet" };
    hasLingered ||= lingers;
    const isEnd = (isQuiet && !lingers) || (hasFailed && !isNews && !isFull);
    const isFailed = isEnd && hasFailed;
    const now = isFailed ? "failed" : (answer.status ?? (isEnd ? "stopped" : "running"));
    if (now !== status) {
      status = now;
      // The end is told once the log is read: the last words come first.
      if (!isOver(status)) yield { type: "status", status };
    }
    const isRepeated = !(yield* log.read(batch)) && events.length > 0;
    if (log.hasHole) continue;
    repeats = isRepeated && isFull ? repeats + 1 : 0;
    if (repeats >= maxRepeats) {
      throw new SttError(
        "unsupported",
        "The speech server sends the same events again and again: it does not read `since_seq`.",
      );
    }
    // What cannot be read does not keep a session from its end.
    if (isOver(status) && (isRepeated || !(isNews || isFull))) {
      yield { type: "status", status };
      return;
    }
    hasty = !isNews && tookMs < pollPauseMs ? hasty + 1 : 0;
    const goesOnAtOnce = client.canWait ? isNews || hasty <= maxHasty : isFull;
    if (isRepeated || !goesOnAtOnce) await clock.sleep(pollPauseMs, signal);
  }
}

export const isOver = (status: SttSessionStatus) => status === "stopped" || status === "failed";
