import { existsSync } from "node:fs";
import { join } from "node:path";
import { startTrayPanel, type TrayPanel } from "../../fakes/tray-panel/tray-panel.ts";
import { closeMainWindow, type Parley } from "../support/launch.ts";
import { clipSamples, fakeMicrophone, silence, writeWav } from "../support/machine/audio.ts";
import { test as base, expect, send, voiceState } from "../support/test.ts";

const test = base.extend<{ panel: TrayPanel }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright wants the pattern
  panel: async ({}, use) => {
    const panel = await startTrayPanel();
    await use(panel);
    await panel.dispose();
  },
});

test.skip(process.platform !== "linux", "the tray of this system cannot be looked into");

/** Which of the drawn icons is shown: its file's name, such as `listening-waiting`. */
async function shownIcon(panel: TrayPanel, { app }: Parley): Promise<string> {
  const { width, argb } = await panel.icon();
  return await app.evaluate(
    ({ app, nativeImage }, { width, pixels }) => {
      const shown = Buffer.from(pixels, "base64");
      const states = ["off", "listening", "hearing", "thinking", "speaking"];
      const names = states.flatMap((state) => [state, `${state}-waiting`]);
      const found = names.find((name) => {
        // The panel gets the one of twice the pixels. Electron has them as blue, green, red, alpha.
        const file = `${app.getAppPath()}/resources/tray/${width / 2}/${name}.png`;
        const drawn = nativeImage.createFromPath(file).toBitmap({ scaleFactor: 2 });
        if (drawn.length !== shown.length) return false;
        for (let at = 0; at < drawn.length; at += 4) {
          const alpha = drawn[at + 3];
          if (alpha !== shown[at]) return false;
          // Where it is not opaque, the one has its colours multiplied by alpha, the other has not.
          if (alpha !== 255) continue;
          for (const channel of [0, 1, 2]) if (drawn[at + channel] !== shown[at + 3 - channel]) return false;
        }
        return true;
      });
      return found ?? `unknown icon of ${width} pixels`;
    },
    { width, pixels: argb.toString("base64") },
  );
}

test("the tray icon shows what a spoken turn is doing; its menu starts and stops listening and mutes; a click opens the window, never the microphone", async ({
  startWithModel,
  model,
  panel,
}) => {
  // Long enough to be seen in the tray, however slowly that is looked at.
  const speech = Array.from({ length: 5 }, () => clipSamples("librivox_0930"));
  const wav = writeWav(silence(3000), ...speech, silence(60_000));
  const parley = await startWithModel({
    switches: fakeMicrophone(wav),
    env: { DBUS_SESSION_BUS_ADDRESS: panel.address },
  });
  const icon = () => shownIcon(panel, parley);
  await panel.shown;
  expect(await icon()).toBe("off");
  expect((await panel.menu()).map(({ label }) => label)).toEqual([
    "Open Parley",
    "Quick prompt",
    "Start listening",
    "New conversation",
    "Start at login",
    "Quit",
  ]);
  await panel.choose("Start listening");
  await expect(voiceState(parley.page, "listening")).toBeVisible();
  await expect.poll(icon).toBe("listening");
  await expect.poll(icon).toBe("hearing");
  expect(await panel.tooltip()).toBe("Parley hears you");
  await expect.poll(icon).toMatch(/^(thinking|speaking)$/);
  await expect.poll(() => model.requests.length).toBeGreaterThan(0);
  await panel.choose("Mute");
  await expect(voiceState(parley.page, "listening")).toContainText("Muted");
  await panel.choose("Unmute");
  await panel.choose("Stop listening");
  await expect(voiceState(parley.page, "off")).toBeAttached();
  await expect.poll(icon).toBe("off");
  await closeMainWindow(parley.app);
  const opened = parley.app.waitForEvent("window");
  await panel.click();
  const again = await opened;
  await expect(voiceState(again, "off")).toBeAttached();
  // A reply that is still being said shows until it is over.
  await expect.poll(icon).toBe("off");
});

test("the tray leads to the conversations that were used last; start at login is switched there", async ({
  startWithModel,
  panel,
}) => {
  const parley = await startWithModel({ env: { DBUS_SESSION_BUS_ADDRESS: panel.address } });
  const { page, home } = parley;
  await panel.shown;
  await send(page, "This & that");
  await expect(page.getByTestId("message-assistant")).toHaveCount(1);
  await send(page, "/new");
  await expect(page.getByTestId("message-user")).toHaveCount(0);
  // The protocol marks the letter behind `_`; a sign of the title's own is doubled.
  await expect.poll(async () => (await panel.menu()).map(({ label }) => label)).toContain("This & that");
  await panel.choose("This & that");
  await expect(page.getByTestId("message-user")).toContainText("This & that");
  const file = join(home, ".config/autostart/parley.desktop");
  await panel.choose("Start at login");
  await expect.poll(() => existsSync(file)).toBe(true);
  await panel.choose("Start at login");
  await expect.poll(() => existsSync(file)).toBe(false);
});

test("an approval that waits is a mark on the icon and an entry below the first; voice that stops by itself says why", async ({
  startWithModel,
  panel,
}) => {
  const parley = await startWithModel({ env: { DBUS_SESSION_BUS_ADDRESS: panel.address } });
  await panel.shown;
  const calls = [{ name: "shell", input: { command: "touch made" } }];
  await send(parley.page, `[[script:tools ${JSON.stringify({ calls })}]]`);
  await expect.poll(() => shownIcon(panel, parley)).toBe("thinking-waiting");
  expect((await panel.menu()).map(({ label }) => label)).toContain("1 approval waits for you");
  expect(await panel.tooltip()).toContain("1 approval waits for you");
  await parley.page.getByTestId("stop").click();
  await expect.poll(() => shownIcon(panel, parley)).toBe("off");
  // There is no microphone.
  await panel.choose("Start listening");
  await expect.poll(() => panel.tooltip()).toMatch(/^Voice stopped: .*microphone/i);
});
