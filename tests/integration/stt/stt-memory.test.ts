import { InMemoryTransport } from "@modelcontextprotocol/sdk/inMemory.js";
import { expect, test, vi } from "vitest";
import { recorderInputs } from "../../../electron/stt-server/audio/audio-inputs.ts";
import { systemClock } from "../../../electron/stt-server/clock.ts";
import { voskLibrary } from "../../../electron/stt-server/recognisers/vosk-library.ts";
import { serveClient } from "../../../electron/stt-server/server.ts";
import { processSessions } from "../../../electron/stt-server/session/process-sessions.ts";
import { modelsKeptMs } from "../../../electron/stt-server/session/sessions.ts";
import { clipSamples, silence, writeWav } from "../../e2e/support/machine/audio.ts";
import { finalsOf, SttClient } from "./stt-client.ts";

test("a minute after somebody listened the model is freed, and loaded again for whoever listens next", {
  timeout: 60_000,
}, async () => {
  const library = voskLibrary();
  const modelFree = vi.spyOn(library, "modelFree");
  const given = vi.spyOn(library, "giveBackMemory");
  let wake: () => void = () => {};
  let isAsleep: () => void = () => {};
  const clock = {
    now: systemClock.now,
    sleep: (ms: number, signal?: AbortSignal) =>
      ms === modelsKeptMs
        ? new Promise<void>((resolve, reject) => {
            wake = resolve;
            signal?.addEventListener("abort", () => reject(signal.reason));
            isAsleep();
          })
        : systemClock.sleep(ms, signal),
  };
  const sessions = processSessions(recorderInputs(clock), clock, fetch);
  const [clientEnd, serverEnd] = InMemoryTransport.createLinkedPair();
  await serveClient(sessions, serverEnd);
  const stt = await SttClient.connect(clientEnd);
  const path = writeWav(clipSamples("librivox_0880"), silence(1500));
  const heard = async () => {
    const resting = new Promise<void>((resolve) => {
      isAsleep = resolve;
    });
    const finals = finalsOf(await stt.transcribe(path));
    await resting;
    return finals.map(({ text }) => text);
  };
  const first = await heard();
  expect(first).not.toEqual([]);
  expect(modelFree).not.toHaveBeenCalled();
  expect(await heard()).toEqual(first);
  expect(modelFree, "somebody listened in between").not.toHaveBeenCalled();
  wake();
  await vi.waitFor(() => expect(modelFree).toHaveBeenCalledOnce());
  expect(given).toHaveBeenCalled();
  expect(await heard()).toEqual(first);
  await stt.close();
});
