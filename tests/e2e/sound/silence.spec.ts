import { clipSamples, silence, writeWav } from "../support/machine/audio.ts";
import { test } from "../support/machine/sound.ts";
import { expect, replies, send, voiceState } from "../support/test.ts";

test.skip(process.platform !== "linux", "the sound server is a private one");

test("a microphone that the system has muted is told of by its name, until it is heard; another default, too", async ({
  startWithModel,
  pulse,
  soundEnv,
}) => {
  await pulse.plugIn("Desk");
  await pulse.mute("mic", true);
  const { page } = await startWithModel({ env: soundEnv, settings: { "voice.speak": "never" } });
  const bar = page.getByRole("region", { name: "Voice", exact: true });
  await send(page, "/voice start microphone");
  await expect(voiceState(page, "listening")).toBeVisible();
  await expect(bar).toContainText("Headset is muted in the system.");
  await bar.getByRole("button", { name: "Choose a microphone" }).click();
  await expect(page.getByTestId("voice-menu")).toContainText("Desk");
  await page.keyboard.press("Escape");
  await pulse.mute("mic", false);
  await pulse.play(writeWav(silence(300), clipSamples("librivox_0880"), silence(1200)), "mic_src");
  await expect(replies(page)).toHaveCount(1);
  await expect(bar).not.toContainText("muted in the system");
  await pulse.setDefault("desk");
  await expect(page.getByTestId("transcript")).toContainText("Now listening with Desk.");
  await expect(bar.getByTestId("voice-source")).toContainText("Desk");
  await pulse.play(writeWav(silence(300), clipSamples("librivox_0930"), silence(1200)), "mic_src");
  await expect(replies(page)).toHaveCount(2);
});
