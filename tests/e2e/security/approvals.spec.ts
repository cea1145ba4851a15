import { existsSync } from "node:fs";
import { join } from "node:path";
import type { ElectronApplication, Page } from "playwright/test";
import { startNoticeBoard } from "../../fakes/tray-panel/notice-board.ts";
import { startTrayPanel } from "../../fakes/tray-panel/tray-panel.ts";
import { closeMainWindow, openQuick, reopenMainWindow } from "../support/launch.ts";
import { cardsStand, expect, press, replies, send, test } from "../support/test.ts";

const touching = (file: string, more: object = {}) => {
  const calls = [{ name: "shell", input: { command: `touch ${file}` } }];
  return `do it [[script:tools ${JSON.stringify({ calls, ...more })}]]`;
};
const cards = (page: Page) => page.locator('[data-testid="approval"][data-status="waiting"]');
/** Those that take an answer: they stand where they stand for long enough. */

/** The addresses of the windows that the user sees. */
const visible = (app: ElectronApplication) =>
  app.evaluate(({ BrowserWindow }) =>
    BrowserWindow.getAllWindows().flatMap((one) => (one.isVisible() ? [one.webContents.getURL()] : [])),
  );

test("an approval is answered in the quick window, by its key and by a click, with no other window open", async ({
  startWithModel,
}) => {
  const { app, home } = await startWithModel();
  const made = (file: string) => existsSync(join(home, "Parley", file));
  const quick = await openQuick(app);
  await closeMainWindow(app);
  await send(quick, touching("by-key"));
  await expect(cards(quick)).toContainText("touch by-key");
  expect(made("by-key")).toBe(false);
  await cardsStand(quick);
  await quick.keyboard.press("ControlOrMeta+Shift+Y");
  await expect(cards(quick)).toHaveCount(0);
  await expect(replies(quick)).toContainText("[exit code 0]");
  expect(made("by-key")).toBe(true);

  await send(quick, touching("by-click"));
  await press(cards(quick).getByTestId("deny"));
  await expect(replies(quick)).toContainText("did not allow shell");
  expect(made("by-click")).toBe(false);
});

test("while no window of Parley has the keyboard a notice says what waits; a click on it opens the card", async ({
  startWithModel,
  model,
}) => {
  test.skip(process.platform !== "linux", "the notices of this system cannot be looked into");
  const board = await startNoticeBoard();
  const { app, page, home } = await startWithModel({ env: { DBUS_SESSION_BUS_ADDRESS: board.address } });
  await send(page, touching("noticed", { say: "one two three", hold: "hidden", at: 1 }));
  await model.held("hidden");
  await app.evaluate(({ BrowserWindow }) => {
    for (const window of BrowserWindow.getAllWindows()) window.hide();
  });
  model.release("hidden");
  await expect.poll(() => board.shown().length).toBe(1);
  const [notice] = board.shown();
  expect(notice).toMatchObject({ title: "Needs approval", body: "shell: touch noticed" });
  board.click(notice?.id ?? 0);
  await expect.poll(() => visible(app)).toEqual([expect.stringContaining("/main/")]);
  await expect(cards(page)).toBeFocused();
  // The click only shows it: the word is still the user's.
  expect(existsSync(join(home, "Parley/noticed"))).toBe(false);
  await cardsStand(page);
  await page.keyboard.press("y");
  await expect(replies(page).last()).toContainText("[exit code 0]");
  expect(existsSync(join(home, "Parley/noticed"))).toBe(true);

  await board.dispose();
});

// Bug: only approvals were told, so a run that asked waited for ever for somebody who was away.
test("a question is told in a notice, too, and counted in the tray; a click with every window closed opens its card", async ({
  startWithModel,
  model,
}) => {
  test.skip(process.platform !== "linux", "the notices of this system cannot be looked into");
  const board = await startNoticeBoard();
  const panel = await startTrayPanel(board.address);
  const { app, page } = await startWithModel({ env: { DBUS_SESSION_BUS_ADDRESS: board.address } });
  await panel.shown;
  const call = { name: "ask_user", input: { question: "Which colour?", options: [{ label: "Red" }] } };
  const asks = { calls: [call], say: "one two three", hold: "closed", at: 1 };
  await send(page, `ask me [[script:tools ${JSON.stringify(asks)}]]`);
  await model.held("closed");
  await closeMainWindow(app);
  model.release("closed");
  await expect.poll(() => board.shown().length).toBe(1);
  const [notice] = board.shown();
  expect(notice).toMatchObject({ title: "Question for you", body: "Which colour?" });
  const waits = "1 question waits for you";
  await expect.poll(() => panel.tooltip()).toContain(waits);
  expect((await panel.menu()).map(({ label }) => label)).toContain(waits);
  const opened = app.waitForEvent("window");
  board.click(notice?.id ?? 0);
  const again = await opened;
  const question = again.locator('[data-testid="question"][data-status="waiting"]');
  await expect(question).toBeFocused();
  await expect(again).toHaveTitle(/^Question for you · /);
  await again.getByTestId("stop").click();
  // The end of its run ends the question.
  await expect(question).toHaveCount(0);
  await expect.poll(() => panel.tooltip()).not.toContain(waits);
  await panel.dispose();
  await board.dispose();
});

test("with every window closed an approval waits with a mark in the tray, and nothing turns it into a yes", async ({
  startWithModel,
  model,
}) => {
  test.skip(process.platform !== "linux", "the tray of this system cannot be looked into");
  const panel = await startTrayPanel();
  const { app, page, home } = await startWithModel({ env: { DBUS_SESSION_BUS_ADDRESS: panel.address } });
  await panel.shown;
  const plain = await panel.icon();
  await send(page, touching("waited-for", { say: "one two three", hold: "closed", at: 1 }));
  await model.held("closed");
  await closeMainWindow(app);
  // From now on main's long timers are known, so that a day can go by for what still waits of them.
  await app.evaluate(() => {
    const { setTimeout: after, clearTimeout: end } = globalThis;
    const long = new Map<unknown, () => void>();
    const setTimeout = (run: () => void, ms = 0) => {
      const timer = after(run, ms);
      if (ms > 5000) long.set(timer, run);
      return timer;
    };
    const clearTimeout = (timer: Parameters<typeof end>[0]) => {
      long.delete(timer);
      end(timer);
    };
    Object.assign(globalThis, { setTimeout, clearTimeout, long });
  });
  model.release("closed");
  const waits = "1 approval waits for you";
  await expect.poll(() => panel.tooltip()).toContain(waits);
  expect((await panel.icon()).argb.equals(plain.argb)).toBe(false);
  expect((await panel.menu()).map(({ label }) => label)).toContain(waits);
  expect(await visible(app)).toEqual([]);
  await app.evaluate(() => {
    const long: Map<unknown, () => void> = Reflect.get(globalThis, "long");
    for (const run of long.values()) run();
  });
  expect(await panel.tooltip()).toContain(waits);
  expect(existsSync(join(home, "Parley/waited-for"))).toBe(false);
  expect(model.requests).toHaveLength(1);

  const again = await reopenMainWindow(app);
  await expect(cards(again)).toContainText("touch waited-for");
  await press(cards(again).getByTestId("allow"));
  await expect(replies(again).last()).toContainText("[exit code 0]");
  await expect.poll(() => panel.tooltip()).not.toContain(waits);
  expect(existsSync(join(home, "Parley/waited-for"))).toBe(true);
  await panel.dispose();
});
