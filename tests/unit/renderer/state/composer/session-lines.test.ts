import { expect, it } from "vitest";
import { sessionLines } from "../../../../../renderer/state/composer/session-lines.ts";

const sessions = [
  { conversationId: "01AAAAAAAAAAAAAAAAAAAAAA11", title: "Taxes 2026" },
  { conversationId: "01AAAAAAAAAAAAAAAAAAAABB22", title: "Dinner" },
  { conversationId: "01AAAAAAAAAAAAAAAAAAAACC33", title: "dinner" },
  { conversationId: "01AAAAAAAAAAAAAAAAAAAADD44", title: 'The "taxi"' },
];
const lines = (text: string) => sessionLines(text, sessions).map(({ line }) => line);

it("offers conversations by title and by id, with the id where the title does not say which", () => {
  expect(lines("/session resume ")).toHaveLength(4);
  expect(lines("/session resume tax")).toEqual(["/session resume Taxes 2026", "/session resume aadd44"]);
  expect(lines("/session resume din")).toEqual(["/session resume aabb22", "/session resume aacc33"]);
  expect(lines("/session resume BB22")).toEqual(["/session resume aabb22"]);
});

it("offers nothing for a line that names one, nor for other lines", () => {
  expect(lines("/session resume Taxes 2026")).toEqual([]);
  expect(lines("/session resume aabb22")).toEqual([]);
  expect(lines("/session name tax")).toEqual([]);
  expect(lines("resume tax")).toEqual([]);
});
