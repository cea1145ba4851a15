import type { Page } from "playwright/test";
import { shots } from "../support/shots.ts";
import { expect, replies, send, test } from "../support/test.ts";

const menu = (page: Page) => page.getByTestId("model-menu");
const model = (page: Page) => page.getByTestId("model");

test("the model's menu: another model and effort, by keyboard, kept over a restart and for new conversations", async ({
  startWithModel,
  model: server,
}) => {
  server.offers(["claude-opus-5-5", "claude-sonnet-5-5", "claude-haiku-5-5", "claude-haiku-4-5-20251001"]);
  const first = await startWithModel();
  const { page } = first;
  await expect(model(page)).toHaveAttribute("data-model", "claude-opus-5-5");
  await expect(model(page)).toContainText("Opus 5.5");
  expect(server.listings).toBe(0);

  await model(page).click();
  await expect(menu(page).getByTestId("model-choice")).toHaveCount(4);
  expect(server.listings).toBe(1);
  const chosen = menu(page).locator('[data-testid="model-choice"][aria-checked="true"]');
  await expect(chosen).toHaveAttribute("data-id", "claude-opus-5-5");
  await expect(menu(page).getByTestId("effort-off")).toHaveAttribute("aria-disabled", "true");
  await expect(menu(page).getByTestId("effort-why")).toHaveText("It always thinks.");
  // A name has the row's width: it stands on one line.
  expect((await chosen.boundingBox())?.height).toBeLessThan(44);
  await shots(page, "menu");

  await page.keyboard.press("Escape");
  await expect(menu(page)).toBeHidden();
  await expect(model(page)).toBeFocused();

  await page.keyboard.press("Enter");
  await expect(menu(page).getByTestId("model-choice")).toHaveCount(4);
  await expect(menu(page).locator('[data-id="claude-opus-5-5"]')).toBeFocused();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await expect(menu(page)).toBeHidden();
  await expect(model(page)).toBeFocused();
  await expect(model(page)).toHaveAttribute("data-model", "claude-sonnet-5-5");
  // What was asked a moment ago counts.
  expect(server.listings).toBe(1);

  await model(page).click();
  await menu(page).getByTestId("effort-medium").click();
  await expect(menu(page).getByTestId("effort-medium")).toHaveAttribute("aria-checked", "true");
  await expect(model(page)).toContainText("Medium");
  await menu(page).getByTestId("model-for-new").click();
  await expect(menu(page).getByTestId("model-for-new")).toHaveAttribute("aria-checked", "true");
  await page.keyboard.press("Escape");

  await send(page, "Hello");
  await expect(replies(page)).toHaveText(["Hello"]);
  expect(server.requests[0]?.body).toMatchObject({
    model: "claude-sonnet-5-5",
    output_config: { effort: "medium" },
  });
  await shots(page, "header");

  await send(page, "/effort off");
  await expect(page.getByTestId("command-answer").last()).toContainText("Effort: Off");
  await expect(model(page)).toHaveAttribute("data-effort", "off");
  await first.close();

  const { page: again } = await startWithModel({ home: first.home });
  await expect(model(again)).toHaveAttribute("data-model", "claude-sonnet-5-5");
  await expect(model(again)).toHaveAttribute("data-effort", "off");
  await again.keyboard.press("Control+n");
  await expect(model(again)).toHaveAttribute("data-effort", "medium");
  await expect(model(again)).toHaveAttribute("data-model", "claude-sonnet-5-5");
});

test("a list that cannot be had is said in the menu, and the known names are still there", async ({
  startWithModel,
  model: server,
}) => {
  server.offers(null);
  const { page } = await startWithModel();
  await model(page).click();
  await expect(menu(page).getByTestId("model-problem")).toContainText("get the list of models");
  await menu(page).locator('[data-id="haiku"]').click();
  await expect(model(page)).toContainText("Haiku 5.5");
  await send(page, "/model grok");
  await expect(page.getByTestId("command-answer")).toContainText("Could not check whether this model exists");
});

test("what a model thinks stands folded above its reply, live and in the stored conversation", async ({
  startWithModel,
  model: server,
}) => {
  const first = await startWithModel();
  const { page } = first;
  await send(page, 'Think [[script:thinking {"text":"The reply.","hold":"thought","at":0}]]');
  await server.held("thought");
  const line = page.getByTestId("thinking");
  await expect(line).toHaveAttribute("data-going-on", "true");
  await expect(line).toContainText("Thinking…");
  await expect(page.getByTestId("thinking-text")).toBeHidden();
  await shots(page, "thinking");
  server.release("thought");
  await expect(replies(page)).toHaveText(["The reply."]);
  await expect(line).toHaveText(/^Thought(?: for [1-9]\d* s)?$/);
  await line.getByRole("button").click();
  await expect(page.getByTestId("thinking-text")).not.toBeEmpty();
  await expect(page.getByTestId("announcer")).toContainText("The reply.");
  await shots(page, "thought");
  await first.close();

  const { page: again } = await startWithModel({ home: first.home });
  await expect(again.getByTestId("thinking")).toHaveText(/^Thought(?: for [1-9]\d* s)?$/);
  await again.getByTestId("thinking").getByRole("button").click();
  await expect(again.getByTestId("thinking-text")).not.toBeEmpty();
  await expect(replies(again)).toHaveText(["The reply."]);
});
