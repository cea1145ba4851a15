import { faultsOf, watchTranscript } from "../support/oracle.ts";
import { expect, replies, send, test } from "../support/test.ts";

test("a typed prompt streams its reply in order, each message shown exactly once, also in between", async ({
  startWithModel,
  model,
}) => {
  const { page } = await startWithModel();
  const samples = await watchTranscript(page);
  await send(page, 'first [[script:text {"words":40,"hold":"middle","at":20}]]');
  await model.held("middle");
  const streaming = page.locator('[data-testid="message-assistant"][data-streaming="true"]');
  await expect(streaming).toHaveText(/^word-1 .*word-20$/);
  await expect(page.getByTestId("stop")).toBeVisible();
  model.release("middle");
  await expect(replies(page)).toHaveText([/^word-1 .*word-40$/]);
  await send(page, "second prompt");
  await expect(replies(page)).toHaveText([/^word-1 .*word-40$/, "second prompt"]);
  await expect(page.getByTestId("message-user")).toHaveCount(2);
  expect(faultsOf(await samples())).toEqual([]);
  expect(await page.getByTestId("transcript").locator("[data-key]").count()).toBe(4);
});

test("a tool round: parallel calls become cards, their results go back, the answer follows", async ({
  startWithModel,
  model,
}) => {
  const { page } = await startWithModel({ files: { "notes.txt": "the cat sat\n" } });
  const calls = [
    { name: "list_directory", input: { path: "." } },
    { name: "read_file", input: { path: "notes.txt" } },
    { name: "read_file", input: { path: "missing.txt" } },
  ];
  await send(page, `look around [[script:tools ${JSON.stringify({ calls })}]]`);
  await expect(replies(page).last()).toContainText("Results:");
  // What was only looked at is one line; what failed stands beside it.
  await expect(page.getByTestId("tool-card")).toHaveCount(1);
  await expect(page.getByTestId("tool-group")).toContainText("Listed 1 folder, read 1 file");
  await page.getByTestId("tool-group-summary").click();
  await expect(page.getByTestId("tool-card")).toHaveCount(3);
  const [, second] = model.requests;
  const results = second?.body.messages.at(-1)?.content;
  expect(results?.map(({ is_error }) => is_error ?? false)).toEqual([false, false, true]);
  expect(JSON.stringify(results)).toContain("the cat sat");
  await expect(replies(page).last()).toContainText("notes.txt");
});

test("while the model is silent, a quiet line says what is going on", async ({ startWithModel, model }) => {
  const { page } = await startWithModel();
  await send(page, 'think [[script:text {"hold":"first","at":0}]]');
  await model.held("first");
  await expect(page.getByTestId("activity")).toBeVisible();
  model.release("first");
  await expect(replies(page)).toHaveCount(1);
  await expect(page.getByTestId("activity")).toBeHidden();
});

test("Esc stops the run: what was said stays, and the next prompt works", async ({
  startWithModel,
  model,
}) => {
  const { page } = await startWithModel();
  await send(page, 'go [[script:text {"words":10,"hold":"never","at":5}]]');
  await model.held("never");
  await expect(page.getByTestId("message-assistant")).toContainText("word-5");
  await page.keyboard.press("Escape");
  await expect(page.getByTestId("note")).toHaveText("You stopped this reply.");
  expect(await model.requests[0]?.finished).toBe(false);
  await send(page, "still there?");
  await expect(replies(page).last()).toHaveText("still there?");
  await expect(page.getByTestId("message-assistant").first()).toContainText("word-5");
});

test("a prompt that comes during a run waits for it, visibly, and can be dropped", async ({
  startWithModel,
  model,
}) => {
  const { page } = await startWithModel();
  await send(page, 'one [[script:text {"hold":"one"}]]');
  await model.held("one");
  await send(page, "two");
  await send(page, "three");
  await expect(page.getByTestId("queue-item")).toHaveCount(2);
  await page.getByTestId("queue-item").first().getByRole("button", { name: "Remove" }).click();
  await expect(page.getByTestId("queue-item")).toHaveCount(1);
  model.release("one");
  await expect(replies(page).last()).toHaveText("three");
  expect(model.requests).toHaveLength(2);
});

test("commands answer while a run is going on, and a misspelt one gets a suggestion", async ({
  startWithModel,
  model,
}) => {
  const { page } = await startWithModel();
  await send(page, 'go [[script:text {"hold":"gate"}]]');
  await model.held("gate");
  await send(page, "/help");
  await expect(page.getByTestId("command-answer")).toContainText("/voice start");
  await send(page, "/vioce start");
  await expect(page.getByTestId("command-answer").last()).toContainText("Did you mean /voice?");
  model.release("gate");
  await expect(replies(page)).toHaveCount(1);
  expect(model.requests).toHaveLength(1);
});

test("a stream that breaks after some text starts again: nothing is shown twice", async ({
  startWithModel,
}) => {
  const { page } = await startWithModel();
  const samples = await watchTranscript(page);
  await send(page, 'go [[script:overloaded {"words":8,"after":4}]]');
  await expect(replies(page)).toHaveText("word-1 word-2 word-3 word-4 word-5 word-6 word-7 word-8");
  expect(faultsOf(await samples())).toEqual([]);
});

test("a wrong key is one clear card that says what to do, and a retry works", async ({ startWithModel }) => {
  const { page } = await startWithModel();
  await send(page, 'hello [[script:status {"code":401}]]');
  const card = page.getByTestId("error-card");
  await expect(card).toHaveCount(1);
  await expect(card).toContainText("It is wrong or has expired.");
  await expect(card.getByRole("button", { name: "Replace the key…" })).toHaveAttribute(
    "title",
    /ANTHROPIC_API_KEY/,
  );
  await card.getByRole("button", { name: /retry|try again/i }).click();
  await expect(replies(page)).toHaveText("hello");
  await expect(page.getByTestId("message-user")).toHaveCount(1);
});

test("no network is one clear card, and nothing hangs", async ({ start }) => {
  const { page } = await start({
    env: { ANTHROPIC_BASE_URL: "http://127.0.0.1:9", ANTHROPIC_API_KEY: "test-key" },
    settings: { provider: "anthropic", retryMax: 1 },
  });
  await send(page, "hello");
  await expect(page.getByTestId("error-card")).toContainText(/reach|network|connect/i);
  await expect(page.getByTestId("stop")).toBeHidden();
});

test("Markdown is rendered; a remote image is a link, raw HTML is text, a script link is dead", async ({
  startWithModel,
}) => {
  const { page } = await startWithModel();
  const text =
    "**bold** ![pic](https://example.com/x.png) <img src=x onerror=alert(1)> [x](javascript:alert(1))";
  await send(page, `go [[script:text ${JSON.stringify({ text })}]]`);
  const reply = replies(page);
  await expect(reply.locator("strong")).toHaveText("bold");
  await expect(reply.locator("img")).toHaveCount(0);
  await expect(reply.locator('[href^="javascript:"]')).toHaveCount(0);
});
