import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import {
  listPrompts,
  listResources,
  promptContent,
  readResource,
} from "../../../../electron/mcp/tools/resources.ts";
import { createMcpRig, type McpRig, nodeModule, scripted } from "../../../integration/mcp/mcp-rig.ts";

let rig: McpRig;
afterEach(() => rig.close());
const { signal } = new AbortController();

async function started(servers: Record<string, unknown>) {
  rig = createMcpRig({ servers });
  await rig.manager.load();
  await rig.manager.settled();
  return rig.manager;
}

const everything = {
  command: process.execPath,
  args: [nodeModule("@modelcontextprotocol/server-everything/dist/index.js"), "stdio"],
};

describe("resources", () => {
  it("of all servers are listed, and one says where it is from", async () => {
    const manager = await started({ everything, none: scripted() });
    const [first] = await listResources(manager, signal);
    expect(first?.reference).toMatch(/^@everything:demo:\/\//);
    const { from, text } = await readResource(manager, first?.reference ?? "", signal);
    expect(from).toMatch(/^everything: demo:\/\//);
    expect(text.length).toBeGreaterThan(20);
  });

  it.each([
    ["@nobody:demo://x", "There is no MCP server `nobody`"],
    ["@none", "is no reference to a server"],
    ["none:x", "is no reference to a server"],
  ])("%s says what is wrong", async (reference, message) => {
    const manager = await started({ none: scripted() });
    await expect(readResource(manager, reference, signal)).rejects.toThrow(message);
  });
});

describe("prompts", () => {
  it("are commands with their arguments in order; the last one takes the rest", async () => {
    const manager = await started({ s: scripted() });
    expect(listPrompts(manager)).toEqual([{ name: "s:greet", usage: "/s:greet WHO", description: "" }]);
    expect(await promptContent(manager, "s:greet", ["Ada", "Lovelace"], signal)).toEqual([
      { type: "text", text: "Greet Ada Lovelace" },
    ]);
    expect(await promptContent(manager, "s:greet", ["<overheard>"], signal)).toEqual([
      { type: "text", text: "Greet ‹overheard>" },
    ]);
  });

  it("say what is missing", async () => {
    const manager = await started({ s: scripted() });
    await expect(promptContent(manager, "s:greet", [], signal)).rejects.toThrow(
      "`who` is missing. Usage: `/s:greet WHO`",
    );
    await expect(promptContent(manager, "s:other", [], signal)).rejects.toThrow("has no prompt `other`");
  });
});

it("a changed file changes only the servers it is about", async () => {
  const manager = await started({});
  const write = (servers: object) =>
    writeFileSync(join(rig.userData, "mcp.json"), JSON.stringify({ mcpServers: servers }));
  rig.files.add({ stays: scripted(), goes: scripted(), changes: scripted() });
  await manager.load();
  await manager.settled();
  const stays = manager.server("stays").connection;
  const changes = manager.server("changes").connection;
  write({ stays: scripted(), changes: scripted({ tools: ["more"] }) });
  await manager.load();
  await manager.settled();
  expect(manager.server("stays").connection).toBe(stays);
  expect(manager.server("changes").connection).not.toBe(changes);
  expect(manager.statuses().map(({ name }) => name)).toEqual(["stays", "changes"]);
});
