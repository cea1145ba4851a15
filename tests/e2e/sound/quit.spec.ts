import { existsSync } from "node:fs";
import type { Parley } from "../support/launch.ts";
import { test } from "../support/machine/sound.ts";
import { expect, send, voiceState } from "../support/test.ts";

test.skip(process.platform !== "linux", "the sound server is a private one");

/** Only against standing still, in milliseconds: the app ends itself after five seconds, but for a dialog that nobody answers. */
const patienceMs = 60_000;

/** Quits, by whatever `ask` does, and waits until nothing of it runs. */
async function expectQuit({ app, processes }: Parley, ask: () => Promise<unknown>): Promise<void> {
  const all = processes();
  const exited = app.waitForEvent("close", { timeout: patienceMs });
  await ask();
  await exited;
  await expect.poll(() => all.filter((pid) => existsSync(`/proc/${pid}`))).toEqual([]);
}

// Bug: something that voice said in the last moment went to a window that was gone already; a dialog told of it and
// kept the app for ever.
for (const when of ["in the same moment", "before"] as const) {
  test(`voice listens and speaks, the sound server ends ${when}: quitting is done soon and leaves no process`, async ({
    startWithModel,
    pulse,
    soundEnv,
  }) => {
    const settings = { "voice.pushToTalk": "hold", "voice.speak": "always", "voice.spokenLength": "whole" };
    const parley = await startWithModel({ env: soundEnv, settings });
    const { app, page } = parley;
    await send(page, "/voice start both");
    await expect(voiceState(page, "listening")).toBeVisible();
    await send(page, "This is a long sentence, which is said aloud. This is another one. And one more.");
    await expect(page.locator('[data-testid="speech-state"][data-state="speaking"]')).toBeAttached();
    const gone = pulse.dispose();
    if (when === "before") {
      await gone;
      await expect(voiceState(page, "restarting")).toBeAttached();
    }
    await expectQuit(parley, () => app.evaluate((electron) => electron.app.quit()));
    await gone;
  });
}

test("what nobody catches while quitting opens no dialog that would keep the app", async ({ start }) => {
  const parley = await start();
  await expectQuit(parley, () =>
    parley.app.evaluate(({ app }) => {
      app.once("before-quit", () =>
        process.nextTick(() => {
          throw new Error("too late");
        }),
      );
      app.quit();
    }),
  );
});
