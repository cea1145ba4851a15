import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright/test";
import type { Parley } from "../support/launch.ts";
import { shots } from "../support/shots.ts";
import { expect, replies, send, test } from "../support/test.ts";

const key = "sk-ant-api03-typed-into-the-form-0123456789";
const answer = (page: Page) => page.getByTestId("command-answer").last();
const dialog = (page: Page) => page.getByTestId("key-dialog");

async function giveKey(page: Page, value: string, isWeak = false): Promise<void> {
  await send(page, "/key set anthropic");
  await expect(dialog(page)).toBeVisible();
  if (isWeak) await page.getByTestId("key-weak").check();
  await page.getByTestId("key-field").fill(value);
  await page.getByTestId("key-save").click();
  await expect(dialog(page)).toBeHidden();
}

/** Whether this computer has a key store that guards anything; where tests run there is rarely one. */
const isGuarded = ({ app }: Parley) =>
  app.evaluate(
    ({ safeStorage }) =>
      safeStorage.isEncryptionAvailable() &&
      (process.platform !== "linux" || safeStorage.getSelectedStorageBackend() !== "basic_text"),
  );

/** No key in the environment: only the address of the fake. */
const withoutKey = (url: string) => ({
  env: { ANTHROPIC_BASE_URL: url },
  settings: { provider: "auto" },
});

test("a key that is typed into the form answers the next prompt, and can be removed", async ({
  start,
  model,
}) => {
  const { page } = await start({ ...withoutKey(model.url), settings: { provider: "anthropic" } });
  await send(page, "too early");
  await expect(page.getByTestId("error-card")).toContainText("There is no key for Anthropic.");
  await giveKey(page, key);
  await send(page, "hello there");
  await expect(replies(page)).toHaveText("hello there");
  expect(model.requests.at(-1)?.headers.authorization).toBe(`Bearer ${key}`);
  await send(page, "/key");
  await expect(answer(page)).toContainText("ANTHROPIC_API_KEY");
  await send(page, "/key remove anthropic");
  await expect(answer(page)).toContainText("is removed");
  await send(page, "/key");
  await expect(answer(page)).toContainText("There are no keys.");
});

test("without a key one press leads to where one is added; the model answers the next prompt, without a restart", async ({
  start,
  model,
}) => {
  const { page } = await start(withoutKey(model.url));
  const add = page.locator('[data-starter="key"]');
  await add.click();
  const sheet = page.getByTestId("set-up");
  await sheet.getByTestId("set-up-key").fill(key);
  await sheet.getByTestId("set-up-test").click();
  await expect(sheet.getByTestId("key-works")).toBeVisible();
  await sheet.getByTestId("set-up-done").click();
  await expect(sheet).toBeHidden();
  await expect(add).toHaveCount(0);
  await send(page, "hello there");
  await expect(replies(page)).toHaveText("hello there");
  expect(model.requests.at(-1)?.headers.authorization).toBe(`Bearer ${key}`);
});

test("a key that the API refused is changed at its error, and Retry answers with the new one", async ({
  start,
  model,
}) => {
  const { page } = await start({ ...withoutKey(model.url), settings: { provider: "anthropic" } });
  await giveKey(page, "sk-ant-api03-mistyped-0123456789");
  await send(page, 'refused once [[script:status {"code":401,"times":1}]]');
  await page.getByRole("button", { name: "Replace the key…" }).click();
  await expect(dialog(page)).toContainText("ANTHROPIC_API_KEY");
  await page.getByTestId("key-field").fill(key);
  await page.getByTestId("key-save").click();
  await expect(dialog(page)).toBeHidden();
  await page.getByRole("button", { name: "Retry" }).click();
  await expect(replies(page)).toHaveText(/refused once/);
  expect(model.requests.at(-1)?.headers.authorization).toBe(`Bearer ${key}`);
});

test("without a key store the key is in memory, unless the user accepts weak storage, which is called so", async ({
  start,
  model,
}) => {
  const first = await start(withoutKey(model.url));
  test.skip(await isGuarded(first), "This computer has a key store.");
  const file = join(first.userData, "secrets.json");
  await giveKey(first.page, key);
  await send(first.page, "/key");
  await expect(answer(first.page)).toContainText("in memory until you quit");
  expect(existsSync(file)).toBe(false);

  await send(first.page, "/key set anthropic");
  await expect(dialog(first.page)).toContainText("weakly protected: anyone who can read your files can read");
  await first.page.keyboard.press("Escape");
  await giveKey(first.page, key, true);
  await send(first.page, "/key");
  await expect(answer(first.page)).toContainText("weakly protected");
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(readFileSync(file, "utf8")).not.toContain(key);
  await first.close();

  const second = await start({ ...withoutKey(model.url), home: first.home });
  await send(second.page, "still known");
  await expect(replies(second.page)).toHaveText("still known");
  await send(second.page, "/key weak off");
  await expect(answer(second.page)).toContainText("removed from the file");
  expect(JSON.parse(readFileSync(file, "utf8"))).toEqual({ isWeakAccepted: false, secrets: {} });
});

test("stored keys that are damaged are said in the window, and the file is kept", async ({ start }) => {
  const { page, userData } = await start({
    seed: (folder) => writeFileSync(join(folder, "secrets.json"), '{ "secrets": {'),
  });
  await expect(page.getByText("is damaged: none of the stored keys could be read")).toBeVisible();
  expect(readFileSync(join(userData, "secrets.json.bak"), "utf8")).toBe('{ "secrets": {');
});

test("with a key store the key is sealed by it, and there at the next start", async ({ start, model }) => {
  const first = await start(withoutKey(model.url));
  test.skip(!(await isGuarded(first)), "This computer has no key store.");
  await giveKey(first.page, key);
  await send(first.page, "/key");
  await expect(answer(first.page)).toContainText("guarded by");
  expect(readFileSync(join(first.userData, "secrets.json"), "utf8")).not.toContain(key);
  await first.close();
  const second = await start({ ...withoutKey(model.url), home: first.home });
  await send(second.page, "still known");
  await expect(replies(second.page)).toHaveText("still known");
});

test("a key that cannot be kept is said in its form and in the log, and answers all the same until you quit", async ({
  start,
  model,
}) => {
  const parley = await start({ ...withoutKey(model.url), settings: { provider: "anthropic" } });
  const { page, userData } = parley;
  // In the place of the file nothing can be put.
  mkdirSync(join(userData, "secrets.json.new", "in the way"), { recursive: true });
  await send(page, "/key set anthropic");
  if (!(await isGuarded(parley))) await page.getByTestId("key-weak").check();
  await page.getByTestId("key-field").fill(key);
  await page.getByTestId("key-save").click();
  await expect(dialog(page)).toContainText("secrets.json could not be written");
  await shots(page, "not-kept");
  await page.keyboard.press("Escape");
  await send(page, "hello there");
  await expect(replies(page)).toHaveText("hello there");
  const log = readFileSync(join(userData, "logs", "parley.log"), "utf8");
  expect(log).toMatch(/\[warn\].* keys: .*secrets\.json could not be written/);
  expect(log).not.toContain(key);
});

test("a key and an address from different places: nothing is sent there, and the window asks once", async ({
  start,
}) => {
  const first = await start({
    env: { ANTHROPIC_BASE_URL: "https://gateway.example" },
    settings: { provider: "auto", retryMax: 0 },
    seed: (userData) => writeFileSync(join(userData, ".env"), `ANTHROPIC_API_KEY=${key}\n`),
  });
  const { page } = first;
  const notice = page.getByTestId("key-address-notice");
  await expect(notice).toContainText(
    "Send the key ANTHROPIC_API_KEY from your .env file, and your prompts, to gateway.example?",
  );
  await expect(page.locator("header")).toContainText("Key not sent to gateway.example");
  await send(page, "hello there");
  await expect(page.getByText("is not sent to gateway.example").first()).toBeVisible();
  await shots(page, "apart");
  await notice.getByRole("button", { name: "Send it there" }).click();
  await expect(notice).toHaveCount(0);
  await expect(page.getByTestId("model-host")).toContainText("gateway.example");
  await first.close();
  const kept = JSON.parse(readFileSync(join(first.userData, "settings.json"), "utf8"));
  expect(kept.keyAddresses).toEqual(["ANTHROPIC_API_KEY of your .env file to https://gateway.example"]);
});
