import type { Page } from "playwright/test";
import { shots } from "../support/shots.ts";
import { expect, replies, send, test } from "../support/test.ts";

const composer = (page: Page) => page.getByTestId("composer");
const offered = (page: Page) => page.getByRole("listbox").getByRole("option");

test("@ stays in its place in the sentence, marked; where there is nothing to attach it says so", async ({
  startWithModel,
}) => {
  const { page } = await startWithModel({ files: { "my notes.md": "x", "notes.md": "y" } });
  await composer(page).fill("look at  and say something");
  for (let letter = 0; letter < " and say something".length; letter++)
    await composer(page).press("ArrowLeft");
  await composer(page).pressSequentially("@not");
  await offered(page)
    .filter({ hasText: /^notes\.md/ })
    .click();
  await expect(composer(page)).toHaveValue("look at @notes.md and say something");
  await expect(page.getByTestId("mentions").locator("mark")).toHaveText(["@notes.md"]);
  await shots(page, "mentioned");
  await composer(page).press("Enter");
  await expect(replies(page)).toHaveText("look at @notes.md and say something");
  await expect(page.getByTestId("message-user")).toContainText("look at @notes.md and say something");
  await composer(page).pressSequentially("and @my");
  await composer(page).press("Enter");
  await expect(composer(page)).toHaveValue('and @"my notes.md" ');
});

test("an @ in an empty folder says that there is nothing", async ({ start }) => {
  const { page } = await start();
  await composer(page).pressSequentially("@");
  await expect(page.getByText("There is nothing to attach in this folder.")).toBeVisible();
  await composer(page).press("Escape");
  await expect(page.getByText("There is nothing to attach in this folder.")).toHaveCount(0);
});

test("↑ in an empty text box recalls what was asked, ↓ goes forward again, and a draft is left alone", async ({
  start,
}) => {
  const { page } = await start();
  await send(page, "what is 1 + 1");
  await expect(replies(page)).toHaveCount(1);
  await send(page, "/help");
  await expect(page.getByTestId("command-answer")).toHaveCount(1);
  await send(page, "what is 2 + 2");
  await expect(replies(page)).toHaveCount(2);
  await composer(page).press("ArrowUp");
  await expect(composer(page)).toHaveValue("what is 2 + 2");
  await composer(page).press("ArrowUp");
  await expect(composer(page)).toHaveValue("/help");
  await composer(page).press("ArrowUp");
  await expect(composer(page)).toHaveValue("what is 1 + 1");
  await composer(page).press("ArrowUp");
  await expect(composer(page)).toHaveValue("what is 1 + 1");
  await composer(page).press("ArrowDown");
  await composer(page).press("ArrowDown");
  await composer(page).press("ArrowDown");
  await expect(composer(page)).toHaveValue("");
  await composer(page).fill("a draft");
  await composer(page).press("ArrowUp");
  await expect(composer(page)).toHaveValue("a draft");
});

test("undo goes back through what the program wrote, word by word through what was typed", async ({
  start,
}) => {
  const { page } = await start({ files: { "notes.md": "x" } });
  await composer(page).pressSequentially("look at @not");
  await composer(page).press("Enter");
  await composer(page).pressSequentially("today");
  await expect(composer(page)).toHaveValue("look at @notes.md today");
  await composer(page).press("Control+z");
  await expect(composer(page)).toHaveValue("look at @notes.md ");
  await composer(page).press("Control+z");
  await expect(composer(page)).toHaveValue("look at @not");
  await expect(page.getByTestId("attachment")).toHaveCount(0);
  await composer(page).press("Escape");
  await composer(page).press("Control+z");
  await expect(composer(page)).toHaveValue("look at ");
  await composer(page).press("Control+Shift+z");
  await composer(page).press("Control+y");
  await expect(composer(page)).toHaveValue("look at @notes.md ");
});

test("what is typed while no field has the keyboard lands in the text box", async ({ start }) => {
  const { page } = await start();
  await page.getByTestId("transcript").click();
  await page.evaluate(() => document.activeElement instanceof HTMLElement && document.activeElement.blur());
  await page.keyboard.type("hello there");
  await expect(composer(page)).toHaveValue("hello there");
  await page.getByTestId("search").focus();
  await page.keyboard.type("x");
  await expect(composer(page)).toHaveValue("hello there");
});

test("the words of a command are offered as they are typed", async ({ start }) => {
  const { page } = await start();
  await composer(page).pressSequentially("/effort ");
  await expect(offered(page)).toHaveText(["off", "low", "medium", "high", "default"]);
  await shots(page, "words");
  await composer(page).pressSequentially("me");
  await composer(page).press("Enter");
  await expect(composer(page)).toHaveValue("/effort medium");
  await composer(page).fill("/key weak ");
  await expect(offered(page)).toHaveText(["on", "off"]);
  await composer(page).press("ArrowDown");
  await composer(page).press("Enter");
  await expect(composer(page)).toHaveValue("/key weak off");
  // The line is whole as it is.
  await composer(page).fill("/session ");
  await expect(offered(page).first()).toHaveText("list");
  await composer(page).press("Enter");
  await expect(page.getByTestId("command-answer")).toHaveCount(1);
});

test("the names of models are offered for /model", async ({ startWithModel, model }) => {
  model.offers(["claude-opus-4-6", "claude-haiku-4-5"]);
  const { page } = await startWithModel();
  await composer(page).pressSequentially("/model haiku");
  await expect(offered(page)).toHaveText(["claude-haiku-4-5"]);
  await composer(page).press("Tab");
  await expect(composer(page)).toHaveValue("/model claude-haiku-4-5");
});

test("what the keys do is never cut while a run goes on", async ({ startWithModel }) => {
  const { page } = await startWithModel();
  await page.setViewportSize({ width: 1180, height: 800 });
  const calls = [{ name: "shell", input: { command: "echo 1" } }];
  await send(page, `[[script:tools ${JSON.stringify({ calls })}]]`);
  const hint = page.getByText("Enter sends after this run · Ctrl+Enter says it now");
  await expect(hint).toBeVisible();
  expect(await hint.evaluate(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)).toBe(false);
  await shots(page, "running");
  await page.setViewportSize({ width: 420, height: 760 });
  await shots(page, "narrow");
});

test("the button to talk says so until there is text to send", async ({ startWithModel }) => {
  const { page } = await startWithModel();
  const word = page.getByTestId("mic").getByText("Talk");
  await expect(word).toBeVisible();
  await composer(page).fill("something");
  await expect(word).toBeHidden();
  await composer(page).fill("");
  await expect(word).toBeVisible();
});

test("the keyboard stays in the text box when a prompt that waits is changed or removed", async ({
  startWithModel,
}) => {
  const { page } = await startWithModel();
  const calls = [{ name: "shell", input: { command: "echo 1" } }];
  await send(page, `[[script:tools ${JSON.stringify({ calls })}]]`);
  await expect(page.getByTestId("stop")).toBeVisible();
  await send(page, "and then this");
  const waiting = page.getByTestId("queue-item");
  await waiting.getByRole("button", { name: /^Edit/ }).click();
  await page.getByTestId("inline-edit").fill("and then that");
  await page.keyboard.press("Enter");
  await expect(waiting).toContainText("and then that");
  await expect(composer(page)).toBeFocused();
  await waiting.getByRole("button", { name: /^Remove/ }).click();
  await expect(waiting).toHaveCount(0);
  await expect(composer(page)).toBeFocused();
});

test("an empty reply says so, and is asked again", async ({ startWithModel }) => {
  const { page } = await startWithModel();
  await send(page, "[[script:empty]]");
  const error = page.getByTestId("transcript").getByText("The model sent an empty reply, twice.");
  await expect(error).toBeVisible();
  await shots(page, "empty-reply");
  await page.getByRole("button", { name: "Retry" }).click();
  // It is asked once more, by the same prompt.
  await expect(error).toHaveCount(2);
  await expect(page.getByTestId("message-user")).toHaveCount(1);
});

test("after Redo the prompt that the rewind put into the text box is gone from it", async ({ start }) => {
  const { page } = await start();
  await send(page, "what is 6 * 7");
  await expect(replies(page)).toHaveCount(1);
  await page.getByTestId("message-user").hover();
  await page.getByRole("button", { name: "Rewind to" }).first().click();
  await page
    .getByTestId("rewind-dialog")
    .getByRole("button", { name: /^Rewind/ })
    .click();
  await page.keyboard.press("Escape");
  await expect(composer(page)).toHaveValue("what is 6 * 7");
  await page.getByTestId("note").getByRole("button", { name: "Redo" }).click();
  await expect(replies(page)).toHaveCount(1);
  await expect(composer(page)).toHaveValue("");
});

test("/session resume offers conversations by their titles, and opens the one that is chosen", async ({
  start,
}) => {
  const { page } = await start();
  await send(page, "what is 1 + 1");
  await expect(replies(page)).toHaveCount(1);
  await page.keyboard.press("ControlOrMeta+n");
  await expect(page.getByTestId("welcome")).toBeVisible();
  await composer(page).pressSequentially("/session resume 1 +");
  await expect(offered(page)).toHaveText([/^what is 1 \+ 1/]);
  await shots(page, "sessions-offered");
  await composer(page).press("Tab");
  await expect(composer(page)).toHaveValue("/session resume what is 1 + 1");
  await composer(page).press("Enter");
  await expect(replies(page)).toHaveCount(1);
});

test("answers of commands show their facts in rows", async ({ start }) => {
  const { page } = await start();
  await send(page, "what is 1 + 1");
  await expect(replies(page)).toHaveCount(1);
  await send(page, "/session");
  const answer = page.getByTestId("command-answer").last();
  await expect(answer.getByTestId("answer-facts").locator("dt")).toHaveText(["Model", "Used", "Folder"]);
  await send(page, "/voice");
  await expect(answer.getByTestId("answer-facts").locator("dt")).toContainText(["Heard", "Queue"]);
  await shots(page, "answers");
  await send(page, "/help");
  await expect(answer.getByTestId("answer-rows").locator("dt").first()).toHaveText("/help");
  await expect(answer.getByTestId("answer-rows").locator("dd").first()).toHaveText("What you can type here");
  await shots(page, "help");
});
