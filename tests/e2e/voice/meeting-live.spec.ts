import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { programPath } from "../../fixtures/built-programs.ts";
import { shots } from "../support/shots.ts";
import { expect, send, test, voiceState } from "../support/test.ts";

const final = (seq: number, text: string) => ({
  ...{ seq, type: "utterance_final", timestamp_utc: new Date().toISOString(), text },
});
const partial = (seq: number, text: string) => ({
  ...{ seq, type: "utterance_partial", timestamp_utc: new Date().toISOString(), text, utterance_id: "u9" },
});

/** A speech server that hears two people; what the other one says last is not at its end. */
const talkers = (script: object) => ({
  command: process.execPath,
  args: [programPath("scripted-stt-server")],
  env: { STT_SCRIPT: JSON.stringify({ canWait: true, updates: [], ...script }) },
});
const sources = {
  microphone: [{ events: [final(1, "how far are the invoices")] }],
  loopback: [
    { events: [final(1, "two things there one good and one not so good")] },
    { events: [partial(2, "and somebody should check whether the backups run")] },
  ],
};

test("words of a meeting come as they are said, with who says them; killed in the middle, none is lost", async ({
  startWithModel,
  model,
}) => {
  const settings = { mcpServers: { talkers: talkers({ sources }) }, "voice.server": "talkers" };
  const first = await startWithModel({
    settings: { ...settings, "voice.source": "both", "voice.speak": "never" },
  });
  const { page } = first;
  await page.getByTestId("mic").click();
  await expect(page.getByTestId("transcript")).toContainText("You may have to tell the others");
  await expect(page.getByTestId("conversation-item")).toContainText(/^Meeting, /);
  await expect(page.getByTestId("partial")).toHaveText(/^Them: and somebody/);
  await page.getByTestId("bar-meeting").click();
  await expect(page.getByTestId("partial")).toHaveCount(0);
  const lines = page.getByTestId("meeting-line");
  await expect(lines).toHaveCount(2);
  await expect(lines.filter({ hasText: "how far are the invoices" })).toContainText("Me");
  await expect(lines.filter({ hasText: "two things there" })).toContainText("Them");
  const now = page.getByTestId("meeting-now");
  await expect(now).toContainText(/now.*Them.*and somebody should check whether the backups run/);
  await expect(page.getByTestId("meeting-about")).toHaveText("2 lines · no sound is kept");
  await expect(page.getByTestId("meeting-goes")).toHaveText(/^2 lines go to /);
  await shots(page, "live");
  // Neither listening nor the page asks anybody anything.
  expect(model.requests).toHaveLength(0);
  expect(
    existsSync(join(first.userData, "recordings")) ? readdirSync(join(first.userData, "recordings")) : [],
  ).toEqual([]);

  await first.crash();
  const second = await startWithModel({ home: first.home });
  await second.page.getByTestId("meeting-open").click();
  const after = second.page.getByTestId("meeting-line");
  await expect(after).toHaveCount(2);
  await expect(second.page.getByTestId("meeting-goes")).toHaveText(/^2 lines go to /);
  await send(second.page, "What was said?");
  await expect(second.page.getByTestId("meeting-goes")).toContainText("has all lines already");
  await expect.poll(() => model.requests.length).toBe(1);
  expect(JSON.stringify(model.requests[0]?.body.messages)).toMatch(
    /invoices.*two things there|two things there.*invoices/s,
  );
  await expect(second.page.getByTestId("meeting-asked")).toContainText("What was said?");
  // The line about others is for the first meeting alone.
  await second.page.keyboard.press("Escape");
  await second.page.getByTestId("mic").click();
  await expect(voiceState(second.page, "hearing").or(voiceState(second.page, "listening"))).toBeAttached();
  await expect(second.page.getByTestId("said")).toHaveCount(4);
  await expect(
    second.page.getByTestId("transcript").getByText("You may have to tell the others"),
  ).toHaveCount(0);
  await second.page.getByTestId("bar-meeting").click();
  await second.page.getByRole("button", { name: "End meeting" }).click();
  await expect(voiceState(second.page, "off")).toBeAttached();
  await expect(second.page.getByTestId("meeting-page")).toBeVisible();
});

test("an empty meeting leaves the list with its user, and a new conversation is never a meeting", async ({
  startWithModel,
}) => {
  const none = { microphone: [{ events: [] }], loopback: [{ events: [] }] };
  const { page } = await startWithModel({
    settings: {
      mcpServers: { talkers: talkers({ sources: none, saysItListens: true }) },
      ...{ "voice.server": "talkers", "voice.source": "both", "voice.speak": "never" },
    },
  });
  const rows = page.getByTestId("conversation-item");
  await page.getByTestId("mic").click();
  await expect(voiceState(page, "listening")).toBeVisible();
  await expect(rows).toHaveText([/^Meeting, .*Listening$/]);
  await page.getByTestId("new-conversation").click();
  await expect(rows).toHaveText(["New conversation", /^Meeting, .*Listening$/]);
  await expect(rows.first()).toHaveAttribute("aria-current", "page");
  await expect(page.getByTestId("transcript")).not.toContainText("You may have to tell the others");

  await rows.last().click();
  await expect(page.getByTestId("transcript")).toContainText("You may have to tell the others");
  await page.getByTestId("mic").click();
  await expect(rows).toHaveText(["New conversation", "New conversation"]);
  await page.getByTestId("new-conversation").click();
  await expect(rows).toHaveText(["New conversation"]);
  await expect(rows).toHaveAttribute("aria-current", "page");
});
