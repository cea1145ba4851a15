// @vitest-environment happy-dom
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
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
afterEach(async () => {
  vi.useRealTimers();
  await rig.dispose();
});

const panelView = (more: Partial<VoiceSnapshot> = {}): VoiceSnapshot => ({ ...voiceSnapshot, ...more });
const listening = { now: voiceOn() };

/** The window with its panel open, and what main says of voice. */
async function openPanel(more: Partial<VoiceSnapshot> = {}, view = {}): Promise<HTMLElement> {
  await rig.open(view);
  await act(() => rig.main.answer("voice.snapshot", panelView(more)));
  await rig.click(rig.one('[data-testid="voice-state"]'));
  return rig.one('[data-testid="voice-panel"]');
}

const push = (more: Partial<VoiceSnapshot>) =>
  act(async () => rig.main.push({ type: "voice", voice: panelView(more) }));

/** Opens a part of the panel. A page without layout does not toggle it by itself. */
const unfold = (title: string) =>
  act(async () => {
    const part = rig.all("details").find((one) => one.querySelector("summary")?.textContent === title);
    if (!part) throw new Error(`There is no part “${title}”.`);
    part.setAttribute("open", "");
    part.dispatchEvent(new Event("toggle"));
  });

describe("the voice panel", () => {
  it("says each rule of the gate that fired, the newest first, and sends what was dropped after all", async () => {
    const panel = await openPanel({
      entries: [
        { id: 1, at: 1, kind: "utterance", source: "microphone", text: "what time is it" },
        {
          ...{ id: 2, at: 2, kind: "utterance", source: "microphone", text: "it is ten" },
          ...{ rule: "own_voice", dropped: "own voice", droppedId: "d1" },
        },
        { id: 3, at: 3, kind: "state", source: null, text: "Muted" },
      ],
    });
    const rows = rig.all('[data-testid="voice-entry"]').map((row) => row.textContent);
    expect(rows[0]).toContain("Muted");
    expect(rows[1]).toContain("“it is ten”Ignored: Parley's own voice");
    expect(rows[2]).toContain("“what time is it”Sent");
    await rig.click(rig.button("Send", panel));
    expect(rig.main.take("voice.sendAnyway").input).toEqual({ droppedId: "d1" });
  });

  it("takes over what main pushes: state, device, turn", async () => {
    const panel = await openPanel();
    expect(panel.textContent).toContain("Voice is off");
    await push({
      now: voiceOn({ device: "Yeti" }),
      turn: { recogniseMs: 600, deliverMs: 5, requestMs: 20, firstWordsMs: 375, firstAudioMs: null },
    });
    expect(panel.textContent).toContain("Yeti");
    expect(rig.one('[data-testid="turn-times"]').textContent).toContain("1.0 s");
    expect(rig.one('[data-testid="turn-times"]').textContent).toContain("First words375 ms");
    expect(rig.one('[data-testid="turn-times"]').textContent).not.toContain("First sound");
  });

  it("mutes, tests and shows what a test heard", async () => {
    const panel = await openPanel();
    await rig.click(rig.button("Test", panel));
    await act(() =>
      rig.main.answer("voice.test", { texts: ["one two"], peak: 0.1, notices: [], failure: null }),
    );
    expect(rig.one('[data-testid="test-result"]').textContent).toBe("Heard “one two”. Loudest: -20 dB.");
    await push(listening);
    expect(rig.button("Test", panel).hasAttribute("disabled")).toBe(true);
    await rig.click(rig.button("Mute", panel));
    expect(rig.main.take("voice.mute").input).toEqual({ isMuted: true });
  });

  it("chooses a microphone by its name", async () => {
    await openPanel();
    const capture = [
      { id: "default", name: "Default", is_default: true },
      { id: "x1", name: "Yeti", is_default: false },
    ];
    await act(() => rig.main.answer("voice.devices", { sources: [], capture }));
    const select = rig.one('[data-testid="microphones"]');
    expect([...select.querySelectorAll("option")].map((one) => one.textContent)).toEqual([
      "System default",
      "Yeti",
    ]);
    await act(async () => {
      Object.assign(select, { value: "x1" });
      select.dispatchEvent(new Event("change", { bubbles: true }));
    });
    expect(rig.main.take("voice.set").input).toEqual({ key: "voice.microphone", value: "x1" });
  });

  // Bug: the microphones of Parley's own server stood there, and what was chosen counted for nothing.
  it("lists the microphones of another server as soon as it hears, and keeps its choice apart", async () => {
    await openPanel();
    const own = [{ id: "x1", name: "Yeti", is_default: false }];
    await act(() => rig.main.answer("voice.devices", { sources: [], capture: own }));
    const settings = { ...panelView().settings, "voice.serverMicrophones": { other: "x1" } };
    await push({ server: "cloudy", settings });
    const names = () =>
      [...rig.one('[data-testid="microphones"]').querySelectorAll("option")].map((one) => one.textContent);
    expect(names()).toEqual(["Default"]);
    const capture = [{ id: "7", name: "Far away", is_default: true }];
    await act(() => rig.main.answer("voice.devices", { sources: [], capture }));
    expect(names()).toEqual(["Default", "Far away"]);
    const select = rig.one('[data-testid="microphones"]');
    await act(async () => {
      Object.assign(select, { value: "7" });
      select.dispatchEvent(new Event("change", { bubbles: true }));
    });
    const value = { other: "x1", cloudy: "7" };
    expect(rig.main.take("voice.set").input).toEqual({ key: "voice.serverMicrophones", value });
    await push({ server: null, settings });
    expect(names()).toEqual(["System default"]);
  });

  // Bug: what was once chosen below the text box won over whatever was chosen in the panel afterwards.
  it("has one source, wherever it is chosen", async () => {
    await openPanel();
    const below = rig.one('[data-testid="voice-source"]');
    const settings = (source: "loopback" | "both") => ({ ...panelView().settings, "voice.source": source });
    await rig.click(below);
    await rig.click(rig.one('[data-testid="menu-source"][data-source="loopback"]'));
    expect(rig.main.take("voice.set").input).toEqual({ key: "voice.source", value: "loopback" });
    await push({ settings: settings("loopback") });
    await push({ settings: settings("both") });
    expect(below.dataset.source).toBe("both");
  });

  // Bug: the menu said Microphone while a file was heard. A result of the test stayed while listening.
  it("says that a file is heard, and nothing of a test any more", async () => {
    await openPanel();
    await rig.click(rig.button("Test"));
    const failure = { code: "x", message: "No sound came." };
    await act(() => rig.main.answer("voice.test", { texts: [], peak: null, notices: [], failure }));
    expect(rig.one('[data-testid="test-result"]').textContent).toContain("No sound came.");
    const { now } = listening;
    await push({ now: { ...now, source: "file" } });
    expect(rig.one('[data-testid="voice-source"]').dataset.source).toBe("file");
    expect(rig.all('[data-testid="test-result"]')).toEqual([]);
  });

  it("changes a limit once the slider rests, and says what main refuses", async () => {
    vi.useFakeTimers();
    await openPanel(listening);
    await unfold("When you finish speaking");
    const slider = rig.one('details input[type="range"]');
    for (const value of ["700", "800", "900"]) await rig.type(slider, value);
    expect(() => rig.main.take("voice.set")).toThrow();
    await act(async () => vi.advanceTimersByTime(1000));
    expect(rig.main.take("voice.set").input).toEqual({ key: "voice.endpointingMs", value: 900 });
    expect(() => rig.main.take("voice.set")).toThrow();
  });

  it("shows a switch as it was clicked, and as it is where main refuses", async () => {
    await openPanel();
    await unfold("Privacy");
    const keep = rig.one('details [role="switch"]');
    await act(async () => keep.click());
    expect(keep.getAttribute("aria-checked")).toBe("true");
    await act(() => rig.main.refuse("voice.set", "settings.json cannot be written."));
    await act(() => rig.main.answer("voice.snapshot", panelView()));
    expect(keep.getAttribute("aria-checked")).toBe("false");
    expect(document.body.textContent).toContain("settings.json cannot be written.");
  });

  it("lists models with size, language and licence, and follows a download to its end", async () => {
    vi.useFakeTimers();
    await openPanel();
    const model: SttModel = {
      ...{ id: "small", name: "Small", kind: "whisper", languages: ["en", "de"], licence: "MIT" },
      ...{ page: "https://example.org", bytes: 100e6, state: "available" },
    };
    await unfold("Speech models");
    await act(() => rig.main.answer("voice.models", [model]));
    const row = () => rig.one('[data-testid="model-row"]');
    expect(row().textContent).toContain("en, de · 100 MB · MIT");
    await rig.click(rig.button("Download Small"));
    expect(rig.main.take("voice.model").input).toEqual({ action: "download", model: "small" });
    rig.main.calls.splice(0);
    await rig.click(rig.button("Download Small"));
    await act(() => rig.main.answer("voice.model", model));
    await act(() => rig.main.answer("voice.models", [{ ...model, state: "downloading", done_bytes: 40e6 }]));
    expect(row().querySelector("progress")?.getAttribute("value")).toBe("40000000");
    expect(row().textContent).toContain("40 MB of 100 MB");
    await rig.click(rig.button("Pause Small"));
    expect(rig.main.take("voice.model").input).toEqual({ action: "pause", model: "small" });
    await act(async () => vi.advanceTimersByTime(1000));
    const failed = { ...model, state: "failed", message: "cut off" } as const;
    await act(() => rig.main.answer("voice.models", [{ ...failed, done_bytes: 50e6 }]));
    expect(row().textContent).toContain("cut off");
    rig.button("Discard Small");
    await rig.click(rig.button("Resume Small"));
    await act(() => rig.main.answer("voice.model", model));
    await act(() => rig.main.answer("voice.models", [{ ...model, state: "installed", folder: "/m" }]));
    await rig.click(rig.button("Use", row()));
    expect(rig.main.take("voice.set").input).toEqual({ key: "voice.model", value: "small" });
    // Nothing is asked any more once nothing is on its way.
    await act(async () => vi.advanceTimersByTime(10_000));
    expect(() => rig.main.take("voice.models")).toThrow();
  });

  // Bug: in the settings a download's progress stood still, and the model could not be used when it was there.
  it("follows a download in the settings, too, until they are closed", async () => {
    await rig.open();
    await act(() => rig.main.answer("voice.snapshot", panelView()));
    await import("../../../../renderer/components/settings/SettingsPage.tsx");
    await act(async () => rig.state.settingsPage.open("voice"));
    vi.useFakeTimers();
    const model: SttModel = {
      ...{ id: "small", name: "Small", kind: "whisper", languages: ["en"], licence: "MIT" },
      ...{ page: "https://example.org", bytes: 100e6, state: "downloading" },
    };
    await unfold("Speech models");
    await act(() => rig.main.answer("voice.models", [{ ...model, done_bytes: 10e6 }]));
    rig.main.calls.length = 0;
    await act(async () => vi.advanceTimersByTime(1000));
    await act(() => rig.main.answer("voice.models", [{ ...model, done_bytes: 40e6 }]));
    expect(rig.one('[data-testid="model-row"] progress').getAttribute("value")).toBe("40000000");
    await act(async () => rig.state.settingsPage.close());
    await act(async () => vi.advanceTimersByTime(10_000));
    expect(rig.main.calls.map(({ route }) => route)).not.toContain("voice.models");
  });

  it("uses a downloaded voice to speak, not to hear", async () => {
    await openPanel();
    const voice: SttModel = {
      ...{ id: "amy", name: "Amy", kind: "vits-voice", languages: ["en"], licence: "MIT" },
      ...{ page: "https://example.org", bytes: 60e6, state: "installed", folder: "/m/amy" },
    };
    await unfold("Speech models");
    await act(() => rig.main.answer("voice.models", [voice]));
    expect(rig.one('[data-testid="model-row"]').textContent).toContain("Voice · en · 60 MB");
    await rig.click(rig.button("Use", rig.one('[data-testid="model-row"]')));
    expect(rig.main.take("voice.set").input).toEqual({ key: "voice.voice", value: "model:amy" });
    await push({ settings: { ...panelView().settings, "voice.voice": "model:amy" } });
    expect(rig.one('[data-testid="model-row"]').textContent).toContain("in use");
    await unfold("Spoken replies");
    const options = rig.all("option").map((option) => option.textContent);
    expect(options).toContain("Amy");
  });

  it("says where recordings go and for how long, and keeps none unless asked to", async () => {
    const panel = await openPanel();
    await unfold("Privacy");
    expect(panel.textContent).toContain("sound is never saved to disk");
    await rig.click(rig.one('details [role="switch"]'));
    expect(rig.main.take("voice.set").input).toEqual({ key: "voice.record", value: true });
    const settings = { ...panelView().settings, "voice.record": true };
    await push({ settings });
    expect(panel.textContent).toContain("In /home/ann/recordings, for 7 days.");
  });

  it("sets the key to talk with, and says how it works here", async () => {
    const settings = { ...panelView().settings, "voice.pushToTalk": "hold" as const };
    const panel = await openPanel({ settings, talkHint: "Hold F9 to talk." });
    await unfold("When Parley listens");
    expect(panel.textContent).toContain("Hold F9 to talk.");
    const field = rig.one('details input[type="text"]');
    await rig.type(field, "Ctrl+Alt+T");
    await rig.press(field, "Enter");
    expect(rig.main.take("voice.set").input).toEqual({ key: "voice.pushToTalkKey", value: "Ctrl+Alt+T" });
  });

  // Bug: Enter in a text of the panel took the keyboard out of the panel.
  it("leaves the keyboard in a text that Enter keeps", async () => {
    const panel = await openPanel();
    await unfold("Speech models");
    const language = rig.one('details[open] input[type="text"]') as HTMLInputElement;
    await act(async () => language.focus());
    await rig.type(language, "de");
    await rig.press(language, "Enter");
    expect(rig.main.take("voice.set").input).toEqual({ key: "voice.language", value: "de" });
    expect(panel.contains(language)).toBe(true);
    expect(document.activeElement).toBe(language);
    expect(language.value).toBe("de");
  });

  // Bug: whoever changed a word and went on with Tab, or pressed Enter, was out of the panel.
  it("leaves the keyboard in the row of a word that was changed", async () => {
    const zorvath = { word: "Zorvath", heardAs: ["sore vat"] };
    const settings = { ...panelView().settings, "voice.words": [zorvath, { word: "Mirelle", heardAs: [] }] };
    await openPanel({ settings });
    await unfold("Your words");
    const focus = (field: HTMLElement) => act(async () => field.focus());
    const fields = () => rig.all('[data-testid="own-words"] input') as HTMLInputElement[];
    const [word, heardAs] = fields();
    if (!word || !heardAs) throw new Error("There are no fields.");
    await focus(word);
    await rig.type(word, "Zorwath");
    await focus(heardAs);
    await rig.type(heardAs, "sore vat,  sore bath");
    await rig.press(heardAs, "Enter");
    expect(document.activeElement).toBe(heardAs);
    expect(fields().map(({ value }) => value)).toEqual(["Zorwath", "sore vat, sore bath", "Mirelle", ""]);
    // What another window or a correction changes is seen.
    const learned = { word: "Zorwath", heardAs: ["sore vat", "sore path"] };
    await push({ settings: { ...settings, "voice.words": [learned] } });
    expect(fields().map(({ value }) => value)).toEqual(["Zorwath", "sore vat, sore path"]);
  });

  it("closes with Escape and asks main for nothing while it is closed", async () => {
    const panel = await openPanel();
    await rig.press(panel, "Escape");
    expect(rig.all('[data-testid="voice-panel"]')).toHaveLength(0);
    rig.main.calls.length = 0;
    await push(listening);
    await push({ ...listening, server: "cloudy" });
    // What is on opens the panel beside the conversation, which asks for what it shows.
    const asked = rig.main.calls.map(({ route }) => route);
    expect(asked.filter((route) => route.startsWith("voice"))).toEqual([]);
  });
});

describe("the voice bar", () => {
  it("says when speech leaves the computer, and when it is recorded", async () => {
    await rig.open();
    await act(() => rig.main.answer("voice.snapshot", panelView({ ...listening, server: "cloudy" })));
    expect(rig.one('[data-testid="speech-leaves"]').textContent).toContain("Sent to cloudy");
    expect(rig.all('[data-testid="recording"]')).toHaveLength(0);
    await push({ now: voiceOn({ recordingTo: "/home/ann/recordings/1.wav" }) });
    expect(rig.all('[data-testid="speech-leaves"]')).toHaveLength(0);
    expect(rig.one('[data-testid="recording"]').textContent).toContain("Recording");
    // Amber is for what waits for the user.
    expect(rig.one('[data-testid="recording"]').className).not.toContain("amber");
  });

  it("takes the place of the menu beside Talk, whose word goes while it is on", async () => {
    await rig.open();
    await act(() => rig.main.answer("voice.snapshot", panelView()));
    const form = rig.one('[data-testid="dock"] form');
    expect(rig.one('[data-testid="mic"]').textContent).toBe("TalkCtrl+Shift+M");
    expect(form.contains(rig.one('[data-testid="voice-source"]'))).toBe(true);
    await push(listening);
    expect(rig.one('[data-testid="mic"]').textContent).toBe("");
    expect(rig.all('[data-testid="voice-source"]')).toHaveLength(1);
    expect(form.contains(rig.one('[data-testid="voice-source"]'))).toBe(false);
    const settings = { ...panelView().settings, "voice.pushToTalk": "hold" as const };
    await push({ settings });
    expect(rig.one('[data-testid="mic"]').textContent).toBe(`Talk${settings["voice.pushToTalkKey"]}`);
  });

  it("asks about a meeting with its button", async () => {
    await rig.open();
    await push({ now: voiceOn({ source: "both" }) });
    await rig.click(rig.button("Ask now"));
    rig.main.take("meeting.ask");
  });

  it.each([
    ["darwin", "NotAllowedError", true],
    ["win32", "NotAllowedError", true],
    ["linux", "NotAllowedError", false],
    ["darwin", "NotFoundError", false],
  ])(
    "on %s a microphone that failed with %s: a button to the settings is there: %s",
    async (platform, code, isThere) => {
      const detail = { code, message: "Parley may not use the microphone." };
      await rig.open();
      await push({ now: { state: "failed", isTesting: false, conversationId: "a", detail } });
      await act(() => rig.main.answer("app.info", appInfo({ platform })));
      expect(rig.one('[data-testid="voice-failed"]').textContent).toContain(detail.message);
      if (!isThere) return expect(() => rig.button("Microphone settings")).toThrow();
      await rig.click(rig.button("Microphone settings"));
      rig.main.take("voice.openSystemSettings");
    },
  );
});

describe("dictation", () => {
  it("is begun in the menu beside Talk, switched in the voice bar and ended by Esc, and its words go into the box of their conversation alone", async () => {
    await rig.open();
    await act(() => rig.main.answer("voice.snapshot", panelView()));
    expect(rig.all('[data-testid="dictate"]')).toEqual([]);
    await rig.click(rig.one('[data-testid="voice-source"]'));
    await rig.click(rig.one('[data-testid="menu-dictate"]'));
    expect(document.activeElement).toBe(rig.one("textarea"));
    expect(rig.main.take("voice.dictate").input).toEqual({ conversationId: "a", isOn: true });
    await push({ now: voiceOn({ isDictating: true }) });
    await act(async () =>
      rig.main.push({ type: "dictated", conversationId: "a", text: "buy milk", isTrial: false }),
    );
    await act(async () =>
      rig.main.push({ type: "dictated", conversationId: "b", text: "elsewhere", isTrial: false }),
    );
    expect(rig.one("textarea").textContent).toBe("buy milk");
    expect(rig.state.drafts.get("b")).toBe("elsewhere");
    await rig.click(rig.one('[data-testid="dictate"]'));
    expect(rig.main.take("voice.dictate").input).toEqual({ conversationId: "a", isOn: false });
    await rig.press(rig.one("textarea"), "Escape");
    expect(rig.main.take("voice.dictate").input).toEqual({ conversationId: "a", isOn: false });
    // Where the microphone is only tried, nothing of it is for a text box.
    const partial = {
      utteranceId: "u1",
      text: "the kettle",
      confidence: null,
      source: "microphone",
    } as const;
    await push({ now: voiceOn({ isDictating: true, isTrial: true, partial }) });
    await act(async () =>
      rig.main.push({ type: "dictated", conversationId: "a", text: "is on", isTrial: true }),
    );
    expect(rig.one("textarea").textContent).toBe("buy milk");
  });
});
