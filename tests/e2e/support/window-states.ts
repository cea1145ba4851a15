import { resolve } from "node:path";
import type { Page } from "playwright/test";
import type { ModelServer } from "../../fakes/model-server/model-server.ts";
import { images } from "../../fixtures/images.ts";
import type { Parley } from "./launch.ts";
import { inState, openList } from "./server-list.ts";
import { cardsStand, expect, press, replies, send, voiceState } from "./test.ts";
import { trustCard } from "./trust.ts";

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
  // What goes by the width is told of it with the next frame.
  await page.evaluate(
    () => new Promise<void>((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve()))),
  );
}

/** Draws the main window's page larger: of its pixels fewer are left to it. */
export const zoom = ({ app }: Parley, factor: number): Promise<void> =>
  app.evaluate(({ BrowserWindow }, wanted) => {
    const window = BrowserWindow.getAllWindows().find((one) => one.webContents.getURL().includes("/main/"));
    window?.webContents.setZoomFactor(wanted);
  }, factor);

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
  const waiting = page.locator('[data-testid="approval"][data-status="waiting"]');
  await expect(waiting).toHaveCount(2);
  await send(page, "the next prompt");
  await expect(page.getByTestId("queue-item")).toHaveCount(1);
  await look(page, "approvals");
  await page.getByTestId("more-answers").first().click();
  await look(page, "longer");
  await page.keyboard.press("Escape");
  await cardsStand(page, 2);
  await page.keyboard.press("Control+Shift+Y");
  await expect(waiting).toHaveCount(1);
  // What it changed is shown now, and the other card moves down.
  await expect(
    page.locator('[data-testid="tool-card"][data-mark="done"]', { hasText: "notes.txt" }),
  ).toBeVisible();
  await cardsStand(page);
  await page.keyboard.press("Control+Shift+X");
  await expect(replies(page)).toHaveCount(2);

  const options = [{ label: "This", description: "one" }, { label: "That" }];
  const ask = { name: "ask_user", input: { question: "Which one?", options } };
  await send(page, scripted("ask me", "tools", { calls: [ask] }));
  const question = page.locator('[data-testid="question"][data-status="waiting"]');
  await expect(question).toBeVisible();
  await look(page, "question");
  await question.getByTestId("something-else").click();
  await look(page, "question, in one's own words");
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
  for (const [keys, id] of [
    ["Control+/", "keys-sheet"],
    ["Control+k", "palette"],
  ] as const) {
    await page.keyboard.press(keys);
    await expect(page.getByTestId(id)).toBeVisible();
    await look(page, id);
    await page.keyboard.press("Escape");
    await expect(page.getByTestId(id)).toHaveCount(0);
  }
  const panel = page.getByTestId("side-panel");
  if ((await panel.count()) === 0) await page.keyboard.press("Control+.");
  await expect(panel).toBeVisible();
  await look(page, "panel");
  await panel.getByRole("button").first().click();
  await expect(panel).toHaveCount(0);

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
  await quick.getByTestId("quick-model").click();
  await expect(quick.getByTestId("quick-models").locator("button").first()).toBeVisible();
  await look(quick, "quick, models");
  await quick.keyboard.press("Escape");
  await expect(quick.getByTestId("quick-models")).toHaveCount(0);
  await quick.getByTestId("composer").fill("what is 2 + 2");
  await quick.getByTestId("composer").press("Enter");
  await expect(quick.getByTestId("message-assistant")).toBeVisible();
  await look(quick, "quick-answer");
}

/** The right panel with all of its sections but the meeting's, and the dialogs that it leads to. */
export async function visitPanel({ page }: Parley, look: Look): Promise<void> {
  const steps = [
    { text: "Look", state: "done" },
    { text: "Change", state: "in_progress" },
  ];
  const calls = [
    { name: "update_tasks", input: { tasks: steps } },
    { name: "edit_file", input: { path: "notes.txt", old_string: "two", new_string: "2" } },
    { name: "write_file", input: { path: "docs/new.txt", content: "new\n" } },
    { name: "shell", input: { command: "echo begun; sleep 600" } },
  ];
  await send(page, scripted("work", "tools", { calls }));
  // In a narrow window it is a sheet.
  if ((await page.getByTestId("side-panel").count()) === 0) await page.keyboard.press("Control+.");
  const panel = page.getByTestId("side-panel");
  for (const id of ["context", "files-changed", "tasks", "running"])
    await expect(panel.getByTestId(id)).toBeVisible();
  await look(page, "panel, all sections");
  await panel.locator('[data-testid="running-part"] button').click();
  await expect(panel.getByTestId("running")).toHaveCount(0);
  await expect(replies(page).last()).toContainText(/interrupted/i);

  const row = panel.getByTestId("changed-file").last();
  await row.locator("button").first().click();
  await expect(page.getByTestId("review")).toBeVisible();
  await look(page, "review");
  await page.keyboard.press("Escape");
  await expect(page.getByTestId("review")).toHaveCount(0);
  await row.locator("button").nth(1).click();
  await expect(page.getByTestId("rewind-file")).toHaveCount(1);
  await page.getByTestId("rewind-file").locator("summary").click();
  await look(page, "rewind of one file");
  await page.keyboard.press("Escape");
  await expect(page.getByTestId("rewind-dialog")).toHaveCount(0);
  if ((await page.getByTestId("panel-sheet").count()) > 0) await page.keyboard.press("Escape");
}

/** What is opened over the window: the doctor, what the palette finds, the keys. */
export async function visitSheets({ app, page }: Parley, look: Look): Promise<void> {
  await app.evaluate(({ Menu }) => {
    const items = Menu.getApplicationMenu()?.items.flatMap(({ submenu }) => submenu?.items ?? []);
    items?.find(({ label }) => label === "Check this computer")?.click();
  });
  const doctor = page.getByTestId("doctor");
  await expect(doctor.locator('[data-testid="check"]:not([data-state])')).toHaveCount(0);
  await look(page, "doctor");
  await page.keyboard.press("Escape");
  await expect(doctor).toHaveCount(0);

  await page.keyboard.press("Control+k");
  for (const words of ["work", "/effort hi", "nothing has these words"]) {
    await page.getByTestId("palette-input").fill(words);
    const isFound = !words.startsWith("nothing");
    await expect(page.locator("#palette-row-0")).toHaveCount(isFound ? 1 : 0);
    await look(page, `palette: ${words}`);
  }
  await page.keyboard.press("Escape");
  await expect(page.getByTestId("palette")).toHaveCount(0);
  await page.keyboard.press("Control+/");
  await expect(page.getByTestId("keys-sheet")).toBeVisible();
  await look(page, "keys");
  await page.keyboard.press("Escape");
  await expect(page.getByTestId("keys-sheet")).toHaveCount(0);
}

/** Every section of the settings. */
export async function visitSettings({ page }: Parley, look: Look): Promise<void> {
  await page.keyboard.press("Control+,");
  const sections = page.getByTestId("settings-section");
  await expect(sections.first()).toBeVisible();
  for (const section of await sections.all()) {
    await section.click();
    await look(page, `settings: ${await section.getAttribute("data-section")}`);
  }
  await page.keyboard.press("Escape");
  await expect(page.getByTestId("settings")).toHaveCount(0);
}

/** What can be put beside a prompt, each opened. */
export async function visitAttached({ page }: Parley, look: Look): Promise<void> {
  const lines = Array.from(
    { length: 200 },
    (_, at) => `line ${at} of a text that is longer than the window is high`,
  );
  const text = { name: "long.txt", mimeType: "text/plain", buffer: Buffer.from(lines.join("\n")) };
  const image = { name: "cat.png", mimeType: "image/png", buffer: images.png };
  await page.locator('input[type="file"]').first().setInputFiles([text, image]);
  const chips = page.getByTestId("attachment");
  await expect(chips).toHaveCount(2);
  await look(page, "attached");
  const dialog = page.getByTestId("attachment-dialog");
  for (const [at, what] of ["text", "image"].entries()) {
    await chips.nth(at).locator("button").first().click();
    await expect(dialog).toBeVisible();
    await look(page, `attached ${what}, opened`);
    await page.keyboard.press("Escape");
    await expect(dialog).toHaveCount(0);
  }
  for (const chip of (await chips.all()).toReversed()) await chip.locator("button").last().click();
  await expect(chips).toHaveCount(0);
  await page.getByTestId("attach").click();
  await page.getByRole("menuitem").last().click();
  await expect(page.getByTestId("screen-dialog")).toBeVisible();
  await look(page, "screens");
  await page.keyboard.press("Escape");
  await expect(page.getByTestId("screen-dialog")).toHaveCount(0);
}

/** A folder with something to trust. */
export const asking = { files: { "AGENTS.md": "Be short.\n" } };

/** What a folder such as that of `asking` asks for, and a server of MCP with its form. */
export async function visitAsked({ page }: Parley, look: Look): Promise<void> {
  await expect(trustCard(page)).toBeVisible();
  await look(page, "trust");
  await send(page, `/mcp add s node ${resolve("tests/fakes/mcp/scripted-mcp-server.mjs")}`);
  await openList(page);
  await inState(page, "s", "ready");
  await look(page, "a server");
  await page.keyboard.press("Escape");
  await expect(page.getByTestId("servers")).toHaveCount(0);
  const requestedSchema = {
    type: "object",
    properties: {
      name: { type: "string", title: "Name", minLength: 2, description: "As in the passport" },
      seats: { type: "integer", maximum: 9 },
      menu: { type: "string", enum: ["meat", "vegan"] },
      news: { type: "boolean", title: "News" },
    },
    required: ["name"],
  };
  const params = { message: "A table for tonight", requestedSchema };
  const ask = { name: "s__ask", input: { method: "elicitation/create", params } };
  await send(page, scripted("book", "tools", { calls: [ask] }));
  await press(page.getByTestId("allow"));
  const form = page.getByTestId("form");
  await expect(form).toBeVisible();
  await look(page, "form");
  await press(form.getByTestId("form-send"));
  await expect(form.locator('[aria-invalid="true"]').first()).toBeVisible();
  await look(page, "form, refused");
  await press(form.getByTestId("form-cancel"));
  await expect(replies(page)).toHaveCount(1);
}
