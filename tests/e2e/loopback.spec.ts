import { type PrivatePulse, startPrivatePulse } from "../integration/private-pulse.ts";
import { clipSamples, silence, wordErrorRate, writeWav } from "./support/audio.ts";
import { expect, replies, send, test, voiceState } from "./support/test.ts";

const withSound = test.extend<{ pulse: PrivatePulse; soundEnv: Record<string, string> }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright wants the pattern
  pulse: async ({}, use) => {
    const pulse = await startPrivatePulse();
    await use(pulse);
    await pulse.dispose();
  },
  soundEnv: async ({ pulse }, use) => {
    const { PULSE_SERVER = "", XDG_RUNTIME_DIR = "" } = pulse.environment;
    await use({ PULSE_SERVER, XDG_RUNTIME_DIR });
  },
});

withSound(
  "what the computer plays becomes a prompt that is marked, and gets no tool that changes anything",
  async ({ startWithModel, model, pulse, soundEnv }) => {
    const clip = "librivox_0870";
    const { page } = await startWithModel({ env: soundEnv });
    await send(page, "/voice start loopback");
    await expect(voiceState(page, "listening")).toBeVisible();
    await pulse.play(writeWav(silence(300), clipSamples(clip), silence(300)), "speaker");
    await expect(replies(page)).toHaveCount(1);
    await expect(page.getByTestId("message-user")).toContainText(/computer/i);
    const heard = (await replies(page).textContent()) ?? "";
    expect(wordErrorRate(clip, heard)).toBeLessThan(0.6);
    const offered = model.requests[0]?.body.tools?.map(({ name }) => name) ?? [];
    expect(offered).toContain("read_file");
    expect(offered).not.toContain("new_session");
    expect(offered).not.toContain("stop_listening");
    await send(page, "/voice stop");
    await expect(voiceState(page, "off")).toBeAttached();
  },
);

withSound(
  "a microphone of the sound server is heard; when every device vanishes the window says so",
  async ({ startWithModel, pulse, soundEnv }) => {
    const clip = "librivox_0880";
    const { page } = await startWithModel({ env: soundEnv });
    await page.getByTestId("mic").click();
    await expect(voiceState(page, "listening")).toBeVisible();
    await pulse.play(writeWav(silence(500), clipSamples(clip), silence(500)), "mic_src");
    await expect(page.getByTestId("message-user")).toHaveCount(1);
    await pulse.dispose();
    await expect(page.getByTestId("voice-failed")).toContainText("No microphone was found");
  },
);
