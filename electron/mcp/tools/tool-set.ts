import type { Tool } from "../../agent/ports/ports.ts";
import type { McpServer } from "../server.ts";
import { findToolsTool } from "./find-tools.ts";
import { toolNames } from "./tool-names.ts";
import { type OnCall, proxyTool } from "./tool-proxy.ts";

/** More tools than these, over all servers, would eat the context: they are looked for with a tool. */
export const maxOffered = 25;
/** So is what is longer than this in all, in UTF-16 units. */
const maxOfferedChars = 100_000;

export interface ToolSetOptions {
  servers(): readonly McpServer[];
  isOn(server: McpServer, tool: string): boolean;
  onCall: OnCall;
}

/** The tools of all servers that are ready, made anew only when a list changes: their schemas go into every request. */
export class ToolSet {
  readonly #options: ToolSetOptions;
  readonly #loaded = new Map<string, Set<string>>();
  readonly #finder: Tool;
  #all: readonly Tool[] | null = null;
  /** Of all of them. */
  #chars = 0;
  /** One object a tool for as long as it stays what it is. */
  #known = new Map<object, { name: string; tool: Tool }>();

  constructor(options: ToolSetOptions) {
    this.#options = options;
    this.#finder = findToolsTool({
      all: () => this.all(),
      load: (conversationId, names) => {
        const loaded = this.#loaded.get(conversationId) ?? new Set();
        this.#loaded.set(conversationId, loaded);
        for (const name of names) loaded.add(name);
      },
    });
  }

  /** The lists are to be read again. */
  changed(): void {
    this.#all = null;
  }

  all(): readonly Tool[] {
    this.#all ??= this.#read();
    return this.#all;
  }

  /** What a conversation is offered: all, or the search and what it found there before. */
  offered(conversationId: string): readonly Tool[] {
    const all = this.all();
    if (all.length <= maxOffered && this.#chars <= maxOfferedChars) return all;
    const loaded = this.#loaded.get(conversationId);
    return [this.#finder, ...all.filter(({ name }) => loaded?.has(name))];
  }

  #read(): Tool[] {
    const { servers, isOn, onCall } = this.#options;
    const found = servers().flatMap((server) => {
      const offered = (server.connection?.tools ?? []).filter(({ name }) => isOn(server, name));
      return offered.map((listed) => ({ server, listed }));
    });
    const names = toolNames(
      found.map(({ server, listed }) => ({ server: server.config.name, tool: listed.name })),
    );
    const known = new Map<object, { name: string; tool: Tool }>();
    for (const [index, { server, listed }] of found.entries()) {
      const name = names[index] ?? "";
      const before = this.#known.get(listed);
      const tool = before?.name === name ? before.tool : proxyTool(name, server, listed, onCall);
      known.set(listed, { name, tool });
    }
    this.#known = known;
    const tools = [...known.values()].map(({ tool }) => tool);
    this.#chars = tools.reduce((sum, tool) => sum + charsOf(tool), 0);
    return tools;
  }
}

const lengths = new WeakMap<Tool, number>();

function charsOf(tool: Tool): number {
  const length = lengths.get(tool) ?? tool.description.length + JSON.stringify(tool.inputSchema ?? {}).length;
  lengths.set(tool, length);
  return length;
}
