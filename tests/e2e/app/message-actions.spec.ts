import type { Page } from "playwright/test";
import { shots } from "../support/shots.ts";
import { expect, replies, send, test } from "../support/test.ts";

const composer = (page: Page) => page.getByTestId("composer");
const actions = (page: Page, at: number) => page.getByTestId("message-actions").nth(at);

test("a reply is made again by another model; the transcript says so, the reply stands beside the first", async ({
  startWithModel,
  model,
}) => {
  model.offers(["claude-opus-5-5", "claude-haiku-5-5"]);
  const { page } = await startWithModel();
  await send(page, "One");
  await send(page, "Two");
  await expect(replies(page)).toHaveCount(2);
  await page.getByTestId("retry-with").last().click();
  await expect(page.getByTestId("retry-choice")).toHaveText([/gave this reply$/, /haiku-5-5$/]);
  await shots(page, "retry-menu");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await expect(page.getByTestId("model-note")).toHaveText("Model changed to Haiku 5.5");
  await expect(page.getByTestId("branches")).toContainText("2/2");
  await expect(page.getByTestId("model")).toHaveAttribute("data-model", "claude-haiku-5-5");
  expect(model.requests.map(({ body }) => body.model)).toEqual([
    "claude-opus-5-5",
    "claude-opus-5-5",
    "claude-haiku-5-5",
  ]);
  await shots(page, "model-note");
  await page.getByRole("button", { name: "Earlier version of this reply" }).click();
  await expect(page.getByTestId("model-note")).toHaveCount(0);
});

test("the note names the effort, too, and stands where the change was, also after a restart", async ({
  startWithModel,
  model,
}) => {
  model.offers(["claude-sonnet-4-6", "claude-haiku-4-5"]);
  const first = await startWithModel({ settings: { model: "claude-sonnet-4-6" } });
  const ask = async (text: string, count: number) => {
    await send(first.page, text);
    await expect(replies(first.page)).toHaveCount(count);
  };
  await ask("One", 1);
  await send(first.page, "/effort high");
  await ask("Two", 2);
  await send(first.page, "/model claude-haiku-4-5");
  await ask("Three", 3);
  const told = ["Changed to high effort", "Model changed to Haiku 4.5, high effort"];
  await expect(first.page.getByTestId("model-note")).toHaveText(told);
  await first.close();
  const { page } = await startWithModel({ home: first.home });
  await expect(page.getByTestId("model-note")).toHaveText(told);
  const after = page.locator('[data-row]:has([data-testid="model-note"]) + [data-row]');
  await expect(after).toContainText(["Two", "Three"]);
});

test("a message, or what of it is selected, becomes a quotation in the text box, which has the keyboard", async ({
  startWithModel,
}) => {
  const { page } = await startWithModel();
  await send(page, 'One [[script:text {"text":"First line.\\n\\nSecond **line**."}]]');
  await expect(replies(page)).toHaveCount(1);
  await page.getByRole("button", { name: "Quote" }).last().click();
  await expect(composer(page)).toHaveValue("> First line.\n>\n> Second **line**.\n\n");
  await expect(composer(page)).toBeFocused();
  await composer(page).fill("And:");
  await replies(page).locator("strong").dblclick();
  await page.getByRole("button", { name: "Quote" }).last().click();
  await expect(composer(page)).toHaveValue("And:\n\n> line\n\n");
});

test("the newest prompt and reply show what can be done with them; elsewhere that lies over the page, under the pointer or the focus", async ({
  startWithModel,
}) => {
  const { page } = await startWithModel();
  await send(page, "One");
  await send(page, "Two");
  await expect(replies(page)).toHaveCount(2);
  const places = async () =>
    await page
      .locator("[data-row]")
      .evaluateAll((rows) => rows.map((row) => row.getBoundingClientRect().top));
  const before = await places();
  await expect(actions(page, 3).getByRole("button", { name: "Copy" })).toBeVisible();
  for (const [row, opacity] of ["0", "0", "1", "1"].entries())
    await expect(actions(page, row).locator("span").first()).toHaveCSS("opacity", opacity);
  const first = actions(page, 1).locator("span").first();
  await expect(first).toHaveCSS("opacity", "0");
  await replies(page).first().hover();
  await expect(first).toHaveCSS("opacity", "1");
  expect(await places()).toEqual(before);
  await shots(page, "actions-over");
  await page.mouse.move(0, 0);
  await actions(page, 1).getByRole("button", { name: "Fork" }).focus();
  await expect(first).toHaveCSS("opacity", "1");
});
