import type { Page } from "playwright/test";
import { createModelServer, type ModelServer } from "../../fakes/model-server/model-server.ts";
import { openaiProtocol } from "../../fakes/model-server/openai-protocol.ts";
import { shots } from "../support/shots.ts";
import { test as base, expect, replies, send } from "../support/test.ts";

const test = base.extend<{ other: ModelServer }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright wants the pattern
  other: async ({}, use) => {
    const server = await createModelServer(openaiProtocol());
    await use(server);
    await server.close();
  },
});

const menu = (page: Page) => page.getByTestId("model-menu");
const model = (page: Page) => page.getByTestId("model");
const tool = (name: string, input: object) =>
  `[[script:tools ${JSON.stringify({ calls: [{ name, input }] })}]]`;

// Bug: the menu had the models of one provider only, whatever keys there were.
test("a conversation goes on with another provider's model, with all that was said and done, also after a restart", async ({
  startWithModel,
  model: claude,
  other,
}) => {
  claude.offers(["claude-opus-5-5"]);
  other.offers(["gpt-5.6", "gpt-5.6-mini"]);
  const env = { OPENAI_BASE_URL: `${other.url}/v1`, OPENAI_API_KEY: "test-key-of-another" };
  const first = await startWithModel({ env, files: { "notes.txt": "the word is heron\n" } });
  const { page } = first;
  await send(page, `Read it ${tool("read_file", { path: "notes.txt" })}`);
  await expect(replies(page)).toHaveCount(1);
  expect(other.requests).toHaveLength(0);

  await model(page).click();
  await expect(menu(page).getByTestId("model-provider")).toHaveText("OpenAI");
  await expect(menu(page).getByTestId("model-choice")).toHaveCount(3);
  await shots(page, "providers");
  await menu(page).locator('[data-id="openai:gpt-5.6"]').click();
  await expect(model(page)).toHaveAttribute("data-model", "gpt-5.6");
  await send(page, "And now?");
  await expect(replies(page)).toHaveText([/./, "And now?"]);
  expect(other.requests).toHaveLength(1);
  expect(JSON.stringify(other.requests[0]?.body)).toContain("the word is heron");
  expect(other.requests[0]?.body).toMatchObject({ model: "gpt-5.6" });

  // Back for one prompt, from its menu of other models.
  await page.getByTestId("message-assistant").last().hover();
  await page.getByTestId("retry-with").last().click();
  await page.locator('[data-testid="retry-choice"][data-id="claude-opus-5-5"]').click();
  await expect.poll(() => claude.requests.at(-1)?.body).toMatchObject({ model: "claude-opus-5-5" });
  await expect(model(page)).toHaveAttribute("data-model", "claude-opus-5-5");
  await send(page, "/model openai:gpt-5.6-mini");
  await expect(page.getByTestId("command-answer").last()).toContainText("gpt-5.6-mini answers");
  await first.close();

  const { page: again } = await startWithModel({ env, home: first.home });
  await expect(model(again)).toHaveAttribute("data-model", "gpt-5.6-mini");
  await send(again, "Still you?");
  await expect(replies(again).last()).toHaveText("Still you?");
  expect(other.requests.at(-1)?.body).toMatchObject({ model: "gpt-5.6-mini" });
  await again.keyboard.press("Control+n");
  await expect(model(again)).toHaveAttribute("data-model", "claude-opus-5-5");
});

test("without a model the menu leads to where a key is added, also once something was said", async ({
  start,
}) => {
  const { page } = await start();
  await send(page, "what is 6 * 7");
  await expect(replies(page)).toHaveCount(1);
  await model(page).click();
  await menu(page).getByTestId("model-keys").click();
  await expect(page.getByTestId("set-up")).toBeVisible();
});

test("the menu leads to keys and providers", async ({ startWithModel }) => {
  const { page } = await startWithModel();
  await model(page).click();
  await menu(page).getByTestId("model-keys").click();
  await expect(page.locator('[data-maker="anthropic"]').first()).toBeVisible();
});
