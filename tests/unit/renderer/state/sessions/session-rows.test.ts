import { describe, expect, it } from "vitest";
import {
  groupedRows,
  groupsOf,
  type SidebarRow,
  searchRows,
} from "../../../../../renderer/state/sessions/session-rows.ts";
import { hitOf, summaryOf } from "../summaries.ts";

const lines = (rows: SidebarRow[]) =>
  rows.map((row) => {
    if (row.kind === "heading") return `# ${row.label}`;
    return row.kind === "session" ? row.session.conversationId : `${row.hit.kind} in ${row.hit.title}`;
  });
const at = (year: number, month: number, day: number, hour = 12) =>
  new Date(year, month - 1, day, hour).getTime();
const now = at(2026, 3, 10, 9);

describe("the list under its headings", () => {
  it("has forks below what they are forks of, where the last used of them stands; a pinned one stands by itself", () => {
    const rows = groupedRows(
      [
        summaryOf("pin", { isPinned: true, forkedFrom: "old", updatedAt: at(2026, 3, 1) }),
        summaryOf("other", { updatedAt: at(2026, 3, 10, 8) }),
        summaryOf("fork", { forkedFrom: "old", updatedAt: at(2026, 3, 10, 7) }),
        summaryOf("fork of fork", { forkedFrom: "fork", updatedAt: at(2026, 3, 9) }),
        summaryOf("deeper", { forkedFrom: "fork of fork", updatedAt: at(2026, 3, 8) }),
        summaryOf("old", { updatedAt: at(2026, 2, 1) }),
        summaryOf("orphan", { forkedFrom: "gone", updatedAt: at(2026, 2, 1) }),
      ],
      now,
    );
    const shown = rows.map((row) =>
      row.kind === "session" ? `${" ".repeat(row.depth)}${row.session.conversationId}` : lines([row])[0],
    );
    expect(shown).toEqual([
      "# Pinned",
      "pin",
      "# Today",
      "other",
      "old",
      " fork",
      "  fork of fork",
      "  deeper",
      "# February",
      "orphan",
    ]);
  });

  it("has the pinned ones, the user's own groups by name, then days and months", () => {
    const rows = groupedRows(
      [
        summaryOf("pinned", { isPinned: true, updatedAt: at(2025, 1, 1), group: "Work" }),
        summaryOf("midnight", { updatedAt: at(2026, 3, 10, 0) }),
        summaryOf("late", { updatedAt: at(2026, 3, 9, 23) }),
        summaryOf("work", { updatedAt: at(2026, 3, 8), group: "Work" }),
        summaryOf("garden", { updatedAt: at(2025, 3, 8), group: "Garden" }),
        summaryOf("week", { updatedAt: at(2026, 3, 3, 0) }),
        summaryOf("february", { updatedAt: at(2026, 2, 27) }),
        summaryOf("lastFebruary", { updatedAt: at(2025, 2, 27) }),
      ],
      now,
    );
    expect(lines(rows)).toEqual([
      "# Pinned",
      "pinned",
      "# Garden",
      "garden",
      "# Work",
      "work",
      "# Today",
      "midnight",
      "# Yesterday",
      "late",
      "# Last 7 days",
      "week",
      "# February",
      "february",
      "# February 2025",
      "lastFebruary",
    ]);
  });

  it("names each of the user's groups once", () => {
    expect(
      groupsOf([
        summaryOf("a", { group: "B" }),
        summaryOf("b", { group: "A" }),
        summaryOf("c", { group: "B" }),
      ]),
    ).toEqual(["A", "B"]);
  });
});

describe("what a search found", () => {
  const sessions = [summaryOf("1", { title: "Why the Build is slow" }), summaryOf("2", { title: "Dinner" })];

  it("is titles with every word in any case, then places in conversations", () => {
    expect(lines(searchRows(sessions, "slow build", [hitOf("2", { title: "Dinner" })]))).toEqual([
      "# Titles",
      "1",
      "# In conversations",
      "reply in Dinner",
    ]);
  });

  it("names a title once, though the database found it, too", () => {
    const hits = [hitOf("1", { kind: "title" }), hitOf("not-loaded", { kind: "title" })];
    expect(lines(searchRows(sessions, "build", hits))).toEqual([
      "# Titles",
      "1",
      "# In conversations",
      "title in not-loaded",
    ]);
  });
});
