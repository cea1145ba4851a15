import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright/test";
import type { DialectName } from "../../fakes/model-server/dialects.ts";
import { createModelServer, type ModelServer } from "../../fakes/model-server/model-server.ts";
import { openaiProtocol } from "../../fakes/model-server/openai-protocol.ts";
import { images } from "../../fixtures/images.ts";
import { test as base, hearing, listen } from "../support/heard.ts";
import { copyImage } from "../support/launch.ts";
import { expect, replies, send, voiceState } from "../support/test.ts";

/** Has a model `plain` that does as most do, and one that is odd. A request that breaks the API's rules fails the test. */
const test = base.extend<{ dialect: DialectName; server: ModelServer }>({
  dialect: ["takes no tools", { option: true }],
  server: async ({ dialect }, use) => {
    const server = await createModelServer(openaiProtocol({ dialect }));
    server.offers(["odd", "plain"]);
    await use(server);
    await server.close();
  },
});

/** What its fake thinks. */
const thought = "Let me think about it.";
const script = (name: string, args: object = {}) => `Please [[script:${name} ${JSON.stringify(args)}]]`;
/** A command that runs until the file is there. */
const waitingFor = (file: string) => {
  const command = `until [ -e ${file} ]; do sleep 0.1; done`;
  return script("tools", { calls: [{ name: "shell", input: { command } }] });
};

async function ask(page: Page, prompt: string, reply: string | RegExp): Promise<void> {
  await send(page, prompt);
  await expect(replies(page).last()).toHaveText(reply);
}

async function choose(page: Page, model: string): Promise<void> {
  await page.getByTestId("model").click();
  await page.getByTestId("model-menu").locator(`[data-id="${model}"]`).click();
  await expect(page.getByTestId("model")).toHaveAttribute("data-model", model);
}

/** Tools and thinking; words into a command that runs, and Esc in another one. */
async function work(page: Page, server: ModelServer, folder: string): Promise<void> {
  const look = { name: "list_directory", input: { path: "." } };
  await ask(page, script("thinking", { calls: [look] }), /^Results: /);
  expect(JSON.stringify(server.requests.at(-1)?.raw)).toContain(thought);

  const command = page.getByTestId("tool-card").last();
  await send(page, waitingFor("go"));
  await expect(command).toHaveAttribute("data-mark", "running");
  await page.getByTestId("composer").fill("In French");
  await page.getByTestId("composer").press("Control+Enter");
  await expect(page.getByTestId("steering-item")).toContainText("In French");
  writeFileSync(join(folder, "go"), "");
  await expect(replies(page).last()).toHaveText("In French");
  await expect(page.getByTestId("steering-item")).toHaveCount(0);

  await send(page, waitingFor("never"));
  await expect(command).toHaveAttribute("data-mark", "running");
  await page.keyboard.press("Escape");
  await expect(page.getByTestId("note").last()).toHaveText("You stopped this reply.");
  await ask(page, "After the stop", "After the stop");
}

const servers: readonly { like: string; dialect: DialectName; isHere?: true }[] = [
  { like: "Ollama", dialect: "takes no tools", isHere: true },
  { like: "Mistral", dialect: "wants an answer after each result, and short ids" },
  { like: "DeepSeek", dialect: "wants its reasoning back" },
];

for (const { like, dialect, isHere } of servers) {
  test.describe(`a server like ${like}`, () => {
    test.use({ dialect });

    test("answers every prompt, typed and spoken, with tools, steering, Esc, an image and another model, and what it taught is said once", async ({
      start,
      server,
      heard,
    }) => {
      server.answerTitles({ text: `<think>${thought}</think>About herons` });
      const { app, page, home } = await start({
        settings: { provider: "openai", model: "odd", permissionMode: "work", ...hearing(heard) },
        env: { OPENAI_BASE_URL: `${server.url}/v1`, ...(!isHere && { OPENAI_API_KEY: "test-key" }) },
      });
      const takesTools = dialect !== "takes no tools";
      await ask(page, "Hello", "Hello");
      await expect(page.getByTestId("title")).toHaveText("About herons");
      // The fake counts 30 tokens, whatever it was sent.
      if (isHere) await ask(page, "heron ".repeat(3000) + script("text", { text: "Read." }), "Read.");
      if (!takesTools) await choose(page, "plain");
      await work(page, server, join(home, "Parley"));
      if (takesTools) await choose(page, "plain");
      await ask(page, "Another", "Another");
      await choose(page, "odd");
      await ask(page, "Back", "Back");
      await ask(page, script("thinking", { text: "A crane." }), "A crane.");

      await copyImage(app, images.png);
      await page.getByTestId("composer").press("Control+v");
      await expect(page.getByTestId("attachment")).toHaveCount(1);
      await ask(page, "See?", "See?");
      expect(server.requests.at(-1)?.body.messages.at(-1)?.content).toContainEqual({ type: "image" });

      server.answerUnmarked(`[[script:text {"text":"<think>${thought}</think>A heron is a bird."}]]`);
      await listen(page);
      heard.say("what is a heron");
      await expect(replies(page).last()).toHaveText("A heron is a bird.");
      await page.getByTestId("mic").click();
      await expect(voiceState(page, "off")).toBeAttached();

      await expect(replies(page)).toHaveText([
        "Hello",
        ...(isHere ? ["Read."] : []),
        /^Results: /,
        "In French",
        "After the stop",
        "Another",
        "Back",
        "A crane.",
        "See?",
        "A heron is a bird.",
      ]);
      const told = [
        "how much odd can read",
        "how much plain can read",
        "You stopped this reply.",
        ...(takesTools ? [] : ["This model takes no tools"]),
        ...(isHere ? ["it leaves the beginning of the conversation out"] : []),
      ];
      for (const line of told)
        await expect(page.getByTestId("note").filter({ hasText: line }), line).toHaveCount(1);
      await expect(page.getByTestId("error-card")).toHaveCount(0);
      // Folded, each above its reply.
      await expect(page.getByTestId("thinking")).toHaveCount(3);
      await expect(page.getByTestId("transcript")).not.toContainText(thought);
      await expect(page.getByTestId("title")).toHaveText("About herons");
    });
  });
}

test("an empty reply is asked for once more, then it is said that there is none", async ({
  startWithModel,
  model,
}) => {
  const { page } = await startWithModel();
  await send(page, script("empty"));
  await expect(page.getByTestId("error-card")).toContainText("The model sent an empty reply, twice.");
  await expect(page.getByTestId("message-user")).toHaveCount(1);
  await expect(replies(page)).toHaveCount(0);
  expect(model.requests).toHaveLength(2);
  await ask(page, "Still there?", "Still there?");
});
