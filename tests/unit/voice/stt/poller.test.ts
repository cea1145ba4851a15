import { describe, expect, it } from "vitest";
import { type PollEvent, pollPauseMs, pollSession } from "../../../../electron/voice/stt/poller.ts";
import { SttError } from "../../../../electron/voice/stt/stt-client.ts";
import type { GetUpdatesResult } from "../../../../shared/voice/stt.ts";
import { InstantClock } from "../../../fakes/clock.ts";

type Answer = Partial<GetUpdatesResult> | "fails";

/** Reads a server that gives these answers in turn, then says that it has stopped. */
async function poll(answers: Answer[], canWait = true, hasStopped = () => false) {
  const clock = new InstantClock();
  const asked: number[] = [];
  const client = {
    canWait,
    getUpdates: async ({ since_seq }: { since_seq: number }): Promise<GetUpdatesResult> => {
      asked.push(since_seq);
      const answer = answers.shift() ?? { status: "stopped" };
      if (answer === "fails") throw new SttError("malformed", "boom");
      return { session_id: "s", status: "running", events: [], next_seq: 0, ...answer };
    },
  };
  const events: PollEvent[] = [];
  const { signal } = new AbortController();
  let failure: unknown = null;
  try {
    for await (const event of pollSession({ client, sessionId: "s", clock, hasStopped, signal }))
      events.push(event);
  } catch (error) {
    failure = error;
  }
  const seqs = events.flatMap((one) => (one.type === "event" ? [one.event.seq] : []));
  return { seqs, events, asked, slept: clock.slept, failure };
}

const batch = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => ({
    seq: from + index,
    type: "speech_end",
    timestamp_utc: "2026-01-01T00:00:00Z",
    offset_ms: 0,
  }));

describe("reading a session's log", () => {
  it("goes on after it has ended until nothing more comes: the last words are in it", async () => {
    const { seqs, events } = await poll([
      { status: "stopped", events: batch(1, 100) },
      { status: "stopped", events: batch(101, 150) },
    ]);
    expect(seqs).toEqual(batch(1, 150).map(({ seq }) => seq));
    expect(events.at(-1)).toEqual({ type: "status", status: "stopped" });
  });

  it("counts only failures in a row: others between answers are forgiven for ever", async () => {
    const { failure, seqs } = await poll([
      "fails",
      "fails",
      {},
      "fails",
      "fails",
      { events: batch(1, 1) },
      "fails",
      "fails",
    ]);
    expect(failure).toBeNull();
    expect(seqs).toEqual([1]);
    expect((await poll(["fails", "fails", "fails"])).failure).toBeInstanceOf(SttError);
  });

  it("pauses between questions to a server that cannot wait, and only there", async () => {
    expect((await poll([{}, {}, {}], false)).slept).toEqual([pollPauseMs, pollPauseMs, pollPauseMs]);
    expect((await poll([{}, {}, {}], true)).slept).toEqual([]);
    // It says that it can and does not: it would be asked without end.
    expect((await poll([{}, {}, {}, {}, {}], true)).slept).toEqual([pollPauseMs, pollPauseMs]);
    const news = { events: batch(1, 1) };
    expect((await poll([{}, {}, news, {}, {}], true)).slept).toEqual([]);
    // What brings news is asked again at once.
    expect((await poll([{ events: batch(1, 2) }], false)).slept).toEqual([]);
  });

  it("asks once more for what is missing in the middle, then goes on with what there is", async () => {
    const [one, , three] = batch(1, 3);
    const { events, asked } = await poll([{ events: [one, three] }, { events: [three] }]);
    expect(asked.slice(0, 3)).toEqual([0, 1, 3]);
    expect(events.map((event) => (event.type === "event" ? event.event.seq : event.type))).toEqual([
      "status",
      1,
      "gap",
      3,
      "status",
    ]);
  });
});
