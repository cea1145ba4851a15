import type { Page } from "playwright/test";
import { clipSamples, silence, wordErrorRate, writeWav } from "../support/machine/audio.ts";
import { keyboard } from "../support/machine/keyboard.ts";
import { power } from "../support/machine/power.ts";
import { test } from "../support/machine/sound.ts";
import { expect, replies, send, voiceState } from "../support/test.ts";

test.skip(process.platform !== "linux", "keys are pressed by a program of X");

const voice = (page: Page) => page.getByLabel("Voice", { exact: true }).and(page.locator("section"));
const spoken = (clip: string) => writeWav(silence(200), clipSamples(clip));

test("a key that is held decides what is heard, to the last word; the locked screen lets it go; in a meeting it asks", async ({
  startWithModel,
  model,
  pulse,
  soundEnv,
}) => {
  const settings = { "voice.pushToTalk": "hold", "voice.speak": "never" };
  const { page, app } = await startWithModel({ env: soundEnv, settings });
  const hint = voice(page).getByText("Hold F9 to talk.");
  const clip = "librivox_0870";

  await test.step("nothing but what is said while the key is down is heard, however often it repeats", async () => {
    await page.getByTestId("mic").click();
    await expect(voiceState(page, "listening")).toBeVisible();
    await expect(hint).toBeVisible();
    await pulse.play(writeWav(clipSamples("librivox_0880"), silence(700)), "mic_src");
    await keyboard.down("F9");
    await expect(hint).toHaveCount(0);
    await expect(voice(page)).toContainText("Speak, and release F9 when you are done.");
    await pulse.play(spoken(clip), "mic_src");
    await keyboard.up("F9");
    await expect(replies(page)).toHaveCount(1);
    expect(wordErrorRate(clip, (await replies(page).textContent()) ?? "")).toBeLessThan(0.75);
    await expect(hint).toBeVisible();
  });

  await test.step("a key that was held when the screen was locked is let go", async () => {
    await keyboard.down("F9");
    await expect(hint).toHaveCount(0);
    await pulse.play(spoken("librivox_0930"), "mic_src");
    await power(app, "lock-screen");
    await expect(replies(page)).toHaveCount(2);
    await expect(hint).toBeVisible();
    await keyboard.up("F9");
    await power(app, "unlock-screen");
    await expect(voiceState(page, "listening")).toBeVisible();
  });

  await page.getByTestId("mic").click();
  await expect(voiceState(page, "off")).toBeAttached();
  // Stopping has flushed all that was heard: what was said before the key was down is nowhere.
  await expect(page.getByTestId("message-user")).toHaveCount(2);
  expect(model.requests).toHaveLength(2);

  await test.step("in a meeting what is said with the key is a prompt about the rest", async () => {
    await send(page, "/voice start both");
    await expect(voiceState(page, "listening")).toBeVisible();
    await pulse.play(writeWav(silence(200), clipSamples("librivox_0880"), silence(1200)), "speaker");
    await expect(page.getByTestId("said")).toContainText("Them");
    expect(model.requests).toHaveLength(2);
    await keyboard.down("F9");
    await pulse.play(spoken("librivox_0930"), "mic_src");
    await keyboard.up("F9");
    await expect(replies(page)).toHaveCount(3);
    expect(JSON.stringify(model.requests[2]?.body.messages.at(-1))).toContain("them");
  });
});

test("the key switches voice on where it is off, and a hook that is killed takes nothing with it", async ({
  startWithModel,
  pulse,
  soundEnv,
}) => {
  const { page, app } = await startWithModel({
    env: soundEnv,
    settings: { "voice.pushToTalk": "hold", "voice.pushToTalkKey": "Ctrl+Alt+Space" },
  });
  const hook = () =>
    app.evaluate(({ app }) => app.getAppMetrics().find(({ name }) => name === "Parley push-to-talk")?.pid);
  const first = await hook();
  expect(first).toBeGreaterThan(0);
  process.kill(first ?? 0, "SIGKILL");
  await expect.poll(async () => (await hook()) ?? first).not.toBe(first);
  for (const key of ["ctrl", "alt", "space"]) await keyboard.down(key);
  await expect(voiceState(page, "listening")).toBeVisible();
  await expect(voice(page)).toContainText("Speak, and release Ctrl+Alt+Space when you are done.");
  await pulse.play(spoken("librivox_0930"), "mic_src");
  // Any of them ends it.
  await keyboard.up("alt");
  await expect(replies(page)).toHaveCount(1);
  for (const key of ["space", "ctrl"]) await keyboard.up(key);
  await expect(voice(page)).toContainText("Hold Ctrl+Alt+Space to talk.");
});

test("where no key can be held it is tapped, and that is said", async ({
  startWithModel,
  pulse,
  soundEnv,
}) => {
  const { page } = await startWithModel({
    env: { ...soundEnv, XDG_SESSION_TYPE: "wayland" },
    settings: { "voice.pushToTalk": "hold" },
  });
  await send(page, "/voice status");
  const answer = page.getByTestId("command-answer");
  await expect(answer).toContainText("Tap F9 to talk, and again when you are done.");
  await expect(answer).toContainText("You can't hold it: Wayland");
  await page.getByTestId("mic").click();
  await expect(voice(page)).toContainText("Tap F9 to talk");
  // Held for a moment, as people do: what the key repeats is no second tap.
  await keyboard.down("F9");
  await expect(voice(page)).toContainText("Speak, and tap F9 again when you are done.");
  await keyboard.up("F9");
  await pulse.play(spoken("librivox_0930"), "mic_src");
  await expect(page.getByTestId("message-user")).toHaveCount(0);
  await keyboard.down("F9");
  await keyboard.up("F9");
  await expect(replies(page)).toHaveCount(1);
  await expect(voice(page)).toContainText("Tap F9 to talk");
});
