import { expect, it } from "vitest";
import { placeOf } from "../../../../../renderer/state/conversation/find-message.ts";
import { emptyView, type TranscriptItem } from "../../../../../shared/conversation/transcript.ts";
import { hitOf } from "../summaries.ts";

const user = (key: string, at: number, parts?: string[]): TranscriptItem => ({
  kind: "user",
  key,
  text: key,
  origin: "typed",
  source: null,
  at,
  parts,
});
const tool = (key: string, startedAt: number): TranscriptItem => ({
  kind: "tool",
  key,
  name: "shell",
  input: {},
  status: "done",
  output: "",
  startedAt,
  durationMs: 1,
});
const view = (items: TranscriptItem[], hasEarlier = false) => ({ ...emptyView("a", "A"), items, hasEarlier });

it.each([
  ["that is shown is at its item", view([user("m", 5)], true), hitOf("a", { at: 5 }), { key: "m" }],
  [
    "in words that a prompt went on with is at that prompt",
    view([user("p", 4, ["m"])]),
    hitOf("a", { at: 5 }),
    { key: "p" },
  ],
  [
    "that is older than what is shown is earlier",
    view([user("x", 9)], true),
    hitOf("a", { at: 5 }),
    "earlier",
  ],
  ["that is not on the path is on another branch", view([user("x", 2)]), hitOf("a", { at: 5 }), "elsewhere"],
  // Bug: every page was fetched for a message of another branch, back to the first.
  [
    "of another branch does not ask for all that is older",
    view([user("x", 2)], true),
    hitOf("a", { at: 5 }),
    "elsewhere",
  ],
  [
    "in the output of a reply of nothing but calls is at its first card",
    view([user("x", 2), tool("old", 3), tool("card", 6)]),
    hitOf("a", { at: 5, kind: "tool output" }),
    { key: "card" },
  ],
  ["in a title is at no message", view([user("m", 5)]), hitOf("a", { kind: "title" }), "nowhere"],
] as const)("a hit %s", (_, shown, hit, place) => {
  expect(placeOf(shown, hit)).toEqual(place);
});
