// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test } from "vitest";
import type { SpeechOffer } from "../../../../shared/voice/speech-offer.ts";
import type { SttModel } from "../../../../shared/voice/stt.ts";
import type { VoiceSnapshot } from "../../../../shared/voice/voice-snapshot.ts";
import { voiceOn, voiceSnapshot } from "../voice-snapshot.ts";
import { appInfo } from "./app-info.ts";
import { act } from "./react-act.ts";
import { WindowRig } from "./window-rig.tsx";

let rig: WindowRig;
beforeEach(() => {
  rig = new WindowRig();
});
afterEach(() => rig.dispose());

const offer: SpeechOffer = {
  ...{
    name: "Moonshine base",
    bytes: 287e6,
    isTried: false,
    until: "basic",
    state: { kind: "offered" },
    errors: null,
  },
  also: null,
};
const push = (more: Partial<VoiceSnapshot>) =>
  act(async () => rig.main.push({ type: "voice", voice: { ...voiceSnapshot, ...more } }));
async function openModels(): Promise<void> {
  await rig.click(rig.one('[data-testid="voice-state"]'));
  const part = rig.all("details").find((one) => one.textContent?.startsWith("Speech models"));
  await act(async () => {
    part?.setAttribute("open", "");
    part?.dispatchEvent(new Event("toggle"));
  });
}
const recogniser = '[data-testid="offer-recogniser"]';
const voice = '[data-testid="offer-voice"]';

test("while voice is on a line says how good the basic recogniser is; a click asks for the better one, and shows how far it is", async () => {
  await rig.open({});
  await push({ now: voiceOn(), offers: { recogniser: offer, voice: null } });
  const line = "Basic recogniser: about one word in six wrongGet better (287 MB)Not now";
  expect(rig.one(recogniser).textContent).toBe(line);
  expect(rig.button("Get better (287 MB)", rig.one(recogniser)).title).toContain("Nobody has tried it");
  await rig.click(rig.button("Get better (287 MB)", rig.one(recogniser)));
  expect(rig.main.take("voice.offer").input).toEqual({ kind: "recogniser", action: "accept" });
  const downloading: SpeechOffer = { ...offer, state: { kind: "downloading", doneBytes: 120e6 } };
  await push({ now: voiceOn(), offers: { recogniser: downloading, voice: null } });
  expect(rig.one(recogniser).textContent).toContain("Downloading Moonshine base120 MB of 287 MB");
  await rig.click(rig.button("Pause", rig.one(recogniser)));
  expect(rig.main.take("voice.offer").input).toEqual({ kind: "recogniser", action: "pause" });
  const failed: SpeechOffer = { ...offer, state: { kind: "failed", message: "It has moved." } };
  await push({ now: voiceOn(), offers: { recogniser: failed, voice: null } });
  expect(rig.one(recogniser).textContent).toContain("✕ It has moved.");
  await rig.click(rig.button("Not now", rig.one(recogniser)));
  expect(rig.main.take("voice.offer").input).toEqual({ kind: "recogniser", action: "decline" });
});

test("what is known of what is offered stands among the speech models, with what comes along", async () => {
  await rig.open({});
  await act(() => rig.main.answer("voice.snapshot", voiceSnapshot));
  await openModels();
  const details = () => rig.all('[data-testid="offer-details-recogniser"]').map((one) => one.textContent);
  await push({ offers: { recogniser: offer, voice: null } });
  expect(details()).toEqual([]);
  const errors = { rate: 0.104, by: "maker" } as const;
  const also = { name: "Vosk small", bytes: 41e6 };
  await push({ offers: { recogniser: { ...offer, errors, also }, voice: null } });
  expect(details()).toEqual([
    "Moonshine base: about one word in ten wrong, says its maker. Vosk small (41 MB) comes with it: it listens for “stop” over a reply.",
  ]);
});

test("what comes along is named with its size; which words to stop are not listened for stands in the panel", async () => {
  await rig.open({});
  const also = { name: "Vosk small", bytes: 41e6 };
  const stopWordsHint = "Nobody listens for words to stop.";
  await push({ now: voiceOn(), offers: { recogniser: { ...offer, bytes: 328e6, also }, voice: null } });
  expect(rig.button("Get better (328 MB)", rig.one(recogniser)).title).toContain("Vosk small (41 MB)");
  await act(() => rig.main.answer("voice.snapshot", { ...voiceSnapshot, stopWordsHint }));
  await rig.click(rig.one('[data-testid="voice-state"]'));
  expect(rig.one('[data-testid="stop-words-hint"]').textContent).toBe(stopWordsHint);
});

test("where nothing hears the language that is said; a natural voice has a line of its own", async () => {
  await rig.open({});
  const offers = { recogniser: { ...offer, until: "nothing" as const }, voice: { ...offer, isTried: true } };
  await push({ now: voiceOn(), offers });
  expect(rig.one(recogniser).textContent).toContain("No recogniser for your language yet");
  rig.button("Get one (287 MB)", rig.one(recogniser));
  expect(rig.one(voice).textContent).toContain("Replies can be spoken by a natural voice");
  expect(rig.button("Get better (287 MB)", rig.one(voice)).title).not.toContain("Nobody has tried it");
});

test("the list says what is recommended, what nobody tried, how well the others did, and what cannot be used", async () => {
  await rig.open({});
  await act(() => rig.main.answer("voice.snapshot", voiceSnapshot));
  await openModels();
  const tried = { date: "2026-11-23", word_error_rate: 0.081, real_time_factor: 0.12, problem: null };
  const model = (id: string, more: Partial<SttModel>): SttModel => ({
    ...{ id, name: id, kind: "whisper", languages: ["en"], licence: "MIT", page: "https://example.org" },
    ...{ bytes: 1e6, state: "available", ...more },
  });
  await act(() =>
    rig.main.answer("voice.models", [
      model("untried", { tried: null, recommended: "english" }),
      model("good", { tried }),
      model("bad", { tried: { ...tried, problem: "it makes no sound" } }),
      model("elsewhere", {}),
    ]),
  );
  const rows = rig.all('[data-testid="model-row"]').map((row) => row.textContent);
  expect(rows[0]).toContain("Recommended for Englishuntested");
  expect(rows[1]).toContain("Tried 2026-11-23 · 8 % of words wrong · 0.12 of real time");
  expect(rows[2]).toContain("✕ It cannot be used: it makes no sound");
  expect(rows[3]).not.toContain("untested");
});

test.each([
  ["linux", "What this computer plays"],
  ["darwin", "What this computer plays · untested"],
  ["win32", "What this computer plays · untested"],
] as const)("on %s the sources are said as they are: %s", async (platform, words) => {
  await rig.open();
  await act(() => rig.main.answer("app.info", appInfo({ platform })));
  await rig.click(rig.one('[data-testid="voice-source"]'));
  const options = rig.all('[data-testid="menu-source"]').map((option) => option.textContent);
  expect(options).toEqual([
    expect.stringContaining("Microphone"),
    expect.stringContaining(words),
    expect.stringContaining("A meeting"),
  ]);
});
