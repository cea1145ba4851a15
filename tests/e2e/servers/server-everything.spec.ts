import { resolve } from "node:path";
import { shots } from "../support/shots.ts";
import { expect, press, replies, send, test } from "../support/test.ts";

const everything = resolve("node_modules/@modelcontextprotocol/server-everything/dist/index.js");

test("server-everything in the window: a call's progress on its card, its log, and a prompt of it as a command", async ({
  startWithModel,
  model,
}) => {
  const { page } = await startWithModel();
  await send(page, `/mcp add everything node ${everything} stdio`);
  await expect(page.getByTestId("command-answer")).toContainText("Added everything.");

  // It is offered as soon as the server has it.
  await page.getByTestId("composer").fill("/every");
  const completion = page.getByRole("listbox");
  await expect(completion).toContainText("/everything:args-prompt", { timeout: 60_000 });
  await shots(page, "prompts");
  await page.getByTestId("composer").fill("/everything:args");
  await page.getByTestId("composer").press("Tab");
  await expect(page.getByTestId("composer")).toHaveValue("/everything:args-prompt ");
  await expect(page.getByTestId("dock")).toContainText("/everything:args-prompt CITY [STATE]");
  await page.getByTestId("composer").pressSequentially("Paris Île-de-France");
  await page.getByTestId("composer").press("Enter");
  await expect(page.getByTestId("message-user")).toContainText("What's weather in Paris, Île-de-France?");
  await expect(replies(page)).toHaveCount(1);
  expect(JSON.stringify(model.requests.at(-1)?.body.messages)).toContain("weather in Paris, Île-de-France?");
  await send(page, "/everything:args-prompt");
  await expect(page.getByTestId("command-answer").last()).toContainText(
    "city is missing. Usage: /everything:args-prompt CITY [STATE]",
  );
  await shots(page, "prompt");

  // So long that only Stop ends it.
  const input = { duration: 7200, steps: 72_000 };
  const calls = [{ name: "everything__trigger-long-running-operation", input }];
  await send(page, `work [[script:tools ${JSON.stringify({ calls })}]]`);
  await press(page.getByTestId("allow"));
  const card = page.getByTestId("tool-card");
  await expect(card).toContainText(/[2-9]\d* of 72000/);
  await shots(page, "progress");
  await card.getByTestId("tool-summary").click();
  await expect(card.getByTestId("tool-inside")).toContainText(/\n2 of 72000\n/);
  await shots(page, "progress-open");
  await page.getByTestId("stop").click();
  await expect(card).toHaveAttribute("data-status", "stopped");
  await expect(card.getByTestId("tool-summary")).not.toContainText("of 72000");

  await send(page, "/mcp logs everything");
  await expect(page.getByTestId("command-answer").last()).toContainText("Starting default (STDIO) server");
  // Bug: the server goes on all the same, and each of its steps was a line.
  await expect(page.getByTestId("command-answer").last()).not.toContainText("progress");
  await shots(page, "logs");
  await send(page, "/mcp logs nobody");
  await expect(page.getByTestId("command-answer").last()).toContainText("There is no MCP server nobody");
});
