import type { ServerActions } from "../mcp/server-actions.ts";
import { serversView } from "../mcp/servers-view.ts";
import type { IpcHandlers } from "./ipc.ts";

type McpRoutes = Pick<IpcHandlers, "mcp.list" | "mcp.act" | "mcp.tool" | "mcp.add" | "mcp.import">;

/** What the window's list of servers does. It answers at once: how a start went comes as a push. */
export function mcpRoutes(actions: ServerActions, redact: (text: string) => string): McpRoutes {
  const { manager } = actions;
  return {
    "mcp.list": () => serversView(manager, redact),
    "mcp.act": async ({ server, action }) => {
      switch (action) {
        case "restart":
          return await manager.server(server).restart();
        case "stop":
          return await manager.server(server).stop();
        case "allow":
          return manager.allow(server);
        case "remove":
          return await actions.remove(server);
      }
    },
    "mcp.tool": ({ server, tool, isOn }) => actions.switchTool(server, tool, isOn),
    "mcp.add": async ({ text }) => ({ names: await actions.add(text.trim().split(/\s+/), text.trim()) }),
    "mcp.import": async () => ({ lines: await actions.import() }),
  };
}
