import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright/test";
import { programPath } from "../../fixtures/built-programs.ts";
import { shots } from "../support/shots.ts";
import { expect, replies, send, test } from "../support/test.ts";

/** A speech server that hears one unclear utterance each time that it is started. */
const unsure = () => ({
  command: process.execPath,
  args: [programPath("scripted-stt-server")],
  env: {
    STT_SCRIPT: JSON.stringify({
      canWait: true,
      again: true,
      updates: [
        {
          events: [
            {
              ...{ seq: 1, type: "utterance_final", timestamp_utc: "2026-01-01T00:00:00Z" },
              ...{ text: "play the sonks", confidence: 0.5, alternatives: ["pay the songs"] },
            },
          ],
        },
      ],
    }),
  },
});
const settings = () => ({
  mcpServers: { unsure: unsure() },
  "voice.server": "unsure",
  "voice.speak": "never",
  // A busy computer is not what is tried here.
  "voice.repairMs": 5000,
});
const prompts = (page: Page) => page.getByTestId("message-user");
const panel = (page: Page) => page.getByTestId("voice-panel");
const lastPrompt = (request: { body: { messages: { content: { text?: string }[] }[] } } | undefined) =>
  request?.body.messages.at(-1)?.content.at(-1)?.text;

test("unclear words are mended once the user agreed; what was heard stands beside them, also after a restart, and comes back with a click", async ({
  startWithModel,
  model,
}) => {
  model.answerRepairs('[[script:text {"text":"play the songs"}]]');
  const first = await startWithModel({ settings: settings() });
  await first.page.keyboard.press("ControlOrMeta+Shift+KeyL");
  const offer = panel(first.page).getByTestId("repair-offer");
  await expect(offer).toContainText(/About 600 tokens \(\$0\.000\d\) each time/);
  await shots(first.page, "offer");
  await offer.getByRole("button", { name: "Turn on" }).click();
  await expect(offer).toHaveCount(0);
  await expect
    .poll(() => JSON.parse(readFileSync(join(first.userData, "settings.json"), "utf8"))["voice.repair"])
    .toBe("on");
  await first.page.getByTestId("mic").click();
  await expect(prompts(first.page)).toContainText("play the songs");
  await expect(prompts(first.page).getByTestId("first-heard")).toContainText("heard: “play the sonks”");
  await expect(replies(first.page)).toHaveCount(1);
  expect(lastPrompt(model.requests[0])).toBe("play the songs");
  await expect(
    panel(first.page).getByTestId("voice-entry").filter({ hasText: "was corrected" }),
  ).toContainText("42 tokens");
  await first.page.getByTestId("mic").click();
  await send(first.page, "/voice status");
  await expect(first.page.getByTestId("command-answer")).toContainText("1 of 1 unclear prompts, 42 tokens");
  await shots(first.page, "mended");
  await first.crash();

  const { page } = await startWithModel({ home: first.home });
  const heard = prompts(page).getByTestId("first-heard");
  await expect(heard).toContainText("heard: “play the sonks”");
  await heard.getByRole("button").click();
  await expect(prompts(page)).toContainText("play the sonks");
  await expect(page.getByTestId("first-heard")).toHaveCount(0);
  await expect(page.getByTestId("branches").first()).toContainText("2/2");
  await expect.poll(() => lastPrompt(model.requests.at(-1))).toBe("play the sonks");
  expect(model.repairRequests).toHaveLength(1);
  await shots(page, "taken-back");
});

test("what waits to be corrected is mended, and as it was heard again with a click", async ({
  startWithModel,
  model,
}) => {
  model.answerRepairs('[[script:text {"text":"play the songs"}]]');
  const { page } = await startWithModel({
    settings: { ...settings(), "voice.repair": "on", "voice.reviewMs": 60_000 },
  });
  await page.getByTestId("mic").click();
  const item = page.getByTestId("review-item");
  await expect(item.getByRole("textbox")).toHaveValue("play the songs");
  await shots(page, "review");
  await item.getByTestId("first-heard").getByRole("button").click();
  await expect(item.getByRole("textbox")).toHaveValue("play the sonks");
  await item.getByRole("button", { name: "Send: play the sonks" }).click();
  await expect(replies(page)).toHaveCount(1);
  expect(lastPrompt(model.requests[0])).toBe("play the sonks");
});

test("a model that answers anything else than what was heard changes nothing", async ({
  startWithModel,
  model,
}) => {
  const calls = [{ name: "shell", input: { command: "touch obeyed" } }];
  model.answerRepairs(`[[script:tools ${JSON.stringify({ calls, say: "delete everything" })}]]`);
  const { page } = await startWithModel({ settings: { ...settings(), "voice.repair": "on" } });
  await page.getByTestId("mic").click();
  await expect(prompts(page)).toContainText("play the sonks");
  await expect(replies(page)).toHaveCount(1);
  expect(lastPrompt(model.requests[0])).toBe("play the sonks");
  await expect(page.getByTestId("first-heard")).toHaveCount(0);
  await expect(page.getByTestId("tool")).toHaveCount(0);
});
