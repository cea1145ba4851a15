import { z } from "zod";
import { asOutsideData, withoutMarks } from "../../../shared/conversation/data-marks.ts";
import type { Tool } from "../../agent/ports/ports.ts";

const input = z.object({
  query: z
    .string()
    .trim()
    .min(1)
    .describe("What the tool should do, in a few words, such as: create calendar event"),
});

export interface FindTools {
  all(): readonly Tool[];
  /** Offers these tools to a conversation from its next request on. */
  load(conversationId: string, names: readonly string[]): void;
}

/** Tools of one answer; descriptions are cut to so many UTF-16 units. */
const maxFound = 10;
const maxShown = 300;

/** The search that stands for the tools of MCP servers where there are too many to offer. */
export function findToolsTool({ all, load }: FindTools): Tool {
  const tool: Tool<z.infer<typeof input>> = {
    name: "find_tools",
    description:
      "Search the tools of the connected MCP servers by what they do. You can call the tools that it finds from your next reply on, and no others. If nothing fits, search again in other words.",
    input,
    effect: "read",
    everyProfile: true,
    async run({ query }, { conversationId }) {
      const found = rank(query, all()).slice(0, maxFound);
      load(
        conversationId,
        found.map(({ name }) => name),
      );
      if (found.length === 0)
        return { text: withoutMarks(`No tool fits "${query}". Servers: ${serversOf(all()).join(", ")}.`) };
      const lines = found.map(({ name, description }) => `- ${name}: ${description.slice(0, maxShown)}`);
      return { text: `These can be called now:\n${asOutsideData(lines.join("\n"), "MCP servers")}` };
    },
  };
  return { ...tool, run: (given, context) => tool.run(input.parse(given), context) };
}

/** Best first; only those that share a word with the query. A word of the name counts more than one of the description. */
export function rank(query: string, tools: readonly Tool[]): Tool[] {
  const asked = wordsOf(query);
  const scored = tools.map((tool) => {
    const name = wordsOf(tool.name);
    const described = wordsOf(tool.description);
    let score = 0;
    for (const word of asked) {
      if (name.some((own) => fits(own, word))) score += 3;
      if (described.some((own) => fits(own, word))) score += 1;
    }
    return { tool, score };
  });
  return scored
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score || (a.tool.name < b.tool.name ? -1 : 1))
    .map(({ tool }) => tool);
}

/** `createIssue`, `create_issue` and `creating issues` have their words in common. */
const fits = (own: string, asked: string) => own === asked || stem(own) === stem(asked);
const stem = (word: string) => word.replace(/(?:ing|ed|es|s|e)$/, "");

const wordsOf = (text: string) =>
  text
    .replaceAll(/(\p{Ll})(\p{Lu})/gu, "$1 $2")
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word.length > 1);

const serversOf = (tools: readonly Tool[]) => [
  ...new Set(tools.map(({ name, server }) => server?.name ?? name)),
];
