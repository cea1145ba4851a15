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
  "what the computer plays becomes a prompt that is marked as somebody else's words",
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
    // A note about doubtful words may stand before it.
    const blocks = model.requests[0]?.body.messages.at(-1)?.content ?? [];
    expect(blocks.map(({ text }) => text).join("\n")).toContain("<overheard>");
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
    // It is waited for some time: a device that was unplugged may come back.
    await expect(page.getByTestId("voice-failed")).toContainText("No microphone was found", {
      timeout: 45_000,
    });
  },
);
