import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { cardsStand, expect, press, replies, send, test } from "../support/test.ts";

/** A prompt whose answer is these calls, and then their results. */
const calling = (...calls: { name: string; input: unknown }[]) =>
  `do it [[script:tools ${JSON.stringify({ calls })}]]`;

test("a change asks first: nothing is written before Allow, and the card shows what will change", async ({
  startWithModel,
}) => {
  const { page, home } = await startWithModel({ files: { "notes.txt": "the cat sat\r\n" } });
  const file = join(home, "Parley", "notes.txt");
  const input = { path: "notes.txt", old_string: "cat", new_string: "dog" };
  await send(page, calling({ name: "edit_file", input }));
  const card = page.getByTestId("approval");
  await expect(card).toContainText("Make this change?");
  await expect(card.locator('[data-sign="+"]')).toContainText("+the dog sat");
  expect(readFileSync(file, "utf8")).toBe("the cat sat\r\n");
  await press(page.getByTestId("allow"));
  await expect(replies(page)).toContainText("Results:");
  expect(readFileSync(file, "utf8")).toBe("the dog sat\r\n");
  await expect(page.getByTestId("decision")).toHaveAttribute("data-status", "allowed");
});

test("a denial reaches the model with its reason, and nothing ran", async ({ startWithModel, model }) => {
  const { page, home } = await startWithModel();
  await send(page, calling({ name: "shell", input: { command: "touch made" } }));
  await expect(page.getByTestId("approval").locator("pre")).toContainText("touch made");
  await page.getByRole("button", { name: "More answers" }).click();
  await press(page.getByRole("menuitem", { name: "Deny with a reason…" }));
  await page.getByPlaceholder(/Reason/).fill("not here");
  await page.keyboard.press("Enter");
  await expect(replies(page)).toContainText("not here");
  expect(JSON.stringify(model.requests[1]?.body.messages.at(-1))).toContain('"is_error":true');
  expect(existsSync(join(home, "Parley", "made"))).toBe(false);
});

test("a shell command shows its output while it runs, and Esc ends it with all it started", async ({
  startWithModel,
}) => {
  const { page, home, processes } = await startWithModel();
  // In the fence its numbers are others: it is known by its own words.
  const words = "sleep 300.25";
  const command = `echo started; ${words} & echo $! > child; wait`;
  await send(page, calling({ name: "shell", input: { command } }));
  await cardsStand(page);
  await page.keyboard.press("Control+Shift+Y");
  const card = page.getByTestId("tool-card");
  await expect(card.locator("pre").last()).toContainText("started");
  const child = join(home, "Parley", "child");
  await expect.poll(() => existsSync(child) && readFileSync(child, "utf8").trim() !== "").toBe(true);
  const running = () => processes().filter((pid) => commandLine(pid).startsWith(words));
  await expect.poll(running).toHaveLength(1);
  await page.keyboard.press("Escape");
  await expect(page.getByTestId("note").last()).toHaveText("You stopped this reply.");
  await expect.poll(running).toEqual([]);
  await send(page, "still there?");
  await expect(replies(page).last()).toHaveText("still there?");
});

test("the model asks and the answer goes on with the run", async ({ startWithModel }) => {
  const { page } = await startWithModel();
  const input = { question: "Which colour?", options: [{ label: "Red" }, { label: "Green" }] };
  await send(page, calling({ name: "ask_user", input }));
  await expect(page.getByTestId("question")).toContainText("Which colour?");
  await page.getByRole("button", { name: "Green" }).click();
  await expect(replies(page)).toContainText("Green");
});

test("words said into a running turn enter it before its next step", async ({ startWithModel, model }) => {
  const { page } = await startWithModel();
  await send(page, 'go [[script:text {"words":6,"hold":"half","at":3}]]');
  await model.held("half");
  await page.getByTestId("composer").fill("make it shorter");
  await page.getByTestId("composer").press("Control+Enter");
  await expect(page.getByTestId("steering-item")).toContainText("make it shorter");
  model.release("half");
  await expect(replies(page)).toHaveCount(2);
  await expect(replies(page).last()).toHaveText("make it shorter");
  await expect(page.getByTestId("steering-item")).toHaveCount(0);
  await expect(page.getByTestId("message-user")).toHaveCount(2);
  expect(model.requests).toHaveLength(2);
});

test("a sub-agent works on its own and reports", async ({ startWithModel, model }) => {
  const { page } = await startWithModel();
  await send(page, 'hand it over [[script:delegate {"text":"count the sheep"}]]');
  await expect(replies(page)).toContainText("completed after 1 turn");
  await expect(replies(page)).toContainText("count the sheep");
  await expect(page.getByTestId("message-user")).toHaveCount(1);
  const own = model.requests.find(({ body }) =>
    JSON.stringify(body.messages[0]).includes('count the sheep"'),
  );
  expect(own?.body.messages).toHaveLength(1);
});

test("grep, glob and reading run without asking", async ({ startWithModel }) => {
  const { page } = await startWithModel({ files: { "a.txt": "needle\n", "b.md": "hay\n" } });
  await send(
    page,
    calling(
      { name: "grep", input: { pattern: "needle" } },
      { name: "glob", input: { pattern: "*.md" } },
      { name: "read_file", input: { path: "a.txt" } },
    ),
  );
  await expect(replies(page)).toContainText("a.txt");
  await expect(replies(page)).toContainText("b.md");
  await expect(page.getByTestId("approval")).toHaveCount(0);
});

test("what was said is there after a restart, and the model gets it again", async ({
  startWithModel,
  model,
}) => {
  const first = await startWithModel();
  await send(first.page, "remember the milk");
  await expect(replies(first.page)).toHaveText("remember the milk");
  await first.close();
  const second = await startWithModel({ home: first.home });
  await second.page.getByTestId("conversation-item").filter({ hasText: "remember the milk" }).click();
  await expect(second.page.getByTestId("message-user")).toContainText("remember the milk");
  await expect(replies(second.page)).toHaveText("remember the milk");
  await send(second.page, "and the eggs");
  await expect(replies(second.page).last()).toHaveText("and the eggs");
  expect(JSON.stringify(model.requests.at(-1)?.body.messages)).toContain("remember the milk");
});

test("Ctrl+C in the terminal stops the run first and quits the second time", async ({
  startWithModel,
  model,
}) => {
  const { app, page } = await startWithModel();
  await send(page, 'go [[script:text {"hold":"never"}]]');
  await model.held("never");
  const pid = await app.evaluate(() => process.pid);
  process.kill(pid, "SIGINT");
  await expect(page.getByTestId("note").last()).toHaveText("You stopped this reply.");
  const closed = app.waitForEvent("close");
  process.kill(pid, "SIGINT");
  await closed;
});

function commandLine(pid: number): string {
  const path = `/proc/${pid}/cmdline`;
  return existsSync(path) ? readFileSync(path, "utf8").replaceAll("\0", " ") : "";
}
