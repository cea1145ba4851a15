import { expect, it } from "vitest";
import type { Frame, ToEchoWorker } from "../../../../../renderer/audio/echo/echo-messages.ts";
import { serveEcho } from "../../../../../renderer/audio/echo/echo-service.ts";

const tone = (peak: number): Frame =>
  Int16Array.from({ length: 512 }, (_, index) => Math.sin(index / 5) * peak * 0x7fff);
const peakOf = (pcm: Int16Array) =>
  pcm.reduce((peak, sample) => Math.max(peak, Math.abs(sample)), 0) / 0x7fff;

it("makes soft speech louder where the microphone is heard as it sounds: no browser sets its loudness there", () => {
  const heard: Frame[] = [];
  let serve = (_: ToEchoWorker) => {};
  serveEcho({
    postMessage: (event) => event.type === "frame" && heard.push(event.pcm),
    addEventListener: (_, listener) => {
      serve = (data) => listener(new MessageEvent("message", { data }));
    },
  });
  serve({ type: "open", microphone: 1 });
  const hear = (peak: number, frames: number) => {
    for (let count = 0; count < frames; count++) {
      serve({ type: "raw", microphone: 1, pcm: tone(peak), at: 0 });
      // What is behind echo cancellation is told from the rest by its loudness.
      serve({ type: "aec", microphone: 1, pcm: tone(0.9) });
    }
  };
  hear(0.001, 30);
  serve({ type: "playing", isPlaying: true });
  hear(0.001, 30);
  hear(0.05, 60);
  const latest = peakOf(heard.at(-1) ?? tone(0));
  expect(latest).toBeGreaterThan(0.2);
  expect(latest).toBeLessThan(0.4);
});
