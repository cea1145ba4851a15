import type { Page } from "playwright/test";
import { openFlite } from "../../../electron/voice/tts/flite.ts";
import { silence, writeWav } from "../support/machine/audio.ts";
import { test } from "../support/machine/sound.ts";
import { expect, send, voiceState } from "../support/test.ts";

test.skip(process.platform !== "linux", "the sound server is a private one");

const speech = (page: Page, state: string) =>
  page.locator(`[data-testid="speech-state"][data-state="${state}"]`);
const sentences = Array.from(
  { length: 10 },
  (_, index) => `This is sentence number ${index + 1} of the answer, and it goes on.`,
);
const longReply = `[[script:text ${JSON.stringify({ text: sentences.join(" ") })}]]`;
const shot = (page: Page, name: string) => page.screenshot({ path: test.info().outputPath(`${name}.png`) });

/** By another voice than Parley's. */
async function spoken(words: string, rate = 1): Promise<string> {
  const { pcm } = await (await openFlite("rms")).synthesise(words, rate);
  return writeWav(
    silence(200),
    Array.from(pcm, (sample) => sample / 0x8000),
    silence(1_200),
  );
}

test("a word that nobody understands leaves the reply stopped: it goes on by a click, by the keyboard and by voice", async ({
  startWithModel,
  model,
  pulse,
  soundEnv,
}) => {
  test.setTimeout(120_000);
  const { page } = await startWithModel({ env: soundEnv, settings: { "voice.speak": "always" } });
  await page.getByTestId("mic").click();
  await expect(voiceState(page, "listening")).toBeVisible();
  await send(page, longReply);
  await expect(speech(page, "speaking")).toBeAttached();
  const mumble = await spoken("School.");

  await pulse.play(mumble, "mic_src");
  await expect(speech(page, "stopped")).toBeAttached();
  await expect(page.getByText("Not sent (unclear over speech)").first()).toBeVisible();
  await shot(page, "stopped");
  await page.getByRole("button", { name: "Go on" }).click();
  await expect(speech(page, "speaking")).toBeAttached();

  await pulse.play(mumble, "mic_src");
  await expect(speech(page, "stopped")).toBeAttached();
  await page.keyboard.press("ControlOrMeta+Shift+g");
  await expect(speech(page, "speaking")).toBeAttached();

  await pulse.play(mumble, "mic_src");
  await expect(speech(page, "stopped")).toBeAttached();
  await pulse.play(await spoken("Continue.", 0.85), "mic_src");
  await expect(speech(page, "speaking")).toBeAttached();

  await expect(page.getByTestId("message-user")).toHaveCount(1);
  expect(model.requests).toHaveLength(1);
});

test("“stop” over a reply that the microphone hears, too, stops it, and is no prompt", async ({
  startWithModel,
  model,
  pulse,
  soundEnv,
}) => {
  test.setTimeout(120_000);
  await pulse.addNear();
  await pulse.echo(0.25);
  const { page } = await startWithModel({ env: soundEnv, settings: { "voice.speak": "always" } });
  await page.getByTestId("mic").click();
  await expect(voiceState(page, "listening")).toBeVisible();
  // From the first reply on it is known that the microphone hears the loudspeaker.
  await send(page, "/say This is heard out to its end, and nobody speaks over it.");
  await expect(speech(page, "speaking")).toBeAttached();
  await expect(speech(page, "silent")).toBeAttached();
  await send(page, longReply);
  await expect(speech(page, "speaking")).toBeAttached();
  await pulse.play(await spoken("Stop."), "near");
  await expect(
    page.locator('[data-testid="speech-state"]:is([data-state="stopped"], [data-state="silent"])'),
  ).toBeAttached();
  await expect(voiceState(page, "listening")).toBeVisible();
  await shot(page, "stopped-beside-loudspeaker");
  await expect(page.getByTestId("message-user")).toHaveCount(1);
  expect(model.requests).toHaveLength(1);
});
