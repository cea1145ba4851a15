import { z } from "zod";
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

  private constructor(connection: Connection, id: string, started: Answer) {
    this.#connection = connection;
    this.id = id;
    this.started = started;
  }

  static async start(connection: Connection, args: Record<string, unknown>): Promise<Listening> {
    const started = await connection.ask("startSession", args);
    const { session_id } = read(started, startAnswer, "A start");
    return new Listening(connection, session_id, started);
  }

  get finals(): RawEvent[] {
    return this.events.filter(({ type }) => type === "utterance_final");
  }

  /** The number to go on from. */
  get cursor(): number {
    return Math.max(0, ...this.events.map(({ seq }) => Number(seq)).filter(Number.isFinite));
  }

  /** @returns the news */
  async update(waitMs = 0): Promise<RawEvent[]> {
    const args = { session_id: this.id, since_seq: this.cursor, limit: 100, wait_ms: waitMs };
    const answer = await this.#connection.ask("getUpdates", args);
    const { events, status } = read(answer, updatesAnswer, "An update");
    const before = this.cursor;
    for (const event of events) {
      const isNumbered = event.seq !== undefined && event.seq !== null;
      must(
        !isNumbered || Number(event.seq) > before,
        `Event ${String(event.seq)} came again after it had been read: \`since_seq\` was ${before}. Send later ones only; a server without \`since_seq\` gives each event once.`,
      );
    }
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
