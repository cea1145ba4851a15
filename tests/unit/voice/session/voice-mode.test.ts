import { expect, test } from "vitest";
import {
  type ModeRequest,
  modeOf,
  modeRules,
  type VoiceMode,
} from "../../../../electron/voice/session/voice-mode.ts";
import { startArguments } from "../../../../electron/voice/stt/start-arguments.ts";
import { defaultSettings, type Settings } from "../../../../shared/settings.ts";

const key: Partial<Settings> = { "voice.pushToTalk": "hold" };
const phrase: Partial<Settings> = { "voice.wakePhrase": "hey parley" };

test.each<[ModeRequest, Partial<Settings>, VoiceMode]>([
  [{ source: "microphone" }, {}, "hands_free"],
  [{ source: "microphone" }, key, "push_to_talk"],
  [{ source: "microphone" }, phrase, "wake_phrase"],
  [{ source: "microphone" }, { ...key, ...phrase }, "push_to_talk"],
  [{ source: "microphone", isHandsFree: true }, { ...key, ...phrase }, "hands_free"],
  [{ source: "microphone", isHandsFree: true, isDictation: true }, { ...key, ...phrase }, "dictation"],
  [{ source: "loopback" }, { ...key, ...phrase }, "playback"],
  [{ source: "file" }, { ...key, ...phrase }, "playback"],
  [{ source: "both" }, { ...key, ...phrase }, "meeting"],
])("%o with %o is %s", (wish, settings, mode) => {
  expect(modeOf(wish, { ...defaultSettings, ...settings })).toBe(mode);
});

test("what each mode permits", () => {
  const table = Object.entries(modeRules).map(([mode, rules]) => [
    mode,
    rules.wordsGoTo,
    rules.waitsFor,
    rules.noDictation === null,
    rules.endsWithDictation,
    rules.takesBack.join(" "),
  ]);
  const all = "microphone loopback file";
  expect(table).toEqual([
    ["hands_free", "conversation", "nothing", true, false, all],
    ["push_to_talk", "conversation", "key", true, false, all],
    ["wake_phrase", "conversation", "phrase", false, false, all],
    ["dictation", "text_box", "nothing", true, true, all],
    ["meeting", "meeting", "nothing", true, false, "microphone"],
    ["playback", "conversation", "nothing", false, false, all],
  ]);
});

test.each<[Partial<Settings>, ModeRequest["source"], object]>([
  [key, "microphone", { push_to_talk: true }],
  [phrase, "microphone", { wake_phrase: "hey parley" }],
  [key, "both", {}],
  [phrase, "both", {}],
  [{}, "microphone", {}],
])("with %o the server is asked of a session from %s for %o", (changes, source, asked) => {
  const args = startArguments({ source }, "microphone", { ...defaultSettings, ...changes });
  const { push_to_talk, wake_phrase } = args;
  expect({ ...(push_to_talk && { push_to_talk }), ...(wake_phrase && { wake_phrase }) }).toEqual(asked);
});

test("the microphone that is asked for is the one that was chosen for this server", () => {
  const settings: Settings = {
    ...defaultSettings,
    "voice.microphone": "yeti",
    "voice.serverMicrophones": { cloudy: "7" },
  };
  const asked = (start: ModeRequest & { server?: string; deviceName?: string }) =>
    startArguments(start, "microphone", settings).mic_device_id;
  expect(asked({ source: "microphone" })).toBe("yeti");
  expect(asked({ source: "microphone", server: "cloudy" })).toBe("7");
  expect(asked({ source: "microphone", server: "other" })).toBeUndefined();
  expect(asked({ source: "microphone", server: "cloudy", deviceName: "desk" })).toBeUndefined();
});

test("the user's own words are told to the server, where there are any", () => {
  const words = [
    { word: "Mirelle", heardAs: ["morello"] },
    { word: "Zoltan Farkas", heardAs: [] },
  ];
  const start = { source: "microphone" } as const;
  const taught = startArguments(start, "microphone", { ...defaultSettings, "voice.words": words });
  expect(taught.hot_words).toEqual(["Mirelle", "Zoltan Farkas"]);
  expect(taught.hot_words_heard_as).toEqual({ Mirelle: ["morello"] });
  expect(startArguments(start, "microphone", defaultSettings)).not.toHaveProperty("hot_words");
});
