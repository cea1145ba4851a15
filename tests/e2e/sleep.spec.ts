import type { ElectronApplication } from "playwright/test";
import { clipSamples, silence, wordErrorRate, writeWav } from "./support/audio.ts";
import { keyboard } from "./support/keyboard.ts";
import { test } from "./support/sound.ts";
import { expect, replies, voiceState } from "./support/test.ts";

test.skip(process.platform !== "linux", "the sound server is a private one");

type PowerEvent = "suspend" | "resume" | "lock-screen" | "unlock-screen";

/** What the system says of its power reaches Parley. */
const power = (app: ElectronApplication, event: PowerEvent) =>
  app.evaluate(({ powerMonitor }, name) => void powerMonitor.emit(name), event);

test("after sleep the microphone is opened anew and heard, and that is said", async ({
  startWithModel,
  pulse,
  soundEnv,
}) => {
  const { page, app } = await startWithModel({ env: soundEnv });
  await page.getByTestId("mic").click();
  await expect(voiceState(page, "listening")).toBeVisible();
  const [before] = await pulse.recordings();
  expect(before).toBeDefined();
  await power(app, "suspend");
  await power(app, "resume");
  await expect(page.getByTestId("transcript")).toContainText("The computer was asleep.");
  // Another recording of the microphone than before, and only one.
  await expect.poll(() => pulse.recordings()).not.toContain(before);
  await expect(voiceState(page, "listening")).toBeVisible();
  expect(await pulse.recordings()).toHaveLength(1);
  const clip = "librivox_0870";
  await pulse.play(writeWav(silence(300), clipSamples(clip), silence(1500)), "mic_src");
  await expect(replies(page)).toHaveCount(1);
  expect(wordErrorRate(clip, (await replies(page).textContent()) ?? "")).toBeLessThan(0.5);
  await page.getByTestId("mic").click();
  await expect(voiceState(page, "off")).toBeAttached();
});

test("what was being said when the computer fell asleep is not lost", async ({
  startWithModel,
  pulse,
  soundEnv,
}) => {
  const { page, app } = await startWithModel({ env: soundEnv });
  await page.getByTestId("mic").click();
  await expect(voiceState(page, "listening")).toBeVisible();
  const played = pulse.play(writeWav(silence(300), clipSamples("librivox_0870")), "mic_src");
  await expect(page.getByTestId("partial")).not.toBeEmpty();
  await power(app, "suspend");
  await power(app, "resume");
  await expect(page.getByTestId("message-user").first()).toContainText(/\w/);
  await played;
  await page.getByTestId("mic").click();
  await expect(voiceState(page, "off")).toBeAttached();
});

test("a key that was held when the screen was locked is let go", async ({
  startWithModel,
  pulse,
  soundEnv,
}) => {
  const { page, app } = await startWithModel({ env: soundEnv, settings: { "voice.pushToTalk": "hold" } });
  await page.getByTestId("mic").click();
  await expect(voiceState(page, "listening")).toBeVisible();
  const hint = page.getByText("Hold F9 to talk.");
  await keyboard.down("F9");
  await expect(hint).toHaveCount(0);
  await pulse.play(writeWav(silence(200), clipSamples("librivox_0930")), "mic_src");
  await power(app, "lock-screen");
  await expect(replies(page)).toHaveCount(1);
  await expect(hint).toBeVisible();
  await keyboard.up("F9");
  await power(app, "unlock-screen");
  await expect(voiceState(page, "listening")).toBeVisible();
  await page.getByTestId("mic").click();
  await expect(voiceState(page, "off")).toBeAttached();
});
