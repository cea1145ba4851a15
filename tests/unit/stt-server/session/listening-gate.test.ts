import { describe, expect, it } from "vitest";
import { ListeningGate } from "../../../../electron/stt-server/session/listening-gate.ts";
import type { SoundPiece } from "../../../../electron/stt-server/session/sound-piece.ts";

type Step = Int16Array | { muted?: boolean; talking?: boolean };

const frame = (level: number) => new Int16Array(512).fill(level);

/** What a gate lets through of these frames, with its settings changed between them. */
async function through(steps: Step[], start: { muted?: boolean; pushToTalk?: boolean } = {}) {
  const told: string[] = [];
  const metered: number[] = [];
  const recorded: number[] = [];
  let samples = 0;
  const gate = new ListeningGate({
    muted: start.muted ?? false,
    pushToTalk: start.pushToTalk ?? false,
    talking: false,
    nowMs: () => samples / 16,
    log: { append: (event) => void told.push("message" in event ? event.message : event.type) },
    meter: (pcm) => void metered.push(pcm[0] ?? 0),
    record: async (pcm) => void recorded.push(pcm[0] ?? 0),
  });
  async function* pieces(): AsyncGenerator<SoundPiece> {
    for (const step of steps) {
      if (step instanceof Int16Array) yield { type: "sound", pcm: step };
      else gate.update(step);
    }
  }
  const passed: string[] = [];
  const heard: number[] = [];
  for await (const piece of gate.passed(pieces())) {
    passed.push(piece.type);
    if (piece.type === "sound") heard.push(piece.pcm[0] ?? 0);
    samples += piece.type === "sound" ? piece.pcm.length : piece.type === "skip" ? piece.samples : 0;
  }
  return { passed, heard, metered, recorded, told, samples };
}

describe("what a session may hear", () => {
  it("is nothing while it is muted: no word, no level, no recording; the time goes on", async () => {
    const gate = await through([frame(1), { muted: true }, frame(2), frame(3), { muted: false }, frame(4)]);
    expect(gate.heard).toEqual([1, 4]);
    expect(gate.metered).toEqual([1, 0, 0, 4]);
    expect(gate.recorded).toEqual([1, 4]);
    expect(gate.passed).toEqual(["sound", "end", "skip", "skip", "sound"]);
    expect(gate.told).toEqual(["muted", "unmuted"]);
    expect(gate.samples).toBe(4 * 512);
  });

  // Bug: "Enter sends them at once" did nothing: the mute and its end came between two frames.
  it("ends what is being said where it is muted for less than a frame, and hears all", async () => {
    const gate = await through([frame(1), { muted: true }, { muted: false }, frame(2), frame(3)]);
    expect(gate.heard).toEqual([1, 2, 3]);
    expect(gate.passed).toEqual(["sound", "end", "sound", "sound"]);
  });

  it("is nothing while nobody holds the key, but for the moment before, and a little after", async () => {
    const gate = await through([frame(1), { talking: true }, frame(2), { talking: false }, frame(3)], {
      pushToTalk: true,
    });
    expect(gate.heard).toEqual([1, 2, 3]);
    expect(gate.metered).toEqual([0, 2, 3]);
    expect(gate.passed.slice(0, 2)).toEqual(["talk", "sound"]);
    expect(gate.told).toEqual(["talk_started"]);
  });

  it("is all of a meeting: what was being said to the others ends where the key is pressed", async () => {
    const gate = await through([frame(1), { talking: true }, frame(2), { talking: false }, frame(3)]);
    expect(gate.heard).toEqual([1, 2, 3]);
    expect(gate.passed).toEqual(["sound", "end", "talk", "sound", "sound"]);
  });

  it("is not what came before the mute, though a key is pressed right after it", async () => {
    const gate = await through(
      [frame(1), { muted: true }, frame(2), { muted: false, talking: true }, frame(3)],
      { pushToTalk: true },
    );
    expect(gate.heard).toEqual([3]);
    expect(gate.samples).toBe(3 * 512);
  });
});
