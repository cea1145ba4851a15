import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { createCommandRegistry } from "../../../electron/commands/registry.ts";
import { isProgram } from "../../../electron/mcp/config/is-program.ts";
import { mcpCommand } from "../../../electron/mcp/mcp-command.ts";
import { ServerActions } from "../../../electron/mcp/server-actions.ts";
import {
  createMcpRig,
  type McpRig,
  type McpRigOptions,
  scripted,
  writeJson,
} from "../../integration/mcp/mcp-rig.ts";

let rig: McpRig;
afterEach(() => rig.close());

function open(options: McpRigOptions = {}, platform: NodeJS.Platform = "linux") {
  rig = createMcpRig(options);
  const home = join(rig.userData, "..", "home");
  const command = mcpCommand(
    new ServerActions({
      ...{ manager: rig.manager, files: rig.files, places: { platform, home, env: {} } },
      hasProgram: async (name) => isProgram(name, { PATH: dirname(process.execPath) }),
    }),
  );
  const registry = createCommandRegistry([command]);
  return {
    home,
    say: async (line: string) => (await registry.answer(line, { conversationId: "c1" })).output,
    ready: () => rig.manager.settled(),
  };
}

const userFile = () => JSON.parse(readFileSync(rig.files.userFile, "utf8"));

describe("/mcp", () => {
  it("left says what a server left that was taken out, and what becomes of it", async () => {
    const back: string[] = [];
    const putBack = async ({ place }: { place: string }) => void back.push(place);
    const { say, ready } = open({ servers: { notes: scripted() }, context: { putBack } });
    await rig.manager.load();
    await ready();
    expect(await say("/mcp left notes")).toContain("left no files");
    const files = { folder: "/w", place: "/aside/1", paths: [".envrc"], detail: ".envrc\nrun \u202Ethis" };
    const { config } = rig.manager.server("notes");
    rig.files.keepLeft(config, [files, { ...files, place: "/aside/2" }]);
    const shown = await say("/mcp left notes");
    for (const words of ["From `/w`, now in `/aside/1`", "run ⟨U+202E⟩this", "These files decide what runs"])
      expect(shown).toContain(words);
    expect(await say("/mcp left notes back")).toContain("back in the folder");
    expect([back, rig.files.left(config)]).toEqual([["/aside/1", "/aside/2"], []]);
    rig.files.keepLeft(config, [files]);
    expect(await say("/mcp left notes out")).toContain("stay in `/aside/1`");
    expect([back.length, rig.files.left(config)]).toEqual([2, []]);
  });

  // Bug: "not valid" became a server named *not*.
  it("two words are no server where the second is no program", async () => {
    const { say } = open();
    expect(await say("/mcp add not valid")).toContain("There is no program `valid` on this computer.");
    expect(rig.manager.servers).toEqual([]);
    expect(await say("/mcp add runs node")).toContain("Added `runs`.");
    expect(await say("/mcp add elsewhere /opt/none")).toContain("Added `elsewhere`.");
  });

  it("keeps all that the file has beside its servers", async () => {
    const { say } = open({ context: { spawn: () => Promise.reject(new Error("not started here")) } });
    const file = { mcpServers: { a: { command: "a" } }, servers: { b: { command: "b" } }, note: "mine" };
    mkdirSync(rig.userData, { recursive: true });
    writeJson(rig.files.userFile, file);
    await say("/mcp add s npx -y server");
    expect(userFile()).toEqual({
      ...file,
      mcpServers: { ...file.mcpServers, s: { command: "npx", args: ["-y", "server"] } },
    });
  });

  // Bug: it was said to be added, and the other one went on.
  it("what stands in settings.json cannot be added beside it", async () => {
    const { say } = open({ servers: { s: scripted({}, { enabled: false }) } });
    await rig.manager.load();
    expect(await say("/mcp add s npx -y server")).toContain("`s` is configured in settings.json");
    expect(rig.manager.server("s").config.source).toBe("settings");
    expect(existsSync(rig.files.userFile)).toBe(false);
  });

  it("says that there is none; a README's JSON pasted as it is starts one, kept where only the user reads it", async () => {
    const { say, ready } = open();
    expect(await say("/mcp")).toContain("No MCP servers are configured.");
    const json = JSON.stringify({ mcpServers: { "my-server": scripted() } }, null, 2);
    expect(await say(`/mcp add ${json}`)).toContain("Added `my-server`.");
    await ready();
    expect(await say("/mcp list")).toBe("- ● `my-server`: ready, 13 tools");
    expect(userFile().mcpServers["my-server"].command).toBe(process.execPath);
    expect(statSync(rig.files.userFile).mode & 0o777).toBe(0o600);
  });

  it.each([
    ["/mcp add s npx -y server /tmp", { command: "npx", args: ["-y", "server", "/tmp"] }],
    [
      '/mcp add s KEY=a=b OTHER="c d" server --flag',
      { command: "server", args: ["--flag"], env: { KEY: "a=b", OTHER: "c d" } },
    ],
    ["/mcp add s https://example.invalid/mcp", { url: "https://example.invalid/mcp" }],
    ['/mcp add s {"command": "x y", "enabled": false}', { command: "x y", enabled: false }],
  ])("%s", async (line, entry) => {
    const { say } = open({ context: { spawn: () => Promise.reject(new Error("not started here")) } });
    expect(await say(line)).toContain("Added `s`.");
    expect(userFile().mcpServers.s).toEqual({
      ...("command" in entry && !("enabled" in entry) && { args: [] }),
      ...entry,
    });
  });

  it.each([
    ["/mcp add", "Say what to add"],
    ["/mcp add s", "A command or an address"],
    ["/mcp add {broken", "not valid JSON"],
    ['/mcp add {"mcpServers": {"s": {"args": []}}}', "Server `s`, `command`"],
    ["/mcp add s/t npx", "can't be a name"],
    ["/mcp restart nobody", "There is no MCP server `nobody`."],
    ["/mcp frobnicate", "is not known"],
    ["/mcp constructor", "is not known"],
    ["/mcp remove nobody", "There is no MCP server"],
  ])("%s says what is wrong and changes nothing", async (line, message) => {
    const { say } = open();
    expect(await say(line)).toContain(message);
    expect(() => userFile()).toThrow();
  });

  it("shows why a server failed and its last lines; restart tries again; remove takes it out", async () => {
    const { say, ready } = open();
    await say(`/mcp add s ${JSON.stringify(scripted({ onStart: "exit", stderr: ["bad key ```"] }))}`);
    await ready();
    expect(await say("/mcp list")).toContain("✗ `s`: failed. It ended before it had started (exit code 3).");
    expect(await say("/mcp status s")).toContain("````\nbad key ```\n````");
    expect(await say("/mcp logs s")).toContain("bad key");
    expect(await say("/mcp restart s")).toContain("is restarting");
    await ready();
    expect(await say("/mcp remove s")).toContain("removed");
    expect(await say("/mcp")).toContain("No MCP server");
  });

  it("stops and starts a server", async () => {
    const { say, ready } = open({ servers: { s: scripted() } });
    await rig.manager.load();
    await ready();
    expect(await say("/mcp stop s")).toContain("is stopped");
    expect(await say("/mcp")).toBe("- ○ `s`: stopped");
    await say("/mcp restart s");
    await ready();
    expect(await say("/mcp")).toContain("● `s`: ready");
  });

  it("a server of the working folder runs when it was allowed, and again only as it was", async () => {
    const { say, ready } = open();
    const file = join(rig.folder, ".mcp.json");
    writeJson(file, { mcpServers: { theirs: scripted() } });
    await rig.manager.load();
    await ready();
    expect(await say("/mcp")).toContain("! `theirs`: needs approval.");
    const shown = await say("/mcp allow theirs");
    expect(shown).toContain(`Runs: ${process.execPath} `);
    expect(shown).toContain(`In: ${rig.folder}\n`);
    await ready();
    expect(await say("/mcp")).toContain("! `theirs`: needs approval.");
    await say("/mcp allow theirs yes");
    await ready();
    expect(await say("/mcp")).toContain("● `theirs`: ready");
    writeJson(file, { mcpServers: { theirs: scripted({ stderr: ["changed"] }) } });
    await rig.manager.load();
    await ready();
    expect(await say("/mcp")).toContain("! `theirs`: needs approval.");
  });

  it("bad entries are listed beside the others", async () => {
    const { say, ready } = open({ servers: { good: scripted(), bad: { args: [] } } });
    await rig.manager.load();
    await ready();
    expect(await say("/mcp")).toContain("- ✗ settings.json: server `bad`, `command`:");
  });
});

describe("/mcp import", () => {
  it.each([
    ["linux", ".config/Claude/claude_desktop_config.json", ".config/Code/User/mcp.json"],
    [
      "darwin",
      "Library/Application Support/Claude/claude_desktop_config.json",
      "Library/Application Support/Code/User/settings.json",
    ],
    ["win32", "AppData/Roaming/Claude/claude_desktop_config.json", "AppData/Roaming/Code/User/mcp.json"],
  ] as const)("on %s takes the servers of Claude Desktop and VS Code", async (platform, claude, code) => {
    const { say, home } = open(
      { context: { spawn: () => Promise.reject(new Error("not started here")) } },
      platform,
    );
    const write = (path: string, text: string) => {
      mkdirSync(dirname(join(home, path)), { recursive: true });
      writeFileSync(join(home, path), text);
    };
    write(claude, JSON.stringify({ mcpServers: { a: { command: "a" }, both: { command: "first" } } }));
    const servers =
      '{ /* mine */ "b": {"type": "http", "url": "https://b.example//x"}, "both": {"command": "second"},';
    const text = `${servers} "bad": {"type": "http"}, } // end`;
    write(code, code.endsWith("mcp.json") ? `{"servers": ${text}\n}` : `{"mcp": {"servers": ${text}\n}}`);
    const said = await say("/mcp import");
    expect(said.split("\n")).toEqual([
      "- `a` of Claude Desktop: taken over",
      "- `both` of Claude Desktop: taken over",
      "- `b` of VS Code: taken over",
      "- `both` of VS Code: left out: there is already one with this name",
      "- `bad` of VS Code: left out: its entry is wrong",
    ]);
    expect(userFile().mcpServers).toEqual({
      a: { command: "a" },
      both: { command: "first" },
      b: { type: "http", url: "https://b.example//x" },
    });
  });

  it("says where there is nothing", async () => {
    expect(await open().say("/mcp import")).toContain("No configuration");
  });
});
