import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Locator, Page } from "playwright/test";
import { expect, replies, test } from "../support/test.ts";

/** So many stops are between any two places at most. */
const mostStops = 80;

/** As far as Tab goes, to what is looked for. */
async function tabTo(page: Page, wanted: Locator, key = "Tab"): Promise<void> {
  await expect(wanted).toBeVisible();
  for (let stops = 0; stops < mostStops; stops++) {
    if (await wanted.evaluate((one) => one === document.activeElement)) return;
    await page.keyboard.press(key);
  }
  await expect(wanted).toBeFocused({ timeout: 1 });
}

const call = { name: "write_file", input: { path: "new.txt", content: "brand new\n" } };

test("start, key, prompt, approval and rewind, with the keyboard alone", async ({ start, model }) => {
  const { page, home } = await start({
    settings: { provider: "auto", firstRun: true },
    env: { ANTHROPIC_BASE_URL: model.url },
  });
  const { keyboard } = page;
  const sheet = page.getByTestId("set-up");
  await tabTo(page, sheet.getByTestId("set-up-key"));
  await keyboard.type("sk-ant-api03-0123456789abcdefghij");
  await tabTo(page, sheet.getByTestId("set-up-weak"));
  await keyboard.press("Space");
  await tabTo(page, sheet.getByTestId("set-up-test"));
  await keyboard.press("Enter");
  await expect(sheet.getByTestId("key-works")).toBeVisible();
  await tabTo(page, sheet.getByTestId("set-up-done"));
  await keyboard.press("Enter");
  await expect(page.getByTestId("composer")).toBeFocused();

  // Where nothing waits the key that goes to what waits closes no dialog.
  await keyboard.press("Control+/");
  await expect(page.getByTestId("keys-sheet")).toBeVisible();
  await keyboard.press("Control+Shift+A");
  expect(await page.getByTestId("keys-sheet").isVisible()).toBe(true);
  await keyboard.press("Escape");
  await expect(page.getByTestId("composer")).toBeFocused();

  await keyboard.type(`write it [[script:tools ${JSON.stringify({ calls: [call] })}]]`);
  await keyboard.press("Enter");
  await expect(page.locator("[data-waits]:not([data-fresh])")).toHaveCount(1);
  // Under a dialog no card is answered; the key that goes to it closes the dialog.
  await keyboard.press("Control+/");
  await expect(page.getByTestId("keys-sheet")).toBeVisible();
  await keyboard.press("Control+Shift+Y");
  await keyboard.press("Control+Shift+A");
  await expect(page.getByTestId("keys-sheet")).toHaveCount(0);
  await expect(page.locator("[data-waits]:not([data-fresh])")).toBeFocused();
  await keyboard.press("y");
  await expect(replies(page)).toHaveCount(1);
  expect(readFileSync(join(home, "Parley", "new.txt"), "utf8")).toBe("brand new\n");
  await expect(page.getByTestId("composer")).toBeFocused();

  await keyboard.press("Shift+F6");
  await expect(page.getByTestId("transcript")).toBeFocused();
  const prompt = page.getByTestId("message-user");
  await tabTo(page, prompt, "ArrowUp");
  await tabTo(page, page.getByRole("button", { name: "Rewind to before this" }));
  await keyboard.press("Enter");
  await expect(page.getByTestId("rewind-preview")).toBeVisible();
  await tabTo(page, page.getByTestId("rewind-now"));
  await keyboard.press("Enter");
  await expect(page.getByTestId("rewind-outcome")).toBeVisible();
  await keyboard.press("Escape");
  await expect(prompt).toHaveCount(0);
  await expect(page.getByTestId("composer")).toBeFocused();
  expect(existsSync(join(home, "Parley", "new.txt"))).toBe(false);
});

test("F6 goes round the parts of the window, and the arrows from message to message", async ({
  startWithModel,
}) => {
  const { page } = await startWithModel();
  for (const text of ["one", "two"]) {
    await page.keyboard.type(text);
    await page.keyboard.press("Enter");
    await expect(replies(page).last()).toHaveText(text);
  }
  const places = ["aside", '[data-testid="conversation-item"]', '[data-testid="transcript"]'];
  for (const place of [...places, '[data-testid="composer"]', ...places.slice(0, 1)]) {
    await page.keyboard.press("F6");
    const focused = page.locator(place === "aside" ? "aside:focus, aside :focus" : `${place}:focus`);
    await expect(focused).toHaveCount(1);
  }
  await page.keyboard.press("Shift+F6");
  await page.keyboard.press("Shift+F6");
  await expect(page.getByTestId("transcript")).toBeFocused();
  const focused = page.locator("article:focus");
  for (const text of ["two", "two", "one", "one"]) {
    await page.keyboard.press("ArrowUp");
    await expect(focused).toContainText(text);
  }
  await page.keyboard.press("ArrowDown");
  await expect(focused).toHaveAccessibleName("Parley");
});

const ring = (page: Page) =>
  page.evaluate(() => {
    const { outlineStyle, outlineWidth } = getComputedStyle(document.activeElement ?? document.body);
    return outlineStyle === "solid" ? Number.parseFloat(outlineWidth) : 0;
  });

// Bug: in a menu only a faint colour told it, and in forced colours nothing.
test("a ring shows what has the focus, also in menus and in forced colours", async ({ startWithModel }) => {
  const { page } = await startWithModel();
  for (const forcedColors of ["none", "active"] as const) {
    await page.emulateMedia({ forcedColors });
    await page.getByTestId("composer").focus();
    const faults = new Set<string>();
    for (let stop = 0; stop < mostStops; stop++) {
      await page.keyboard.press("Tab");
      if ((await ring(page)) >= 2) continue;
      // Text boxes have a caret and an edge.
      const fault = await page.evaluate(() => {
        const one = document.activeElement ?? document.body;
        return one === document.body || one.matches("textarea, input, [contenteditable]")
          ? null
          : one.outerHTML;
      });
      if (fault) faults.add(fault.slice(0, 160));
    }
    expect([...faults], forcedColors).toEqual([]);
    for (const opener of ["level", "model"]) {
      await page.getByTestId(opener).focus();
      await page.keyboard.press("Enter");
      await page.keyboard.press("ArrowDown");
      await expect(page.locator(":focus")).toHaveAttribute("role", /^menuitem/);
      expect(await ring(page), `${opener}, ${forcedColors}`).toBeGreaterThanOrEqual(2);
      await page.keyboard.press("Escape");
    }
  }
});

test("what has the focus is never covered, in a wide window and at 200 %", async ({ startWithModel }) => {
  const { app, page } = await startWithModel({ files: { "notes.txt": "one\n" } });
  const calls = [1, 2, 3].map((place) => ({
    name: "write_file",
    input: { path: `${place}.txt`, content: "x" },
  }));
  for (let turn = 0; turn < 4; turn++) {
    await page.getByTestId("composer").fill(`[[script:text ${JSON.stringify({ words: 150 })}]]`);
    await page.keyboard.press("Enter");
    await expect(replies(page)).toHaveCount(turn + 1);
  }
  await page.getByTestId("composer").fill(`go [[script:tools ${JSON.stringify({ calls })}]]`);
  await page.keyboard.press("Enter");
  await expect(page.locator("[data-waits]")).toHaveCount(3);
  for (const zoom of [1, 2]) {
    await app.evaluate(({ BrowserWindow }, factor) => {
      const window = BrowserWindow.getAllWindows().find((one) => one.webContents.getURL().includes("/main/"));
      window?.webContents.setZoomFactor(factor);
    }, zoom);
    await page.keyboard.press("Control+f");
    const covered = new Set<string>();
    for (let stop = 0; stop < mostStops; stop++) {
      await page.keyboard.press("Tab");
      const fault = await page.evaluate(() => {
        const one = document.activeElement;
        if (!one || one === document.body) return null;
        const { left, right, top, bottom } = one.getBoundingClientRect();
        const xs = [left + 2, (left + right) / 2, right - 2];
        const ys = [top + 2, (top + bottom) / 2, bottom - 2];
        const isSeen = xs.some((x) =>
          ys.some((y) => {
            const hit = document.elementFromPoint(x, y);
            return hit !== null && (one.contains(hit) || hit.contains(one));
          }),
        );
        return isSeen ? null : one.outerHTML.slice(0, 160);
      });
      if (fault) covered.add(fault);
    }
    expect([...covered], `at ${zoom * 100} %`).toEqual([]);
  }
});
