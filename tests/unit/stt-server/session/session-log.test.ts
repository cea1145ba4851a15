import { describe, expect, it } from "vitest";
import { maxLogEvents, SessionLog } from "../../../../electron/stt-server/session/session-log.ts";
import { ManualClock } from "../manual-clock.ts";

function logOf(events: number): { log: SessionLog; clock: ManualClock } {
  const clock = new ManualClock();
  const log = new SessionLog(clock);
  for (let i = 0; i < events; i++) log.append({ type: "speech_start", offset_ms: i });
  return { log, clock };
}

const seqs = (log: SessionLog, since: number, limit = 500) => log.read(since, limit).map(({ seq }) => seq);

describe("session log", () => {
  it("numbers events from 1, and reads those after since_seq only", () => {
    const { log } = logOf(3);
    expect(seqs(log, 0)).toEqual([1, 2, 3]);
    expect(seqs(log, 2)).toEqual([3]);
    expect(seqs(log, 3)).toEqual([]);
    expect(seqs(log, 99)).toEqual([]);
  });

  it("gives the oldest first when there are more than the limit", () => {
    const { log } = logOf(10);
    expect(seqs(log, 0, 4)).toEqual([1, 2, 3, 4]);
    expect(seqs(log, 4, 4)).toEqual([5, 6, 7, 8]);
  });

  it("tells where it begins after it overflowed, and the number that comes next", () => {
    const { log } = logOf(maxLogEvents + 5);
    expect(log.firstSeq).toBe(6);
    expect(log.nextSeq).toBe(maxLogEvents + 6);
    expect(seqs(log, 0, 2)).toEqual([6, 7]);
    expect(seqs(log, maxLogEvents + 3)).toEqual([maxLogEvents + 4, maxLogEvents + 5]);
  });

  it("begins at 1 while it is empty", () => {
    const { log } = logOf(0);
    expect([log.firstSeq, log.nextSeq]).toEqual([1, 1]);
  });

  it("stamps events with the clock's time", () => {
    const { log, clock } = logOf(0);
    clock.advance(1500);
    log.append({ type: "speech_end", offset_ms: 7 });
    expect(log.read(0, 1)).toEqual([
      { seq: 1, type: "speech_end", offset_ms: 7, timestamp_utc: "1970-01-01T00:00:01.500Z" },
    ]);
  });

  it("answers a long poll at the next event, and leaves no timer behind", async () => {
    const { log, clock } = logOf(2);
    const waiting = log.waitFor(2, 10_000);
    expect(clock.sleeping).toBe(1);
    log.append({ type: "speech_end", offset_ms: 0 });
    await waiting;
    expect(clock.sleeping).toBe(0);
    expect(seqs(log, 2)).toEqual([3]);
  });

  it("answers at once when there is something to read or nothing to wait for", async () => {
    const { log, clock } = logOf(2);
    await log.waitFor(1, 10_000);
    await log.waitFor(2, 0);
    log.close();
    await log.waitFor(2, 10_000);
    expect(clock.sleeping).toBe(0);
  });

  it("answers empty when the time is up, when the reader is gone, and when the session ends", async () => {
    const { log, clock } = logOf(0);
    const timed = log.waitFor(0, 3000);
    clock.advance(3000);
    await timed;
    const reader = new AbortController();
    const left = log.waitFor(0, 3000, reader.signal);
    reader.abort();
    await left;
    const closed = log.waitFor(0, 3000);
    log.close();
    await closed;
    expect(clock.sleeping).toBe(0);
  });

  it("does not wake a reader who waits for a later event", async () => {
    const { log, clock } = logOf(0);
    const waiting = log.waitFor(1, 3000);
    log.append({ type: "speech_start", offset_ms: 0 });
    expect(clock.sleeping).toBe(1);
    log.append({ type: "speech_end", offset_ms: 1 });
    await waiting;
    expect(clock.sleeping).toBe(0);
  });
});
