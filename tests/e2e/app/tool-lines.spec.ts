import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Locator, Page } from "playwright/test";
import { shots } from "../support/shots.ts";
import { cardsStand, expect, press, replies, send, test } from "../support/test.ts";
import { trustCard } from "../support/trust.ts";
import { resize } from "../support/window-states.ts";

const calling = (prompt: string, ...calls: { name: string; input: unknown }[]) =>
  `${prompt} [[script:tools ${JSON.stringify({ calls })}]]`;
const shell = (command: string) => ({ name: "shell", input: { command } });
const cards = (page: Page) => page.locator('[data-testid="approval"][data-status="waiting"]');
/** Those that take an answer: they stand where they stand for long enough. */
const composer = (page: Page) => page.getByTestId("composer");
/** Their middles are as far down. */
const standInOneLine = (parts: Locator) =>
  parts.evaluateAll((all) => {
    const middles = all.map((one) => {
      const { top, bottom } = one.getBoundingClientRect();
      return (top + bottom) / 2;
    });
    return Math.max(...middles) - Math.min(...middles) < 2;
  });

test("what was only looked at folds into one line; an edit shows its diff, a failure its mark, and lines stay open", async ({
  startWithModel,
}) => {
  const { page } = await startWithModel({
    files: { "CHANGELOG.md": "# Changes\n\n## 2.4.0\n- Various fixes\n", "b.txt": "b\n" },
    settings: { permissionMode: "work" },
  });
  const edit = {
    path: "CHANGELOG.md",
    old_string: "- Various fixes",
    new_string: "- Various repairs\n- Search",
  };
  const calls = [
    { name: "read_file", input: { path: "CHANGELOG.md" } },
    { name: "read_file", input: { path: "b.txt" } },
    { name: "list_directory", input: { path: "." } },
    { name: "edit_file", input: edit },
    { name: "read_file", input: { path: "missing.txt" } },
  ];
  await send(page, calling("Put it into the changelog.", ...calls));
  await expect(replies(page)).toHaveCount(1);
  const group = page.getByTestId("tool-group");
  await expect(group).toContainText("Read 2 files, listed 1 folder");
  const lines = page.getByTestId("tool-card");
  await expect(lines).toHaveCount(2);
  await expect(lines.nth(0)).toContainText("Edited CHANGELOG.md");
  await expect(lines.nth(0)).toContainText("+2−1");
  await expect(lines.nth(1)).toHaveAttribute("data-mark", "failed");
  // The newest change shows by itself, and nothing but the change.
  await expect(lines.nth(0).locator('[data-sign="-"]')).toHaveText("4-- Various fixes");
  await expect(lines.nth(0).locator('[data-sign="-"] mark')).toHaveText("fixes");
  await expect(lines.nth(0)).not.toContainText("@@");
  await page.getByTestId("tool-group-summary").click();
  await expect(lines).toHaveCount(5);
  await expect(lines.nth(2)).toContainText("Listed .");
  await shots(page, "tool-lines");

  // What was opened is open again.
  await page.keyboard.press("ControlOrMeta+N");
  await expect(page.getByTestId("welcome")).toBeVisible();
  await page.getByTestId("conversation-item").last().click();
  await expect(lines).toHaveCount(5);
  await expect(lines.nth(3).getByTestId("tool-inside")).toBeVisible();
});

test("a command that runs for a while shows what it says, and folds again when it is done; what was touched stays", async ({
  startWithModel,
}) => {
  const { page, home } = await startWithModel({ settings: { permissionMode: "work" } });
  const waiting = (until: string) => shell(`seq 1 30; until [ -e ${until} ]; do sleep 0.1; done; echo end`);
  const line = page.getByTestId("tool-card");
  const inside = page.getByTestId("tool-inside");
  await send(page, calling("count", waiting("go")));
  await expect(line).toHaveAttribute("data-mark", "running");
  await expect(inside).toHaveCount(0);
  await expect(inside).toContainText("… 20 lines above");
  await expect(inside).toContainText("30");
  await shots(page, "running-command");
  writeFileSync(join(home, "Parley", "go"), "");
  await expect(line).toHaveAttribute("data-mark", "done");
  await expect(inside).toHaveCount(0);

  await send(page, calling("count again", waiting("went")));
  await expect(inside).toBeVisible();
  await line.last().getByTestId("tool-summary").click();
  await expect(inside).toHaveCount(0);
  await line.last().getByTestId("tool-summary").click();
  await expect(inside).toBeVisible();
  writeFileSync(join(home, "Parley", "went"), "");
  await expect(line.last()).toHaveAttribute("data-mark", "done");
  await expect(inside).toContainText("end");
});

test("a match inside of a folded call opens it", async ({ startWithModel }) => {
  const { page } = await startWithModel({ files: { "a.txt": "apples\n", "b.txt": "hidden pears\n" } });
  const reading = ["a.txt", "b.txt"].map((path) => ({ name: "read_file", input: { path } }));
  await send(page, calling("read", ...reading));
  await expect(replies(page)).toHaveCount(1);
  await send(page, "nothing");
  await expect(replies(page)).toHaveCount(2);
  await page.keyboard.press("ControlOrMeta+f");
  await page.getByTestId("find-text").fill("hidden pears");
  await page.keyboard.press("Shift+Enter");
  await expect(page.getByTestId("tool-output")).toHaveCount(1);
  await expect(page.getByTestId("tool-output")).toContainText("hidden pears");
  await shots(page, "found-in-group");
});

test("all of an output is there, also what was cut for the model, and after a restart", async ({
  startWithModel,
}) => {
  const first = await startWithModel({
    settings: { permissionMode: "work", toolOutputLimits: { shell: 500 } },
  });
  await send(first.page, calling("count", shell("seq 1 2000")));
  await expect(replies(first.page)).toHaveCount(1);
  const look = async (page: Page) => {
    await page.getByTestId("tool-summary").click();
    await expect(page.getByTestId("tool-output")).not.toContainText("\n1000\n");
    await page.getByTestId("show-all").click();
    await expect(page.getByTestId("tool-output")).toContainText("\n1000\n");
  };
  await look(first.page);
  await first.close();
  const again = await startWithModel({ home: first.home });
  await look(again.page);
});

// Bug: after a restart nobody could tell any longer what a file had been that was written anew.
test("what a file was before it was replaced is shown after a restart, too", async ({ startWithModel }) => {
  const first = await startWithModel({
    files: { "notes.txt": "one\ntwo\nthree\n" },
    settings: { permissionMode: "work" },
  });
  const input = { path: "notes.txt", content: "one\n2\nthree\n" };
  await send(first.page, calling("write it", { name: "write_file", input }));
  await expect(replies(first.page)).toHaveCount(1);
  const look = async (page: Page) => {
    const line = page.getByTestId("tool-card");
    await expect(line).toContainText("+1−1");
    if ((await line.locator("[data-sign]").count()) === 0) await line.getByTestId("tool-summary").click();
    await expect(line.locator('[data-sign="-"]')).toContainText("two");
    await expect(line.locator('[data-sign="+"]')).toContainText("2");
  };
  await look(first.page);
  await first.close();
  const again = await startWithModel({ home: first.home });
  await look(again.page);
});

test("cards stand in the order of their calls, and one bar counts them, leads to them and answers all", async ({
  startWithModel,
}) => {
  const first = await startWithModel();
  const { page, home } = first;
  const made = (file: string) => existsSync(join(home, "Parley", file));
  await send(page, 'a long reply first [[script:text {"words":1500}]]');
  await expect(replies(page)).toHaveCount(1);
  const order = ["touch one", "touch two", "touch three"];
  await send(page, calling("do them", ...order.map(shell)));
  await expect(cards(page)).toHaveCount(3);
  await expect(cards(page).locator("pre")).toHaveText(order);
  const bar = page.getByTestId("waits");
  await expect(bar).toContainText("3 waiting");
  await expect(page.getByTestId("announcer")).toContainText("Needs approval");
  // Where the user reads further up, the bar says what waits and goes there.
  await page.getByTestId("transcript").evaluate((log) => log.scrollTo(0, 0));
  await expect(bar).toHaveAttribute("data-in-sight", "false");
  await shots(page, "approvals-far");
  await bar.getByTestId("show-waiting").click();
  await expect(cards(page).first()).toBeFocused();
  await cardsStand(page, 3);
  await shots(page, "approvals-near");
  await page.keyboard.press("n");
  await expect(cards(page)).toHaveCount(2);
  await expect(page.getByTestId("tool-card").first()).toHaveAttribute("data-mark", "denied");
  await cardsStand(page, 2);
  await press(page.getByTestId("allow-all"));
  await expect(replies(page)).toHaveCount(2);
  expect(order.map((command) => made(command.split(" ")[1] ?? ""))).toEqual([false, true, true]);
  await expect(bar).toHaveCount(0);
  await shots(page, "approvals-answered");
  await first.close();

  // Bug: in a conversation that was opened again, what the user had not allowed stood there as a failure.
  const { page: again } = await startWithModel({ home: first.home });
  const line = again.getByTestId("tool-card").first();
  await expect(line).toHaveAttribute("data-mark", "denied");
  await shots(again, "denied-again");
});

test("two presses on Allow answer one card, whatever comes into its place", async ({ startWithModel }) => {
  const { page, home } = await startWithModel();
  await send(page, calling("do them", shell("touch one"), shell("touch two")));
  await cardsStand(page, 2);
  await cards(page).first().getByTestId("allow").dblclick();
  await expect(cards(page)).toHaveCount(1);
  await cardsStand(page);
  expect(existsSync(join(home, "Parley/two"))).toBe(false);
});

test("the keys go to the conversation that waits, and answer nothing before", async ({ startWithModel }) => {
  const parley = await startWithModel();
  const { page, home } = parley;
  await send(page, calling("do it", shell("touch made")));
  await expect(cards(page)).toHaveCount(1);
  await page.keyboard.press("ControlOrMeta+N");
  await expect(page.getByTestId("welcome")).toBeVisible();
  await expect(page.getByTestId("waits-elsewhere")).toContainText("Needs approval");
  await shots(page, "approval-elsewhere");
  await resize(parley, 420);
  await expect(page.getByTestId("waits-elsewhere")).toBeInViewport({ ratio: 1 });
  await shots(page, "approval-elsewhere-narrow");
  await page.keyboard.press("ControlOrMeta+Shift+Y");
  await expect(cards(page)).toBeFocused();
  expect(existsSync(join(home, "Parley/made"))).toBe(false);
  // Its keys are shown while it has the keyboard.
  await composer(page).focus();
  expect(await standInOneLine(cards(page).getByRole("button"))).toBe(true);
  expect(await standInOneLine(cards(page).locator("b, time"))).toBe(true);
  await cardsStand(page);
  await shots(page, "approval-narrow");
  await page.keyboard.press("ControlOrMeta+Shift+Y");
  await expect(replies(page)).toHaveCount(1);
  expect(existsSync(join(home, "Parley/made"))).toBe(true);
});

test("the keyboard is back in the text box after every card and question", async ({ startWithModel }) => {
  const { page } = await startWithModel({ files: { "AGENTS.md": "Be kind.\n" } });
  const isBack = () => expect(composer(page)).toBeFocused();
  await expect(trustCard(page)).toBeVisible();
  await trustCard(page).getByRole("button").last().click();
  await expect(trustCard(page)).toHaveCount(0);
  await isBack();

  await send(page, calling("do it", shell("touch by-click")));
  await press(cards(page).getByTestId("allow"));
  await expect(replies(page)).toHaveCount(1);
  await isBack();

  await send(page, calling("do it", shell("touch by-key")));
  await cardsStand(page);
  await page.keyboard.press("ControlOrMeta+Shift+A");
  await expect(cards(page)).toBeFocused();
  await cardsStand(page);
  await page.keyboard.press("r");
  await page.keyboard.type("not today");
  await page.keyboard.press("Escape");
  await expect(cards(page)).toBeFocused();
  await cardsStand(page);
  await page.keyboard.press("r");
  await expect(page.getByTestId("deny-reason")).toHaveValue("not today");
  await page.keyboard.press("Enter");
  await expect(replies(page)).toHaveCount(2);
  await expect(page.getByTestId("decision").last()).toHaveText("“not today”");
  await isBack();

  const options = [{ label: "This" }, { label: "That" }];
  await send(page, calling("ask", { name: "ask_user", input: { question: "Which?", options } }));
  await press(page.getByRole("button", { name: "That" }));
  await expect(replies(page)).toHaveCount(3);
  await isBack();
});
