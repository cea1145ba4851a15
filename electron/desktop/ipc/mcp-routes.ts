import type { ServerActions } from "../../mcp/server-actions.ts";
import { serversView } from "../../mcp/servers-view.ts";
import type { IpcHandlers } from "./ipc.ts";

interface McpRoutesOptions {
  actions: ServerActions;
  /** The working folder of a conversation. */
  folderOf(conversationId: string): string;
  redact(text: string): string;
}

/** What the window's list of servers does. It answers at once: how a start went comes as a push. */
export function mcpRoutes({ actions, folderOf, redact }: McpRoutesOptions) {
  const { manager } = actions;
  return {
    "mcp.list": ({ conversationId }) => serversView(manager, folderOf(conversationId), redact),
    "mcp.act": async ({ conversationId, server, action, seen = "" }) => {
      const folder = folderOf(conversationId);
      switch (action) {
        case "restart":
          return await manager.server(server, folder).restart();
        case "stop":
          return await manager.server(server, folder).stop();
        case "allow":
          return manager.allow(server, seen, folder);
        case "remove":
          return await actions.remove(server, folder);
        case "fence":
        case "unfence":
          return await manager.switchFence(server, action === "fence", folder);
        case "allow-host":
        case "deny-host":
          return manager.server(server, folder).pendingHosts.answer(seen, action === "allow-host");
        case "put-back":
        case "leave-out":
          return await manager.server(server, folder).pendingFiles.answer(seen, action === "put-back");
      }
    },
    "mcp.tool": ({ conversationId, server, tool, isOn }) =>
      actions.switchTool(server, tool, isOn, folderOf(conversationId)),
    "mcp.add": async ({ text }) => ({ names: await actions.add(text.trim().split(/\s+/), text.trim()) }),
    "mcp.import": async () => ({ lines: await actions.import() }),
  } satisfies Partial<IpcHandlers>;
}
