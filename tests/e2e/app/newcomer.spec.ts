import { readFileSync } from "node:fs";
import { request as ask, createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { openFlite } from "../../../electron/voice/tts/flite.ts";
import { fakeMicrophone, sampleRateHz, silence, writeWav } from "../support/machine/audio.ts";
import { test as base, expect, replies, send } from "../support/test.ts";

const rightKey = "sk-ant-api03-right-0123456789abcdefghij";
const wrongKey = "sk-ant-api03-wrong-0123456789abcdefghij";

/** The model's far side as it is to somebody without a key: every other key is refused. */
const test = base.extend<{ gate: string }>({
  gate: async ({ model }, use) => {
    const { hostname, port } = new URL(model.url);
    const server = createServer((incoming, answer) => {
      const { "x-api-key": key, authorization } = incoming.headers;
      if (key !== rightKey && authorization !== `Bearer ${rightKey}`) {
        const error = { type: "authentication_error", message: "invalid x-api-key" };
        answer.writeHead(401, { "content-type": "application/json" });
        answer.end(JSON.stringify({ type: "error", error }));
        return;
      }
      const { method, url: path, headers } = incoming;
      const onward = ask({ hostname, port, method, path, headers }, (response) => {
        answer.writeHead(response.statusCode ?? 500, response.headers);
        response.pipe(answer);
      });
      // Either side may leave in the middle.
      onward.on("error", () => answer.destroy());
      incoming.pipe(onward);
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    await use(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  },
});

const fresh = (gate: string) => ({
  settings: { provider: "auto", firstRun: true },
  env: { ANTHROPIC_BASE_URL: gate },
});

/** The embedded voice reads it. */
async function said(text: string): Promise<number[]> {
  const { pcm, sampleRateHz: rate } = await (await openFlite("slt")).synthesise(text, 0.9);
  expect(rate).toBe(sampleRateHz);
  return Array.from(pcm, (sample) => sample / 0x8000);
}

test("a newcomer: a wrong key in words, the right key, a reply, the microphone, another model, a restart; no file is edited", async ({
  start,
  gate,
  model,
}) => {
  model.offers(["claude-opus-4-6", "claude-sonnet-4-6"]);
  const sentence = "The kettle is on, the window is open, and I am ready to begin.";
  const wav = writeWav(silence(1500), await said(sentence), silence(60_000));
  const parley = await start({ ...fresh(gate), switches: fakeMicrophone(wav) });
  const { page } = parley;
  const sheet = page.getByTestId("set-up");
  await expect(sheet).toBeVisible();

  const key = sheet.getByTestId("set-up-key");
  await key.fill(wrongKey);
  await sheet.getByTestId("set-up-test").click();
  await expect(sheet.getByTestId("key-problem")).toContainText("refused this key");
  await key.fill(rightKey);
  await sheet.getByTestId("set-up-weak").check();
  await sheet.getByTestId("set-up-test").click();
  await expect(sheet.getByTestId("key-works")).toBeVisible();
  // What the key opens can be chosen here.
  await sheet.getByTestId("set-up-models").getByRole("combobox").selectOption("claude-sonnet-4-6");
  await expect(page.getByTestId("model")).toContainText("Sonnet 4.6");

  await sheet.getByTestId("set-up-listen").click();
  await expect(sheet.getByTestId("set-up-read")).toBeVisible();
  await expect(sheet.getByTestId("set-up-heard")).toContainText("window");
  expect(Number(await sheet.getByTestId("set-up-level").getAttribute("data-loudest"))).toBeGreaterThan(0);
  const shortcut = sheet.getByTestId("set-up-shortcut");
  await shortcut.getByTestId("setting-control").click();
  await page.keyboard.press("Control+Alt+Shift+F6");
  await expect(shortcut.getByTestId("shortcut-free")).toBeVisible();
  await expect(shortcut).toHaveAttribute("data-state", "done");
  await page.keyboard.press("Escape");
  await expect(sheet).toBeHidden();
  // What was read for the test was sent nowhere.
  await expect(page.getByTestId("composer")).toHaveValue("");
  await expect(page.locator('[data-testid="voice-state"]')).toHaveAttribute("data-state", "off");

  await send(page, "hello there");
  await expect(replies(page)).toHaveCount(1);
  await send(page, "/model haiku");
  await expect(page.getByTestId("model")).toContainText("Haiku");
  await page.getByTestId("model").click();
  await page.getByTestId("model-for-new").click();
  await page.keyboard.press("Escape");
  await parley.close();

  const again = await start({ home: parley.home, env: { ANTHROPIC_BASE_URL: gate } });
  await expect(again.page.getByTestId("model")).toContainText("Haiku");
  await expect(again.page.getByTestId("set-up")).toHaveCount(0);
  await send(again.page, "are you there");
  await expect(replies(again.page).last()).toContainText("are you there");
  const kept = readFileSync(join(again.userData, "settings.json"), "utf8");
  expect(JSON.parse(kept)).toMatchObject({ firstRun: false, quickShortcut: "Ctrl+Alt+Shift+F6" });
  expect(kept).not.toContain(rightKey);
});

test("a pasted key is known by its form and tried at once", async ({ start, gate }) => {
  const { app, page } = await start(fresh(gate));
  const sheet = page.getByTestId("set-up");
  await sheet.getByTestId("set-up-maker").selectOption("gemini");
  await app.evaluate(({ clipboard }, text) => clipboard.writeText(text), rightKey);
  await sheet.getByTestId("set-up-key").focus();
  await page.keyboard.press("Control+V");
  await expect(sheet.getByTestId("set-up-maker")).toHaveValue("anthropic");
  await expect(sheet.getByTestId("key-works")).toBeVisible();
  await sheet.getByTestId("set-up-done").click();
  await expect(page.getByTestId("model")).toContainText("Opus");
});

test("skipped, it never comes again by itself; Help brings it back", async ({ start, gate }) => {
  const first = await start(fresh(gate));
  await first.page.getByTestId("set-up-skip").click();
  await expect(first.page.getByTestId("set-up")).toHaveCount(0);
  await first.close();

  const { app, page } = await start({ home: first.home, env: { ANTHROPIC_BASE_URL: gate } });
  await expect(page.getByTestId("set-up")).toHaveCount(0);
  await app.evaluate(({ Menu }) => {
    const items = Menu.getApplicationMenu()?.items.flatMap(({ submenu }) => submenu?.items ?? []);
    items?.find(({ label }) => label === "Set up Parley")?.click();
  });
  await expect(page.getByTestId("set-up")).toBeVisible();
  // Offline is an answer, too.
  await page.getByTestId("way-offline").getByRole("radio").check();
  await page.getByTestId("set-up-done").click();
  await expect(page.getByTestId("composer")).toBeFocused();
});

test("without a key the first starter adds one, with a form and without a word of files", async ({
  start,
}) => {
  const { page } = await start();
  const first = page.getByTestId("starter").first();
  await expect(first).toContainText("Add a key");
  await expect(page.getByTestId("welcome")).not.toContainText(".env");
  await first.click();
  await expect(page.getByTestId("set-up")).toBeVisible();
});
