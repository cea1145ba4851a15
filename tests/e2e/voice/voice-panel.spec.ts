import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright/test";
import { programPath } from "../../fixtures/built-programs.ts";
import { picks } from "../support/launch.ts";
import { clipSamples, fakeMicrophone, silence, wordErrorRate, writeWav } from "../support/machine/audio.ts";
import { expect, press, replies, send, test, voiceState } from "../support/test.ts";

const panel = (page: Page) => page.getByTestId("voice-panel");
const openPanel = async (page: Page) => {
  await page.keyboard.press("ControlOrMeta+Shift+KeyL");
  await expect(panel(page)).toBeVisible();
};
/** Looks at every frame: words are recognised when what was loud may be over. */
const louder = async (page: Page, than: number) =>
  await page.waitForFunction(
    (than) =>
      Number(
        document
          .querySelector('[data-testid="voice-panel"] [data-testid="level"]')
          ?.getAttribute("data-level"),
      ) > than,
    than,
  );
const settingsOf = (userData: string): Record<string, unknown> =>
  JSON.parse(readFileSync(join(userData, "settings.json"), "utf8"));

test("the panel shows level, words, device, what became of them and where the time went", async ({
  startWithModel,
}) => {
  const wav = writeWav(silence(3000), clipSamples("librivox_0870"), silence(20_000));
  const { page } = await startWithModel({
    switches: fakeMicrophone(wav),
    settings: { "voice.speak": "never" },
  });
  await openPanel(page);
  await expect(panel(page)).toContainText("Voice is off");
  const loud = louder(page, 0.2);
  await panel(page).getByRole("button", { name: "Listen", exact: true }).click();
  await expect(panel(page)).toContainText(/Fake|Default/);
  await expect(panel(page).getByTestId("panel-partial")).not.toBeEmpty();
  await loud;
  await expect(replies(page)).toHaveCount(1);
  const entries = panel(page).getByTestId("voice-entry");
  await expect(entries.filter({ hasText: "sent" })).toHaveCount(1);
  await expect(entries.filter({ hasText: "Listening" }).first()).toBeVisible();
  const times = panel(page).getByTestId("turn-times");
  for (const part of ["Silence and recognition", "To the request", "First words"]) {
    await expect(times.locator("li", { hasText: part })).toContainText(/\d ?m?s/);
  }
  await panel(page).getByRole("button", { name: "Stop", exact: true }).click();
  await expect(voiceState(page, "off")).toBeAttached();
  await page.keyboard.press("Escape");
  await expect(panel(page)).toHaveCount(0);
});

test("limits change while it listens, and the settings keep them", async ({ start }) => {
  const wav = writeWav(silence(120_000));
  const { page, userData } = await start({ switches: fakeMicrophone(wav) });
  await openPanel(page);
  await panel(page).getByRole("button", { name: "Listen", exact: true }).click();
  await expect(voiceState(page, "listening")).toBeVisible();
  const before = await sessionLine(page);
  await panel(page).getByText("When you finish speaking").click();
  await panel(page).getByLabel("Silence that ends a turn").fill("1200");
  await expect.poll(() => settingsOf(userData)["voice.endpointingMs"]).toBe(1200);
  // The same session goes on: nothing was opened anew.
  expect(await sessionLine(page)).toBe(before);
  await expect(voiceState(page, "listening")).toBeVisible();
});

/** The session's id, as `/voice status` tells it. */
async function sessionLine(page: Page): Promise<string> {
  const answers = page.getByTestId("command-answer");
  const count = await answers.count();
  await send(page, "/voice status");
  await expect(answers).toHaveCount(count + 1);
  return /session: ?(\S+)/.exec((await answers.last().textContent()) ?? "")?.[1] ?? "none";
}

test("mute drops what is said and says so; the test of the microphone tells what it hears and how loud", async ({
  start,
}) => {
  const wav = writeWav(clipSamples("librivox_0870"), clipSamples("librivox_0870"), silence(60_000));
  const { page } = await start({ switches: fakeMicrophone(wav) });
  await openPanel(page);
  await panel(page).getByRole("button", { name: "Test" }).click();
  await expect(panel(page).getByTestId("test-result")).toContainText(/Heard “.+”.*Loudest: -\d+ dB/);
  await expect(page.getByTestId("message-user")).toHaveCount(0);
  await panel(page).getByRole("button", { name: "Listen", exact: true }).click();
  await expect(voiceState(page, "listening")).toBeVisible();
  await panel(page).getByRole("button", { name: "Mute" }).click();
  await expect(voiceState(page, "listening")).toContainText("Muted");
  // Nothing says that it listens.
  const bar = page.getByTestId("dock").getByRole("region", { name: "Voice", exact: true });
  await expect(bar).toContainText("Muted · ");
  await expect(bar).not.toContainText("Listening");
  await expect(page.getByTestId("conversation-item").first()).not.toContainText(/listening/i);
  // What was being said just then may come after it.
  await expect(panel(page).getByTestId("voice-entry").filter({ hasText: "Muted" })).toHaveCount(1);
});

test("dictation puts words at the cursor, to be changed, and sends nothing", async ({
  startWithModel,
  model,
}) => {
  const clip = "librivox_0870";
  const wav = writeWav(silence(2500), clipSamples(clip), silence(60_000));
  const { page } = await startWithModel({ switches: fakeMicrophone(wav) });
  const box = page.getByTestId("composer");
  await box.fill("Note: . Thanks");
  await box.evaluate((element: HTMLTextAreaElement) => {
    element.focus();
    element.setSelectionRange(6, 6);
  });
  await page.keyboard.press("ControlOrMeta+Shift+KeyD");
  await expect(page.getByTestId("dictate")).toHaveAttribute("aria-pressed", "true");
  // Partials stand in place while they are said.
  await expect(box).toHaveAttribute("data-dictating", "true");
  await expect(box).toHaveValue(/^Note: \S.*\. Thanks$/s);
  await expect(box).not.toHaveAttribute("data-dictating", "true");
  const heard = (await box.inputValue()).slice("Note: ".length, -". Thanks".length);
  expect(wordErrorRate(clip, heard)).toBeLessThan(0.5);
  await page.keyboard.press("Escape");
  await expect(voiceState(page, "off")).toBeAttached();
  await expect(page.getByTestId("dictate")).toHaveCount(0);
  await page.keyboard.type(" and more");
  await expect(box).toHaveValue(`Note: ${heard} and more. Thanks`);
  await expect(page.getByTestId("message-user")).toHaveCount(0);
  expect(model.requests).toHaveLength(0);
});

test("what was heard can be corrected before it is sent, and waits for who does", async ({
  startWithModel,
  model,
}) => {
  const wav = writeWav(silence(2500), clipSamples("librivox_0870"), silence(60_000));
  const { page } = await startWithModel({
    switches: fakeMicrophone(wav),
    settings: { "voice.reviewMs": 30_000, "voice.speak": "never" },
  });
  await page.getByTestId("mic").click();
  const item = page.getByTestId("review-item");
  await expect(item).toHaveCount(1);
  await expect(item.getByTestId("countdown")).toContainText(/sends in \d+ s/);
  await item.getByRole("textbox").click();
  await expect(item.getByTestId("countdown")).toHaveCount(0);
  expect(model.requests).toHaveLength(0);
  await item.getByRole("textbox").fill("what I meant to say");
  await item.getByRole("textbox").press("Enter");
  await expect(page.getByTestId("message-user")).toContainText("what I meant to say");
  await expect(replies(page)).toHaveCount(1);
  await expect(item).toHaveCount(0);
});

test("a badge says that another server hears, and what it heard is a prompt like any other", async ({
  startWithModel,
}) => {
  const script = {
    canWait: true,
    canUpdate: true,
    devices: { Capture: [{ Id: "7", Name: "Far away", IsDefault: true }] },
    updates: [
      {
        events: [
          {
            ...{ seq: 1, type: "utterance_final", timestamp_utc: "2026-01-01T00:00:00Z" },
            ...{ text: "hello from afar", confidence: 0.9 },
          },
        ],
      },
    ],
  };
  const server = {
    command: process.execPath,
    args: [programPath("scripted-stt-server")],
    env: { STT_SCRIPT: JSON.stringify(script) },
  };
  const { page, userData } = await startWithModel({
    settings: { mcpServers: { cloudy: server }, "voice.server": "cloudy", "voice.speak": "never" },
  });
  await page.getByTestId("mic").click();
  await expect(page.getByTestId("speech-leaves")).toContainText("Sent to cloudy");
  await expect(page.getByTestId("message-user")).toContainText("hello from afar");
  await expect(replies(page)).toHaveCount(1);
  await openPanel(page);
  const microphones = panel(page).getByTestId("microphones");
  await expect(microphones.locator("option")).toHaveText(["Default", "Far away"]);
  await microphones.selectOption("Far away");
  await expect.poll(() => settingsOf(userData)["voice.serverMicrophones"]).toEqual({ cloudy: "7" });
  await panel(page).getByText("Privacy", { exact: true }).click();
  await expect(panel(page)).toContainText("Your speech is sent to the speech server “cloudy”.");
});

test("while a call waits to be allowed, the card says what becomes of spoken words", async ({
  startWithModel,
}) => {
  const { page } = await startWithModel({ switches: fakeMicrophone(writeWav(silence(60_000))) });
  const calls = [{ name: "shell", input: { command: "touch made-by-shell" } }];
  await send(page, `[[script:tools ${JSON.stringify({ calls })}]]`);
  await expect(page.getByTestId("approval")).toBeVisible();
  await expect(page.getByTestId("spoken-words")).toHaveCount(0);
  await page.getByTestId("mic").click();
  await expect(page.getByTestId("spoken-words")).toContainText("Anything else you say waits until then.");
  await press(page.getByTestId("deny"));
  await expect(replies(page).last()).toContainText("Results:");
});

test("a chosen microphone that is not plugged in gives way to the default one, which is said", async ({
  start,
}) => {
  const wav = writeWav(silence(60_000));
  const { page } = await start({ switches: fakeMicrophone(wav), settings: { "voice.microphone": "gone" } });
  await page.getByTestId("mic").click();
  await expect(voiceState(page, "listening")).toBeVisible();
  await expect(page.getByTestId("note")).toContainText("Listening to the default one");
  await openPanel(page);
  const microphones = panel(page).getByTestId("microphones");
  await expect(microphones).toHaveValue("gone");
  // Chosen by name, it is opened at once.
  const names = await microphones.locator("option").allTextContents();
  const other = names.find((name) => name !== "gone" && name !== "System default") ?? "";
  await microphones.selectOption({ label: other });
  await expect(panel(page).getByTestId("voice-entry").filter({ hasText: "Starting" })).toHaveCount(2);
  await expect(voiceState(page, "listening")).toBeVisible();
  await expect(panel(page)).toContainText(other);
});

test("a recording is picked and listened to; a folder that holds no model is named when it is to be used", async ({
  startWithModel,
}) => {
  const { page, app, userData, home } = await startWithModel({ settings: { "voice.speak": "never" } });
  await openPanel(page);
  await picks(app, writeWav(clipSamples("librivox_0930")));
  await panel(page).getByRole("button", { name: "File…" }).click();
  await expect(page.getByTestId("message-user")).toContainText("From an audio file");
  await expect(panel(page).getByTestId("voice-entry").filter({ hasText: "From an audio file" })).toHaveCount(
    1,
  );
  await expect(voiceState(page, "off")).toBeAttached();
  await picks(app, home);
  await panel(page).getByText("Speech models").click();
  await expect(panel(page).getByTestId("model-row").first()).toBeVisible();
  await panel(page).getByRole("button", { name: "Use my own folder…" }).click();
  await expect.poll(() => settingsOf(userData)["voice.model"]).toBe(home);
  await expect(panel(page)).toContainText("Your own folder");
  await panel(page).getByRole("button", { name: "Listen", exact: true }).click();
  await expect(page.getByTestId("voice-failed")).toContainText(home);
});

test("a refused microphone is one clear line", async ({ start }) => {
  const { page, app } = await start({ switches: ["--use-fake-device-for-media-stream"] });
  await app.evaluate(({ session }) => {
    session.defaultSession.setPermissionRequestHandler((_contents, _permission, allow) => allow(false));
  });
  await page.getByTestId("mic").click();
  await expect(page.getByTestId("voice-failed")).toContainText(
    "Parley is not allowed to use the microphone.",
  );
  // Linux has no page of its settings for it.
  await expect(page.getByRole("button", { name: "Microphone settings" })).toHaveCount(0);
});

test("sound is kept only when that is switched on, and a badge says so", async ({ start }) => {
  const wav = writeWav(clipSamples("librivox_0870"), silence(60_000));
  const { page, userData } = await start({ switches: fakeMicrophone(wav) });
  const recordings = join(userData, "recordings");
  await openPanel(page);
  await panel(page).getByRole("button", { name: "Listen", exact: true }).click();
  await expect(voiceState(page, "listening")).toBeVisible();
  expect(existsSync(recordings)).toBe(false);
  await panel(page).getByText("Privacy", { exact: true }).click();
  await panel(page).getByLabel("Keep recordings").check();
  await expect(page.getByTestId("recording")).toBeVisible();
  await expect(panel(page)).toContainText(`In ${recordings}, for 7 days.`);
  await panel(page).getByRole("button", { name: "Stop", exact: true }).click();
  await expect(voiceState(page, "off")).toBeAttached();
  expect(readdirSync(recordings).filter((name) => name.endsWith(".wav"))).toHaveLength(1);
});

test("a change that an editor makes in the settings' file counts for the voice that listens", async ({
  start,
}) => {
  const wav = writeWav(silence(120_000));
  const { page, userData } = await start({ switches: fakeMicrophone(wav) });
  await page.getByTestId("mic").click();
  await expect(voiceState(page, "listening")).toBeVisible();
  await expect(page.getByTestId("recording")).toBeHidden();
  const file = join(userData, "settings.json");
  writeFileSync(file, JSON.stringify({ ...settingsOf(userData), "voice.record": true }));
  await expect(page.getByTestId("recording")).toBeVisible();
  await expect(voiceState(page, "listening")).toBeVisible();
});
