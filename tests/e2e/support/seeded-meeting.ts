import { join } from "node:path";
import { openSqliteStore } from "../../../electron/store/sqlite-store.ts";

/** Local time, so that the pictures say the same wherever they are made. */
export const meetingBegan = new Date(2025, 10, 25, 9, 32).getTime();
const minuteMs = 60_000;

/** The same people, the day before. */
export const dayBefore: readonly (readonly [who: "me" | "them", minutes: number, text: string])[] = [
  ["me", -1440, "The build is red since noon."],
  ["them", -1438, "I look at it after this. A test waits for the clock."],
];

export type Said = readonly [who: "me" | "them", minutes: number, text: string];

/** A meeting of a quarter of an hour. */
export const standup: readonly Said[] = [
  ["me", 0.2, "Good morning. Shall we begin with the release?"],
  ["them", 0.8, "Yes. The last build went through on Friday evening."],
  ["me", 3, "Then I put it out after this."],
  ["them", 4.1, "Fine with us. The notes are written, too."],
  ["me", 7, "The release is out, and nothing came back overnight."],
  ["me", 8, "That was all from my side. Lena, how far are the invoices?"],
  ["them", 8.3, "Two things there, one good and one not so good."],
  [
    "them",
    9,
    "So the migration is at the point where we copy the old invoices. The staging run took four hours, which is too long for one night.",
  ],
  ["me", 10, "What takes so long? Is it the copy, or the checks afterwards?"],
  ["them", 10.5, "The checks. If we sample one in a hundred, we are at forty minutes."],
  ["me", 11.2, "Then let us sample, and run the full check on Saturday. I write that up today."],
  ["them", 12, "Good. And who tells support? They need two days of notice."],
  ["me", 12.6, "I can do that after lunch."],
  ["them", 14, "Perfect. Last thing, the Utrecht office moves on the ninth, so no deploys that day."],
];

/** A conversation of an earlier run in which a meeting was heard and nothing asked. */
export function seedMeeting(userData: string, said: readonly Said[] = standup): void {
  const store = openSqliteStore(join(userData, "parley.db"), (error) => {
    throw error;
  });
  const id = "01MEETING0000000000000000A";
  store.saveConversation({
    id,
    title: "Standup, Tuesday",
    workingFolder: userData,
    model: "offline",
    createdAt: meetingBegan,
    updatedAt: meetingBegan,
  });
  for (const [place, [who, minutes, text]] of said.entries()) {
    const at = Math.round(meetingBegan + minutes * minuteMs);
    // As long as it takes to say: fifteen characters a second.
    store.noteLine(id, {
      id: `line-${place}`,
      who,
      text,
      at,
      endedAt: at + Math.round((text.length / 15) * 1000),
    });
  }
  store.close();
}
