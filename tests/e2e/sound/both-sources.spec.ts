import { clipSamples, silence, writeWav } from "../support/machine/audio.ts";
import { test } from "../support/machine/sound.ts";
import { expect, replies, send, voiceState } from "../support/test.ts";

test.skip(process.platform !== "linux", "the sound server is a private one");

test("microphone and what the computer plays are heard at the same time, told apart, and sent when asked", async ({
  startWithModel,
  model,
  pulse,
  soundEnv,
}) => {
  const { page } = await startWithModel({ env: soundEnv });
  await send(page, "/voice start both");
  await expect(voiceState(page, "listening")).toBeVisible();
  const playable = (clip: string) => writeWav(silence(300), clipSamples(clip), silence(1500));
  // Both speak at once.
  await Promise.all([
    pulse.play(playable("librivox_0870"), "speaker"),
    pulse.play(playable("librivox_0930"), "mic_src"),
  ]);
  const said = page.getByTestId("said");
  await expect(said.filter({ hasText: "Them:" })).toContainText(/dashwood|leisure|consider/);
  await expect(said.filter({ hasText: "Me:" })).toContainText(/might|made|amiable|self/);
  expect(model.requests).toHaveLength(0);
  await send(page, "What was said?");
  await expect(replies(page)).toHaveCount(1);
  const asked = JSON.stringify(model.requests[0]?.body.messages);
  expect(asked).toMatch(/them: [^\\]*(dashwood|leisure|consider)/);
  expect(asked).toMatch(/me: [^\\]*(might|made|amiable|self)/);
  await send(page, "/voice stop");
  await expect(voiceState(page, "off")).toBeAttached();
});

test("a microphone that is unplugged gives way to the default one and is heard again when it is back, which is said", async ({
  startWithModel,
  pulse,
  soundEnv,
}) => {
  const unplug = await pulse.plugIn("Desk");
  const { page } = await startWithModel({ env: soundEnv, settings: { "voice.speak": "never" } });
  await send(page, "/voice start microphone --mic-device-name Desk");
  await expect(voiceState(page, "listening")).toBeVisible();
  const transcript = page.getByTestId("transcript");
  const speak = async (clip: string, count: number) => {
    await pulse.play(writeWav(silence(300), clipSamples(clip), silence(1200)), "mic_src");
    await expect(replies(page)).toHaveCount(count);
  };
  await speak("librivox_0880", 1);
  await unplug();
  await expect(transcript).toContainText("The chosen microphone is gone. Listening to the default one");
  await expect(voiceState(page, "listening")).toBeVisible();
  await speak("librivox_0930", 2);
  await pulse.plugIn("Desk");
  await expect(transcript).toContainText("The chosen microphone is back");
  await expect(voiceState(page, "listening")).toBeVisible();
  await speak("librivox_0880", 3);
  await send(page, "/voice stop");
  await expect(voiceState(page, "off")).toBeAttached();
});
