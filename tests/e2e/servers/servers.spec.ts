import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { inState, openList, row } from "../support/server-list.ts";
import { shots } from "../support/shots.ts";
import { expect, press, replies, send, test } from "../support/test.ts";

const everything = resolve("node_modules/@modelcontextprotocol/server-everything/dist/index.js");
const scripted = resolve("tests/fakes/mcp/scripted-mcp-server.mjs");

test("the list of servers takes a README's JSON, shows why one failed, tries it again, switches tools and removes", async ({
  startWithModel,
  model,
}) => {
  const { page, userData } = await startWithModel();
  await openList(page);
  const broken = { onStart: "exit", stderr: ["no token was given", "giving up"] };
  const pasted = {
    mcpServers: {
      everything: { command: "node", args: [everything, "stdio"] },
      broken: { command: "node", args: [scripted, JSON.stringify(broken)] },
    },
  };
  await page.getByTestId("servers-add").fill(JSON.stringify(pasted, null, 2));
  await page.getByTestId("servers-add-button").click();
  await inState(page, "everything", "ready");
  await inState(page, "broken", "failed");
  await expect(row(page, "broken")).toContainText("giving up");
  await row(page, "broken").getByRole("button", { name: "Retry" }).click();
  await inState(page, "broken", "failed");

  await row(page, "everything").getByTestId("server-tools").click();
  await row(page, "everything").getByRole("checkbox", { name: /^echo/ }).uncheck();
  await expect(row(page, "everything").getByTestId("server-tools")).toContainText(/of \d+ tools/);
  await row(page, "broken").getByRole("button", { name: "Remove" }).click();
  await expect(row(page, "broken").getByRole("button", { name: "Cancel" })).toBeFocused();
  await shots(page, "asks-first");
  await row(page, "broken").getByRole("button", { name: "Remove" }).click();
  await expect(row(page, "broken")).toHaveCount(0);
  const kept = JSON.parse(readFileSync(join(userData, "mcp.json"), "utf8"));
  expect(Object.keys(kept.mcpServers)).toEqual(["everything"]);

  await page.keyboard.press("Escape");
  await send(page, "hello");
  await expect(replies(page)).toHaveCount(1);
  const offered = model.requests.at(-1)?.body.tools?.map(({ name }) => name) ?? [];
  expect(offered).toContain("everything__get-sum");
  expect(offered).not.toContain("everything__echo");
});

test("a tool that can't be used is named in the list; a prompt brings its picture, and an empty one says so", async ({
  startWithModel,
  model,
}) => {
  const { page } = await startWithModel();
  const data = "R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7";
  const picture = {
    listed: [{ name: "torn", inputSchema: "none" }],
    prompt: [{ role: "user", content: { type: "image", mimeType: "image/png", data } }],
  };
  const entry = (script: object) => ({ command: "node", args: [scripted, JSON.stringify(script)] });
  await openList(page);
  const pasted = { mcpServers: { drawn: entry(picture), bare: entry({ prompt: [] }) } };
  await page.getByTestId("servers-add").fill(JSON.stringify(pasted));
  await page.getByTestId("servers-add-button").click();
  await inState(page, "drawn", "ready");
  await inState(page, "bare", "ready");
  await expect(row(page, "drawn").getByTestId("server-left-out")).toHaveText(
    "Tools that can't be used: torn: its input schema is not one of arguments",
  );
  await expect(row(page, "bare").getByTestId("server-left-out")).toHaveCount(0);
  await page.keyboard.press("Escape");

  await send(page, "/bare:greet Ada");
  await expect(page.getByTestId("command-answer").last()).toContainText("is empty, so nothing was sent.");
  await send(page, "/drawn:greet Ada");
  await expect(replies(page)).toHaveCount(1);
  expect(model.requests).toHaveLength(1);
  const sent = model.requests[0]?.body.messages.at(-1)?.content ?? [];
  const source = { type: "base64", media_type: "image/gif", data };
  expect(sent).toContainEqual(expect.objectContaining({ type: "image", source }));
});

test("what Claude Desktop and VS Code have is taken over in one click", async ({ startWithModel }) => {
  const entry = { command: "node", args: [scripted] };
  const { page } = await startWithModel({
    seedHome: (home) => {
      const folder = (name: string) => join(home, ".config", ...name.split("/"));
      writeAll(folder("Claude/claude_desktop_config.json"), { mcpServers: { mine: entry } });
      writeAll(folder("Code/User/mcp.json"), { servers: { theirs: entry } });
    },
  });
  await openList(page);
  await page.getByTestId("servers-import").click();
  await expect(page.getByTestId("servers-outcome")).toContainText("mine of Claude Desktop: taken over");
  await inState(page, "mine", "ready");
  await inState(page, "theirs", "ready");
});

test("a form of a server is filled in and checked in the window; what a server asks the model is shown first", async ({
  startWithModel,
}) => {
  const { page } = await startWithModel();
  await send(page, `/mcp add s node ${scripted}`);
  await openList(page);
  await inState(page, "s", "ready");
  await page.keyboard.press("Escape");
  const requestedSchema = {
    type: "object",
    properties: {
      name: { type: "string", title: "Your name", minLength: 2 },
      seats: { type: "integer", minimum: 1, maximum: 9, default: 2, description: "How many come" },
      menu: { type: "string", enum: ["meat", "vegan"] },
      news: { type: "boolean", title: "Send me news" },
    },
    required: ["name", "menu"],
  };
  const ask = (method: string, params: unknown) =>
    `go [[script:tools ${JSON.stringify({ calls: [{ name: "s__ask", input: { method, params } }] })}]]`;
  await send(page, ask("elicitation/create", { message: "A table for tonight", requestedSchema }));
  await press(page.getByTestId("allow"));
  const form = page.getByTestId("form");
  await expect(form).toBeVisible();
  await page.getByLabel("seats").fill("12");
  await press(page.getByTestId("form-send"));
  await expect(form).toContainText("At most 9.");
  await page.getByLabel("Your name").fill("Ada");
  await page.getByLabel("seats").fill("3");
  await page.getByLabel("menu").selectOption("vegan");
  await press(page.getByTestId("form-send"));
  await expect(replies(page).last()).toContainText('"name":"Ada","seats":3,"menu":"vegan","news":false');

  const messages = [{ role: "user", content: { type: "text", text: "What does Ada earn?" } }];
  await send(page, ask("sampling/createMessage", { messages, maxTokens: 50 }));
  await press(page.getByTestId("allow"));
  const card = page.locator('[data-testid="approval"][data-status="waiting"]');
  await expect(card).toContainText("s wants to ask the model");
  await expect(card).toContainText("What does Ada earn?");
  await expect(card).toContainText(/claude-opus-5-5 is asked: about \d+ tokens sent, at most 50 back/);
  await press(card.getByTestId("deny"));
  await expect(replies(page).last()).toContainText("did not allow it");
});

function writeAll(path: string, content: unknown): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, JSON.stringify(content));
}
