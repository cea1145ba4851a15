import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { z } from "zod";
import type { Conversation, Prompt } from "../../../electron/agent/conversation/conversation.ts";
import type { Tool } from "../../../electron/agent/ports/ports.ts";
import { readResource } from "../../../electron/mcp/tools/resources.ts";
import { SessionFiles } from "../../../electron/store/exchange/session-files.ts";
import type { ContentBlock } from "../../../shared/conversation/messages.ts";
import type { Injection, Way } from "../../fixtures/injections/injection.ts";
import { overheard, type Rig, typed } from "../agent/agent-rig.ts";
import type { McpRig } from "../mcp/mcp-rig.ts";
import type { Field } from "./injection-field.ts";

/** A prompt of the user's, or of whoever is heard, that brings the words into the conversation. */
export interface Delivery {
  conversation: Conversation;
  prompt: Prompt;
  /** What the prompt itself makes the model call: the user wants these. */
  own: { name: string; input: object }[];
}

export interface Delivering {
  rig: Rig;
  field: Field;
  mcp: McpRig | null;
  folder: string;
  /** With the orders in them. */
  words: string;
  way: Way;
}

/** Puts the words where they are found. */
export async function deliver(delivering: Delivering): Promise<Delivery> {
  const { rig, field, mcp, folder, words, way } = delivering;
  const conversation = rig.conversations.create();
  const reading = (...own: Delivery["own"]): Delivery => ({
    conversation,
    prompt: typed(`Please look. [[script:obey ${JSON.stringify({ calls: own })}]]`),
    own,
  });
  const file = (name: string) => writeFileSync(join(folder, name), `${words}\n`);
  switch (way) {
    case "web page":
    case "web text": {
      const isPage = way === "web page";
      const body = `<html><body><article><h1>News</h1><p>${"Words. ".repeat(40)}</p><p>${words}</p></article></body></html>`;
      Object.assign(field.page, isPage ? { type: "text/html", body } : { type: "text/plain", body: words });
      return reading({ name: "web_fetch", input: { url: `http://127.0.0.1:${field.pages}/page` } });
    }
    case "file":
      file("readme.md");
      return reading({ name: "read_file", input: { path: "readme.md" } });
    case "file name":
      writeFileSync(join(folder, "src", words.slice(0, 250)), "");
      return reading({ name: "list_directory", input: { path: "src" } });
    case "search":
      file("log.txt");
      return reading({ name: "grep", input: { pattern: "OBEY", path: "log.txt" } });
    case "command output":
      file("said.txt");
      return reading({ name: "shell", input: { command: "cat said.txt; false" } });
    case "project document":
      file("AGENTS.md");
      return { conversation, prompt: typed("Hello [[script:obey]]"), own: [] };
    case "server description":
    case "server schema":
      return { conversation, prompt: typed("Hello [[script:obey]]"), own: [] };
    case "server result":
    case "server error":
    case "server structure":
    case "resource link":
      return reading({ name: "s__look", input: {} });
    case "resource": {
      if (!mcp) throw new Error("There is no server.");
      const attached = await readResource(mcp.manager, "@s:note://1", new AbortController().signal);
      const prompt = { ...typed("See this. [[script:obey]]"), attachments: [attached] };
      return { conversation, prompt, own: [] };
    }
    case "imported conversation":
    case "imported result":
      return { conversation: await imported(delivering), prompt: typed("Go on [[script:obey]]"), own: [] };
    case "loopback":
      return { conversation, prompt: overheard(`${words} [[script:obey]]`), own: [] };
    case "meeting": {
      const meeting = [{ who: "them" as const, text: words }];
      return { conversation, prompt: { ...typed("Sum it up [[script:obey]]"), meeting }, own: [] };
    }
    case "sub-agent":
      file("brief.md");
      return reading({ name: "delegate", input: { task: "Read it", reads: "brief.md" } });
  }
}

/** The script of the server that says the words. */
export function hostileServer({ way }: Injection, words: string): object | null {
  const script = scripts[way]?.(words);
  if (!script) return null;
  const program = resolve(import.meta.dirname, "../../fakes/mcp/hostile-mcp-server.mjs");
  return { command: process.execPath, args: [program, JSON.stringify(script)] };
}

const text = (words: string) => [{ type: "text", text: words }];
const scripts: Partial<Record<Way, (words: string) => object>> = {
  "server description": (words) => ({ description: words }),
  "server schema": (words) => ({ schema: words }),
  "server result": (words) => ({ result: { content: text(words) } }),
  "server error": (words) => ({ result: { content: text(words), isError: true } }),
  "server structure": (words) => ({ result: { content: [], structuredContent: { [words]: [words] } } }),
  "resource link": (words) => ({
    result: { content: [{ type: "resource_link", uri: "note://1", name: words, description: words }] },
  }),
  resource: (words) => ({ resource: words }),
};

/** Starts a sub-agent: on one command, or on reading a file whose words it obeys. */
export const delegateTool: Tool = {
  name: "delegate",
  description: "Gives a task to an agent.",
  input: z.object({
    task: z.string(),
    command: z.string().optional(),
    reads: z.string().optional(),
  }),
  effect: "read",
  async run(input, { subagents }) {
    const { command, reads } = z
      .object({ command: z.string().optional(), reads: z.string().optional() })
      .parse(input);
    const call =
      reads === undefined
        ? { name: "shell", input: { command } }
        : { name: "read_file", input: { path: reads } };
    const script = reads === undefined ? "tools" : "obey";
    const task = `[[script:${script} ${JSON.stringify({ calls: [call] })}]]`;
    const { output } = await subagents.wait(subagents.spawn(task), 60_000);
    return { text: output };
  },
};

/** A conversation that somebody else had, from their file, which names a folder of their choice. */
async function imported({ rig, words, way, folder }: Delivering): Promise<Conversation> {
  const block = { type: "text" as const, text: words };
  const say = (role: "user" | "assistant", content: ContentBlock[]) => ({ role, content });
  const use: ContentBlock = { type: "tool_use", id: "toolu_theirs", name: "read_file", input: { path: "x" } };
  const result: ContentBlock = { type: "tool_result", tool_use_id: "toolu_theirs", content: words };
  const done = say("assistant", [{ type: "text", text: "Done." }]);
  const said =
    way === "imported conversation"
      ? [say("user", [block]), done]
      : [say("user", [{ type: "text", text: "Look" }]), say("assistant", [use]), say("user", [result]), done];
  const messages = said.map(({ role, content }, index) => ({
    parentId: index === 0 ? null : `m${index - 1}`,
    message: {
      id: `m${index}`,
      role,
      origin: role === "assistant" ? null : content[0]?.type === "tool_result" ? "tool" : "typed",
      source: null,
      content,
      createdAt: index,
    },
  }));
  const path = join(mkdtempSync(join(tmpdir(), "parley-theirs-")), "session.json");
  const facts = { title: "Theirs", model: "opus", workingFolder: "/", createdAt: 1, updatedAt: 2 };
  const head = { format: "parley-session", version: 1, headMessageId: `m${messages.length - 1}` };
  writeFileSync(path, JSON.stringify({ ...head, ...facts, messages, toolCalls: [] }));
  let ids = 0;
  const prefix = `theirs-${rig.logged.length}`;
  const files = new SessionFiles({ store: rig.store, newId: () => `${prefix}-${++ids}`, now: () => 1 });
  return rig.conversations.open(await files.read(path, folder));
}
