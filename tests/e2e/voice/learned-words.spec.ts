import { readFileSync } from "node:fs";
import { join } from "node:path";
import { programPath } from "../../fixtures/built-programs.ts";
import { shots } from "../support/shots.ts";
import { expect, replies, send, test } from "../support/test.ts";

/** A speech server that hears these sentences. */
function hearing(texts: readonly string[]) {
  const events = texts.map((text, index) => ({
    ...{
      seq: index + 1,
      type: "utterance_final",
      timestamp_utc: "2026-01-01T00:00:00Z",
      text,
      confidence: 0.9,
    },
    alternatives: [text.replace("sore vat", "sore bath")],
  }));
  return {
    command: process.execPath,
    args: [programPath("scripted-stt-server")],
    env: { STT_SCRIPT: JSON.stringify({ canWait: true, canUpdate: true, updates: [{ events }] }) },
  };
}

test("a name that is corrected in what was heard is learned, seen in the list, told to the model, and taken back", async ({
  startWithModel,
  model,
}) => {
  const { page, userData } = await startWithModel({
    settings: {
      mcpServers: { scripted: hearing(["write to sore vat about it"]) },
      ...{ "voice.server": "scripted", "voice.reviewMs": 30_000, "voice.speak": "never" },
    },
  });
  const words = () => JSON.parse(readFileSync(join(userData, "settings.json"), "utf8"))["voice.words"];
  await page.getByTestId("mic").click();
  const box = page.getByTestId("review-item").getByRole("textbox");
  await box.click();
  await box.fill("write to Zorvath about it");
  await box.press("Enter");
  await expect(page.getByTestId("learned-words")).toContainText("Learned “Zorvath”.");
  await expect(page.getByTestId("message-user")).toContainText("write to Zorvath about it");
  expect(words()).toMatchObject([{ word: "Zorvath", heardAs: ["sore vat", "sore bath"] }]);
  await expect(replies(page)).toHaveCount(1);
  await send(page, "And now?");
  await expect(replies(page)).toHaveCount(2);
  expect(JSON.stringify(model.requests.at(-1))).toContain("a misheard word may be one of them: Zorvath");

  await page.keyboard.press("ControlOrMeta+Shift+KeyL");
  const panel = page.getByTestId("voice-panel");
  await panel.getByText("Your words", { exact: true }).click();
  const list = panel.getByTestId("own-words");
  await expect(list.getByLabel("What Zorvath was misheard as, between commas")).toHaveValue(
    "sore vat, sore bath",
  );
  await panel.getByLabel("Add a word").fill("Mirelle");
  await panel.getByLabel("Add a word").press("Enter");
  await expect(list.getByRole("listitem")).toHaveCount(2);
  await list.getByLabel("What Mirelle was misheard as, between commas").fill("morel, mural");
  await list.getByLabel("What Mirelle was misheard as, between commas").press("Enter");
  await expect
    .poll(words)
    .toMatchObject([{ word: "Zorvath" }, { word: "Mirelle", heardAs: ["morel", "mural"] }]);
  await shots(page, "your-words");
  await page.getByTestId("learned-words").getByRole("button", { name: "Undo" }).click();
  await expect(list.getByRole("listitem")).toHaveCount(1);
  await expect.poll(words).toMatchObject([{ word: "Mirelle" }]);
  await list.getByRole("button", { name: "Remove Mirelle" }).click();
  await expect.poll(words).toEqual([]);
});

test("a spoken prompt that is edited afterwards teaches, too; a typed one does not", async ({
  startWithModel,
}) => {
  const { page, userData } = await startWithModel({
    settings: {
      mcpServers: { scripted: hearing(["write to sore vat about it"]) },
      ...{ "voice.server": "scripted", "voice.speak": "never" },
    },
  });
  const words = () => JSON.parse(readFileSync(join(userData, "settings.json"), "utf8"))["voice.words"] ?? [];
  const edit = async (text: string) => {
    const message = page.getByTestId("message-user").last();
    await message.hover();
    await message.locator("xpath=..").getByRole("button", { name: "Edit", exact: true }).click();
    await page.getByTestId("prompt-editor").fill(text);
    await page.getByTestId("prompt-editor").press("Enter");
    await expect(page.getByTestId("message-user").last()).toContainText(text);
  };
  await page.getByTestId("mic").click();
  await expect(replies(page)).toHaveCount(1);
  await edit("write to Zorvath about it");
  await expect(page.getByTestId("learned-words")).toContainText("Zorvath");
  await expect(replies(page)).toHaveCount(1);
  await send(page, "ask mural now");
  await expect(replies(page)).toHaveCount(2);
  await edit("ask Mirelle now");
  await expect(replies(page)).toHaveCount(2);
  expect(words()).toMatchObject([{ word: "Zorvath" }]);
  expect(words()).toHaveLength(1);
});

test("a spoken prompt that is corrected while it waits teaches, too, and is sent as corrected", async ({
  startWithModel,
  model,
}) => {
  const { page, userData } = await startWithModel({
    settings: {
      mcpServers: { scripted: hearing(["write to sore vat about it"]) },
      ...{ "voice.server": "scripted", "voice.speak": "never" },
    },
  });
  const held = JSON.stringify({ words: 4, hold: "here", at: 2 });
  await send(page, `wait [[script:text ${held}]]`);
  await model.held("here");
  await page.getByTestId("mic").click();
  const waiting = page.getByTestId("queue-item");
  await expect(waiting).toContainText("write to sore vat about it");
  await waiting.getByRole("button", { name: /^Edit/ }).click();
  await page.getByTestId("inline-edit").fill("write to Zorvath about it");
  await page.getByTestId("inline-edit").press("Enter");
  await expect(page.getByTestId("learned-words")).toContainText("Learned “Zorvath”.");
  model.release("here");
  await expect(replies(page)).toHaveCount(2);
  await expect(page.getByTestId("message-user").last()).toContainText("write to Zorvath about it");
  const words = JSON.parse(readFileSync(join(userData, "settings.json"), "utf8"))["voice.words"];
  expect(words).toMatchObject([{ word: "Zorvath", heardAs: ["sore vat", "sore bath"] }]);
});
