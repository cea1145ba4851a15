import { startPrivatePulse } from "../../integration/stt/private-pulse.ts";
import { clipSamples, silence, writeWav } from "../support/machine/audio.ts";
import { expect, send, test, voiceState } from "../support/test.ts";

/**
 * How Windows and macOS hear what the computer plays: the audio page asks for a share of the screen with its sound.
 * Linux has a recorder for that; its Chromium can do the same where a feature is switched on, and here it does.
 */
const chromiumHearsLinux = ["--enable-features=PulseaudioLoopbackForScreenShare"];

interface Heard {
  /** What the page answered, frames left out. */
  replies: string[];
  frames: number;
  /** The loudest sample, 0–1. */
  peak: number;
}

test("the audio page hears what the computer plays, with nobody's click, and lets go of it", async ({
  startWithModel,
}) => {
  const pulse = await startPrivatePulse();
  const { PULSE_SERVER = "", XDG_RUNTIME_DIR = "" } = pulse.environment;
  const { app, page } = await startWithModel({
    env: { PULSE_SERVER, XDG_RUNTIME_DIR },
    switches: chromiumHearsLinux,
  });
  // The page is made when voice first starts.
  await page.getByTestId("mic").click();
  await expect(voiceState(page, "listening")).toBeVisible();
  await send(page, "/voice stop");
  await expect(voiceState(page, "off")).toBeAttached();
  await app.evaluate(({ BrowserWindow, MessageChannelMain }) => {
    const audio = BrowserWindow.getAllWindows().find((one) => one.webContents.getURL().includes("/audio/"));
    const { port1, port2 } = new MessageChannelMain();
    const heard: Heard = { replies: [], frames: 0, peak: 0 };
    Object.assign(globalThis, { heard, loopbackPort: port1 });
    port1.on("message", ({ data }) => {
      if (data.type !== "frame") {
        heard.replies.push(data.type === "failed" ? `failed: ${data.kind} ${data.message}` : data.type);
        return;
      }
      heard.frames++;
      for (const sample of data.pcm) heard.peak = Math.max(heard.peak, Math.abs(sample) / 0x8000);
    });
    port1.start();
    audio?.webContents.postMessage("parley:audio-port", null, [port2]);
    port1.postMessage({ type: "open", stream: "s", source: "loopback" });
  });
  const heard = () => app.evaluate(() => Reflect.get(globalThis, "heard") as Heard);
  await expect.poll(async () => (await heard()).replies).toEqual(["opened"]);
  await pulse.play(writeWav(silence(300), clipSamples("librivox_0880"), silence(300)), "speaker");
  await expect.poll(async () => (await heard()).peak).toBeGreaterThan(0.1);
  await app.evaluate(() =>
    Reflect.get(globalThis, "loopbackPort").postMessage({ type: "close", stream: "s" }),
  );
  await expect.poll(async () => (await heard()).replies).toEqual(["opened", "closed"]);
  await pulse.dispose();
});
