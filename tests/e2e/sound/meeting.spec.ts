import { clipSamples, silence, writeWav } from "../support/machine/audio.ts";
import { test } from "../support/machine/sound.ts";
import { expect, replies, voiceState } from "../support/test.ts";

test("a meeting is written down with who said what, and nothing runs until it is asked about by the button", async ({
  startWithModel,
  model,
  pulse,
  soundEnv,
}) => {
  const settings = { "voice.source": "both", "voice.speak": "never" };
  const { page } = await startWithModel({ env: soundEnv, settings });
  await page.getByTestId("voice-state").click();
  await page.getByTestId("voice-panel").getByRole("button", { name: "Listen", exact: true }).click();
  await expect(voiceState(page, "listening")).toBeVisible();
  const said = page.getByTestId("said");
  await pulse.play(writeWav(silence(200), clipSamples("librivox_0870"), silence(1500)), "speaker");
  await expect(said.filter({ hasText: "Them:" })).toHaveCount(1);
  await pulse.play(writeWav(silence(200), clipSamples("librivox_0880"), silence(1500)), "mic_src");
  await expect(said.filter({ hasText: "Me:" })).toHaveCount(1);
  const lately = page.getByTestId("voice-entry").filter({ hasText: "Noted in the meeting" });
  await expect(lately).toHaveCount(2);
  await expect(lately.last()).toContainText("Heard on this computer");
  expect(model.requests).toHaveLength(0);
  await page.getByTestId("voice-panel").getByRole("button", { name: "Ask now" }).click();
  await expect(replies(page)).toHaveCount(1);
  expect(JSON.stringify(model.requests[0]?.body.messages)).toMatch(/them.*me/s);
  // What was asked about is not asked about again.
  await page.getByTestId("voice-panel").getByRole("button", { name: "Ask now" }).click();
  await expect(page.getByRole("alert")).toContainText("Nothing has been said since you last asked.");
  expect(model.requests).toHaveLength(1);
});
