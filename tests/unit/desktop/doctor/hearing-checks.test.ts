import { beforeEach, expect, onTestFinished, test } from "vitest";
import { type HearingParts, hearingChecks } from "../../../../electron/desktop/doctor/hearing-checks.ts";
import { runCheck } from "../../../../electron/desktop/doctor/run-check.ts";
import { defaultSettings } from "../../../../shared/settings.ts";

type Client = HearingParts["client"];
type Listener = (sessionId: string, level: number) => void;

let listeners: Set<Listener>;
const tell: Listener = (sessionId, level) => {
  for (const listener of [...listeners]) listener(sessionId, level);
};

beforeEach(() => {
  listeners = new Set();
});

/** The check of the microphone, in front of a server which starts a session so. */
function microphone(startSession: Client["startSession"]) {
  const client: Client = {
    startSession,
    getUpdates: (_request, signal) =>
      new Promise((_, reject) => {
        signal?.addEventListener("abort", () => reject(signal.reason));
      }),
    stopSession: async () => {},
  };
  const onLevel = (listener: Listener) => {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  };
  const [check] = hearingChecks({
    settings: () => defaultSettings,
    parts: async () => ({ client, onLevel }),
    allowMicrophone: async () => {},
    fixture: async () => "",
    platform: "linux",
  });
  if (!check) throw new Error("It is gone.");
  return runCheck(check, { now: () => performance.now(), redact: (text) => text });
}

// Bug: where the computer's sound was heard first, in its own check, a muted microphone was said to be heard.
test("a microphone that is silent is told, whatever other checks hear meanwhile", async () => {
  const sounding = setInterval(() => {
    tell("loopback", 0.5);
    tell("mic", 0);
  }, 20);
  onTestFinished(() => clearInterval(sounding));
  const result = await microphone(async () => {
    tell("loopback", 0.5);
    return { session_id: "mic", mic_device_name: "Headset" };
  });
  expect(result).toMatchObject({ state: "limited", found: "Headset gives nothing but silence." });
  expect(listeners.size).toBe(0);
});

test("nobody listens on to a microphone that cannot be opened", async () => {
  const result = await microphone(async () => {
    throw new Error("It is in use.");
  });
  expect(result).toMatchObject({ state: "failed", found: "It is in use." });
  expect(listeners.size).toBe(0);
});
