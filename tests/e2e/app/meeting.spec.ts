import { readFileSync } from "node:fs";
import { join } from "node:path";
import { openSqliteStore } from "../../../electron/store/sqlite-store.ts";
import { shots } from "../support/shots.ts";
import { expect, replies, send, test } from "../support/test.ts";

const minute = 60_000;
/** Local time, so that the pictures say the same wherever they are made. */
const begin = new Date(2026, 10, 24, 9, 39).getTime();

const said = [
  ["me", 0, "The release is out, and nothing came back overnight."],
  ["them", 0.4, "Two things there, one good and one not so good."],
  ["them", 1, "The staging run took four hours, which is too long for one night."],
  ["me", 2, "What takes so long? Is it the copy, or the checks afterwards?"],
  ["them", 2.5, "The checks. If we sample one in a hundred, we are at forty minutes."],
  ["me", 3.2, "Then let us sample, and run the full check on Saturday."],
] as const;

/** A conversation of an earlier run in which a meeting was heard and nothing asked. */
function seedMeeting(userData: string): void {
  const store = openSqliteStore(join(userData, "parley.db"), (error) => {
    throw error;
  });
  store.saveConversation({
    id: "01MEETING0000000000000000A",
    title: "Standup, Tuesday",
    workingFolder: userData,
    model: "offline",
    createdAt: begin,
    updatedAt: begin,
  });
  for (const [place, [who, minutes, text]] of said.entries()) {
    const at = begin + minutes * minute;
    store.noteLine("01MEETING0000000000000000A", {
      id: `line-${place}`,
      who,
      text,
      at,
      endedAt: at + 15_000,
    });
  }
  store.close();
}

test("a meeting of an earlier run is shown with its times, found, asked about once and exported", async ({
  startWithModel,
  model,
}) => {
  const { page, userData } = await startWithModel({ seed: seedMeeting });
  await page.getByText("Standup, Tuesday").first().click();
  const meeting = page.getByTestId("meeting");
  await expect(page.getByTestId("said")).toHaveCount(6);
  await expect(page.getByTestId("said").nth(2)).toContainText("Them:");
  await expect(meeting.getByTestId("meeting-counts")).toHaveText("6 lines · 6 not asked about yet");
  await expect(meeting.getByRole("button", { name: /^Go to/ })).toHaveCount(6);
  await meeting.getByRole("searchbox").fill("check");
  await expect(meeting.getByRole("status")).toHaveText("3 lines found");
  await shots(page, "meeting");

  await meeting.getByRole("button", { name: "Summary" }).click();
  await expect(replies(page)).toHaveCount(1);
  await expect(page.getByTestId("meeting-went")).toHaveText("6 lines of the meeting");
  await expect(meeting.getByTestId("meeting-counts")).toHaveText("6 lines · all asked about");
  expect(JSON.stringify(model.requests[0]?.body.messages)).toMatch(
    /me: \[09:39\] The release.*them: \[09:41\]/s,
  );
  await expect(meeting.getByRole("button", { name: "Ask about this meeting" })).toBeDisabled();
  await send(page, "And who tells support?");
  await expect(replies(page)).toHaveCount(2);
  await expect(page.getByTestId("meeting-went")).toHaveCount(1);
  await shots(page, "meeting-asked");

  const file = join(userData, "standup.srt");
  await send(page, `/session export ${file}`);
  await expect(page.getByTestId("command-answer")).toContainText("Written to");
  expect(readFileSync(file, "utf8")).toContain(
    "2\n00:00:24,000 --> 00:00:39,000\nThem: Two things there, one good and one not so good.\n",
  );
});
