import { clipSamples, silence, writeWav } from "../support/machine/audio.ts";
import { type Recording, test } from "../support/machine/sound.ts";
import { expect, replies, send, voiceState } from "../support/test.ts";

const isAudible = (level: number) => level > 0.005;
/** Seconds in which something was to be heard. */
const audibleSeconds = (recording: Recording) => recording.levels().filter(isAudible).length / 20;

const sentences = Array.from(
  { length: 8 },
  (_, index) => `This is sentence number ${index + 1} of the answer.`,
);
const longReply = (marker = "") =>
  `[[script:text ${JSON.stringify({ text: sentences.join(" ") })}]]${marker}`;

const speech = (page: import("playwright/test").Page, state: string) =>
  page.locator(`[data-testid="speech-state"][data-state="${state}"]`);

test("a reply is said aloud, in full and in a voice that is to be heard", async ({
  startWithModel,
  soundEnv,
  record,
}) => {
  const { page } = await startWithModel({
    env: soundEnv,
    settings: { "voice.speak": "always", "voice.spokenLength": "whole" },
  });
  const recording = record();
  await send(page, `[[script:text {"text":"The answer is forty two. It took a while to find it."}]]`);
  await expect(speech(page, "speaking")).toBeAttached();
  await expect(speech(page, "silent")).toBeAttached();
  // flite says these words in about 3.4 seconds, pauses included.
  expect(audibleSeconds(recording)).toBeGreaterThan(2);
  expect(audibleSeconds(recording)).toBeLessThan(5);
});

// Bug: Parley stood there speaking for good, and nothing was to be heard.
test("a sentence is said anew when the page that plays it dies in its middle", async ({
  startWithModel,
  soundEnv,
  record,
}) => {
  const { app, page } = await startWithModel({
    env: soundEnv,
    settings: { "voice.speak": "always", "voice.spokenLength": "whole" },
  });
  await send(page, `[[script:text {"text":"The answer is forty two. It took a while to find it."}]]`);
  await expect(speech(page, "speaking")).toBeAttached();
  await app.evaluate(({ BrowserWindow }) => {
    const player = BrowserWindow.getAllWindows().find((one) => one.webContents.getURL().includes("/audio/"));
    player?.webContents.forcefullyCrashRenderer();
  });
  const recording = record();
  await expect(speech(page, "silent")).toBeAttached();
  expect(audibleSeconds(recording)).toBeGreaterThan(2);
});

test("what was to be made is said when the process that makes the speech dies over it", async ({
  startWithModel,
  soundEnv,
  record,
}) => {
  const { app, page } = await startWithModel({
    env: soundEnv,
    settings: { "voice.speak": "always", "voice.spokenLength": "whole" },
  });
  const signal = (name: NodeJS.Signals) =>
    app.evaluate(({ app }, sent) => {
      const maker = app.getAppMetrics().find(({ name }) => name === "Parley speech");
      if (maker) process.kill(maker.pid, sent);
      else throw new Error("No process makes speech.");
    }, name);
  await send(page, "/say One two three.");
  await expect(speech(page, "speaking")).toBeAttached();
  await expect(speech(page, "silent")).toBeAttached();
  await signal("SIGSTOP");
  await send(page, `[[script:text ${JSON.stringify({ text: sentences.slice(0, 2).join(" ") })}]]`);
  await expect(replies(page)).toHaveCount(1);
  const recording = record();
  await signal("SIGKILL");
  await expect(speech(page, "speaking")).toBeAttached();
  await expect(speech(page, "silent")).toBeAttached();
  // Each of the two takes a good two seconds.
  expect(audibleSeconds(recording)).toBeGreaterThan(3);
});

test("what is typed is not answered aloud, and /say speaks", async ({ startWithModel, soundEnv, record }) => {
  const { page } = await startWithModel({ env: soundEnv });
  const recording = record();
  await send(page, "hello");
  await expect(page.getByTestId("message-assistant")).toHaveCount(1);
  expect(audibleSeconds(recording)).toBe(0);
  await send(page, "/say One two three.");
  await expect(speech(page, "speaking")).toBeAttached();
  await expect(speech(page, "silent")).toBeAttached();
  expect(audibleSeconds(recording)).toBeGreaterThan(0.5);
});

test("whoever speaks stops the reply; the model learns what was heard of it", async ({
  startWithModel,
  model,
  pulse,
  soundEnv,
}) => {
  const { page } = await startWithModel({
    env: soundEnv,
    settings: { "voice.speak": "always", "voice.spokenLength": "whole" },
  });
  await page.getByTestId("mic").click();
  await expect(voiceState(page, "listening")).toBeVisible();
  await send(page, longReply());
  await expect(speech(page, "speaking")).toBeAttached();
  const played = pulse.play(writeWav(silence(300), clipSamples("librivox_0880"), silence(1500)), "mic_src");
  await expect(speech(page, "paused")).toBeAttached();
  await played;
  await expect(page.getByTestId("message-user")).toHaveCount(2);
  await expect(page.getByTestId("transcript")).toContainText("You heard it up to “");
  await expect.poll(() => model.requests.length).toBe(2);
  expect(JSON.stringify(model.requests[1]?.body.messages)).toContain("The user did not hear the rest.");
});

test("Parley's own voice, heard by the microphone, never becomes a prompt", async ({
  startWithModel,
  model,
  pulse,
  soundEnv,
  record,
}) => {
  await pulse.echo();
  const { page } = await startWithModel({
    env: soundEnv,
    settings: { "voice.speak": "always", "voice.spokenLength": "whole" },
  });
  await page.getByTestId("mic").click();
  await expect(voiceState(page, "listening")).toBeVisible();
  const recording = record();
  const microphone = record("mic_src");
  await send(page, longReply());
  await expect(speech(page, "speaking")).toBeAttached();
  await expect(async () => {
    // Where sound stutters, as on a busy computer, an echo is taken for somebody's voice now and then.
    if ((await speech(page, "stopped").count()) > 0) await page.keyboard.press("ControlOrMeta+Shift+g");
    await expect(speech(page, "silent")).toBeAttached({ timeout: 1000 });
  }).toPass({ timeout: 100_000 });
  // Stopping flushes what is still being recognised: nothing is left that could come later.
  await page.getByTestId("mic").click();
  await expect(voiceState(page, "off")).toBeAttached();
  await expect(page.getByTestId("message-user")).toHaveCount(1);
  expect(model.requests).toHaveLength(1);
  expect(audibleSeconds(recording)).toBeGreaterThan(12);
  // The echo was real: without cancellation and guard it would have been heard.
  expect(audibleSeconds(microphone)).toBeGreaterThan(12);
});

test("a chime sounds when listening begins and another when it ends, where they are wanted", async ({
  startWithModel,
  soundEnv,
  record,
}) => {
  const { page } = await startWithModel({ env: soundEnv, settings: { "voice.chime": true } });
  const recording = record();
  const chimes = async (atLeast: number) =>
    await expect.poll(() => audibleSeconds(recording)).toBeGreaterThan(atLeast);
  await page.getByTestId("mic").click();
  await expect(voiceState(page, "listening")).toBeVisible();
  await chimes(0.05);
  const first = audibleSeconds(recording);
  expect(first).toBeLessThan(1);
  await page.getByTestId("mic").click();
  await expect(voiceState(page, "off")).toBeAttached();
  await chimes(first + 0.05);
});
