import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright/test";
import { expect, press, replies, send, test } from "../support/test.ts";

const calling = (...calls: { name: string; input: unknown }[]) =>
  `do it [[script:tools ${JSON.stringify({ calls })}]]`;
const writing = (path: string) => ({ name: "write_file", input: { path, content: "x" } });
const cards = (page: Page) => page.locator('[data-testid="approval"][data-status="waiting"]');
/** Those that take an answer: they stand where they stand for long enough. */
const settled = (page: Page) => page.locator("[data-waits]:not([data-fresh])");
const settingsIn = (userData: string) => JSON.parse(readFileSync(join(userData, "settings.json"), "utf8"));

test("several calls wait where they stand; the keyboard alone answers them, and always is written down", async ({
  startWithModel,
}) => {
  const { page, home } = await startWithModel({ files: { "notes.txt": "one\ntwo\nthree\n" } });
  const command = { name: "shell", input: { command: "touch made" } };
  const edit = { name: "edit_file", input: { path: "notes.txt", old_string: "two", new_string: "2" } };
  await send(page, calling(command, edit));
  await expect(cards(page)).toHaveCount(2);
  await expect(cards(page).first()).toContainText("touch made");
  await cards(page).first().getByTestId("more-answers").click();
  await expect(page.getByTestId("longer-always")).toContainText("exactly the command touch made");
  await page.keyboard.press("Escape");
  await expect(cards(page).nth(1).locator('[data-sign="-"]')).toHaveText("2-two");
  await expect(cards(page).nth(1).locator('[data-sign="+"]')).toHaveText("2+2");
  await expect(cards(page).nth(1).getByTestId("allow-session")).toContainText("Allow edits in this folder");
  await page.keyboard.press("ControlOrMeta+Shift+A");
  await expect(settled(page).first()).toBeFocused();
  await page.keyboard.press("a");
  await expect(cards(page)).toHaveCount(1);
  // Bug: the next card had the keyboard at once, so that a key pressed twice answered what nobody had read.
  await expect(page.getByTestId("composer")).toBeFocused();
  await page.keyboard.press("a");
  await page.keyboard.press("y");
  await expect(page.getByTestId("composer")).toHaveValue("ay");
  await expect(cards(page)).toHaveCount(1);
  await page.getByTestId("composer").fill("");
  await page.keyboard.press("ControlOrMeta+Shift+A");
  await expect(settled(page).first()).toBeFocused();
  await page.keyboard.press("y");
  await expect(replies(page)).toHaveCount(1);
  expect(existsSync(join(home, "Parley", "made"))).toBe(true);
  expect(readFileSync(join(home, "Parley", "notes.txt"), "utf8")).toBe("one\n2\nthree\n");

  await send(page, calling(command));
  await expect(replies(page)).toHaveCount(2);
  await expect(cards(page)).toHaveCount(0);
  await send(page, "/permissions");
  await expect(page.getByTestId("command-answer").last()).toContainText(
    "allow exactly the command touch made",
  );
});

test("the level is one key away: what Look only refuses never asks", async ({ startWithModel }) => {
  const { page, home } = await startWithModel();
  const level = page.getByTestId("level");
  await expect(level).toHaveAttribute("data-level", "ask");
  await page.keyboard.press("ControlOrMeta+Shift+P");
  await expect(page.getByTestId("level-ask")).toBeFocused();
  for (const [id, label] of [
    ["look", "Look only"],
    ["ask", "Ask first"],
    ["work", "Work here"],
  ]) {
    await expect(page.getByTestId(`level-${id}`)).toContainText(label ?? "");
  }
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("Enter");
  await expect(level).toHaveAttribute("data-level", "look");
  await expect(level).toBeFocused();
  await send(page, calling(writing("a.txt")));
  await expect(replies(page)).toContainText("Look only");
  await expect(cards(page)).toHaveCount(0);
  expect(existsSync(join(home, "Parley", "a.txt"))).toBe(false);
});

test("where the fence is switched off the header says so, and Work here cannot be chosen", async ({
  startWithModel,
}) => {
  const { page } = await startWithModel({ settings: { fence: "off", permissionMode: "work" } });
  await expect(page.getByTestId("no-fence")).toBeVisible();
  await expect(page.getByTestId("level")).toHaveAttribute("data-level", "ask");
  await page.getByTestId("level").click();
  await expect(page.getByTestId("level-work")).toHaveAttribute("aria-disabled", "true");
  await expect(page.getByTestId("fence-state")).toContainText("turned off");
  await page.getByTestId("level-work").click({ force: true });
  await expect(page.getByTestId("level")).toHaveAttribute("data-level", "ask");
  await page.keyboard.press("Escape");
  // Edits stay allowed; commands ask, and none of them can be run “outside” of what is not there.
  await send(page, calling(writing("a.txt"), { name: "shell", input: { command: "ls" } }));
  await expect(cards(page)).toHaveCount(1);
  await expect(cards(page).getByTestId("run-outside")).toHaveCount(0);
  await press(cards(page).getByTestId("deny"));
  await expect(replies(page)).toContainText("did not allow shell");
});

test("edits in the folder are allowed from the first edit's card, for the conversation", async ({
  startWithModel,
}) => {
  const { page, home } = await startWithModel();
  await send(page, calling(writing("a.txt")));
  await press(cards(page).getByTestId("allow-session"));
  await expect(replies(page)).toHaveCount(1);
  await send(page, calling(writing("b.txt")));
  await expect(replies(page)).toHaveCount(2);
  expect(existsSync(join(home, "Parley", "b.txt"))).toBe(true);
});

test("auto of an earlier version asks until it is chosen once, and old rules are offered once", async ({
  startWithModel,
}) => {
  const { page, userData } = await startWithModel({
    settings: {
      permissionMode: "auto",
      permissionRules: [
        { verdict: "allow", command: "git status" },
        { verdict: "allow", command: "npm test" },
        { verdict: "deny", command: "git push" },
      ],
    },
  });
  await expect(page.getByTestId("level")).toHaveAttribute("data-level", "ask");
  await expect(page.getByTestId("confirm-work")).toContainText("Work here");
  await page.getByTestId("look-at-rules").click();
  await expect(page.getByTestId("old-rule")).toHaveCount(2);
  await page.getByTestId("old-rule").first().getByRole("button", { name: "Allow git status *" }).click();
  await expect(page.getByTestId("old-rule")).toHaveCount(1);
  await page.getByTestId("keep-rules").click();
  await expect(page.getByTestId("review-rules")).toHaveCount(0);
  await page.getByTestId("use-ask").click();
  await expect(page.getByTestId("confirm-work")).toHaveCount(0);
  expect(settingsIn(userData)).toMatchObject({
    permissionMode: "ask",
    permissionRules: [
      { verdict: "allow", command: "git status *" },
      { verdict: "allow", command: "npm test", exact: true },
      { verdict: "deny", command: "git push" },
    ],
  });
});
