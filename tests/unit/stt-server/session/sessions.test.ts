import { InMemoryTransport } from "@modelcontextprotocol/sdk/inMemory.js";
import { expect, test, vi } from "vitest";
import type { AudioSource } from "../../../../electron/stt-server/audio/audio-source.ts";
import { ModelManager } from "../../../../electron/stt-server/models/model-manager.ts";
import { ModelStore } from "../../../../electron/stt-server/models/model-store.ts";
import type { RecogniserModel } from "../../../../electron/stt-server/recognisers/recogniser.ts";
import { serveClient } from "../../../../electron/stt-server/server.ts";
import { Sessions } from "../../../../electron/stt-server/session/sessions.ts";
import { SttClient } from "../../../../electron/voice/stt/stt-client.ts";
import { InstantClock } from "../../../fakes/clock.ts";

/** Loads its model when the test lets it. */
class SlowModels extends ModelStore {
  load: () => void = () => {};
  override get(): Promise<RecogniserModel> {
    return new Promise((resolve) => {
      this.load = () =>
        resolve({
          name: "slow",
          createGrammarRecogniser: () => expect.unreachable(),
          createRecogniser: () => expect.unreachable(),
          dispose: () => {},
        });
    });
  }
}

// Bug: the session began when the model was there, and the microphone was open for nobody.
test("a client that leaves while the model loads leaves no open microphone behind", async () => {
  const clock = new InstantClock();
  const open = vi.fn<AudioSource["open"]>(async () => ({ deviceId: null, deviceName: null }));
  const source: AudioSource = { open, frames: async function* () {}, close: async () => {} };
  const models = new SlowModels(process.env, "/nowhere", undefined, null);
  const manager = new ModelManager({ folder: "/nowhere", catalogue: [], problem: null, fetch, clock });
  const inputs = { create: () => source, listDevices: () => expect.unreachable() };
  const sessions = new Sessions({ inputs, models, manager, clock, newId: () => "s" });
  const [near, far] = InMemoryTransport.createLinkedPair();
  await serveClient(sessions, far);
  const client = await SttClient.connect(near);
  const started = client.startSession({ source: "microphone" }).catch(() => "failed");
  await vi.waitFor(() => expect(sessions.isBusy).toBe(true));
  await client.close();
  models.load();
  await vi.waitFor(() => expect(sessions.isBusy).toBe(false));
  expect(open).not.toHaveBeenCalled();
  expect(await started).toBe("failed");
});
