import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Locator, Page } from "playwright/test";
import { programPath } from "../../fixtures/built-programs.ts";
import { dayBefore, seedMeeting, standup } from "../support/seeded-meeting.ts";
import { shots } from "../support/shots.ts";
import { expect, replies, send, test } from "../support/test.ts";
import { resize } from "../support/window-states.ts";

const words = (page: Page) => page.getByTestId("meeting-words");
const lines = (page: Page) => page.getByTestId("meeting-line");
const notes = (page: Page) => page.getByTestId("meeting-notes");
const textBox = (page: Page) => page.locator("form", { has: page.getByTestId("composer") });
const bars = (page: Page) => page.getByTestId("meeting-page").getByRole("button", { name: /^Go to/ });

async function openMeeting(page: Page): Promise<void> {
  await page.getByText("Standup, Tuesday").first().click();
  await page.getByTestId("meeting-open").click();
  await expect(lines(page).last()).toBeVisible();
}

const summary = [
  "## So far",
  "- 2.4 is out. Nothing came back overnight. [09:39:00]",
  "- Copying the old invoices works. The checks after it take four hours. [09:41:00]",
  "## Decided",
  "- Sample on the night itself, full check on Saturday. [09:43:12]",
  "- No deploys on the 9th. [09:46:00]",
  "## To do",
  "- [ ] Write up the sampling plan · me, today [09:43:12]",
  "- [ ] Tell support, two days ahead · me, today [09:44:36]",
  "## Open",
  "- Who watches the run on Saturday?",
].join("\n");
const answered = (text: string) => `[[script:text ${JSON.stringify({ text })}]]`;

test("a meeting of an earlier run is shown with its times, found, asked about once and exported", async ({
  startWithModel,
  model,
}) => {
  const { page, userData } = await startWithModel({
    seed: (folder) => seedMeeting(folder, standup.slice(4, 10)),
  });
  await page.getByText("Standup, Tuesday").first().click();
  await expect(page.getByTestId("said")).toHaveCount(6);
  await expect(page.getByTestId("said").nth(2)).toContainText("Them:");
  const meeting = page.getByTestId("meeting");
  await expect(meeting.getByTestId("meeting-counts")).toHaveText("6 lines · 6 not asked about yet");
  await shots(page, "strip");
  await meeting.getByRole("button", { name: "Ask about this meeting" }).click();
  await expect(replies(page)).toHaveCount(1);
  await expect(page.getByTestId("meeting-went")).toHaveText("6 lines of the meeting");
  await expect(meeting.getByTestId("meeting-counts")).toHaveText("6 lines · all asked about");
  expect(JSON.stringify(model.requests[0]?.body.messages)).toMatch(
    /me: \[09:39:00\] The release.*them: \[09:41:00\]/s,
  );
  await expect(meeting.getByRole("button", { name: "Ask about this meeting" })).toBeDisabled();
  await send(page, "And who tells support?");
  await expect(replies(page)).toHaveCount(2);
  await expect(page.getByTestId("meeting-went")).toHaveCount(1);
  const file = join(userData, "standup.srt");
  await send(page, `/session export ${file}`);
  await expect(page.getByTestId("command-answer")).toContainText("Written to");
  expect(readFileSync(file, "utf8")).toContain(
    "3\n00:01:18,000 --> 00:01:21,133\nThem: Two things there, one good and one not so good.\n",
  );
});

test("the page of a meeting: a bar leads to its words, the search from one find to the next, Esc back to where one was", async ({
  startWithModel,
}) => {
  const { page } = await startWithModel({ seed: seedMeeting });
  await openMeeting(page);
  await expect(lines(page)).toHaveCount(standup.length);
  await expect(lines(page).nth(4)).toContainText(/9:39.*Me.*The release is out/);
  await expect(words(page)).toBeFocused();
  await expect(page.getByRole("toolbar", { name: /^Me spoke for 0:/ })).toBeVisible();

  const bar = bars(page).nth(2);
  await expect(bar).toHaveAccessibleName(/The release is out/);
  await bar.click();
  const line = page.locator('li[data-line="said-line-4"]');
  await expect(line).toBeFocused();
  await expect(line).toBeInViewport();
  await page.keyboard.press("ArrowDown");
  await expect(page.locator('li[data-line="said-line-5"]')).toBeFocused();
  await page.keyboard.press("Home");
  await expect(page.locator('li[data-line="said-line-0"]')).toBeFocused();
  // By keyboard alone: along a lane, then to the words of a bar.
  await bars(page).first().focus();
  await page.keyboard.press("End");
  await page.keyboard.press("ArrowLeft");
  await expect(bars(page).nth(5)).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page.locator('li[data-line="said-line-10"]')).toBeFocused();

  const find = page.getByTestId("meeting-find");
  await find.fill("CHECK");
  await expect(page.locator("output")).toHaveText("3 lines found");
  await expect(page.locator("mark")).toHaveText(["check", "check", "check"]);
  await find.press("Enter");
  await find.press("Enter");
  await expect(page.locator("output")).toHaveText("2 of 3");
  await expect(page.locator("[data-hit]")).toContainText("The checks. If we sample");
  await shots(page, "found");
  await words(page).focus();
  // Bug: the key found nothing here, though the page has a search of its own.
  await page.keyboard.press("Control+f");
  await expect(find).toBeFocused();
  await find.press("Escape");
  await expect(find).toHaveValue("");
  await expect(find).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(page.getByTestId("meeting-page")).toHaveCount(0);
  await expect(page.getByTestId("transcript")).toBeVisible();

  // From the text box, and back into it.
  await send(page, "/meeting");
  await expect(page.getByTestId("meeting-page")).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(page.getByTestId("composer")).toBeFocused();
  await page.getByTestId("meeting-open").click();
  await page.getByTestId("meeting-close").click();
  await expect(page.getByTestId("meeting-page")).toHaveCount(0);
});

test("a summary comes when it is asked for, its times lead to the words, and an answer marks what it stands on, also after a restart", async ({
  startWithModel,
  model,
}) => {
  const first = await startWithModel({ seed: seedMeeting });
  const { page } = first;
  await openMeeting(page);
  await expect(page.getByTestId("meeting-goes")).toHaveText(/^14 lines go to .* with your next question$/);
  await expect(notes(page)).toContainText("Nothing is summed up unless you ask.");
  await shots(page, "before");
  expect(model.requests).toHaveLength(0);

  model.answerUnmarked(answered(summary));
  await page.getByTestId("meeting-summarise").click();
  const summed = page.getByTestId("meeting-summary");
  await expect(summed.getByRole("heading")).toHaveText(["So far", "Decided", "To do", "Open"]);
  const boxes = summed.getByRole("checkbox");
  await expect(boxes).toHaveCount(2);
  // Bug: the system drew them as switched off, which nobody could see.
  await expect(boxes.first()).toHaveCSS("appearance", "none");
  await expect(boxes.first()).toHaveCSS("width", "16px");
  await expect(notes(page)).toContainText("up to 9:46");
  // The bar says it, in no line of its own.
  const bar = page.locator("header", { has: page.getByTestId("meeting-find") });
  await expect(bar.getByTestId("overheard")).toBeVisible();
  await expect(page.getByTestId("meeting-goes")).toContainText("has all lines already");
  await summed
    .getByRole("button", { name: /Then let us sample/ })
    .first()
    .click();
  await expect(page.locator('li[data-line="said-line-10"]')).toBeFocused();
  await expect(page.locator("[data-cited]")).toHaveCount(0);

  model.answerUnmarked(
    answered("Two things: the sampling plan today [09:43:12], and a word to support after lunch [09:44:36]."),
  );
  await textBox(page).getByRole("button", { name: "What did I promise?" }).click();
  const asked = page.getByTestId("meeting-asked");
  await expect(asked).toContainText("“What did I promise?”");
  await expect(asked.getByRole("button", { name: "2 places marked" })).toBeVisible();
  const marked = page.locator("[data-cited]");
  await expect(marked).toHaveCount(2);
  await expect(marked.first()).toContainText("Then let us sample");
  await expect(marked.last()).toContainText("after lunch");
  await shots(page, "asked");

  // A question that is typed is one about the meeting, too.
  const composer = page.getByTestId("composer");
  await expect(composer).toHaveAttribute("placeholder", "Ask about this meeting");
  model.answerUnmarked(answered("Utrecht moves [09:46:00]. Saturday stays open: 12:00 was not said."));
  await send(page, "What of Utrecht?");
  await expect(asked).toHaveCount(2);
  await expect(marked).toHaveCount(1);
  await expect(marked).toContainText("Utrecht");
  await asked.first().getByRole("button", { name: "Mark 2 places" }).click();
  await expect(marked).toHaveCount(2);
  expect(model.requests).toHaveLength(3);

  await first.crash();
  const second = await startWithModel({ home: first.home });
  await openMeeting(second.page);
  await expect(lines(second.page)).toHaveCount(standup.length);
  await expect(second.page.getByTestId("meeting-summary").getByRole("heading")).toHaveCount(4);
  await expect(second.page.getByTestId("meeting-asked")).toHaveCount(2);
  await expect(second.page.locator("[data-cited]")).toContainText("Utrecht");
});

// Bug: the text box began 11 pixels after the words, and covered the last of them once it grew.
test("words, lanes and text box stand in one column, and the last words stay in sight above it", async ({
  startWithModel,
}) => {
  const parley = await startWithModel({ seed: seedMeeting });
  const { page } = parley;
  await openMeeting(page);
  const start = async (part: Locator) => Math.round((await part.boundingBox())?.x ?? 0);
  const lane = page.getByTestId("meeting-page").locator('[data-who="me"] > span').first();
  const expectOneColumn = async () => {
    const wanted = await start(textBox(page));
    await expect.poll(() => start(lines(page).last().locator("time"))).toBe(wanted);
    expect(await start(lane)).toBe(wanted);
  };
  await resize(parley, 1280);
  await expectOneColumn();
  await page.getByTestId("composer").fill("one\ntwo\nthree\nfour\nfive");
  await expect(lines(page).last()).toBeInViewport({ ratio: 1 });
  await shots(page, "column");
  await resize(parley, 420);
  await expectOneColumn();
  await expect(page.getByTestId("meeting-goes")).toBeVisible();
});

test("in a window of 420 pixels the notes stand in place of the words, and a time in them leads back", async ({
  startWithModel,
  model,
}) => {
  const parley = await startWithModel({ seed: seedMeeting });
  const { page } = parley;
  await openMeeting(page);
  await resize(parley, 420);
  await expect(notes(page)).toBeHidden();
  await shots(page, "narrow-words");
  model.answerUnmarked(answered(summary));
  await page.getByRole("button", { name: "Notes", exact: true }).click();
  await page.getByTestId("meeting-summarise").click();
  await expect(page.getByTestId("meeting-summary").getByRole("heading")).toHaveCount(4);
  await shots(page, "narrow-notes");
  await page
    .getByTestId("meeting-summary")
    .getByRole("button", { name: /after lunch/ })
    .click();
  await expect(notes(page)).toBeHidden();
  await expect(page.locator('li[data-line="said-line-12"]')).toBeFocused();
  await expect(page.locator('li[data-line="said-line-12"]')).toBeInViewport();
  await expect(page.getByTestId("composer")).toBeInViewport();
});

test("a meeting of three hours with 5,000 lines is there as a whole, and only what is in sight is made", async ({
  startWithModel,
}) => {
  const many = Array.from(
    { length: 5000 },
    (_, place) =>
      [place % 3 === 0 ? "me" : "them", place * 0.036, `Line ${place} of a long meeting.`] as const,
  );
  const { page } = await startWithModel({ seed: (folder) => seedMeeting(folder, many) });
  await openMeeting(page);
  await expect(page.getByTestId("meeting-about")).toHaveText("5000 lines");
  await expect(words(page)).toContainText("Line 4999 of a long meeting.");
  const find = page.getByTestId("meeting-find");
  await find.fill("Line 17 of");
  await find.press("Enter");
  await expect(words(page)).toContainText("Line 17 of a long meeting.");
  expect(await lines(page).count()).toBeLessThan(120);
  expect(await bars(page).count()).toBeLessThan(1200);
  // The end is still known where it was left.
  await bars(page).last().click();
  await expect(words(page)).toContainText("Line 49");
  await shots(page, "long");
});

test("an earlier meeting of the conversation is chosen, searched, asked about and exported on its own", async ({
  startWithModel,
  model,
}) => {
  const parley = await startWithModel({
    seed: (folder) => seedMeeting(folder, [...dayBefore, ...standup]),
  });
  const { page, userData } = parley;
  await page.getByText("Standup, Tuesday").first().click();
  await page.getByTestId("meeting").getByTestId("meeting-menu").click();
  const menu = page.getByRole("menu");
  await expect(menu.getByRole("menuitemradio")).toHaveText([
    /Tue, Nov 25, 2025, 9:32.*13:5\d/,
    /Mon, Nov 24, 2025, 9:32.*2:03/,
  ]);
  await page.keyboard.press("End");
  await page.keyboard.press("Enter");
  await expect(lines(page)).toHaveCount(2);
  await expect(page.getByTestId("meeting-menu")).toContainText("Mon, Nov 24, 2025, 9:32");
  await expect(page.getByTestId("meeting-goes")).toHaveText(/^2 lines of this meeting go to /);
  await page.getByTestId("meeting-find").fill("clock");
  await expect(page.locator("output")).toHaveText("1 line found");
  await shots(page, "chosen");

  model.answerUnmarked(answered("You look at the build [09:32:00]."));
  await send(page, "What did they promise?");
  const asked = page.getByTestId("meeting-asked");
  await expect(asked).toContainText("“What did they promise?”");
  await expect(page.locator("[data-cited]")).toContainText("The build is red");
  const sent = JSON.stringify(model.requests[0]?.body.messages);
  expect(sent).toContain("A test waits for the clock");
  expect(sent).not.toContain("Good morning");
  model.answerUnmarked(answered("## So far\n- The build is red. [09:32:00]"));
  await page.getByTestId("meeting-summarise").click();
  await expect(page.getByTestId("meeting-summary")).toContainText("The build is red");

  const file = join(userData, "monday.md");
  await parley.app.evaluate(({ dialog }, filePath) => {
    dialog.showSaveDialog = () => Promise.resolve({ canceled: false, filePath });
  }, file);
  await page.getByRole("button", { name: "Export…" }).click();
  await page.getByRole("menuitem", { name: "Markdown…" }).click();
  await expect(page.getByText(file)).toBeVisible();
  const written = readFileSync(file, "utf8");
  expect(written).toMatch(/## Meeting.*The build is red.*What did they promise.*You look at the build/s);
  expect(written).not.toContain("Good morning");

  // The other one has nothing of that.
  await page.getByTestId("meeting-menu").click();
  await page.keyboard.press("Home");
  await page.keyboard.press("Enter");
  await expect(lines(page)).toHaveCount(standup.length);
  await expect(asked).toHaveCount(0);
  await expect(page.getByTestId("meeting-goes")).toHaveText(/^14 lines go to .* with your next question$/);
});

test("a note that is typed while a meeting is heard stands at its time, after a crash too, and goes with the next question", async ({
  startWithModel,
  model,
}) => {
  const event = { seq: 1, type: "utterance_final", timestamp_utc: new Date().toISOString() };
  const sources = {
    microphone: [{ events: [] }],
    loopback: [{ events: [{ ...event, text: "we ship on friday" }] }],
  };
  const talkers = {
    command: process.execPath,
    args: [programPath("scripted-stt-server")],
    env: { STT_SCRIPT: JSON.stringify({ canWait: true, updates: [], sources }) },
  };
  const first = await startWithModel({
    settings: {
      mcpServers: { talkers },
      "voice.server": "talkers",
      "voice.source": "both",
      "voice.speak": "never",
    },
  });
  const { page } = first;
  await page.getByTestId("mic").click();
  await expect(page.getByTestId("said")).toHaveCount(1);
  await page.getByTestId("bar-meeting").click();
  await expect(lines(page)).toHaveCount(1);
  const field = page.getByTestId("meeting-note");
  await field.fill("Ask for the date in writing");
  await field.press("Enter");
  await expect(field).toHaveValue("");
  await expect(lines(page)).toHaveCount(2);
  await expect(lines(page).last()).toContainText(/Note.*Ask for the date in writing/);
  await expect(page.getByTestId("meeting-own-notes").getByRole("listitem")).toHaveCount(1);
  await shots(page, "note");

  await first.crash();
  const second = await startWithModel({ home: first.home });
  await second.page.getByTestId("meeting-open").click();
  await expect(lines(second.page)).toHaveCount(2);
  // It is heard no more: nothing can be added.
  await expect(second.page.getByTestId("meeting-note")).toHaveCount(0);
  await second.page
    .getByTestId("meeting-own-notes")
    .getByRole("button", { name: /Ask for the date/ })
    .click();
  await expect(second.page.locator("li[data-line]:focus")).toContainText("Ask for the date");
  await send(second.page, "What was said?");
  await expect(second.page.getByTestId("meeting-goes")).toContainText("has all lines already");
  await expect(second.page.getByTestId("meeting-asked")).toContainText("What was said?");
  await expect.poll(() => model.requests.length).toBe(1);
  expect(JSON.stringify(model.requests[0]?.body.messages)).toMatch(
    /them: \[[\d:]+\] we ship on friday.*note: \[[\d:]+\] Ask for the date in writing/s,
  );
});
