import { describe, expect, it } from "vitest";
import { readConfig } from "../../../../electron/mcp/config/config.ts";
import { expandEntry } from "../../../../electron/mcp/config/expand.ts";

const user = (content: unknown) => ({ source: "user" as const, where: "mcp.json", content });
/** As a configuration writes it. */
const hole = (name: string) => `$\{${name}}`;

describe("a configuration as other assistants write it", () => {
  it("a README's mcpServers, VS Code's servers and the entries alone say the same", () => {
    const entries = {
      files: { command: "npx", args: ["-y", "server-filesystem", "/tmp"], env: { PORT: 8080 } },
    };
    const texts = [{ mcpServers: entries }, { servers: entries }, { mcp: { servers: entries } }, entries];
    const [first, ...others] = texts.map((text) => readConfig([user(JSON.stringify(text))]));
    expect(first?.problems).toEqual([]);
    expect(first?.servers).toMatchObject([
      { name: "files", source: "user", entry: { command: "npx", env: { PORT: "8080" }, timeoutMs: 120_000 } },
    ]);
    for (const other of others) expect(other).toEqual(first);
  });

  it.each([
    [{ args: ["x"] }, "`command`: either `command` (a program) or `url` (an address) is needed"],
    [{ command: "x", url: "https://x.example" }, "`url`: use either `command` or `url`, not both"],
    [{ type: "http", command: "x" }, "`url`: a server of type http needs one"],
    [{ type: "stdio", url: "https://x.example" }, "`command`: a server of type stdio needs one"],
    [{ command: "x", timeoutMs: "soon" }, "`timeoutMs`:"],
    [{ command: "x", type: "carrier pigeon" }, "`type`:"],
    ["npx", "`entry`:"],
  ])("%j is a line that names server and field, and the others go on", (bad, message) => {
    const { servers, problems } = readConfig([user({ mcpServers: { bad, good: { command: "x" } } })]);
    expect(servers.map(({ name }) => name)).toEqual(["good"]);
    expect(problems).toHaveLength(1);
    expect(problems[0]).toMatchObject({ server: "bad" });
    expect(problems[0]?.message).toContain("mcp.json: server `bad`, ");
    expect(problems[0]?.message).toContain(message);
  });

  it.each(["{ not json", "[]", '{"mcpServers": []}'])(
    "a file that says %s is a problem, never a crash",
    (content) => {
      const { servers, problems } = readConfig([
        user(content),
        user({ mcpServers: { s: { command: "x" } } }),
      ]);
      expect(servers).toHaveLength(1);
      expect(problems).toMatchObject([{ server: null }]);
    },
  );

  it("an empty or missing file is none, and a name counts where it stands first", () => {
    const { servers, problems } = readConfig([
      user(""),
      user({ mcpServers: { s: { command: "mine" } } }),
      { source: "project", where: ".mcp.json", content: { mcpServers: { s: { command: "theirs" } } } },
    ]);
    expect(problems).toEqual([]);
    expect(servers).toMatchObject([{ source: "user", entry: { command: "mine" } }]);
  });
});

describe("variables", () => {
  const variables = {
    own: { TOKEN: "secret", EMPTY: "", MCP_INPUT_KEY: "typed" },
    folder: {},
    workingFolder: "/work",
    home: "/home/ada",
  };
  const expand = (entry: object, inputs: object[] = []) => {
    const [config] = readConfig([user({ servers: { s: entry }, inputs })]).servers;
    if (!config) throw new Error("not configured");
    return expandEntry(config, variables);
  };

  it("are filled in wherever an entry has them", () => {
    expect(
      expand({
        command: `${hole("userHome")}/bin/server`,
        args: [hole("workspaceFolder"), hole("EMPTY:-default"), hole("TOKEN:-unused"), "$HOME", "{TOKEN}"],
        env: { A: `${hole("TOKEN")}-${hole("env:TOKEN")}`, B: hole("input:key") },
      }),
    ).toMatchObject({
      command: "/home/ada/bin/server",
      args: ["/work", "default", "secret", "$HOME", "{TOKEN}"],
      env: { A: "secret-secret", B: "typed" },
    });
    expect(
      expand({ url: `https://${hole("TOKEN")}.example`, headers: { Authorization: hole("TOKEN") } }),
    ).toMatchObject({
      url: "https://secret.example",
      headers: { Authorization: "secret" },
    });
  });

  it.each([
    [hole("NOWHERE"), "user", "Give it with `/key set NOWHERE_KEY`, or set it before Parley starts."],
    [hole("NOWHERE"), "project", "write it into the `.env` file of the folder"],
    [
      hole("input:api-key"),
      "user",
      "Give it with `/key set MCP_INPUT_API_KEY`, or set it before Parley starts.",
    ],
    // A folder's file gives no inputs.
    [hole("input:api-key"), "project", "Give it with `/key set MCP_INPUT_API_KEY`, or set it"],
  ] as const)("%s in an entry of %s: where it belongs is said", (text, source, how) => {
    const content = { servers: { s: { command: text.replace("NOWHERE", "NOWHERE_KEY") } } };
    const [config] = readConfig([{ ...user(content), source }]).servers;
    if (!config) throw new Error("not configured");
    const said = () => expandEntry(config, variables);
    expect(said).toThrow(how);
    if (source === "user") expect(said).not.toThrow(".env");
  });

  it.each([
    [{ command: "x", env: { A: hole("NOWHERE") } }, "s: `env.A` needs the environment variable `NOWHERE`"],
    [{ command: hole("constructor") }, "s: `command` needs the environment variable `constructor`"],
    [{ command: "x", args: ["", hole("env:EMPTY")] }, "s: `args.1` needs the environment variable `EMPTY`"],
    [{ url: "https://x.example", headers: { X: hole("input:api-key") } }, "`MCP_INPUT_API_KEY`"],
  ])("%j says what is missing, and where", (entry, message) => {
    expect(() => expand(entry, [{ id: "api-key", type: "promptString", description: "Your key" }])).toThrow(
      message,
    );
  });
});
