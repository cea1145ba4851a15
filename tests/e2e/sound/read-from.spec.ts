import type { Page } from "playwright/test";
import { test } from "../support/machine/sound.ts";
import { choose, keepMenus, lastMenu } from "../support/menus.ts";
import { expect, replies, send } from "../support/test.ts";

// Long enough to be seen while it is said, however busy the computer is.
const lead =
  "This is the answer, which stands alone, and which goes on for so many words that it takes its time to be said by any voice.";
const details = Array.from({ length: 6 }, (_, at) => `Detail number ${at + 1} of the answer is here.`);
const longReply = `[[script:text ${JSON.stringify({ text: `${lead}\n\n${details.join(" ")}` })}]]`;

const sentence = (page: Page) => page.getByTestId("speech-sentence");
const silent = (page: Page) => page.locator('[data-testid="speech-state"][data-state="silent"]');

test("of a long reply the beginning is said, and the rest by a click", async ({
  startWithModel,
  model,
  soundEnv,
}) => {
  const { page } = await startWithModel({ env: soundEnv, settings: { "voice.speak": "always" } });
  await send(page, longReply);
  await expect(sentence(page)).toHaveText("Sentence 1 of 1");
  const readAll = page.getByTestId("read-all");
  await expect(readAll).toBeVisible();
  await expect(silent(page)).toBeAttached();
  await readAll.click();
  await expect(sentence(page)).toHaveText("Sentence 2 of 7");
  await expect(readAll).toHaveCount(0);
  await page.keyboard.press("Escape");
  await expect(silent(page)).toBeAttached();
  // What was not heard of it is told as before.
  await send(page, "hello");
  await expect(replies(page)).toHaveCount(2);
  expect(JSON.stringify(model.requests.at(-1)?.body.messages)).toContain("The user did not hear the rest.");
});

test("a right-click on a reply reads it from that sentence on", async ({ startWithModel, soundEnv }) => {
  const { app, page } = await startWithModel({ env: soundEnv });
  await keepMenus(app);
  await send(page, longReply);
  const text = replies(page).first().locator("p").last();
  await expect(text).toContainText("Detail number 6");
  await text.click({ button: "right", position: { x: 3, y: 8 } });
  await expect.poll(async () => (await lastMenu(app)).map(({ label }) => label)).toContain("Read from here");
  await choose(app, "Read from here");
  await expect(sentence(page)).toHaveText("Sentence 2 of 7");
  // Beside a reply there is nothing to read.
  await page.getByTestId("composer").click({ button: "right" });
  await expect.poll(async () => (await lastMenu(app)).map(({ label }) => label)).toContain("Check spelling…");
  expect((await lastMenu(app)).map(({ label }) => label)).not.toContain("Read from here");
});
