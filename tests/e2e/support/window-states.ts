import type { Page } from "playwright/test";
import type { ModelServer } from "../../fakes/model-server/model-server.ts";
import type { Parley } from "./launch.ts";
import { expect, replies, send, voiceState } from "./test.ts";

/** Called in each state, with the state's name. */
export type Look = (page: Page, state: string) => Promise<void>;

const scripted = (prompt: string, script: string, args: object) =>
  `${prompt} [[script:${script} ${JSON.stringify(args)}]]`;

/** @param widthPx of the main window, in CSS pixels */
export async function resize({ app, page }: Parley, widthPx: number): Promise<void> {
  await app.evaluate(({ BrowserWindow }, wide) => {
    const window = BrowserWindow.getAllWindows().find((one) => one.webContents.getURL().includes("/main/"));
    window?.setSize(wide, 800);
  }, widthPx);
  await page.waitForFunction((wide) => innerWidth === wide, widthPx);
}

/** The main states of the windows, one after the other; found by ids, so that they are the same in any language. */
export async function visitStates(parley: Parley, model: ModelServer, look: Look): Promise<void> {
  const { page } = parley;
  await look(page, "empty");
  await visitConversation(page, model, look);
  await visitDialogs(page, look);
  await visitVoice(page, look);
}

async function visitConversation(page: Page, model: ModelServer, look: Look): Promise<void> {
  const calls = [
    { name: "list_directory", input: { path: "." } },
    { name: "read_file", input: { path: "missing.txt" } },
    { name: "edit_file", input: { path: "notes.txt", old_string: "two", new_string: "2" } },
    { name: "shell", input: { command: "touch made" } },
  ];
  await send(page, scripted("change it", "tools", { calls }));
  const waiting = page.getByTestId("approvals").getByTestId("approval");
  await expect(waiting).toHaveCount(2);
  await send(page, "the next prompt");
  await expect(page.getByTestId("queue-item")).toHaveCount(1);
  await look(page, "approvals");
  await page.getByTestId("longer-menu").first().click();
  await look(page, "longer");
  await page.keyboard.press("Escape");
  await page.keyboard.press("Control+Shift+Y");
  await expect(waiting).toHaveCount(1);
  await page.keyboard.press("Control+Shift+X");
  await expect(replies(page)).toHaveCount(2);

  const options = [{ label: "This", description: "one" }, { label: "That" }];
  const ask = { name: "ask_user", input: { question: "Which one?", options } };
  await send(page, scripted("ask me", "tools", { calls: [ask] }));
  const question = page.locator('[data-testid="question"][data-status="waiting"]');
  await expect(question).toBeVisible();
  await look(page, "question");
  await question.getByTestId("answer").fill("That");
  await question.getByTestId("answer").press("Enter");
  await expect(replies(page)).toHaveCount(3);

  await send(page, scripted("wait", "text", { words: 6, hold: "here", at: 3 }));
  await model.held("here");
  await page.getByTestId("composer").fill("and this, too");
  await page.getByTestId("composer").press("Control+Enter");
  await expect(page.getByTestId("steering-item")).toHaveCount(1);
  await look(page, "running");
  await page.keyboard.press("Escape");
  await expect(page.getByTestId("stop")).toBeHidden();
  model.release("here");
  await send(page, scripted("fail", "status", { code: 400, message: "Not like this.", times: -1 }));
  await expect(page.getByTestId("error-card")).toHaveCount(1);
  await send(page, "/nothing");
  await expect(page.getByTestId("command-answer")).toHaveCount(1);
  await look(page, "error");
  await page.getByTestId("composer").fill("/");
  await look(page, "completion");
  await page.getByTestId("composer").fill("");
}

async function visitDialogs(page: Page, look: Look): Promise<void> {
  await page.keyboard.press("Control+Shift+P");
  await expect(page.getByTestId("level-menu")).toBeVisible();
  await look(page, "level");
  await page.keyboard.press("Escape");

  const first = page.getByTestId("message-user").first();
  await first.hover();
  await first.locator("xpath=..").locator("button").nth(1).click();
  await expect(page.getByTestId("rewind-preview")).toBeVisible();
  await look(page, "rewind");
  await page.getByTestId("rewind-now").click();
  await expect(page.getByTestId("rewind-outcome")).toBeVisible();
  await look(page, "rewound");
  await page.keyboard.press("Escape");

  await page.keyboard.press("Control+Shift+S");
  await expect(page.getByTestId("servers")).toBeVisible();
  await look(page, "servers");
  await page.keyboard.press("Escape");

  await send(page, "/key set anthropic");
  await expect(page.getByTestId("key-dialog")).toBeVisible();
  await look(page, "key");
  await page.keyboard.press("Escape");
}

async function visitVoice(page: Page, look: Look): Promise<void> {
  await page.keyboard.press("Control+Shift+L");
  const panel = page.getByTestId("voice-panel");
  await expect(panel).toBeVisible();
  for (const fold of await panel.locator("summary").all()) await fold.click();
  await expect(panel.getByTestId("models").locator("li").first()).toBeVisible();
  await look(page, "voice-panel");
  await page.keyboard.press("Control+Shift+L");
  await page.getByTestId("mic").click();
  await expect(voiceState(page, "failed")).toBeAttached();
  await look(page, "voice-failed");
}

/** The quick window, before a prompt and with its answer. */
export async function visitQuick(quick: Page, look: Look): Promise<void> {
  await look(quick, "quick");
  await quick.getByTestId("composer").fill("what is 2 + 2");
  await quick.getByTestId("composer").press("Enter");
  await expect(quick.getByTestId("message-assistant")).toBeVisible();
  await look(quick, "quick-answer");
}
