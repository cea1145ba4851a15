import type { Page } from "playwright/test";
import { shots } from "../support/shots.ts";
import { expect, replies, send, test } from "../support/test.ts";

const script = (name: string, args: object) => `[[script:${name} ${JSON.stringify(args)}]]`;
const palette = (page: Page) => page.getByTestId("palette");
const input = (page: Page) => page.getByTestId("palette-input");
const rows = (page: Page) => page.getByTestId("palette-row");
const current = (page: Page) => page.locator('[data-testid="palette-row"][aria-selected="true"]');
const groups = (page: Page) => palette(page).getByRole("group");

test("one list finds conversations, messages, commands and settings, the best match first; what is used comes up", async ({
  startWithModel,
}) => {
  const first = await startWithModel();
  const { page } = first;
  await send(page, `Rewind and tulips ${script("text", { text: "Tulips want the sun." })}`);
  await expect(replies(page)).toHaveCount(1);
  await page.getByTestId("new-conversation").click();
  await send(page, `Boats ${script("text", { text: "A keel keeps her upright, and a rewind does not." })}`);
  await expect(replies(page)).toHaveCount(1);

  // Empty: the last conversations, without the one that is shown.
  await page.getByTestId("composer").focus();
  await page.keyboard.press("Control+k");
  await expect(input(page)).toBeFocused();
  await expect(groups(page)).toHaveCount(1);
  await expect(rows(page)).toHaveText([/Rewind and tulips/]);
  await shots(page, "palette-empty");
  await page.keyboard.press("Escape");
  await expect(palette(page)).toHaveCount(0);
  await expect(page.getByTestId("composer")).toBeFocused();

  await page.keyboard.press("Control+k");
  await page.keyboard.type("rewind");
  // The kind of the best match first: a shorter name that begins with the word.
  await expect(groups(page).locator("h3")).toContainText([
    "Commands",
    "Conversations",
    "Messages",
    "Settings",
  ]);
  await expect(current(page)).toContainText("Rewind to a prompt…");
  await expect(current(page).locator("mark")).toHaveText("Rewind");
  await expect(rows(page).filter({ hasText: "A keel" }).locator("mark").first()).toHaveText("rewind");
  await shots(page, "palette");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Tab");
  await expect(palette(page).getByRole("button", { name: "Messages" })).toHaveAttribute(
    "aria-pressed",
    "true",
  );
  await expect(groups(page)).toHaveCount(1);
  await page.keyboard.press("Shift+Tab");
  await expect(palette(page).getByRole("button", { name: "Conversations" })).toHaveAttribute(
    "aria-pressed",
    "true",
  );
  await page.keyboard.press("Enter");
  await expect(replies(page)).toHaveText(["Tulips want the sun."]);
  await expect(page.getByTestId("composer")).toBeFocused();

  // A message leads to its place.
  await page.keyboard.press("Control+k");
  await page.keyboard.type("keel");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Tab");
  await expect(current(page)).toHaveAttribute("data-kind", "messages");
  await page.keyboard.press("Enter");
  await expect(replies(page)).toContainText("A keel");

  // Commands: one of the window's, one that is whole, one that wants more.
  await page.keyboard.press("Control+k");
  await page.keyboard.type("new conv");
  await expect(current(page)).toContainText("Ctrl+N");
  await page.keyboard.press("Enter");
  await expect(replies(page)).toHaveCount(0);
  await page.keyboard.press("Control+k");
  await page.keyboard.type("/help");
  await expect(current(page)).toContainText("/help");
  await page.keyboard.press("Enter");
  await expect(page.getByTestId("command-answer")).toHaveCount(1);
  await page.keyboard.press("Control+k");
  await page.keyboard.type("/cd");
  await page.keyboard.press("Enter");
  await expect(page.getByTestId("composer")).toHaveValue("/cd ");
  await expect(page.getByTestId("composer")).toBeFocused();
  await page.getByTestId("composer").fill("");

  // A setting opens where it stands.
  await page.keyboard.press("Control+k");
  await page.keyboard.type("compactionStrategy");
  await expect(current(page)).toHaveAttribute("data-type", "setting");
  await page.keyboard.press("Enter");
  await expect(page.getByTestId("settings")).toBeVisible();
  await expect(page.getByTestId("settings-search")).toHaveValue("compactionStrategy");
  await page.getByTestId("settings-close").click();

  // What was chosen before comes first, also after a restart.
  const firstCommand = async (on: Page) => {
    await on.keyboard.press("Control+k");
    await on.keyboard.type("conversation");
    const [text] = await on.locator('[data-testid="palette-row"][data-kind="commands"]').allTextContents();
    await on.keyboard.press("Escape");
    await expect(palette(on)).toHaveCount(0);
    return text;
  };
  const before = await firstCommand(page);
  expect(before).toContain("New conversation");
  for (let times = 0; times < 2; times++) {
    await page.keyboard.press("Control+k");
    await page.keyboard.type("find in this");
    await page.keyboard.press("Enter");
    await expect(page.getByTestId("find")).toBeVisible();
    await page.keyboard.press("Escape");
    await expect(page.getByTestId("find")).toHaveCount(0);
  }
  expect(await firstCommand(page)).toContain("Find in this conversation");
  await first.close();
  const again = await startWithModel({ home: first.home });
  expect(await firstCommand(again.page)).toContain("Find in this conversation");
});

// Bug: sixty characters stood before it, and the row shows about fifty.
test("what was found deep in a long reply is in sight in its row, also in a narrow window", async ({
  startWithModel,
}) => {
  const { app, page } = await startWithModel();
  const filler = "The harbour was calm all week, and nobody had anything new to say about it. ".repeat(12);
  const text = `${filler}Then the harbourmaster found a small brass sextant under the pier. ${filler}`;
  await send(page, `Tell me of it ${script("text", { text })}`);
  await expect(replies(page)).toHaveCount(1);
  const isInSight = async () => {
    await page.keyboard.press("Control+k");
    await page.keyboard.type("sextant");
    const found = rows(page).and(page.locator('[data-type="message"]')).filter({ hasText: "sextant" });
    // The reply, and the prompt that has its text.
    await expect(found).toHaveCount(2);
    for (const row of await found.all()) {
      const mark = row.locator("mark");
      await expect(mark).toHaveText("sextant");
      // What is longer than its line is cut off.
      const boxes = [mark, mark.locator("xpath=.."), row].map((one) => one.boundingBox());
      const [word, ...around] = await Promise.all(boxes);
      for (const box of around) {
        if (!word || !box) throw new Error("The row is not shown.");
        expect(word.width).toBeGreaterThan(0);
        expect(word.x).toBeGreaterThanOrEqual(box.x);
        expect(word.x + word.width).toBeLessThanOrEqual(box.x + box.width);
      }
    }
  };
  await isInSight();
  await shots(page, "palette-deep");
  await page.keyboard.press("Escape");
  await expect(palette(page)).toHaveCount(0);
  await app.evaluate(({ BrowserWindow }) => {
    const window = BrowserWindow.getAllWindows().find((one) => one.webContents.getURL().includes("/main/"));
    window?.setSize(420, 700);
  });
  await page.waitForFunction(() => innerWidth === 420);
  await isInSight();
});

test("a command is chosen with its words: an effort, a conversation to go to, a model; what deletes is only written", async ({
  startWithModel,
  model: server,
}) => {
  server.offers(["claude-opus-5-5", "claude-haiku-5-5"]);
  const { page } = await startWithModel({ settings: { model: "claude-opus-5-5" } });
  const look = async (words: string) => {
    await page.keyboard.press("Control+k");
    await page.keyboard.type(words);
  };
  await send(page, "Taxes of this year");
  await expect(replies(page)).toHaveCount(1);
  await page.getByTestId("new-conversation").click();
  await expect(replies(page)).toHaveCount(0);

  // The command alone comes before its lines, until one of them was used.
  await look("/effort");
  await expect(current(page)).not.toContainText("/effort off");
  await expect(rows(page).nth(1)).toContainText("/effort off");
  await page.keyboard.press("Escape");
  await expect(palette(page)).toHaveCount(0);

  await look("/effort hi");
  await expect(current(page)).toContainText("/effort high");
  await shots(page, "palette-line");
  await page.keyboard.press("Enter");
  await expect(page.getByTestId("model")).toHaveAccessibleName(/effort: high/i);
  await expect(page.getByTestId("command-answer")).toHaveCount(1);

  await look("/effort");
  await expect(current(page)).toContainText("/effort high");
  await page.keyboard.press("Escape");
  await expect(palette(page)).toHaveCount(0);

  await look("/checkpoint cre");
  await expect(current(page)).toContainText("/checkpoint create");
  await page.keyboard.press("Enter");
  await expect(page.getByTestId("command-answer")).toHaveCount(2);

  await look("/session del");
  await expect(current(page)).toContainText("/session delete");
  await page.keyboard.press("Enter");
  await expect(page.getByTestId("composer")).toHaveValue("/session delete ");
  await page.getByTestId("composer").fill("");

  await look("/model haiku");
  await expect(current(page)).toContainText(/haiku/i);
  await page.keyboard.press("Enter");
  await expect(page.getByTestId("model")).toContainText(/haiku/i);

  await look("/session resume tax");
  await expect(rows(page)).toHaveText([/Taxes of this year/]);
  await page.keyboard.press("Enter");
  await expect(replies(page)).toHaveText(["Taxes of this year"]);
});

test("what waits stands in the empty palette, and a model is chosen by its name", async ({
  startWithModel,
  model: server,
}) => {
  server.offers(["claude-opus-5-5", "claude-haiku-5-5"]);
  const { app, page } = await startWithModel();
  const calls = [{ name: "write_file", input: { path: "a.txt", content: "a" } }];
  await send(page, `Write it ${script("tools", { calls })}`);
  await expect(page.getByTestId("approval")).toBeVisible();
  await page.getByTestId("new-conversation").click();
  await expect(page.getByTestId("approval")).toHaveCount(0);
  await page.keyboard.press("Control+k");
  await expect(rows(page).first()).toContainText("Needs approval");
  await page.keyboard.press("Enter");
  await expect(page.getByTestId("approval")).toBeFocused();

  await page.keyboard.press("Control+k");
  await page.keyboard.type("haiku");
  const model = page.locator('[data-testid="palette-row"][data-kind="models"]').first();
  await expect(model).toBeVisible();
  await model.click();
  await expect(page.getByTestId("model")).toContainText("Haiku");

  await app.evaluate(({ BrowserWindow }) => {
    const window = BrowserWindow.getAllWindows().find((one) => one.webContents.getURL().includes("/main/"));
    window?.setSize(420, 700);
  });
  await page.waitForFunction(() => innerWidth === 420);
  await page.keyboard.press("Control+k");
  await page.keyboard.type("set");
  await expect(rows(page).first()).toBeVisible();
  await shots(page, "palette-420");
  await page.keyboard.press("Control+k");
  await expect(palette(page)).toHaveCount(0);
});
