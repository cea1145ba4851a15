import { spawn } from "node:child_process";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import electron from "electron";
import { clipSamples, fakeMicrophone, writeWav } from "../support/machine/audio.ts";
import { expect, send, test } from "../support/test.ts";

const root = resolve(import.meta.dirname, "../../..");

test("Help → Check this computer tries each part, and says what to do", async ({ startWithModel }) => {
  const wav = writeWav(
    clipSamples("librivox_0870"),
    clipSamples("librivox_0870"),
    clipSamples("librivox_0870"),
  );
  const { app, page } = await startWithModel({ switches: fakeMicrophone(wav) });
  await app.evaluate(({ Menu }) => {
    const items = Menu.getApplicationMenu()?.items.flatMap(({ submenu }) => submenu?.items ?? []);
    items?.find(({ label }) => label === "Check this computer")?.click();
  });
  const check = (name: string) => page.locator(`[data-testid="check"][data-name="${name}"]`);
  for (const name of ["key", "model", "microphone", "recogniser", "voice", "disk"])
    await expect(check(name)).toHaveAttribute("data-state", "ok");
  await expect(check("model")).toContainText("answered in");
  await expect(check("microphone")).toContainText("loudest");
  await expect(page.getByTestId("check")).toHaveCount(11);
  await expect(page.locator('[data-testid="check"][data-state]')).toHaveCount(11);
  await expect(page.getByTestId("doctor")).not.toContainText("test-key");
});

test("/doctor says the same in the conversation; a refused key hides nothing else", async ({
  startWithModel,
}) => {
  // Nobody listens there.
  const { page } = await startWithModel({ env: { ANTHROPIC_BASE_URL: "http://127.0.0.1:9" } });
  await send(page, "/doctor");
  const answer = page.getByTestId("command-answer").last();
  await expect(answer).toContainText(/FAILED\s+Model/);
  await expect(answer).toContainText(/ok\s+Voice/);
  await expect(answer).toContainText(/ok\s+Speech recognition/);
  await expect(answer).toContainText(/Disk/);
});

test("--doctor prints the report, opens no window and ends with 1 where something failed", async () => {
  const home = mkdtempSync(join(tmpdir(), "parley-doctor-"));
  const sandbox = process.getuid?.() === 0 ? ["--no-sandbox"] : [];
  const child = spawn(
    String(electron),
    [...sandbox, `--user-data-dir=${join(home, "data")}`, root, "--doctor"],
    { env: { ...process.env, HOME: home, XDG_CONFIG_HOME: join(home, ".config") } },
  );
  let printed = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    printed += text;
  });
  const code = await new Promise((resolve) => child.once("exit", resolve));
  // There is no microphone here.
  expect(printed).toMatch(/FAILED\s+Microphone/);
  expect(printed).toMatch(/ok\s+Speech recognition/);
  expect(printed).toMatch(/ok\s+Disk/);
  expect(code).toBe(1);
});
