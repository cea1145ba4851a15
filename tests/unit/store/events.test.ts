import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Database } from "../../../electron/store/database/database.ts";
import { openMemoryDatabase } from "../../../electron/store/database/open-database.ts";
import { eventsOf } from "../../../electron/store/messages/events.ts";

let database: Database;
const event = (id: number) =>
  ({ id, conversationId: "c", at: 1, type: "state.changed", state: "idle" }) as const;
const errors: unknown[] = [];

beforeEach(() => {
  vi.useFakeTimers();
  database = openMemoryDatabase();
  errors.length = 0;
});
afterEach(() => {
  vi.useRealTimers();
  database.close();
});

// Bug: what could not be written, since the disk was full or another program held the file, was gone.
test.each(["SQLITE_FULL", "SQLITE_BUSY"])("events that meet %s are written with the next ones", (code) => {
  const events = eventsOf(database, (error) => errors.push(error));
  vi.spyOn(database, "transaction").mockImplementationOnce(() =>
    database.guard(() => {
      throw Object.assign(new Error("no"), { code });
    }),
  );
  events.append(event(1));
  vi.runAllTimers();
  expect(errors).toHaveLength(1);
  events.append(event(2));
  vi.runAllTimers();
  expect(database.prepare("SELECT event_id FROM events ORDER BY seq").all([])).toEqual([
    { event_id: 1 },
    { event_id: 2 },
  ]);
});

test("events that the database refuses hold up no others", () => {
  const events = eventsOf(database, (error) => errors.push(error));
  vi.spyOn(database, "transaction").mockImplementationOnce(() =>
    database.guard(() => {
      throw Object.assign(new Error("no"), { code: "SQLITE_CONSTRAINT" });
    }),
  );
  events.append(event(1));
  vi.runAllTimers();
  events.append(event(2));
  vi.runAllTimers();
  expect(events.lastId("c")).toBe(2);
  expect(errors).toHaveLength(1);
});
