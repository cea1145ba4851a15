import { z } from "zod";
import { inputForWindow } from "../../../shared/conversation/event-for-window.ts";
import type { AgentEvent } from "../../../shared/conversation/events.ts";
import { StoreError } from "../../agent/ports/ports.ts";
import type { Database } from "../database/database.ts";

export interface Events {
  append(event: AgentEvent): void;
  /** The highest id of a session's events; 0 where there are none. */
  lastId(sessionId: string): number;
  /** Writes what is still held back. @throws StoreError */
  flush(): void;
}

const lastRows = z.array(z.object({ last: z.number().nullable() }));

/** Longest time that an event is held back, in milliseconds. */
const delayMs = 100;
/** Most events held back while the database cannot be written; the oldest go first. */
const maxHeld = 10_000;

/**
 * The table `events`. They are written in one transaction for many, between the steps of a run instead of in them: a
 * step makes about ten, and nothing is decided by them.
 * @param onError gets what failed in a write that nobody waits for
 */
export function eventsOf(database: Database, onError: (error: unknown) => void): Events {
  const insert = database.prepare(
    "INSERT INTO events (session_id, event_id, at, type, json) VALUES (?, ?, ?, ?, ?)",
  );
  const selectLast = database.prepare("SELECT max(event_id) AS last FROM events WHERE session_id = ?");
  let held: AgentEvent[] = [];
  let timer: NodeJS.Timeout | null = null;

  function flush(): void {
    if (timer) clearTimeout(timer);
    timer = null;
    const batch = held;
    held = [];
    if (batch.length === 0) return;
    try {
      database.transaction(() => {
        for (const event of batch) {
          const { id, conversationId, at, type, ...rest } = event;
          insert.run([conversationId, id, at, type, JSON.stringify(payloadOf(event, rest))]);
        }
      });
    } catch (error) {
      // Written with the next ones, once another program or the disk lets them.
      if (error instanceof StoreError && (error.code === "locked" || error.code === "full"))
        held = [...batch, ...held].slice(-maxHeld);
      throw error;
    }
  }

  function flushLater(): void {
    try {
      flush();
    } catch (error) {
      onError(error);
    }
  }

  return {
    append(event) {
      if (!isLogged(event)) return;
      held.push(event);
      timer ??= setTimeout(flushLater, delayMs);
    },
    lastId(sessionId) {
      flush();
      return lastRows.parse(selectLast.all([sessionId]))[0]?.last ?? 0;
    },
    flush,
  };
}

/** These come by the hundred; the message, the utterance and the stored output stand for them. */
function isLogged({ type }: AgentEvent): boolean {
  return (
    type !== "text.delta" && type !== "thinking.delta" && type !== "voice.partial" && type !== "tool.output"
  );
}

/** Messages and outputs have rows of their own, and so do the images of a prompt that waits. */
function payloadOf(event: AgentEvent, rest: object): object {
  if (event.type === "message.added") return { messageId: event.message.id };
  if (event.type === "tool.ended") return { ...rest, output: undefined, diff: undefined };
  if (event.type === "input.queued") return { ...rest, input: inputForWindow(event.input) };
  return rest;
}
