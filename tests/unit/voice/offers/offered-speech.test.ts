import { describe, expect, it, test } from "vitest";
import { OfferedSpeech } from "../../../../electron/voice/offers/offered-speech.ts";
import {
  betterRecogniser,
  betterVoice,
  type RecommendedModel,
  type SpeechModels,
} from "../../../../electron/voice/offers/recommended.ts";
import { defaultSettings, type Settings } from "../../../../shared/settings.ts";
import type { SttModel } from "../../../../shared/voice/stt.ts";
import { InstantClock } from "../../../fakes/clock.ts";

const model = (id: string, ...languages: string[]): RecommendedModel => ({
  ...{ id, name: id, bytes: 4_000_000, languages, isTried: false, errors: null },
});
const models: SpeechModels = {
  recommended: {
    english: model("english", "en"),
    languages: model("several", "de", "en"),
    voice: model("natural", "en", "de"),
  },
  ...{ hasOwn: false, isHeard: (code) => code === "en", isHeardWell: (code) => code === "fr" },
  companion: () => null,
};
const with_ = (changes: Partial<Settings>): Settings => ({ ...defaultSettings, ...changes });

describe("which recogniser is offered", () => {
  it.each<[string, Partial<Settings>, string | undefined]>([
    ["English", {}, "english"],
    ["a kind of English", { "voice.language": "en-GB" }, "english"],
    ["another language", { "voice.language": "de-AT" }, "several"],
    ["whichever is spoken", { "voice.language": "auto" }, "several"],
    ["a language that a better one on the disk hears", { "voice.language": "fr" }, undefined],
    ["a language that nothing hears", { "voice.language": "eo" }, undefined],
    ["where a model was chosen", { "voice.model": "english" }, undefined],
    ["where another server hears", { "voice.server": "ears" }, undefined],
    ["where it was declined", { "voice.declined": ["recogniser"] }, undefined],
  ])("for %s", (_what, changes, wanted) => {
    expect(betterRecogniser(with_(changes), models)?.id).toBe(wanted);
  });

  it("none in place of the user's own", () => {
    expect(betterRecogniser(defaultSettings, { ...models, hasOwn: true })).toBeNull();
  });
});

it("an offer says how many English words its model gets wrong, and nothing of another language", () => {
  const errors = { rate: 0.1, by: "us" } as const;
  const english = { ...model("english", "en"), errors };
  const shown = (changes: Partial<Settings>) =>
    new OfferedSpeech({
      models: { ...models, recommended: { english, languages: { ...english, languages: ["de"] } } },
      server: () => Promise.reject(new Error("Nothing is downloaded.")),
      settings: () => with_(changes),
      changeSettings: () => {},
      clock: new InstantClock(),
      onChange: () => {},
      onUsed: () => {},
    }).shown().recogniser?.errors;
  expect(shown({})).toEqual(errors);
  expect(shown({ "voice.language": "de" })).toBeNull();
});

it.each<[string, Partial<Settings>, string | undefined]>([
  ["in place of the embedded one", {}, "natural"],
  ["nor in place of one that was chosen", { "voice.voice": "system" }, undefined],
  ["nor for a language that it does not speak", { "voice.language": "eo" }, undefined],
  ["nor after it was declined", { "voice.declined": ["voice"] }, undefined],
])("a natural voice is offered %s", (_what, changes, wanted) => {
  expect(betterVoice(with_(changes), models)?.id).toBe(wanted);
});

/** Over a server whose download stands as the test says. */
function setUp(answers: readonly Partial<SttModel>[], changed: Partial<SpeechModels> = {}) {
  const clock = new InstantClock();
  let settings = defaultSettings;
  const left = [...answers];
  const next = (): SttModel => ({
    ...{ id: "english", name: "english", kind: "whisper", languages: ["en"], licence: "MIT" },
    ...{ page: "https://mirror.test/", bytes: 4_000_000, state: "downloading" },
    ...left.shift(),
  });
  const paused: string[] = [];
  const asked: string[] = [];
  const offers = new OfferedSpeech({
    models: { ...models, ...changed },
    server: async () => ({
      downloadModel: async (id) => {
        asked.push(id);
        return { ...next(), id };
      },
      listModels: async () => ["english", "natural"].map((id) => ({ ...next(), id })).slice(0, 1),
      pauseDownload: async (id) => {
        paused.push(id);
        return next();
      },
    }),
    settings: () => settings,
    changeSettings: (values) => {
      settings = { ...settings, ...values };
    },
    clock,
    onChange: () => seen.push(offers.shown().recogniser?.state.kind ?? "gone"),
    onUsed: (kind) => used.push(kind),
  });
  const used: string[] = [];
  const seen: string[] = [];
  return {
    offers,
    clock,
    seen,
    used,
    paused,
    asked,
    settings: () => settings,
    change: (values: Partial<Settings>) => {
      settings = { ...settings, ...values };
    },
  };
}

test("what is accepted is downloaded, shown how far, and used; then it is offered no more", async () => {
  const { offers, clock, seen, used, settings } = setUp([{ done_bytes: 1_000_000 }, { state: "installed" }]);
  expect(offers.shown().recogniser).toMatchObject({ name: "english", until: "basic", isTried: false });
  await offers.accept("recogniser");
  expect(clock.slept).toEqual([700]);
  expect(settings()["voice.model"]).toBe("english");
  expect(offers.shown().recogniser).toBeNull();
  expect(seen.slice(0, 2)).toEqual(["downloading", "downloading"]);
  expect(used).toEqual(["recogniser"]);
});

test("what fails says why, and can be had again; what the user chose meanwhile stays", async () => {
  const { offers, used, settings, change } = setUp([
    { state: "failed", message: "It has moved." },
    { state: "installed" },
  ]);
  await offers.accept("recogniser");
  expect(offers.shown().recogniser?.state).toEqual({ kind: "failed", message: "It has moved." });
  const accepted = offers.accept("recogniser");
  change({ "voice.model": "mine" });
  await accepted;
  expect(settings()["voice.model"]).toBe("mine");
  expect(used).toEqual([]);
});

test("a natural voice is worth a line once a reply was spoken; declined, it is not offered again", async () => {
  const { offers, settings } = setUp([]);
  expect(offers.shown().voice).toBeNull();
  offers.tellSpoken();
  expect(offers.shown().voice?.name).toBe("natural");
  await offers.decline("voice");
  await offers.decline("recogniser");
  expect(offers.shown()).toEqual({ recogniser: null, voice: null });
  expect(settings()["voice.declined"]).toEqual(["voice", "recogniser"]);
});

test("the offer says what hears until then: the basic recogniser, a small one for the language, or none", () => {
  const heard = new Set(["en"]);
  const { offers, change } = setUp([], { isHeard: (code) => heard.has(code) });
  expect(offers.shown().recogniser).toMatchObject({ name: "english", until: "basic" });
  change({ "voice.language": "de" });
  expect(offers.shown().recogniser).toMatchObject({ name: "several", until: "nothing" });
  heard.add("de");
  expect(offers.shown().recogniser).toMatchObject({ name: "several", until: "small" });
});

const companion = () => ({ id: "vosk", name: "Vosk small", bytes: 41_000_000 });

test("the small Vosk model comes along where none is there, and its size is told", async () => {
  const { offers, asked, settings } = setUp([{ state: "installed" }, { state: "installed" }], { companion });
  expect(offers.shown().recogniser).toMatchObject({
    bytes: 45_000_000,
    also: { name: "Vosk small", bytes: 41_000_000 },
  });
  await offers.accept("recogniser");
  expect(asked).toEqual(["english", "vosk"]);
  expect(settings()["voice.model"]).toBe("english");
});

test("where it cannot be had, the better recogniser is used without it; ended, both go on later", async () => {
  const failing = setUp([{ state: "installed" }, { state: "failed", message: "It has moved." }], {
    companion,
  });
  await failing.offers.accept("recogniser");
  expect(failing.settings()["voice.model"]).toBe("english");
  const ended = setUp([{ state: "installed" }, { state: "paused" }], { companion });
  await ended.offers.accept("recogniser");
  expect(ended.settings()["voice.model"]).toBe("");
  expect(ended.offers.shown().recogniser?.state).toEqual({ kind: "offered" });
});

test("a recogniser that is on the disk when its download ends is used, though nothing more is offered then", async () => {
  const there = new Set<string>();
  const { offers, used, settings, change } = setUp([{ state: "installed" }, { state: "installed" }], {
    companion,
    isHeardWell: (code) => there.has(code),
  });
  change({ "voice.language": "de" });
  const accepted = offers.accept("recogniser");
  there.add("de");
  expect(offers.shown().recogniser?.state.kind).toBe("downloading");
  await accepted;
  expect(settings()["voice.model"]).toBe("several");
  expect(used).toEqual(["recogniser"]);
});
