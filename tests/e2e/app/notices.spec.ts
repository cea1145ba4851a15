import type { ElectronApplication, Page } from "playwright/test";
import { type NoticeBoard, startNoticeBoard } from "../../fakes/tray-panel/notice-board.ts";
import { shots } from "../support/shots.ts";
import { test as base, expect, replies, send } from "../support/test.ts";

const test = base.extend<{ board: NoticeBoard }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright wants the pattern
  board: async ({}, use) => {
    const board = await startNoticeBoard();
    await use(board);
    await board.dispose();
  },
});

test.skip(process.platform !== "linux", "the notifications of this system cannot be looked into");

const hideAll = (app: ElectronApplication) =>
  app.evaluate(({ BrowserWindow }) => {
    for (const window of BrowserWindow.getAllWindows()) window.hide();
  });
const isVisible = (app: ElectronApplication) =>
  app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().some((one) => one.isVisible()));
const row = (page: Page, title: string) => page.getByTestId("conversation-item").filter({ hasText: title });
const slowly = (title: string, hold: string) =>
  `${title} [[script:text {"words":3,"hold":"${hold}","at":1}]]`;

test("an answer that is finished while the user is away is told, and leads there; read elsewhere it is told no more", async ({
  startWithModel,
  model,
  board,
}) => {
  const { app, page } = await startWithModel({ env: { DBUS_SESSION_BUS_ADDRESS: board.address } });
  await send(page, slowly("First trip", "one"));
  await model.held("one");
  await hideAll(app);
  model.release("one");
  await expect.poll(() => board.shown()).toHaveLength(1);
  const [notice] = board.shown();
  expect(notice).toMatchObject({
    title: expect.stringContaining("First trip"),
    body: "word-1 word-2 word-3",
  });
  board.click(notice?.id ?? 0);
  await expect.poll(() => isVisible(app)).toBe(true);
  await expect(replies(page)).toHaveText("word-1 word-2 word-3");

  // In front of the user nothing is told, but what ends beside it is marked.
  await send(page, slowly("go on", "two"));
  await model.held("two");
  await send(page, "/new");
  await expect(page.getByTestId("message-user")).toHaveCount(0);
  model.release("two");
  await expect(row(page, "First trip")).toContainText("new answer");
  expect(board.shown()).toEqual([]);
  await shots(page, "unread");
  await row(page, "First trip").click();
  await expect(replies(page)).toHaveCount(2);
  await expect(row(page, "First trip")).not.toContainText("new answer");

  await send(page, slowly("and on", "three"));
  await model.held("three");
  await hideAll(app);
  model.release("three");
  await expect.poll(() => board.shown()).toHaveLength(1);
  await app.evaluate(({ app }) => app.emit("activate"));
  await expect.poll(() => board.shown()).toEqual([]);
});

test("finished answers are not told where the user does not want that", async ({
  startWithModel,
  model,
  board,
}) => {
  const settings = { notifyFinished: false };
  const { app, page } = await startWithModel({ env: { DBUS_SESSION_BUS_ADDRESS: board.address }, settings });
  await send(page, slowly("First trip", "one"));
  await model.held("one");
  await hideAll(app);
  model.release("one");
  expect(await model.requests[0]?.finished).toBe(true);
  const calls = [{ name: "shell", input: { command: "touch made" } }];
  await send(page, `then this [[script:tools ${JSON.stringify({ calls })}]]`);
  await expect.poll(() => board.shown().map(({ title }) => title)).toEqual(["Needs approval"]);
});

test("the buttons of a notification do what they say: an approval is denied or shown, an answer marked as read", async ({
  startWithModel,
  board,
}) => {
  const { app, page } = await startWithModel({ env: { DBUS_SESSION_BUS_ADDRESS: board.address } });
  await app.evaluate(({ Notification }) => {
    const { show } = Notification.prototype;
    Notification.prototype.show = function () {
      Reflect.set(globalThis, "lastNotice", this);
      show.call(this);
    };
  });
  /** Over the bus where the runtime gives its notices buttons there; older ones only know them on macOS. */
  const press = async (label: string, place: number) => {
    const notice = board.shown().at(-1);
    if (notice?.buttons.includes(label)) board.click(notice.id, label);
    else await app.evaluate((_, at) => Reflect.get(globalThis, "lastNotice").emit("action", {}, at), place);
  };
  const calls = [{ name: "shell", input: { command: "touch made" } }];
  const approval = page.getByTestId("approval");
  await hideAll(app);
  await send(page, `try [[script:tools ${JSON.stringify({ calls })}]]`);
  await expect.poll(() => board.shown().map(({ title }) => title)).toEqual(["Needs approval"]);
  await press("Show", 0);
  await expect.poll(() => isVisible(app)).toBe(true);
  await expect(approval).toBeFocused();
  await page.getByTestId("stop").click();
  await expect(page.getByTestId("stop")).toBeHidden();

  await hideAll(app);
  await send(page, `again [[script:tools ${JSON.stringify({ calls })}]]`);
  await expect.poll(() => board.shown().at(-1)?.title).toBe("Needs approval");
  await press("Deny", 1);
  await expect(page.locator('[data-testid="approval"][data-status="waiting"]')).toHaveCount(0);
  await expect.poll(() => board.shown().at(-1)?.title).not.toBe("Needs approval");
  expect(await isVisible(app)).toBe(false);

  // What was denied was answered meanwhile, which is told.
  await expect(replies(page).last()).toContainText("The user did not allow shell.");
  await expect.poll(() => board.shown()).toHaveLength(1);
  await press("Mark as read", 1);
  await expect.poll(() => board.shown()).toEqual([]);
  expect(await isVisible(app)).toBe(false);
});
