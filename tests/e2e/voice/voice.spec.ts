import { basename, dirname, join } from "node:path";
import {
  clipSamples,
  fakeMicrophone,
  silence,
  whiteNoise,
  wordErrorRate,
  writeWav,
} from "../support/machine/audio.ts";
import { expect, replies, send, test, voiceState } from "../support/test.ts";

test("speech appears while it is spoken, becomes a prompt with the right words, then gets its reply", async ({
  startWithModel,
  model,
}) => {
  const clip = "librivox_0870";
  const wav = writeWav(silence(3000), clipSamples(clip), silence(20_000));
  const { page } = await startWithModel({ switches: fakeMicrophone(wav) });
  await page.getByTestId("mic").click();
  await expect(voiceState(page, "listening")).toBeVisible();
  await expect(page.getByTestId("partial")).not.toBeEmpty();
  await expect(voiceState(page, "hearing")).toBeVisible();
  await expect(page.getByTestId("message-user")).toHaveCount(1);
  await expect(page.getByTestId("message-user")).toContainText("Spoken");
  await expect(replies(page)).toHaveCount(1);
  const heard = (await replies(page).textContent()) ?? "";
  expect(wordErrorRate(clip, heard)).toBeLessThan(0.5);
  expect(model.requests).toHaveLength(1);
  await expect(voiceState(page, "listening")).toBeVisible();
  await page.getByTestId("mic").click();
  await expect(voiceState(page, "off")).toBeAttached();
});

test("when the speech process is killed, the window says so and listening resumes", async ({ start }) => {
  const wav = writeWav(silence(60_000));
  const { page, app } = await start({ switches: fakeMicrophone(wav) });
  await page.getByTestId("mic").click();
  await expect(voiceState(page, "listening")).toBeVisible();
  const pid = await app.evaluate(
    ({ app }) => app.getAppMetrics().find(({ name }) => name === "Parley speech-to-text")?.pid,
  );
  expect(pid).toBeGreaterThan(0);
  process.kill(pid ?? 0, "SIGKILL");
  await expect(voiceState(page, "restarting")).toBeVisible();
  await expect(voiceState(page, "listening")).toBeVisible();
});

test("five minutes of silence and five of white noise make no prompt", async ({ startWithModel, model }) => {
  const ms = 5 * 60_000;
  const { page } = await startWithModel();
  for (const audio of [silence(ms), whiteNoise(ms, 0.12)]) {
    await send(page, `/voice start file "${writeWav(audio)}" fast`);
    await expect(voiceState(page, "listening")).toBeAttached();
    await expect(voiceState(page, "off")).toBeAttached({ timeout: 60_000 });
  }
  await expect(page.getByTestId("message-user")).toHaveCount(0);
  expect(model.requests).toHaveLength(0);
});

test("a file of the conversation's folder is listened to: its words are a prompt marked as spoken, and voice ends with it", async ({
  startWithModel,
}) => {
  const { page } = await startWithModel();
  const wav = writeWav(clipSamples("librivox_0930"));
  await send(page, `/cd ${dirname(wav)}`);
  await expect(page.getByTestId("working-folder")).toContainText(basename(dirname(wav)));
  await send(page, `/voice start file ${basename(wav)} fast`);
  await expect(replies(page)).toHaveCount(1);
  await expect(page.getByTestId("message-user")).toContainText("file");
  await expect(voiceState(page, "off")).toBeAttached();
});

test("a while after voice was stopped its processes and its page are gone, and it hears and speaks again", async ({
  startWithModel,
}) => {
  test.slow();
  const { page, app } = await startWithModel({
    settings: { "voice.speak": "always", "voice.spokenLength": "whole" },
  });
  const ofVoice = () =>
    app.evaluate(({ app, BrowserWindow }) => {
      const processes = app.getAppMetrics().map(({ name }) => name ?? "");
      const pages = BrowserWindow.getAllWindows().map((one) => one.webContents.getURL());
      return [...processes, ...pages].filter((one) => /^Parley speech|\/audio\//.test(one)).sort();
    });
  const all = ["Parley speech", "Parley speech-to-text", expect.stringContaining("/audio/")];
  const wav = writeWav(clipSamples("librivox_0930"));
  for (const heard of [1, 2]) {
    await send(page, `/voice start file ${wav} fast`);
    await expect(replies(page)).toHaveCount(heard);
    await expect(voiceState(page, "off")).toBeAttached();
    expect(await ofVoice()).toEqual(all);
    await send(page, "/say stop");
    await expect.poll(ofVoice, { timeout: 60_000 }).toEqual([]);
  }
});

test("a spoken “stop listening” turns the microphone off", async ({ startWithModel, model }) => {
  const wav = writeWav(silence(60_000));
  const { page } = await startWithModel({ switches: fakeMicrophone(wav) });
  await page.getByTestId("mic").click();
  await expect(voiceState(page, "listening")).toBeVisible();
  const calls = [{ name: "stop_listening", input: {} }];
  await send(page, `stop listening [[script:tools ${JSON.stringify({ calls })}]]`);
  await expect(replies(page).last()).toContainText("Results:");
  await expect(voiceState(page, "off")).toBeAttached();
  expect(model.requests).toHaveLength(2);
});

test("without a microphone there is one clear line, and typing works on", async ({ start }) => {
  const { page } = await start();
  await page.getByTestId("mic").click();
  await expect(page.getByTestId("voice-failed")).toContainText(/microphone/i);
  await send(page, "what time is it");
  await expect(replies(page)).toHaveCount(1);
});

for (const [what, path, expected] of [
  ["missing", "/no/such/file.wav", /no such file|not found|does not exist|no file/i],
  ["not a recording", join(import.meta.dirname, "voice.spec.ts"), /not a WAV/i],
] as const) {
  test(`a file that is ${what} is refused in one clear line`, async ({ start }) => {
    const { page } = await start();
    await send(page, `/voice start file ${path}`);
    await expect(page.getByTestId("voice-failed")).toContainText(expected);
  });
}

test("wrong words after /voice are answered with its usage", async ({ start }) => {
  const { page } = await start();
  await send(page, "/voice start telephone");
  await expect(page.getByTestId("command-answer")).toContainText("There is no source telephone");
  await send(page, "/voice status");
  await expect(page.getByTestId("command-answer").last()).toContainText("Voice is off");
  await send(page, "/voice stop");
  await expect(page.getByTestId("command-answer").last()).toContainText("off already");
});
