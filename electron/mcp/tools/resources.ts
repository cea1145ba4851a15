import type { Attachment } from "../../../shared/conversation/attachments.ts";
import { withoutMarks } from "../../../shared/conversation/data-marks.ts";
import type { ContentBlock, ImageBlock } from "../../../shared/conversation/messages.ts";
import type { McpPromptView } from "../../../shared/servers/mcp.ts";
import type { ListedPrompt } from "../connection/reading/listed.ts";
import type { McpManager } from "../manager.ts";
import type { McpServer } from "../server.ts";
import { withConnection } from "./tool-proxy.ts";
import { resourceText, textOf } from "./tool-result.ts";

/** A resource that can be attached, as `@server:uri`. */
export interface AttachableResource {
  reference: string;
  name: string;
  description: string | undefined;
}

/**
 * Of all servers of a working folder that are ready. One that does not answer is left out.
 * @param folder that of new conversations, where it is not given, here and below
 */
export async function listResources(
  manager: McpManager,
  signal: AbortSignal,
  folder?: string,
): Promise<AttachableResource[]> {
  const lists = await Promise.allSettled(
    manager.serversIn(folder).map(async ({ connection, config }) =>
      ((await connection?.listResources(signal)) ?? []).map(({ uri, name, title, description }) => ({
        reference: `@${config.name}:${uri}`,
        name: title ?? name ?? uri,
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
  folder?: string,
): Promise<Attachment> {
  const { server, rest: uri } = splitReference(reference, "@");
  const contents = await withConnection(manager.server(server, folder), signal, (connection) =>
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

/** The prompts of a working folder's servers, as commands. */
export function listPrompts(manager: McpManager, folder?: string): McpPromptView[] {
  return manager.serversIn(folder).flatMap(promptsOf);
}

export function promptsOf({ connection, config }: McpServer): McpPromptView[] {
  return (connection?.prompts ?? []).map((prompt) => ({
    name: `${config.name}:${prompt.name}`,
    usage: usageOf(config.name, prompt),
    description: prompt.description ?? prompt.title ?? "",
  }));
}

/**
 * The text and images that `/server:prompt` puts into the conversation. They are the user's own words: the user typed for
 * them. Arguments go by their order. A prompt that says nothing is an error.
 * @throws Error in words for the user
 */
export async function promptContent(
  manager: McpManager,
  name: string,
  words: readonly string[],
  signal: AbortSignal,
  folder?: string,
): Promise<ContentBlock[]> {
  const { server, rest } = splitReference(name, "");
  return await withConnection(manager.server(server, folder), signal, async (connection) => {
    const prompt = connection.prompts.find((listed) => listed.name === rest);
    if (!prompt) throw new Error(`The MCP server ${server} has no prompt \`${rest}\`.`);
    const messages = await connection.getPrompt(
      rest,
      argumentsFrom(prompt, words, usageOf(server, prompt)),
      signal,
    );
    const images: ImageBlock[] = [];
    const text = messages
      .map(({ isReply, content }) => {
        const said = content.map((block) => textOf(block, images)).join("\n\n");
        return said !== "" && isReply ? `(assistant) ${said}` : said;
      })
      .join("\n\n");
    if (text.trim() === "") throw new Error(`\`/${name}\` is empty, so nothing was sent.`);
    return [{ type: "text", text: withoutMarks(text) }, ...images];
  });
}

/** The last argument takes all words that are left. */
function argumentsFrom(
  prompt: ListedPrompt,
  words: readonly string[],
  usage: string,
): Record<string, string> {
  const wanted = prompt.arguments ?? [];
  const given: Record<string, string> = {};
  for (const [index, { name, required }] of wanted.entries()) {
    const value = index === wanted.length - 1 ? words.slice(index).join(" ") : words[index];
    if (value) given[name] = value;
    else if (required) throw new Error(`\`${name}\` is missing. Usage: \`${usage}\``);
  }
  return given;
}

function usageOf(server: string, { name: prompt, arguments: wanted = [] }: ListedPrompt): string {
  const words = wanted.map(({ name, required }) =>
    required ? name.toUpperCase() : `[${name.toUpperCase()}]`,
  );
  return [`/${server}:${prompt}`, ...words].join(" ");
}

/** Names of servers may hold a colon nowhere else than a reference does: the first one ends them. */
function splitReference(reference: string, mark: string): { server: string; rest: string } {
  const at = reference.indexOf(":");
  if (!reference.startsWith(mark) || at < 0) throw new Error(`\`${reference}\` is no reference to a server.`);
  return { server: reference.slice(mark.length, at), rest: reference.slice(at + 1) };
}
