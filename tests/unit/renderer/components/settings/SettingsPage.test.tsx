// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, it } from "vitest";
import { defaultSettings, type SettingKey, type Settings } from "../../../../../shared/settings.ts";
import type { SettingSection } from "../../../../../shared/settings-texts/groups.ts";
import type { SttModel } from "../../../../../shared/voice/stt.ts";
import { voiceSnapshot } from "../../voice-snapshot.ts";
import { act } from "../react-act.ts";
import { WindowRig } from "../window-rig.tsx";

let rig: WindowRig;
beforeEach(() => {
  rig = new WindowRig();
});
afterEach(() => rig.dispose());

const row = (key: SettingKey) => rig.one(`[data-testid="setting"][data-key="${key}"]`);
const control = (key: SettingKey) =>
  rig.one(`[data-testid="setting"][data-key="${key}"] [data-testid="setting-control"]`);

async function tell(changed: Partial<Settings>): Promise<void> {
  const { mcpServers: _, ...values } = { ...defaultSettings, ...changed };
  await act(() => rig.main.answer("setting.list", { values, path: "/home/ann/settings.json", waiting: [] }));
  await act(() => rig.main.answer("key.list", []));
  await act(() => rig.main.answer("trust.list", { paths: [] }));
}

async function openSettings(section: SettingSection, changed: Partial<Settings> = {}): Promise<void> {
  await rig.open();
  await act(() => rig.main.answer("voice.snapshot", voiceSnapshot));
  await import("../../../../../renderer/components/settings/SettingsPage.tsx");
  await act(async () => rig.state.settingsPage.open(section));
  await tell(changed);
}

it("folders are chips: one is taken away with its button, another is typed", async () => {
  await openSettings("permissions", { "fence.readable": ["/opt", "~/code"] });
  const chips = [...control("fence.readable").querySelectorAll("li")];
  expect(chips.map(({ textContent }) => textContent)).toEqual(["/opt", "~/code"]);
  await rig.click(rig.button("Remove /opt"));
  expect(rig.main.take("setting.change").input).toEqual({ key: "fence.readable", value: ["~/code"] });
  await rig.click(rig.button("Folder…", control("fence.readable")));
  const field = rig.one('[data-key="fence.readable"] input');
  await rig.type(field, "~/music");
  await rig.press(field, "Enter");
  expect(rig.main.take("setting.change").input).toEqual({
    key: "fence.readable",
    value: ["/opt", "~/code", "~/music"],
  });
});

it("what a list does not take stays in its field, with the reason", async () => {
  await openSettings("permissions");
  await rig.click(rig.button("Folder…", control("fence.readable")));
  const field = rig.one('[data-key="fence.readable"] input');
  await rig.type(field, "x".repeat(5000));
  await rig.press(field, "Enter");
  expect(row("fence.readable").textContent).toContain("This must be at most 4096.");
  expect(field.getAttribute("aria-invalid")).toBe("true");
  expect(() => rig.main.take("setting.change")).toThrow();
  await rig.press(field, "Escape");
  expect(rig.all('[data-key="fence.readable"] input')).toEqual([]);
  expect(rig.all('[data-testid="settings"]')).toHaveLength(1);
});

it("the fence is a switch above the rules; the level's title is a heading, and no default is told", async () => {
  await openSettings("permissions", { permissionMode: "look" });
  const fence = control("fence");
  expect(fence.getAttribute("role")).toBe("switch");
  expect(fence.getAttribute("aria-checked")).toBe("true");
  await rig.click(fence);
  expect(rig.main.take("setting.change").input).toEqual({ key: "fence", value: "off" });
  const headings = rig.all('[data-testid="settings"] main h2').map(({ textContent }) => textContent ?? "");
  expect(headings[0]).toContain("Level of new conversations");
  expect(headings.findIndex((said) => said.includes("Fence"))).toBeLessThan(
    headings.findIndex((said) => said.includes("Rules")),
  );
  expect(rig.one('[data-testid="settings"]').textContent).not.toContain("Default:");
  await rig.click(rig.one('[data-key="permissionMode"] [data-testid="setting-reset"]'));
  expect(rig.main.take("setting.reset").input).toEqual({ key: "permissionMode" });
});

it("a few short choices stand side by side", async () => {
  await openSettings("models");
  const labels = [...control("effort").querySelectorAll("label")].map(({ textContent }) => textContent);
  expect(labels).toEqual(["Default", "Off", "Low", "Medium", "High"]);
  await rig.click(rig.one('[data-key="effort"] input[value="high"]'));
  expect(rig.main.take("setting.change").input).toEqual({ key: "effort", value: "high" });
});

it("voices, speech models and microphones are chosen by their names; one that is not there stays", async () => {
  await openSettings("voice", { "voice.microphone": "gone" });
  const model = { languages: ["en"], licence: "MIT", page: "https://example.org", bytes: 1 };
  const models: SttModel[] = [
    { ...model, id: "amy", name: "Amy", kind: "vits-voice", state: "installed", folder: "/m/amy" },
    { ...model, id: "small", name: "Small", kind: "whisper", state: "installed", folder: "/m/small" },
    { ...model, id: "large", name: "Large", kind: "whisper", state: "available" },
  ];
  await act(() => rig.main.answer("voice.models", models));
  const capture = [{ id: "x1", name: "Yeti", is_default: false }];
  await act(() => rig.main.answer("voice.devices", { sources: [], capture }));
  const names = (key: SettingKey) =>
    [...control(key).querySelectorAll("option")].map(({ textContent }) => textContent);
  expect(names("voice.voice")).toEqual([
    "Woman (slt, built in)",
    "Man (rms, built in)",
    "System voice",
    "Amy",
    "Another, by its id…",
  ]);
  expect(names("voice.model")).toEqual(["Built in", "Small", "Another, by its id…"]);
  expect(names("voice.microphone")).toEqual(["gone", "System default", "Yeti", "Another, by its id…"]);
  await act(async () => {
    Object.assign(control("voice.voice"), { value: "model:amy" });
    control("voice.voice").dispatchEvent(new Event("change", { bubbles: true }));
  });
  expect(rig.main.take("setting.change").input).toEqual({ key: "voice.voice", value: "model:amy" });
});

it("search shows what is no setting, too, with its own buttons", async () => {
  await openSettings("general");
  await rig.type(rig.one('[data-testid="settings-search"]'), "check this computer");
  expect(rig.one('[data-testid="settings-found"]').textContent).toBe("1 found");
  await rig.click(rig.button("Check", rig.one('[data-part="help"]')));
  expect(rig.all('[data-testid="doctor"]')).toHaveLength(1);
  await rig.type(rig.one('[data-testid="settings-search"]'), "restore");
  expect(rig.one('[data-part="data"]').textContent).not.toContain("Delete everything");
  rig.button("Restore…", rig.one('[data-part="data"]'));
});
