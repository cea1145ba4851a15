import type { Prompt } from "@modelcontextprotocol/sdk/types.js";
import type { Attachment } from "../../shared/attachments.ts";
import { withoutMarks } from "../../shared/data-marks.ts";
import type { ContentBlock, ImageBlock } from "../../shared/messages.ts";
import type { McpManager } from "./manager.ts";
import { withConnection } from "./tool-proxy.ts";
import { resourceText, textOf } from "./tool-result.ts";

/** A resource that can be attached, as `@server:uri`. */
export interface AttachableResource {
  reference: string;
  name: string;
  description: string | undefined;
}

/** Of all servers that are ready. One that does not answer is left out. */
export async function listResources(manager: McpManager, signal: AbortSignal): Promise<AttachableResource[]> {
  const lists = await Promise.allSettled(
    manager.servers.map(async ({ connection, config }) =>
      ((await connection?.listResources(signal)) ?? []).map(({ uri, name, title, description }) => ({
        reference: `@${config.name}:${uri}`,
        name: title ?? name,
        description,
      })),
    ),
  );
  return lists.flatMap((list) => (list.status === "fulfilled" ? list.value : []));
}

/**
 * What an `@server:uri` says: words of the server's, which the caller marks as such, with its images.
 * @throws Error in words for the user
 */
export async function readResource(
  manager: McpManager,
  reference: string,
  signal: AbortSignal,
): Promise<Attachment> {
  const { server, rest: uri } = splitReference(reference, "@");
  const { contents } = await withConnection(manager.server(server), signal, (connection) =>
    connection.readResource(uri, signal),
  );
  const images: ImageBlock[] = [];
  const text = contents.map((content) => resourceText(content, images)).join("\n\n");
  return {
    from: `${server}: ${uri}`,
    text: text || "(empty)",
    ...(images.length > 0 && { images }),
  };
}

export interface PromptCommand {
  /** As it is typed: `/server:prompt`. */
  name: string;
  usage: string;
  description: string;
}

/** The prompts of all servers, as commands. */
export function listPrompts(manager: McpManager): PromptCommand[] {
  return manager.servers.flatMap(({ connection, config }) =>
    (connection?.prompts ?? []).map((prompt) => ({
      name: `${config.name}:${prompt.name}`,
      usage: `/${config.name}:${prompt.name}${argumentsOf(prompt)}`,
      description: prompt.description ?? prompt.title ?? "",
    })),
  );
}

/**
 * The text and images that `/server:prompt` puts into the conversation. They are the user's own words: the user typed for
 * them. Arguments go by their order.
 * @throws Error in words for the user
 */
export async function promptContent(
  manager: McpManager,
  name: string,
  words: readonly string[],
  signal: AbortSignal,
): Promise<ContentBlock[]> {
  const { server, rest } = splitReference(name, "");
  return await withConnection(manager.server(server), signal, async (connection) => {
    const prompt = connection.prompts.find((listed) => listed.name === rest);
    if (!prompt) throw new Error(`The MCP server ${server} has no prompt \`${rest}\`.`);
    const { messages } = await connection.getPrompt(rest, argumentsFrom(prompt, words), signal);
    const images: ImageBlock[] = [];
    const text = messages
      .map(({ role, content }) => `${role === "assistant" ? "(assistant) " : ""}${textOf(content, images)}`)
      .join("\n\n");
    return [{ type: "text", text: withoutMarks(text) }, ...images];
  });
}

/** The last argument takes all words that are left. */
function argumentsFrom(prompt: Prompt, words: readonly string[]): Record<string, string> {
  const wanted = prompt.arguments ?? [];
  const given: Record<string, string> = {};
  for (const [index, { name, required }] of wanted.entries()) {
    const value = index === wanted.length - 1 ? words.slice(index).join(" ") : words[index];
    if (value) given[name] = value;
    else if (required) throw new Error(`\`${name}\` is missing. Usage:${argumentsOf(prompt)}`);
  }
  return given;
}

function argumentsOf({ arguments: wanted = [] }: Prompt): string {
  return wanted
    .map(({ name, required }) => (required ? ` ${name.toUpperCase()}` : ` [${name.toUpperCase()}]`))
    .join("");
}

/** Names of servers may hold a colon nowhere else than a reference does: the first one ends them. */
function splitReference(reference: string, mark: string): { server: string; rest: string } {
  const at = reference.indexOf(":");
  if (!reference.startsWith(mark) || at < 0) throw new Error(`\`${reference}\` is no reference to a server.`);
  return { server: reference.slice(mark.length, at), rest: reference.slice(at + 1) };
}
