import { expect, it } from "vitest";
import { z } from "zod";
import type { Tool } from "../../../../electron/agent/ports/ports.ts";
import { rank } from "../../../../electron/mcp/tools/find-tools.ts";

const tool = (name: string, description: string): Tool => ({
  name,
  description,
  input: z.unknown(),
  effect: "execute",
  run: async () => ({ text: "" }),
});

const tools = [
  tool("github__createIssue", "Opens a new issue in a repository"),
  tool("github__list_issues", "Lists the issues of a repository"),
  tool("calendar__create_event", "Creates an event"),
  tool("mail__send", "Sends a message; it can mention an issue"),
];

it.each([
  ["create an issue", ["github__createIssue", "calendar__create_event", "github__list_issues", "mail__send"]],
  ["creating events", ["calendar__create_event", "github__createIssue"]],
  ["REPOSITORY", ["github__createIssue", "github__list_issues"]],
  ["weather", []],
])("%s", (query, names) => {
  expect(rank(query, tools).map(({ name }) => name)).toEqual(names);
});
