import { execFile } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Page } from "playwright/test";
import { launchParley, type Parley, picks } from "../support/launch.ts";
import { expect, replies, send, test } from "../support/test.ts";

const root = resolve(import.meta.dirname, "../../..");

/** The `parley` command, without a display. */
function parleyCommand({ userData, home }: Pick<Parley, "userData" | "home">, ...words: string[]) {
  const program = join(root, "node_modules/electron/dist/electron");
  const switches = [
    ...(process.getuid?.() === 0 ? ["--no-sandbox"] : []),
    "--ozone-platform=headless",
    "--disable-gpu",
    "--log-level=3",
  ];
  const args = [...switches, `--user-data-dir=${userData}`, root, "--launch", ...words];
  return new Promise<{ code: number; printed: string; said: string }>((done) => {
    execFile(
      program,
      args,
      { env: { PATH: process.env.PATH, HOME: home }, cwd: home },
      (error, printed, said) => done({ code: error === null ? 0 : Number(error.code), printed, said }),
    );
  });
}

async function openSettings(page: Page): Promise<void> {
  await page.keyboard.press("Control+,");
  await page.locator('[data-section="data"]').click();
}

test("a back-up made in the settings is restored in another profile, which keeps what it had", async ({
  start,
}) => {
  const first = await start({ settings: { theme: "dark", permissionMode: "work" } });
  await send(first.page, "What is 2 + 3?");
  await expect(replies(first.page)).toHaveCount(1);
  const path = join(first.home, "Parley.parley-back-up");
  await first.app.evaluate(({ dialog }, filePath) => {
    dialog.showSaveDialog = () => Promise.resolve({ canceled: false, filePath });
  }, path);
  await openSettings(first.page);
  await first.page.getByTestId("data-back-up").click();
  await expect(first.page.getByTestId("data-backed-up")).toContainText("1 conversation is in");
  await first.page.screenshot({ path: test.info().outputPath("backed-up.png") });
  // While it runs, from the command line, too.
  const again = join(first.home, "again.parley-back-up");
  expect(await parleyCommand(first, "--backup", "again.parley-back-up")).toMatchObject({
    code: 0,
    printed: `Backed up to ${again}: 1 conversation, 4 messages.\n`,
  });

  const second = await start();
  await send(second.page, "What is 4 + 5?");
  await expect(replies(second.page)).toHaveCount(1);
  const broken = join(second.home, "broken.parley-back-up");
  const bytes = readFileSync(path);
  writeFileSync(broken, bytes.subarray(0, bytes.length / 2));
  await openSettings(second.page);
  await picks(second.app, broken);
  await second.page.getByTestId("data-restore").click();
  await expect(second.page.getByText("is damaged or was changed: its end is missing")).toBeVisible();
  await picks(second.app, path);
  await second.page.getByTestId("data-restore").click();
  await expect(second.page.getByTestId("backup-found")).toContainText("1 conversation, 4 messages");
  await second.page.screenshot({ path: test.info().outputPath("found.png") });
  await second.page.getByTestId("restore-settings").check();
  await second.app.evaluate(({ app }) => {
    app.relaunch = () => {};
  });
  const gone = second.app.waitForEvent("close");
  await second.page.getByTestId("data-restore-now").click();
  await gone;
  const third = await launchParley({ home: second.home });
  await expect(third.page.getByText("Restored: 1 conversation and 4 messages are new here")).toBeVisible();
  await expect(third.page.getByTestId("conversation-item")).toHaveCount(2);
  await third.page.screenshot({ path: test.info().outputPath("restored.png") });
  const settings = JSON.parse(readFileSync(join(second.userData, "settings.json"), "utf8"));
  expect([settings.theme, settings.permissionMode]).toEqual(["dark", undefined]);
  expect(existsSync(join(second.userData, "restore.json"))).toBe(false);
  await third.close();
});

test("the command line restores without a display, into nothing at all, and names what is wrong", async ({
  start,
}) => {
  const parley = await start();
  await send(parley.page, "What is 2 + 3?");
  await expect(replies(parley.page)).toHaveCount(1);
  const file = join(parley.home, "Parley.parley-back-up");
  expect(await parleyCommand(parley, "--backup", file)).toMatchObject({ code: 0 });
  // It runs: nobody else may write.
  const refused = await parleyCommand(parley, "--restore", file);
  expect(refused).toMatchObject({ code: 1, printed: "" });
  expect(refused.said).toContain("Another Parley is using");

  const empty = { home: parley.home, userData: join(parley.home, "another") };
  const restored = await parleyCommand(empty, "--restore", file);
  expect(restored).toMatchObject({ code: 0 });
  expect(restored.printed).toBe("Restored: 1 conversation and 4 messages are new here.\n");
  expect(await parleyCommand(empty, "--restore", file)).toMatchObject({
    printed: "Everything in the back-up was already here.\n",
  });
  writeFileSync(file, "Not one.");
  const said = (await parleyCommand(empty, "--restore", file)).said;
  expect(said).toContain(`parley: ${file} is not a Parley back-up.`);
  const wrong = await parleyCommand(empty, "--restore");
  expect(wrong.code).toBe(2);
  expect(wrong.said).toContain("--restore needs a file.");
});
