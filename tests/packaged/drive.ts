import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright";
import { expect } from "playwright/test";
import type { ModelServer } from "../fakes/model-server/model-server.ts";
import { type BareDebian, user } from "./bare-debian.ts";
import type { InstalledApp } from "./installed-app.ts";
import type { SpeechMirror } from "./mirror.ts";

const replies = (page: Page) => page.getByTestId("message-assistant");
const prompts = (page: Page) => page.getByTestId("message-user");

async function send(page: Page, text: string): Promise<void> {
  const count = await replies(page).count();
  await page.getByTestId("composer").fill(text);
  await page.getByTestId("composer").press("Enter");
  await expect(replies(page)).toHaveCount(count + 1, { timeout: 60_000 });
}

/** A command writes into the folder and beside it. @param name of the file, and what the command prints */
async function tryFence(page: Page, home: string, name: string): Promise<void> {
  const command = `echo in > ${name}.txt; echo out > ${user.home}/${name}.txt; echo fenced ${name}`;
  const calls = [{ name: "shell", input: { command } }];
  await send(page, `do it [[script:tools ${JSON.stringify({ calls })}]]`);
  await expect(replies(page).last()).toContainText(`fenced ${name}`);
  expect(existsSync(join(home, `Parley/${name}.txt`))).toBe(true);
  expect(existsSync(join(home, `${name}.txt`))).toBe(false);
}

interface FirstRun {
  app: InstalledApp;
  /** The user's home, as it is seen from outside. */
  home: string;
  model: ModelServer;
  mirror: SpeechMirror;
  done(what: string): void;
}

/** A newcomer's first minutes: a key, a prompt, a command in the fence, a speech model, a spoken prompt. */
export async function firstRun({ app, home, model, mirror, done }: FirstRun): Promise<void> {
  const { page, shot } = app;
  const sheet = page.getByTestId("set-up");
  await expect(sheet).toBeVisible();
  await shot("1-first-run");
  await sheet.getByTestId("set-up-key").fill("sk-ant-api03-test-0123456789abcdefghij");
  await sheet.getByTestId("set-up-weak").check();
  await sheet.getByTestId("set-up-test").click();
  await expect(sheet.getByTestId("key-works")).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(sheet).toBeHidden();
  await send(page, "hello from a bare Debian");
  await expect(replies(page).last()).toContainText("hello from a bare Debian");
  await shot("2-typed");
  done("first run: a key, and a typed prompt is answered");

  await expect(page.getByTestId("level")).toBeVisible();
  await page.getByTestId("level").click();
  await expect(page.getByTestId("level-work")).toBeEnabled();
  await page.getByTestId("level-work").click();
  await tryFence(page, home, "first");
  await shot("3-fence");
  done("the fence: a command writes in the folder, without a card, and not beside it");

  model.answerUnmarked('[[script:text {"text": "He was not, and here is why."}]]');
  const heard = await prompts(page).count();
  await page.getByTestId("mic").click();
  const offer = page.getByTestId("offer-recogniser");
  await expect(offer).toBeVisible();
  await shot("4-no-model-yet");
  await offer.getByRole("button", { name: /^Get/ }).click();
  await expect(offer.locator("progress")).toBeVisible();
  await shot("5-progress");
  mirror.sendRest();
  await expect(offer).toHaveCount(0, { timeout: 60_000 });
  await expect(prompts(page)).toHaveCount(heard + 1, { timeout: 60_000 });
  // Which of its words the small model gets right hangs on where it begins to listen.
  await expect(prompts(page).last()).toContainText(/was not/i);
  await expect(page.locator('[data-testid="speech-state"][data-state="speaking"]')).toBeAttached();
  await shot("6-spoken");
  done("two clicks fetch a speech model, with progress; what is said is heard, and the reply is spoken");
}

interface SecondRun {
  app: InstalledApp;
  /** The user's home, as it is seen from outside. */
  home: string;
  debian: BareDebian;
  display: string;
  done(what: string): void;
}

/** The next start: everything is there, and the `parley` command and links reach it. */
export async function secondRun({ app, home, debian, display, done }: SecondRun): Promise<void> {
  const { page, shot } = app;
  await expect(page.getByTestId("set-up")).toHaveCount(0);
  await page.getByTestId("conversation-item").filter({ hasText: "hello from" }).first().click();
  await expect(prompts(page).first()).toContainText("hello from a bare Debian");
  await shot("7-again");
  done("after a restart the conversation is there");

  // The level is the conversation's; it counts once the fence was tried at this start.
  await expect(page.getByTestId("level")).toHaveAttribute("data-level", "work", { timeout: 60_000 });
  await tryFence(page, home, "second");
  await shot("8-fence");
  done("after a restart the fence holds, too, at the level that was chosen");

  debian.start(["parley", "--quick"], { DISPLAY: display });
  const quick = await app.pageAt("/quick/");
  await expect(quick.getByRole("textbox")).toBeVisible();
  debian.start(["parley", "parley://settings"], { DISPLAY: display });
  await expect(page.getByTestId("settings-search")).toBeVisible();
  await shot("9-link");
  done("the command opens the quick prompt, a link the settings");
}

interface CommandLine {
  debian: BareDebian;
  /** The user's home, as it is seen from outside. */
  home: string;
  env: Record<string, string>;
  done(what: string): void;
}

/** The `parley` command where there is no display, and no Parley that runs. */
export async function commandLine({ debian, home, env, done }: CommandLine): Promise<void> {
  expect(debian.runAsUser("parley", "--help")).toMatch(/^Usage: parley /);
  const prompt = '[[script:text {"text": "hello from a terminal"}]]';
  const command = `cd && parley -p '${prompt}' > answer.txt 2> said.txt`;
  const [code] = await once(debian.start(["sh", "-c", command], env), "exit");
  const written = (name: string) => readFileSync(join(home, name), "utf8").trim();
  expect({ code, answer: written("answer.txt"), said: written("said.txt") }).toMatchObject({
    code: 0,
    answer: "hello from a terminal",
  });
  done("without a display `parley -p` prints the answer, and `parley --help` its usage");
}
