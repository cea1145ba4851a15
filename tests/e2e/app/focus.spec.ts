import type { ElectronApplication, Locator, Page } from "playwright/test";
import { openList, row as serverRow } from "../support/server-list.ts";
import { expect, replies, send, test } from "../support/test.ts";
import { trustFolder } from "../support/trust.ts";

declare global {
  interface Window {
    keyboardLost: string[];
  }
}

const composer = (page: Page) => page.getByTestId("composer");
const isAt = (place: Locator) => expect(place).toBeFocused();

/** Notes from now on what had the keyboard when it went nowhere, and stayed there. */
const watchFocus = (page: Page) =>
  page.evaluate(() => {
    window.keyboardLost = [];
    let taken = 0;
    document.addEventListener("focusin", () => taken++);
    document.addEventListener("focusout", ({ target }) => {
      const who = target instanceof HTMLElement ? target.outerHTML.slice(0, 200) : "?";
      const before = taken;
      const look = () => {
        // What took it meanwhile may have gone again this very moment, which another look is for.
        if (document.activeElement === document.body && taken === before) window.keyboardLost.push(who);
      };
      requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(look, 0)));
    });
  });

async function inHelp(app: ElectronApplication, label: string): Promise<void> {
  await app.evaluate(({ Menu }, wanted) => {
    const items = Menu.getApplicationMenu()?.items.flatMap(({ submenu }) => submenu?.items ?? []);
    items?.find((item) => item.label === wanted)?.click();
  }, label);
}

/** What can be done with a message, shown as with a pointer over it. */
async function act(message: Locator, name: string): Promise<void> {
  await message.hover();
  await message.locator("xpath=ancestor::*[@data-row]").getByRole("button", { name, exact: true }).click();
}

test("the keyboard is never nowhere: after prompts, branches, rows, menus, dialogs and sheets it is where one was", async ({
  startWithModel,
  model,
}) => {
  const { app, page } = await startWithModel({
    files: { ".mcp.json": JSON.stringify({ mcpServers: { theirs: { command: "false" } } }) },
  });
  await trustFolder(page);
  await isAt(composer(page));
  await watchFocus(page);
  const prompts = page.getByTestId("message-user");

  await test.step("prompts that wait", async () => {
    await send(page, 'go [[script:text {"words":3,"hold":"half"}]]');
    await model.held("half");
    await send(page, "first");
    await send(page, "second");
    const waits = page.getByTestId("queue-item");
    await expect(waits).toHaveCount(2);
    await waits.first().getByRole("button", { name: "Edit: first" }).click();
    await isAt(page.getByTestId("inline-edit"));
    await page.keyboard.type("first, changed");
    await page.keyboard.press("Enter");
    await isAt(composer(page));
    await waits.first().getByRole("button", { name: "Edit: first" }).click();
    await isAt(page.getByTestId("inline-edit"));
    await page.keyboard.press("Escape");
    await isAt(composer(page));
    await waits.last().getByRole("button", { name: "Remove: second" }).click();
    await expect(waits).toHaveCount(1);
    await isAt(composer(page));
    await waits.first().getByRole("button", { name: "Remove: first" }).focus();
    await page.keyboard.press("Enter");
    await expect(waits).toHaveCount(0);
    await isAt(composer(page));
    await page.getByTestId("stop").click();
    await expect(page.getByTestId("stop")).toHaveCount(0);
    await isAt(composer(page));
    model.release("half");
  });

  await test.step("a prompt that is edited, a reply that is made again, versions", async () => {
    await send(page, "two");
    await expect(replies(page).last()).toHaveText("two");
    await act(prompts.last(), "Edit");
    await isAt(page.getByTestId("prompt-editor"));
    await page.keyboard.press("Escape");
    await expect(page.getByTestId("prompt-editor")).toHaveCount(0);
    await isAt(composer(page));
    await act(prompts.last(), "Edit");
    await page.keyboard.type(", better");
    await page.keyboard.press("Enter");
    await expect(replies(page).last()).toHaveText("two, better");
    await isAt(composer(page));
    await act(replies(page).last(), "Regenerate");
    await expect(page.getByTestId("branches").last()).toContainText("2/2");
    await isAt(composer(page));
    await page.getByRole("button", { name: "Earlier version of this prompt" }).focus();
    await page.keyboard.press("Enter");
    await expect(replies(page).last()).toHaveText("two");
    await isAt(page.getByRole("button", { name: "Earlier version of this prompt" }));
    await page.getByRole("button", { name: "Later version of this prompt" }).focus();
    await page.keyboard.press("Enter");
    await expect(replies(page).last()).toHaveText("two, better");
    await isAt(page.getByRole("button", { name: "Later version of this prompt" }));
    await composer(page).focus();
  });

  await test.step("a rewind and its dialog", async () => {
    const dialog = page.getByTestId("rewind-dialog");
    await act(prompts.last(), "Rewind to before this");
    await expect(dialog.getByTestId("rewind-now")).toBeEnabled();
    expect(await dialog.evaluate((one) => one.contains(document.activeElement))).toBe(true);
    await page.keyboard.press("Escape");
    await expect(dialog).toHaveCount(0);
    await act(prompts.last(), "Rewind to before this");
    await dialog.getByTestId("rewind-now").click();
    await expect(dialog.getByRole("button", { name: "Close" })).toBeVisible();
    await expect.poll(() => dialog.evaluate((one) => one.contains(document.activeElement))).toBe(true);
    await dialog.getByRole("button", { name: "Close" }).click();
    await expect(dialog).toHaveCount(0);
    await isAt(composer(page));
    await page.getByTestId("note").getByRole("button", { name: "Redo" }).click();
    await expect(replies(page).last()).toHaveText("two, better");
    await isAt(composer(page));
  });

  await test.step("rows of the list", async () => {
    await page.keyboard.press("ControlOrMeta+n");
    await expect(page.getByTestId("welcome")).toBeVisible();
    await isAt(composer(page));
    await send(page, "another one");
    await expect(replies(page)).toHaveText(["another one"]);
    const rows = page.getByTestId("conversation-item");
    const menu = page.getByTestId("row-menu");
    const rename = async (key: string) => {
      await rows.last().click({ button: "right" });
      await menu.getByRole("menuitem", { name: "Rename" }).click();
      await isAt(page.getByTestId("inline-edit"));
      await page.keyboard.press(key);
      await expect(page.getByTestId("inline-edit")).toHaveCount(0);
      await isAt(rows.last());
    };
    await rename("Enter");
    await rename("Escape");
    await page.getByTestId("search").click();
    await isAt(page.getByTestId("search"));
    await page.keyboard.press("Escape");
    await isAt(composer(page));
    await rows.last().click({ button: "right" });
    await menu.getByRole("menuitem", { name: "Delete" }).click();
    await expect(rows).toHaveCount(1);
    await page.getByTestId("notice").getByRole("button", { name: "Undo" }).click();
    await expect(rows).toHaveCount(2);
  });
  await isSomewhere(page);

  await test.step("menus of the header and the text box", async () => {
    for (const [button, menu] of [
      [page.getByTestId("model"), page.getByTestId("model-menu")],
      [page.getByTestId("working-folder"), page.getByTestId("folder-menu")],
      [page.getByTestId("level"), page.getByTestId("level-menu")],
      [page.getByRole("button", { name: "Attach files, images, a screenshot" }), page.getByRole("menu")],
      [page.getByTestId("retry-with").last(), page.getByTestId("retry-menu")],
    ] as const) {
      await button.click();
      await expect(menu).toBeVisible();
      await expect.poll(() => menu.evaluate((one) => one.contains(document.activeElement))).toBe(true);
      await page.keyboard.press("Escape");
      await expect(menu).toHaveCount(0);
      await isAt(button);
    }
  });

  await test.step("servers that are trusted or removed", async () => {
    const dialog = page.getByTestId("servers");
    const isInside = () =>
      expect.poll(() => dialog.evaluate((one) => one.contains(document.activeElement))).toBe(true);
    await send(page, "/mcp add own false");
    await openList(page);
    await serverRow(page, "theirs").getByRole("button", { name: "Trust and start" }).click();
    await expect(serverRow(page, "theirs")).not.toHaveAttribute("data-state", "needs_approval");
    await isInside();
    await serverRow(page, "own").getByRole("button", { name: "Remove" }).click();
    await serverRow(page, "own").getByRole("button", { name: "Remove" }).click();
    await expect(serverRow(page, "own")).toHaveCount(0);
    await isInside();
    await page.keyboard.press("Escape");
    await expect(dialog).toHaveCount(0);
    await isAt(composer(page));
  });

  await test.step("dialogs, sheets and pages", async () => {
    const backFrom = async (open: () => Promise<unknown>, place: Locator) => {
      await composer(page).focus();
      await open();
      await expect(place).toBeVisible();
      await expect.poll(() => place.evaluate((one) => one.contains(document.activeElement))).toBe(true);
      await page.keyboard.press("Escape");
      await expect(place).toHaveCount(0);
      await isAt(composer(page));
    };
    const press = (key: string) => () => page.keyboard.press(key);
    await backFrom(press("ControlOrMeta+f"), page.getByTestId("find"));
    await backFrom(press("ControlOrMeta+k"), page.getByTestId("palette"));
    await backFrom(press("ControlOrMeta+,"), page.getByTestId("settings"));
    await backFrom(press("ControlOrMeta+Shift+s"), page.getByTestId("servers"));
    await backFrom(() => inHelp(app, "Check this computer"), page.getByTestId("doctor"));
    await backFrom(() => inHelp(app, "Set up Parley"), page.getByTestId("set-up"));
    await backFrom(() => send(page, "/key set openai"), page.getByTestId("key-dialog"));
  });
  await isSomewhere(page);
});

const isSomewhere = async (page: Page) => expect(await page.evaluate(() => window.keyboardLost)).toEqual([]);
