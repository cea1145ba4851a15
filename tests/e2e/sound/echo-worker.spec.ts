import { readFileSync } from "node:fs";
import { join } from "node:path";
import { clipSamples, silence, writeWav } from "../support/machine/audio.ts";
import { test } from "../support/machine/sound.ts";
import { expect, voiceState } from "../support/test.ts";

test.skip(process.platform !== "linux", "the sound server is a private one");

test("without the echo worker the microphone is heard all the same, and the log says so", async ({
  startWithModel,
  pulse,
  soundEnv,
}) => {
  const { app, page, userData } = await startWithModel({ env: soundEnv });
  // The app's own files, but for the worker's.
  await app.evaluate(({ app, net, protocol }) => {
    protocol.unhandle("app");
    protocol.handle("app", ({ url }) => {
      const { pathname } = new URL(url);
      if (pathname.includes("echo-worker")) return new Response("Not found", { status: 404 });
      return net.fetch(`file://${app.getAppPath()}/out/renderer${pathname}`);
    });
  });
  await page.getByTestId("mic").click();
  await expect(voiceState(page, "listening")).toBeVisible();
  await pulse.play(writeWav(silence(300), clipSamples("librivox_0870"), silence(1200)), "mic_src");
  await expect(page.getByTestId("message-user")).toContainText(/dashwood|leisure|consider|power/);
  await expect
    .poll(() => readFileSync(join(userData, "logs/parley.log"), "utf8"))
    .toContain("audio: The echo worker failed (it could not be started)");
});
