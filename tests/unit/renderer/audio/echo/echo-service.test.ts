import { describe, expect, it } from "vitest";
import type {
  Frame,
  FromEchoWorker,
  ToEchoWorker,
} from "../../../../../renderer/audio/echo/echo-messages.ts";
import { serveEcho } from "../../../../../renderer/audio/echo/echo-service.ts";

const tone = (peak: number): Frame =>
  Int16Array.from({ length: 512 }, (_, index) => Math.sin(index / 5) * peak * 0x7fff);
const peakOf = (pcm: Int16Array) =>
  pcm.reduce((peak, sample) => Math.max(peak, Math.abs(sample)), 0) / 0x7fff;

/** The worker's service. @returns what asks it */
function served(post: (event: FromEchoWorker) => void): (request: ToEchoWorker) => void {
  let serve = (_: ToEchoWorker) => {};
  serveEcho({
    postMessage: (event) => post(event),
    addEventListener: (_, listener) => {
      serve = (data) => listener(new MessageEvent("message", { data }));
    },
  });
  return serve;
}

it("makes soft speech louder where the microphone is heard as it sounds: no browser sets its loudness there", () => {
  const heard: Frame[] = [];
  const serve = served((event) => event.type === "frame" && heard.push(event.pcm));
  serve({ type: "open", microphone: 1, device: "desk" });
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

describe("what was learned of an echo", () => {
  const share = (db: number) => 10 ** (db / 20);
  const played = 0.1;

  /** Hears the echo of a reply for ten seconds, closes the microphone, and then opens one. */
  function learned() {
    let near = 0;
    let at = 0;
    const serve = served((event) => {
      if (event.type === "over" && event.of === "cancelled" && event.isNear) near += 1;
    });
    const hear = (microphone: number, frames: number, db: number) => {
      const before = near;
      for (let count = 0; count < frames; count++) {
        at += 32;
        serve({ type: "played", samples: new Float32Array(512).fill(played), at });
        serve({
          type: "aec",
          microphone,
          pcm: new Int16Array(512).fill(played * share(db) * 0x8000),
        });
      }
      return near - before;
    };
    serve({ type: "playing", isPlaying: true });
    serve({ type: "open", microphone: 1, device: "desk" });
    expect(hear(1, 320, -30)).toBe(0);
    serve({ type: "end", microphone: 1 });
    /** @returns how many frames of a voice that is softer than the reply are taken for one, in the first second */
    const voiceIn = (microphone: number, device: string) => {
      serve({ type: "open", microphone, device });
      return hear(microphone, 16, -30) + hear(microphone, 16, -8);
    };
    return { serve, voiceIn };
  }

  it("is known at once when the same device is opened again", () => {
    expect(learned().voiceIn(2, "desk")).toBeGreaterThan(5);
  });

  it("tells nothing of another device, nor once devices came or went", () => {
    expect(learned().voiceIn(2, "headset")).toBe(0);
    const { serve, voiceIn } = learned();
    serve({ type: "devices_changed" });
    expect(voiceIn(2, "desk")).toBe(0);
  });

  it("is not shared by two microphones that are open at the same time", () => {
    const { voiceIn } = learned();
    expect(voiceIn(2, "desk")).toBeGreaterThan(5);
    expect(voiceIn(3, "desk")).toBe(0);
  });
});
