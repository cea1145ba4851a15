import { expect, test } from "vitest";
import { SessionSupervisor } from "../../../../electron/voice/stt/session-supervisor.ts";
import type { SttClient } from "../../../../electron/voice/stt/stt-client.ts";
import { FakeClock } from "../../../fakes/clock.ts";

/** A supervisor whose server opens its source when the test says so. */
function opening() {
  const calls: string[] = [];
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  let isAsked = () => {};
  const asked = new Promise<void>((resolve) => {
    isAsked = resolve;
  });
  const client = {
    canWait: true,
    canTalk: true,
    startSession: async () => {
      isAsked();
      await opened;
      return { session_id: "s1", status: "starting", mic_device_name: null };
    },
    getUpdates: async () => ({ session_id: "s1", status: "stopped", events: [], next_seq: 0 }),
    stopSession: async (id: string) => {
      calls.push(`stop ${id}`);
    },
    updateSession: async ({ session_id: _, ...changes }: Record<string, unknown>) => {
      calls.push(JSON.stringify(changes));
    },
  } as unknown as SttClient;
  const supervisor = new SessionSupervisor({
    source: "microphone",
    connect: async () => client,
    startArguments: () => ({ source: "microphone" }),
    clock: new FakeClock(),
  });
  const over = (async () => {
    const seen: string[] = [];
    for await (const { type } of supervisor) {
      seen.push(type);
      if (type === "restarting") void supervisor.stop();
    }
    return seen;
  })();
  return { supervisor, calls, asked, open, over };
}

test("what is stopped while its source is being opened leaves no microphone open", async () => {
  const { supervisor, calls, asked, open, over } = opening();
  await asked;
  const stopped = supervisor.stop();
  open();
  await stopped;
  expect(calls).toEqual(["stop s1"]);
  expect(await over).toEqual(["opened", "ended"]);
});

test("what is muted while its source is being opened is muted before anything is read", async () => {
  const { supervisor, calls, asked, open, over } = opening();
  await asked;
  await supervisor.mute(true);
  open();
  await over;
  expect(calls[0]).toBe('{"muted":true}');
});

test("a key that is pressed while the source is being opened counts", async () => {
  const { supervisor, calls, asked, open, over } = opening();
  await asked;
  await supervisor.talk(true);
  open();
  await over;
  expect(calls[0]).toBe('{"talking":true}');
});
