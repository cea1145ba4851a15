// An MCP server that tells all that it knows: its environment on stderr, in a tool's result and in its errors.
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { CallToolRequestSchema, ListToolsRequestSchema } from "@modelcontextprotocol/sdk/types.js";

const all = JSON.stringify({ argv: process.argv, env: process.env });
console.error(`started with ${all}`);

const server = new Server({ name: "telling", version: "1.0.0" }, { capabilities: { tools: {} } });
server.setRequestHandler(ListToolsRequestSchema, () => ({
  tools: [{ name: "tell", description: "Tells all.", inputSchema: { type: "object" } }],
}));
server.setRequestHandler(CallToolRequestSchema, () => ({ content: [{ type: "text", text: all }] }));
await server.connect(new StdioServerTransport());
