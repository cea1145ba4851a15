import type { Progress } from "@modelcontextprotocol/sdk/types.js";
import { z } from "zod";
import { asOutsideData, recordWithoutMarks, withoutMarks } from "../../../shared/conversation/data-marks.ts";
import type { Tool, ToolContext } from "../../agent/ports/ports.ts";
import { type Connection, ConnectionLost } from "../connection/connection.ts";
import type { ListedTool } from "../connection/reading/listed.ts";
import type { Asker } from "../ports.ts";
import type { McpServer } from "../server.ts";
import { inputSchema } from "./input-schema.ts";
import { toolOutput } from "./tool-result.ts";

/** UTF-16 units; a description stands in every request. */
const maxDescription = 8000;

/** Of what a call says of one step. */
const maxProgressChars = 500;

const anyObject = z.record(z.string(), z.unknown());

/** Letters; it stands in the one line that says what the user is asked for. */
const maxTitle = 60;

/** A call of a server's tool that goes on, and whose run can answer what the server asks meanwhile. */
export interface OpenCall {
  end(): void;
  /** Takes out of the server's words what the user gave it as a secret. */
  clean(text: string): string;
}
export type OnCall = (server: Asker, context: ToolContext) => OpenCall;

/** A server's tool as one of Parley's: its calls go to the connection that the server has then. */
export function proxyTool(
  name: string,
  server: McpServer,
  { name: toolName, title, description = "", inputSchema: given, annotations = {} }: ListedTool,
  onCall: OnCall,
): Tool<Record<string, unknown>> {
  const { name: serverName, entry, source } = server.config;
  const from = `${serverName}: ${toolName}`;
  const { schema, ownNames } = inputSchema(given);
  const hints = {
    readOnly: annotations.readOnlyHint,
    destructive: annotations.destructiveHint,
    openWorld: annotations.openWorldHint,
  };
  // A file of the working folder cannot speak for the user.
  const isTrusted = entry.trust && source !== "project";
  const isReader = isTrusted && hints.readOnly === true;
  const said = withoutMarks(description || title || toolName);
  const shownAs = titleOf(title ?? annotations.title, toolName);
  return {
    name,
    description: `${said.slice(0, maxDescription)}\n(From the MCP server ${withoutMarks(serverName)}.)`,
    input: anyObject,
    inputSchema: recordWithoutMarks(schema),
    server: { name: serverName, tool: toolName },
    // What a server says of itself is a hint: the user's trust makes it count for checkpoints, and nothing for rules.
    effect: isReader ? "read" : "execute",
    hints,
    wish: { who: serverName, what: `to use its tool “${shownAs}”`, tool: shownAs },
    ...(!isReader && { changes: "unknown" as const }),
    everyProfile: true,
    describe: (input) => `${serverName} · ${toolName}\n${JSON.stringify(ownNames(input), null, 2)}`,
    async run(input, context) {
      const { end, clean } = onCall(server.config, context);
      const endAsking = server.pendingHosts.openCall(context);
      try {
        const result = await withConnection(server, context.signal, (connection) =>
          connection.callTool(toolName, ownNames(input), {
            signal: context.signal,
            // Cut afterwards: half of a secret is one that nobody finds.
            onProgress: (progress) =>
              context.progress(`${clean(progressLine(progress)).slice(0, maxProgressChars)}\n`),
          }),
        );
        const output = toolOutput(result, from);
        return { ...output, text: `${clean(output.text)}${await server.pendingFiles.askIn(context)}` };
      } catch (error) {
        void server.pendingFiles.look();
        throw context.signal.aborted ? error : asData(error, from, clean);
      } finally {
        endAsking();
        end();
      }
    },
  };
}

/**
 * Runs `ask` on the server's connection, waiting for one that is being made. A session that the server forgot is made
 * anew, once.
 * @throws Error saying that the server does not run, and why
 */
export async function withConnection<T>(
  server: McpServer,
  signal: AbortSignal,
  ask: (connection: Connection) => Promise<T>,
): Promise<T> {
  const connection = await connected(server, signal);
  try {
    return await ask(connection);
  } catch (error) {
    if (!(error instanceof ConnectionLost)) throw error;
    await server.without(connection, signal);
    return await ask(await connected(server, signal));
  }
}

async function connected(server: McpServer, signal: AbortSignal): Promise<Connection> {
  await server.settled(signal);
  signal.throwIfAborted();
  if (server.connection) return server.connection;
  const { name, state, why } = server.status;
  throw new Error(`The MCP server ${name} does not run (${state}). ${why ?? ""}`.trim());
}

/** What went wrong is the server's word, too: it says what its errors are called, and why it does not start. */
function asData(error: unknown, from: string, clean: OpenCall["clean"]): Error {
  const message = error instanceof Error ? error.message : String(error);
  return new Error(clean(asOutsideData(message, from)), { cause: error });
}

/** One line: a title is the server's word, the card's detail names the tool itself. */
function titleOf(title: string | undefined, toolName: string): string {
  const letters = [...(title?.trim() || toolName).replaceAll(/[\s“”]+/g, " ")];
  return letters.length > maxTitle ? `${letters.slice(0, maxTitle - 1).join("")}…` : letters.join("");
}

function progressLine({ progress, total, message }: Progress): string {
  const share = total === undefined ? `${progress}` : `${progress} of ${total}`;
  return message === undefined ? share : `${share}: ${withoutMarks(message)}`;
}
