import type { Page } from "playwright/test";
import { openFlite } from "../../../electron/voice/tts/flite.ts";
import { silence, writeWav } from "../support/machine/audio.ts";
import { test } from "../support/machine/sound.ts";
import { expect, send, voiceState } from "../support/test.ts";
import { isTodays } from "../support/today.ts";

test.skip(process.platform !== "linux", "the sound server is a private one");

const speech = (page: Page, state: string) =>
  page.locator(`[data-testid="speech-state"][data-state="${state}"]`);
const sentences = Array.from(
  { length: 10 },
  (_, index) => `This is sentence number ${index + 1} of the answer, and it goes on.`,
);
const ownStops = [
  "You can tell the server to stop at any moment and it will keep its files.",
  "This is sentence number two, and she counselled him to sell the house.",
  "If you wait for the second answer the first one is lost.",
  "A spot of water at the top of the shop step was what the cat saw.",
  "We can sell what we want, and we went away at eight.",
  "Nobody could stop the water, so you may cancel the sentence and never mind the rest.",
  "Here is point number nine about the report, and it goes on for a while before it ends.",
  "This is the last sentence of the answer.",
];
const longReply = `[[script:text ${JSON.stringify({ text: sentences.join(" ") })}]]`;
const shot = (page: Page, name: string) => page.screenshot({ path: test.info().outputPath(`${name}.png`) });

/** From the first reply on it is known whether the microphone hears the loudspeaker. */
async function hearOut(page: Page): Promise<void> {
  await send(page, "/say This is heard out to its end, and nobody speaks over it.");
  await expect(speech(page, "speaking")).toBeAttached();
  await expect(speech(page, "silent")).toBeAttached();
}

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
  const { page } = await startWithModel({
    env: soundEnv,
    settings: { "voice.speak": "always", "voice.spokenLength": "whole" },
  });
  await page.getByTestId("mic").click();
  await expect(voiceState(page, "listening")).toBeVisible();
  await hearOut(page);
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
  await shot(page, "stopped-again");
  await pulse.play(await spoken("Go on."), "mic_src");
  await expect(speech(page, "speaking")).toBeAttached();

  await expect(page.getByTestId("message-user")).toHaveCount(1);
  expect(model.requests).toHaveLength(1);
});

test("“stop” over a reply that the microphone hears, too, stops it", async ({
  startWithModel,
  pulse,
  soundEnv,
}) => {
  test.setTimeout(120_000);
  await pulse.addNear();
  await pulse.echo(0.25);
  const { page } = await startWithModel({
    env: soundEnv,
    settings: { "voice.speak": "always", "voice.spokenLength": "whole" },
  });
  await page.getByTestId("mic").click();
  await expect(voiceState(page, "listening")).toBeVisible();
  await hearOut(page);
  await send(page, longReply);
  await expect(speech(page, "speaking")).toBeAttached();
  // It does not come to its end: of what was cut off it says how far it was heard.
  const stopped = speech(page, "stopped").or(page.getByText("You heard it up to “")).first();
  // Who is not heard says it again, as people do; how often that is tells `npm run bench -- voice barge-in`.
  await expect(async () => {
    await pulse.play(await spoken("Stop."), "near");
    await expect(stopped).toBeAttached({ timeout: 5000 });
  }).toPass({ timeout: 30_000 });
  await expect(voiceState(page, "listening")).toBeVisible();
  await shot(page, "stopped-beside-loudspeaker");
});

// Bug: where its echo could not be taken out, “sentence” sounded like “cancel”, and the reply stopped itself.
for (const volume of [1, 0.25]) {
  test(`a reply that says words to stop itself, and others that sound like them, is said to its end, with an echo of ${volume}`, async ({
    startWithModel,
    model,
    pulse,
    soundEnv,
  }) => {
    test.skip(!isTodays(volume === 1 ? 0 : 1), "one of the two a day: each takes most of a minute");
    test.setTimeout(150_000);
    await pulse.echo(volume);
    const { page } = await startWithModel({
      env: soundEnv,
      settings: { "voice.speak": "always", "voice.spokenLength": "whole" },
    });
    await page.getByTestId("mic").click();
    await expect(voiceState(page, "listening")).toBeVisible();
    const text = ownStops.join(" ");
    await page.evaluate(() => {
      const seen: string[] = [];
      const note = () => {
        const state =
          document.querySelector('[data-testid="speech-state"]')?.getAttribute("data-state") ?? "";
        if (seen.at(-1) !== state) seen.push(state);
      };
      new MutationObserver(note).observe(document.body, { subtree: true, childList: true, attributes: true });
      Object.assign(window, { seenStates: seen });
    });
    await send(page, `[[script:text ${JSON.stringify({ text })}]]`);
    await expect(speech(page, "speaking")).toBeAttached();
    await expect(speech(page, "silent")).toBeAttached({ timeout: 100_000 });
    expect(await page.evaluate(() => Reflect.get(window, "seenStates"))).not.toContain("stopped");
    await page.getByTestId("mic").click();
    await expect(voiceState(page, "off")).toBeAttached();
    await expect(page.getByTestId("message-user")).toHaveCount(1);
    await expect(page.getByTestId("transcript")).not.toContainText("You heard it up to");
    expect(model.requests).toHaveLength(1);
  });
}
