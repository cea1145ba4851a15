import { z } from "zod";
import { seq, sessionIdIn } from "../../electron/voice/stt/server-answers.ts";
import { eventsIn } from "../../electron/voice/stt/server-events.ts";
import { must } from "./checks.ts";
import { type Answer, type Connection, read } from "./connection.ts";

/** What is recorded, to be played to the server, and what is said in it. */
export interface Recording {
  path: string;
  words: readonly string[];
  durationMs: number;
}

export interface CheckOptions {
  recording: Recording;
  /** So long a server that cannot play files is given to hear somebody, in milliseconds. */
  hearMs: number;
}

const startAnswer = z.object({ session_id: z.string("must be text").min(1, "must not be empty") });
const updatesAnswer = z.object({
  events: z.array(z.record(z.string(), z.unknown(), "must be objects"), "must be a list"),
  status: z.unknown().optional(),
  next_seq: seq.optional().catch(undefined),
});
export type RawEvent = Record<string, unknown>;

/** Answers without news in a row after which a session has said everything. */
const enoughEmpty = 3;
const pauseMs = 100;

export function canPlay(connection: Connection): boolean {
  if (!connection.takes("startSession", "path")) return false;
  const source = z
    .object({ enum: z.array(z.unknown()) })
    .safeParse(connection.tool("startSession")?.inputSchema.properties?.source);
  return !source.success || source.data.enum.includes("file");
}

/** One session, and all that it has said. */
export class Listening {
  readonly id: string;
  readonly started: Answer;
  readonly answers: Answer[] = [];
  readonly events: RawEvent[] = [];
  status: unknown;
  readonly #connection: Connection;
  /** The number to go on from. */
  #cursor = 0;

  private constructor(connection: Connection, id: string, started: Answer) {
    this.#connection = connection;
    this.id = id;
    this.started = started;
  }

  static async start(connection: Connection, args: Record<string, unknown>): Promise<Listening> {
    const started = await connection.ask("startSession", args);
    try {
      return new Listening(connection, read(started, startAnswer, "A start").session_id, started);
    } catch (error) {
      // A server that goes on after the check is not left with its microphone open.
      const session_id = started.isError ? null : sessionIdIn([started.value], started.text);
      if (session_id !== null) await connection.ask("stopSession", { session_id }).catch(() => {});
      throw error;
    }
  }

  /** Whether its events are numbered for Parley. */
  get canGoOn(): boolean {
    return this.#connection.canGoOn;
  }

  get finals(): RawEvent[] {
    return this.events.filter(({ type }) => type === "utterance_final");
  }

  /** @returns the news */
  async update(waitMs = 0): Promise<RawEvent[]> {
    const args = { session_id: this.id, since_seq: this.#cursor, limit: 100, wait_ms: waitMs };
    const answer = await this.#connection.ask("getUpdates", args);
    const { events, status, next_seq } = read(answer, updatesAnswer, "An update");
    if (this.#connection.canGoOn) this.#cursor = lastOf({ events, next_seq }, this.#cursor);
    this.answers.push(answer);
    this.events.push(...events);
    if (status !== undefined) this.status = status;
    return events;
  }

  /** Reads on until `enough`, the session is over and read to its end, or `mostMs` have passed. */
  async readOn(mostMs: number, enough: () => boolean = () => false): Promise<void> {
    const until = performance.now() + mostMs;
    for (let empty = 0; performance.now() < until; ) {
      const news = await this.update(1000);
      empty = news.length > 0 ? 0 : empty + 1;
      if (enough()) return;
      const isOver = this.status === "stopped" || this.status === "failed";
      if (isOver && news.length === 0) return;
      if (this.isStopped && this.status === undefined && empty >= enoughEmpty) return;
      if (news.length === 0) await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
  }

  isStopped = false;

  async stop(timeoutMs?: number): Promise<Answer> {
    const answer = await this.#connection.ask("stopSession", { session_id: this.id }, timeoutMs);
    this.isStopped = true;
    return answer;
  }
}

/**
 * The number of the last event, as Parley numbers them.
 * @throws Failure where Parley would lose one of them
 */
function lastOf(answer: { events: RawEvent[]; next_seq?: number | undefined }, before: number): number {
  const { batch } = eventsIn(answer, before);
  const { events } = answer;
  must(
    batch.length === events.length && batch.every(({ seq: number }) => number > 0),
    `Parley cannot tell the number of an event: ${JSON.stringify(events).slice(0, 160)}, \`next_seq\` ${String(answer.next_seq)}. A server that takes \`since_seq\` numbers every event, from 1.`,
  );
  let last = before;
  for (const { seq: number, content } of batch) {
    must(
      number > before,
      `Event ${number} came again after it had been read: \`since_seq\` was ${before}. Send later ones only; a server without \`since_seq\` gives each event once.`,
    );
    must(number > last, `Two events have the number ${number}, such as ${content.slice(0, 120)}.`);
    last = number;
  }
  const areCounted = events.every((event) => event.seq === undefined || event.seq === null);
  must(
    !areCounted || last === before + events.length,
    `After event ${before} came ${events.length} without \`seq\`, and \`next_seq\` ${String(answer.next_seq)}. It is the number of the last event in the answer.`,
  );
  return last;
}
