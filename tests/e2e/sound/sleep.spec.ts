import { clipSamples, silence, wordErrorRate, writeWav } from "../support/machine/audio.ts";
import { power } from "../support/machine/power.ts";
import { test } from "../support/machine/sound.ts";
import { expect, replies, voiceState } from "../support/test.ts";

test.skip(process.platform !== "linux", "the sound server is a private one");

test("after sleep the microphone is opened anew and heard, and that is said; what was being said then is not lost", async ({
  startWithModel,
  pulse,
  soundEnv,
}) => {
  const { page, app } = await startWithModel({ env: soundEnv, settings: { "voice.speak": "never" } });
  await page.getByTestId("mic").click();
  await expect(voiceState(page, "listening")).toBeVisible();
  // One that the echo canceller works on, and one as it sounds.
  const streams = () => pulse.recordings();
  await expect.poll(async () => (await streams()).length).toBe(2);
  const before = await streams();
  await power(app, "suspend");
  await power(app, "resume");
  await expect(page.getByTestId("transcript")).toContainText("The computer was asleep.");
  // Others than before, and no more of them.
  await expect.poll(async () => (await streams()).filter((id) => !before.includes(id)).length).toBe(2);
  await expect.poll(async () => (await streams()).length).toBe(2);
  await expect(voiceState(page, "listening")).toBeVisible();
  const clip = "librivox_0870";
  await pulse.play(writeWav(silence(300), clipSamples(clip), silence(1200)), "mic_src");
  await expect(replies(page)).toHaveCount(1);
  expect(wordErrorRate(clip, (await replies(page).textContent()) ?? "")).toBeLessThan(0.75);

  const played = pulse.play(writeWav(silence(300), clipSamples("librivox_0890")), "mic_src");
  await expect(page.getByTestId("partial")).not.toBeEmpty();
  await power(app, "suspend");
  await power(app, "resume");
  await expect(page.getByTestId("message-user").nth(1)).toContainText(/\w/);
  await played;
  await page.getByTestId("mic").click();
  await expect(voiceState(page, "off")).toBeAttached();
});
