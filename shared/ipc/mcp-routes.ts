import { z } from "zod";
import { type McpView, mcpActions } from "../servers/mcp.ts";
import { answers } from "./route-parts.ts";

/** MCP servers. */
export const mcpRoutes = {
  /** The MCP servers of a conversation, as they are now; a push says when that changes. */
  "mcp.list": { input: z.object({ conversationId: z.string() }), ...answers<McpView>() },
  "mcp.act": {
    input: z.object({
      conversationId: z.string(),
      server: z.string(),
      action: z.enum(mcpActions),
      /** What the user saw: of `allow` the fingerprint, of `allow-host` and `deny-host` the host, of `put-back` and `leave-out` the id. */
      seen: z.string().optional(),
    }),
  },
  "mcp.tool": {
    input: z.object({
      conversationId: z.string(),
      server: z.string(),
      tool: z.string(),
      isOn: z.boolean(),
    }),
  },
  /** What a server's README says: JSON, or a name and a command or an address. Answers with the names. */
  "mcp.add": {
    input: z.object({ text: z.string().trim().min(1).max(100_000) }),
    ...answers<{ names: string[] }>(),
  },
  /** From other assistants on this computer. Answers with a line for each thing found. */
  "mcp.import": { input: z.void(), ...answers<{ lines: string[] }>() },
} as const;
