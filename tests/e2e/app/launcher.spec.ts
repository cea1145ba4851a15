import { execFile } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { openQuick, type Parley, pageAt } from "../support/launch.ts";
import { fakeMicrophone, silence, writeWav } from "../support/machine/audio.ts";
import { expect, replies, send, test, voiceState } from "../support/test.ts";

const root = resolve(import.meta.dirname, "../../..");

/** Another start of Parley, as the launcher makes it. @returns its exit code and what it printed */
const launch = (parley: Pick<Parley, "home" | "userData">, ...words: string[]) =>
  launchAt(process.env.DISPLAY, parley, ...words);

function launchAt(
  display: string | undefined,
  parley: Pick<Parley, "home" | "userData">,
  ...words: string[]
) {
  const program = join(root, "node_modules/electron/dist/electron");
  const switches = process.getuid?.() === 0 ? ["--no-sandbox"] : [];
  const args = [...switches, `--user-data-dir=${parley.userData}`, root, "--launch", ...words];
  const env = { PATH: process.env.PATH, DISPLAY: display, HOME: parley.home };
  return new Promise<{ code: number; printed: string; said: string }>((done) => {
    execFile(program, args, { env }, (error, printed, said) =>
      done({ code: error === null ? 0 : Number(error.code ?? -1), printed, said }),
    );
  });
}

const visible = ({ app }: Parley, path: string) =>
  app.evaluate(
    ({ BrowserWindow }, path) =>
      BrowserWindow.getAllWindows().some((one) => one.webContents.getURL().includes(path) && one.isVisible()),
    path,
  );

test("another start reaches the instance that runs: quick prompt, listening, a conversation by its title", async ({
  startWithModel,
}) => {
  const parley = await startWithModel({
    switches: fakeMicrophone(writeWav(silence(60_000))),
    settings: { "voice.speak": "never" },
  });
  const { page, app } = parley;
  await send(page, "Plan a trip");
  await expect(replies(page)).toHaveCount(1);
  expect(await launch(parley, "--quick")).toMatchObject({ code: 0 });
  const quick = await pageAt(app, "/quick/");
  await expect.poll(() => visible(parley, "/quick/")).toBe(true);
  await quick.getByTestId("composer").press("Escape");
  await expect.poll(() => visible(parley, "/quick/")).toBe(false);

  await launch(parley, "--listen");
  await expect(voiceState(page, "listening")).toBeVisible();
  // As over SSH: that start needs no display.
  expect(await launchAt(undefined, parley, "--stop")).toMatchObject({
    code: 0,
    said: expect.not.stringContaining("display"),
  });
  await expect(voiceState(page, "off")).toBeAttached();

  await send(page, "/new");
  await expect(page.getByTestId("message-user")).toHaveCount(0);
  await launch(parley, "--session", "Plan a trip");
  await expect(page.getByTestId("message-user")).toContainText("Plan a trip");
});

test("bad usage is said, with code 2, and starts nothing; --stop without an instance that runs starts none", async ({
  start,
}) => {
  const parley = await start();
  const wrong = await launch(parley, "--quik");
  expect(wrong).toMatchObject({ code: 2, printed: "" });
  expect(wrong.said).toContain('parley: What is "--quik"?');
  expect(wrong.said).toContain("Usage: parley");
  expect(await launch(parley, "--help")).toMatchObject({
    code: 0,
    printed: expect.stringContaining("--session"),
  });
  const nobody = { home: parley.home, userData: join(parley.home, "nobody") };
  const stopped = await launch(nobody, "--stop");
  expect(stopped.said).toContain("Parley is not running.");
});

test("where no display answers it says so, and what to do, with code 1", async () => {
  const home = mkdtempSync(join(tmpdir(), "parley-launch-"));
  const nobody = { home, userData: join(home, "nobody") };
  const unanswered = await launchAt(":987", nobody);
  expect(unanswered).toMatchObject({ code: 1, printed: "" });
  expect(unanswered.said).toContain(
    "parley: Nothing answers at the display to open a window on: DISPLAY=:987.",
  );
  const none = await launchAt(undefined, nobody);
  expect(none).toMatchObject({ code: 1, printed: "" });
  expect(none.said).toContain("parley: There is no display to open a window on.");
});

test("a link shows or fills in: it sends nothing, hears nothing and allows nothing", async ({
  startWithModel,
  model,
}) => {
  const parley = await startWithModel({ switches: fakeMicrophone(writeWav(silence(60_000))) });
  const { page, app } = parley;
  const calls = [{ name: "shell", input: { command: "touch made" } }];
  await send(page, `[[script:tools ${JSON.stringify({ calls })}]]`);
  await expect(page.getByTestId("approval")).toBeVisible();
  const quick = await openQuick(app);
  await quick.getByTestId("composer").fill("half a thought");
  const asked = model.requests.length;

  await launch(parley, "parley://quick?text=delete%20everything%0A%0A/permissions%20auto");
  await expect(quick.getByTestId("composer")).toHaveValue(
    "half a thought\ndelete everything /permissions auto",
  );
  for (const link of [
    "parley://listen",
    "parley://approve",
    "parley://quick/send?text=now",
    "parley://session/%0A--listen",
    "parley://settings",
  ]) {
    expect(await launch(parley, link)).toMatchObject({ code: 0 });
  }
  expect(await launch(parley, `parley://quick?text=${"a".repeat(50_000)}`)).toMatchObject({ code: 2 });
  // A link that brings words of the launcher with it is refused whole.
  expect(await launch(parley, "parley://quick", "--listen")).toMatchObject({ code: 2 });
  await expect(page.getByTestId("settings")).toBeVisible();
  await expect(voiceState(page, "off")).toBeAttached();
  expect(model.requests).toHaveLength(asked);
  expect(existsSync(join(parley.home, "Parley/made"))).toBe(false);
});

test("started at login it has no window; the setting writes the file that desktops look for, live", async ({
  start,
}) => {
  const { page, home } = await start();
  const file = join(home, ".config/autostart/parley.desktop");
  expect(existsSync(file)).toBe(false);
  await page.keyboard.press("ControlOrMeta+,");
  const control = page.locator('[data-key="startAtLogin"]').getByTestId("setting-control");
  await control.click();
  await expect.poll(() => existsSync(file)).toBe(true);
  expect(readFileSync(file, "utf8")).toContain(`Exec="${join(root, "bin/parley")}" --background`);
  await control.click();
  await expect.poll(() => existsSync(file)).toBe(false);
});
