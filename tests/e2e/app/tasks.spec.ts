import type { Page } from "playwright/test";
import { faultsOf, watchTranscript } from "../support/oracle.ts";
import { shots } from "../support/shots.ts";
import { expect, press, replies, send, test } from "../support/test.ts";

const script = (name: string, args: object) => `[[script:${name} ${JSON.stringify(args)}]]`;
const update = (...states: string[]) => ({
  name: "update_tasks",
  input: { tasks: states.map((state, place) => ({ text: `${steps[place]}`, state })) },
});
const steps = ["Read the commits", "Draft the notes", "Write them into the changelog", "Commit and tag"];
const question = { name: "ask_user", input: { question: "Which tag?", options: [{ label: "2.4" }] } };
const panel = (page: Page) => page.getByTestId("tasks");
const states = (page: Page) =>
  panel(page)
    .locator("li")
    .evaluateAll((rows) => rows.map((row) => row.getAttribute("data-state")));
const row = (page: Page) => page.getByTestId("conversation-item").first();

test("the list of tasks is one quiet line, a part of the panel and a mark on the row; it is that of the path, also after a restart", async ({
  startWithModel,
}) => {
  const first = await startWithModel();
  const { page } = first;
  await expect(panel(page)).toHaveCount(0);
  const samples = await watchTranscript(page);
  await send(
    page,
    `Release notes ${script("tools", { calls: [update("done", "in_progress", "cancelled", "pending"), question] })}`,
  );
  await expect(page.getByTestId("task-line")).toHaveText("Updated tasks: 1 of 3 done");
  await expect(panel(page).locator("h2")).toHaveText("Tasks 1 of 3");
  expect(await states(page)).toEqual(["done", "in_progress", "cancelled", "pending"]);
  await expect(row(page)).toContainText("Question for you · 1 of 3 tasks");
  await expect(page.getByTestId("approval")).toHaveCount(0);
  await shots(page, "tasks");
  await page.getByRole("button", { name: "2.4" }).click();
  await expect(replies(page)).toContainText("Results:");
  await expect(row(page)).not.toContainText("of 3");

  await send(page, `Go on ${script("tools", { calls: [update("done", "done", "done", "done")] })}`);
  await expect(panel(page).locator("h2")).toHaveText("Tasks 4 of 4");
  await expect(replies(page)).toHaveCount(2);
  expect(faultsOf(await samples())).toEqual([]);
  const prompt = page.getByTestId("message-user").last();
  await prompt.hover();
  // Its actions stand beside it.
  await prompt.locator("xpath=..").getByRole("button", { name: "Edit", exact: true }).click();
  await page.getByTestId("prompt-editor").fill("Stop here");
  await page.getByTestId("prompt-editor").press("Enter");
  await expect(replies(page).last()).toHaveText("Stop here");
  await expect(panel(page).locator("h2")).toHaveText("Tasks 1 of 3");
  await first.close();

  const again = await startWithModel({ home: first.home });
  await expect(panel(again.page).locator("h2")).toHaveText("Tasks 1 of 3");
  await expect(again.page.getByTestId("task-line")).toHaveText(["Updated tasks: 1 of 3 done"]);
});

test("a sub-agent is one line that counts its steps and says what it does; it opens to them and to its answer, also after a restart", async ({
  startWithModel,
}) => {
  const first = await startWithModel({ files: { "notes.txt": "a line\n" } });
  const { page } = first;
  const calls = [
    { name: "read_file", input: { path: "notes.txt" } },
    { name: "list_directory", input: { path: "." } },
    { name: "write_file", input: { path: "made.txt", content: "made" } },
  ];
  const task = `Check every link ${script("tools", { calls })}`;
  const samples = await watchTranscript(page);
  // What stands in the argument must not look like the end of the script that it is an argument of.
  await send(page, `[[script:delegate ${JSON.stringify({ text: task }).replaceAll("]", "\\u005d")}]]`);
  const agent = page.getByTestId("agent-card").first();
  await expect(page.getByTestId("approval")).toContainText("made.txt");
  await expect(agent).toHaveAttribute("data-status", "running");
  await expect(agent.getByTestId("agent-summary").first()).toContainText("Check every link");
  await expect(agent.getByTestId("agent-summary").first()).toContainText("3 steps");
  await expect(agent).toHaveAttribute("data-mark", "waiting");
  await expect(agent.getByTestId("agent-now")).toHaveText("Needs approval · Writing made.txt");
  const asking = page.getByTestId("asking-agent");
  await expect(asking).toContainText("Check every link");
  // The task is long, and the line is one.
  expect(
    await asking.evaluate(
      (one) => one.clientHeight < 2 * Number.parseFloat(getComputedStyle(one).lineHeight),
    ),
  ).toBe(true);
  const wait = page.getByTestId("tool-card").last();
  await expect(wait.getByTestId("tool-summary")).toContainText("Waiting for");
  await expect(wait.getByTestId("tool-summary")).toContainText("Check every link");

  await agent.getByTestId("agent-summary").first().click();
  const inside = agent.getByTestId("agent-steps").getByTestId("tool-card");
  await expect(inside).toHaveCount(3);
  await expect(inside.nth(0)).toHaveAttribute("data-status", "done");
  await expect(inside.nth(2)).toHaveAttribute("data-status", "running");
  await expect(inside.nth(2)).toHaveAttribute("data-mark", "waiting");
  await shots(page, "sub-agent-running");
  await press(page.getByTestId("allow"));

  await expect(replies(page).last()).toContainText("completed after 2 turns");
  await expect(agent).toHaveAttribute("data-status", "completed");
  await expect(agent.getByTestId("agent-now")).toHaveCount(0);
  await expect(inside.nth(2)).toHaveAttribute("data-status", "done");
  await expect(agent.getByTestId("agent-answer")).toContainText("Results:");
  await expect(wait.getByTestId("tool-summary")).toContainText("Waited for");
  await inside.nth(0).getByTestId("tool-summary").click();
  await expect(inside.nth(0).getByTestId("tool-inside")).toContainText("a line");
  await shots(page, "sub-agent-open");
  expect(faultsOf(await samples())).toEqual([]);
  await first.close();

  const again = await startWithModel({ home: first.home });
  const kept = again.page.getByTestId("agent-card");
  await expect(kept).toHaveAttribute("data-status", "completed");
  await expect(kept.getByTestId("agent-summary").first()).toContainText("3 steps");
  await expect(again.page.getByTestId("tool-card").last().getByTestId("tool-summary")).toContainText(
    "Waited for",
  );
  await kept.getByTestId("agent-summary").first().click();
  await expect(kept.getByTestId("agent-steps").getByTestId("tool-card")).toHaveCount(3);
  await expect(kept.getByTestId("agent-answer")).toContainText("Results:");
  await shots(again.page, "sub-agent-kept");
});
