import { clipSamples, silence, writeWav } from "../support/machine/audio.ts";
import { test } from "../support/machine/sound.ts";
import { expect, replies, send, voiceState } from "../support/test.ts";

test.skip(process.platform !== "linux", "the sound server is a private one");

/** As somebody with another throat coughs. @param level how loud the loudest sample is, 0–1 */
function cough(clip: "cough_female" | "cough_male", speed: number, level: number): number[] {
  const samples = clipSamples(clip);
  const peak = Math.max(...samples.map(Math.abs));
  return Array.from({ length: Math.floor(samples.length / speed) }, (_, index) => {
    const place = Math.floor(index * speed);
    const [one = 0, next = 0] = samples.slice(place, place + 2);
    return ((one + (next - one) * (index * speed - place)) * level) / peak;
  });
}

/** With each of these the recogniser made a word of at least one: “the”, “a”, “it”, “hello”, “what”. */
const throats = [
  ["cough_female", 0.85],
  ["cough_female", 0.93],
  ["cough_female", 1],
  ["cough_female", 1.08],
  ["cough_male", 1.08],
  ["cough_male", 1.18],
] as const;
const coughs = [0.8, 0.5, 0.3, 0.1]
  .flatMap((level) => throats.map(([clip, speed]) => cough(clip, speed, level)))
  .slice(0, 20);
/** Longer than the silence in which an utterance can go on. */
const pause = silence(1500);
const room = (sounds: readonly number[][]) => sounds.flatMap((sound) => [sound, pause]);

test("twenty coughs and a dog between three prompts make three runs, and an ignored cough can be sent all the same", async ({
  startWithModel,
  model,
  pulse,
  soundEnv,
}) => {
  test.setTimeout(180_000);
  model.answerUnmarked('[[script:text {"text": "I see."}]]');
  const { page } = await startWithModel({ env: soundEnv, settings: { "voice.speak": "never" } });
  await send(page, "/voice start microphone");
  await expect(voiceState(page, "listening")).toBeVisible();
  const [first = [], second = [], third = []] = ["librivox_0880", "librivox_0930", "librivox_0870"].map(
    clipSamples,
  );
  await pulse.play(
    writeWav(
      ...[silence(500), first, pause, ...room(coughs.slice(0, 10))],
      ...[second, pause, ...room(coughs.slice(10)), clipSamples("dog"), pause],
      ...[third, pause],
    ),
    "mic_src",
  );
  const prompts = page.getByTestId("message-user");
  await expect(replies(page)).toHaveCount(3);
  await expect(prompts).toHaveCount(3);
  // The recogniser may hear other words, but so many are no cough.
  for (const prompt of await prompts.all()) await expect(prompt).toContainText(/\w+( \w+){3}/);
  expect(model.requests).toHaveLength(3);

  // One line in the transcript tells of a fit of coughing, by whatever rule; the panel lists every word that came of it.
  const notes = page.getByTestId("transcript").getByText(/^Not sent \(/);
  await expect(notes.first()).toBeVisible();
  expect(await notes.count()).toBeLessThanOrEqual(2);
  await page.keyboard.press("ControlOrMeta+Shift+KeyL");
  const ignored = page.getByTestId("voice-entry").filter({ hasText: "Ignored: probably not speech" });
  expect(await ignored.count()).toBeGreaterThan(0);
  await page.screenshot({ path: test.info().outputPath("ignored.png") });
  const [, word = ""] = /“(.+?)”/.exec((await ignored.first().textContent()) ?? "") ?? [];
  await ignored.first().getByRole("button", { name: "Send", exact: true }).click();
  await expect(replies(page)).toHaveCount(4);
  await expect(prompts.last()).toContainText(word);
});
