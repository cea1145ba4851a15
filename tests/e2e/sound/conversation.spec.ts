import type { Page } from "playwright/test";
import { openFlite } from "../../../electron/voice/tts/flite.ts";
import pauses from "../../fixtures/audio/pauses.json" with { type: "json" };
import { clipSamples, silence, writeWav } from "../support/machine/audio.ts";
import { test } from "../support/machine/sound.ts";
import { expect, replies, send, voiceState } from "../support/test.ts";

test.skip(process.platform !== "linux", "the sound server is a private one");

const prompts = (page: Page) => page.getByTestId("message-user");
const speech = (page: Page, state: string) =>
  page.locator(`[data-testid="speech-state"][data-state="${state}"]`);
const playable = (...parts: number[][]) => writeWav(silence(300), ...parts, silence(1200));

/** A clip whose speaker stops to think at its first gap between words. */
function withPause(clip: "librivox_0880", ms: number): number[] {
  const samples = clipSamples(clip);
  const [at = 0] = pauses[clip];
  return [...samples.slice(0, at), ...silence(ms), ...samples.slice(at)];
}

/** What no recording says, by a voice that the recogniser understands best. */
async function spoken(words: string): Promise<number[]> {
  const { pcm } = await (await openFlite("slt")).synthesise(words, 0.85);
  return Array.from(pcm, (sample) => sample / 0x8000);
}

const shot = async (page: Page, name: string) => {
  await page.screenshot({ path: test.info().outputPath(`${name}.png`) });
};

test("a conversation: a pause inside a prompt, a reply that is talked over, a prompt during a run, a word that stops, and what the computer plays", async ({
  startWithModel,
  model,
  pulse,
  soundEnv,
}) => {
  // All of it is said in real time.
  test.setTimeout(150_000);
  const { page } = await startWithModel({ env: soundEnv });
  await page.getByTestId("mic").click();
  await expect(voiceState(page, "listening")).toBeVisible();

  await test.step("one prompt, though its speaker stopped to think", async () => {
    // Nothing is shown before they go on: how fast this machine is decides nothing.
    model.answerAfter(2500);
    await pulse.play(playable(withPause("librivox_0880", 700)), "mic_src");
    await expect(speech(page, "speaking")).toBeAttached();
    await expect(replies(page)).toHaveCount(1);
    // Both parts of the sentence are one turn with one reply, whether or not its first part was sent already.
    await expect(prompts(page)).toHaveCount(1);
    expect(model.requests.at(-1)?.body.messages).toHaveLength(1);
    // “He was not”, and what was said after the pause.
    await expect(prompts(page)).toContainText(/he was( [\w']+){3,}/);
    await shot(page, "paused-inside");
    await expect(speech(page, "silent")).toBeAttached();
    model.answerAfter(0);
  });

  await test.step("who talks over the reply stops it, and is the next prompt", async () => {
    await pulse.play(playable(clipSamples("librivox_0870")), "mic_src");
    await expect(speech(page, "speaking")).toBeAttached();
    const played = pulse.play(playable(clipSamples("librivox_0930")), "mic_src");
    await expect(speech(page, "paused")).toBeAttached();
    await shot(page, "talked-over");
    await played;
    await expect(prompts(page)).toHaveCount(3);
    await expect(prompts(page).last()).toContainText(/might|even|been|made|self|amiable/);
    await expect(page.getByTestId("transcript")).toContainText("You heard it up to “");
    await expect(replies(page)).toHaveCount(3);
    await expect(speech(page, "speaking")).toBeAttached();
    await expect(speech(page, "silent")).toBeAttached();
  });

  await test.step("a prompt that is spoken during a run waits for it", async () => {
    await send(page, 'busy [[script:text {"words":6,"hold":"busy","at":3}]]');
    await model.held("busy");
    await pulse.play(playable(clipSamples("librivox_0890")), "mic_src");
    await expect(page.getByTestId("queue-item")).toHaveCount(1);
    await shot(page, "waiting");
    model.release("busy");
    await expect(replies(page)).toHaveCount(5);
    await expect(page.getByTestId("queue-item")).toHaveCount(0);
    await expect(speech(page, "speaking")).toBeAttached();
    await expect(speech(page, "silent")).toBeAttached();
  });

  await test.step("“never mind” alone ends the run, and is no prompt", async () => {
    await send(page, 'long [[script:text {"words":6,"hold":"long","at":3}]]');
    await model.held("long");
    const requests = model.requests.length;
    await pulse.play(playable(await spoken("Never mind.")), "mic_src");
    await expect(page.getByTestId("stop")).toHaveCount(0);
    await expect(prompts(page).last()).toContainText("long");
    expect(model.requests).toHaveLength(requests);
  });

  await test.step("what the computer plays is labelled; its “never mind” stops nothing", async () => {
    await page.getByTestId("mic").click();
    await expect(voiceState(page, "off")).toBeAttached();
    await send(page, "/voice start loopback");
    await expect(voiceState(page, "listening")).toBeVisible();
    await send(page, 'still [[script:text {"words":6,"hold":"still","at":3}]]');
    await model.held("still");
    await pulse.play(playable(await spoken("Never mind.")), "speaker");
    await pulse.play(playable(clipSamples("librivox_0870")), "speaker");
    const words = /dashwood|leisure|consider|power/;
    await expect(page.getByTestId("queue-item").last()).toContainText(words);
    await expect(page.getByTestId("stop")).toBeVisible();
    model.release("still");
    await expect(prompts(page).last()).toContainText(words);
    await expect(prompts(page).last()).toContainText(/computer/i);
    await expect(page.getByTestId("stop")).toHaveCount(0);
    expect(JSON.stringify(model.requests.at(-1)?.body.messages.at(-1))).toContain("<overheard>");
    await shot(page, "overheard");
    await page.emulateMedia({ colorScheme: "dark" });
    await shot(page, "overheard-dark");
    await send(page, "/voice stop");
    await expect(voiceState(page, "off")).toBeAttached();
  });
});
