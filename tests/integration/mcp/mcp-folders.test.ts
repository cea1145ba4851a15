import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { systemClock } from "../../../electron/agent/conversation/system-clock.ts";
import { askInRun } from "../../../electron/mcp/asking/asking.ts";
import { readConfig } from "../../../electron/mcp/config/config.ts";
import { proposalOf } from "../../../electron/mcp/config/proposal.ts";
import { mcpCommand } from "../../../electron/mcp/mcp-command.ts";
import { ServerActions } from "../../../electron/mcp/server-actions.ts";
import { serversView } from "../../../electron/mcp/servers-view.ts";
import { eventually, livingProcesses } from "../../fakes/processes.ts";
import {
  callContext,
  createMcpRig,
  type McpRig,
  type McpRigOptions,
  scripted,
  whenManager,
  writeJson,
} from "./mcp-rig.ts";

let rig: McpRig;
/** The folder of new conversations, and another one. */
let home: string;
let other: string;
/** So few that nobody has to look for them. */
const few = { tools: { on: ["echo", "environment", "roots", "ask"] } };
const mark = `in-folder-${process.pid}`;

beforeEach(() => open());
afterEach(() => rig.close());

function open(options: McpRigOptions = {}): void {
  rig = createMcpRig({ servers: { shared: scripted({}, few) }, ...options });
  home = rig.folder;
  other = join(home, "..", "other");
  mkdirSync(other);
}

/** A file of the folder with a server of this script, which notes when it is started. */
const put = (folder: string, name = "db", more: object = {}) =>
  writeJson(join(folder, ".mcp.json"), {
    mcpServers: { [name]: scripted({ pid: join(folder, "started"), mark }, { ...few, ...more }) },
  });
const starts = (folder: string) => {
  const file = join(folder, "started");
  return existsSync(file) ? readFileSync(file, "utf8").trim().split("\n").length : 0;
};
const namesIn = (folder: string) => rig.manager.serversIn(folder).map(({ config }) => config.name);
const toolsIn = (folder: string) => rig.manager.tools(`in ${folder}`, folder).map(({ name }) => name);
const statusIn = (folder: string, name = "db") => rig.manager.server(name, folder).status;

it("a folder's servers are there for conversations in it, and only there; nothing of them starts without trust", async () => {
  put(home);
  put(other, "mail");
  await rig.manager.load();
  await rig.manager.setFolders([home, other]);
  await rig.manager.settled();
  expect(namesIn(home)).toEqual(["shared", "db"]);
  expect(namesIn(other)).toEqual(["shared", "mail"]);
  expect(namesIn("/elsewhere")).toEqual(["shared"]);
  expect(() => rig.manager.server("mail", home)).toThrow("There is no MCP server `mail`.");
  expect([statusIn(home).state, statusIn(other, "mail").state]).toEqual(["needs_approval", "needs_approval"]);
  expect([starts(home), starts(other)]).toEqual([0, 0]);

  rig.allow("mail", other);
  await rig.manager.settled();
  expect([starts(home), starts(other)]).toEqual([0, 1]);
  expect(toolsIn(other)).toContain("mail__echo");
  for (const folder of [home, "/elsewhere"]) {
    expect(toolsIn(folder)).toContain("shared__echo");
    expect(toolsIn(folder).filter((name) => !name.startsWith("shared__"))).toEqual([]);
  }
});

it("trust is for one entry as it stands in one folder: the same in another folder, or a changed one, asks again", async () => {
  put(home);
  await rig.manager.load();
  rig.allow("db", home);
  await rig.manager.settled();
  expect(statusIn(home).state).toBe("ready");

  writeFileSync(join(other, ".mcp.json"), readFileSync(join(home, ".mcp.json")));
  await rig.manager.setFolders([home, other]);
  await rig.manager.settled();
  expect([statusIn(home).state, statusIn(other).state]).toEqual(["ready", "needs_approval"]);
  expect(starts(home)).toBe(1);

  put(home, "db", { env: { MORE: "1" } });
  await rig.manager.load();
  await rig.manager.settled();
  expect(statusIn(home).state).toBe("needs_approval");
  expect(starts(home)).toBe(1);
});

it("two folders may each have a server of one name: tools, switches, working folder and variables are each one's own", async () => {
  await rig.close();
  const variables = (folder: string | null) => ({ own: {}, folder: { WHERE: folder ?? "nowhere" } });
  open({ context: { variables } });
  for (const folder of [home, other]) put(folder, "db", { env: { WHERE: "$" + "{WHERE}" } });
  await rig.manager.load();
  await rig.manager.setFolders([home, other]);
  for (const folder of [home, other]) rig.allow("db", folder);
  await rig.manager.settled();
  const call = async (folder: string, name: string) => {
    const tool = rig.manager.tools("c", folder).find((one) => one.name === `db__${name}`);
    return (await tool?.run({}, callContext()))?.text ?? "no such tool";
  };
  for (const folder of [home, other]) {
    expect(await call(folder, "environment")).toContain(`"WHERE":"${folder}"`);
    expect(await call(folder, "roots")).toContain(`file://${folder}"`);
  }
  rig.files.switchTool(rig.manager.server("db", other).config, "echo", false);
  rig.manager.toolsChanged();
  expect(toolsIn(home)).toContain("db__echo");
  expect(toolsIn(other)).not.toContain("db__echo");
});

it("what a server asks goes to the run that called it, not to that of its namesake in another folder", async () => {
  await rig.close();
  const unasked = async () => {
    throw new Error("the model was asked");
  };
  const asking = askInRun({ complete: unasked, costOf: async () => "" });
  open({ onCall: asking.onCall, context: { sampling: asking.sampling } });
  for (const folder of [home, other]) put(folder);
  await rig.manager.load();
  await rig.manager.setFolders([home, other]);
  for (const folder of [home, other]) rig.allow("db", folder);
  await rig.manager.settled();
  const asked: string[] = [];
  const ask = (folder: string) => {
    const tool = rig.manager.tools("c", folder).find(({ name }) => name === "db__ask");
    const params = { messages: [], maxTokens: 1 };
    const approve = async () => ({ allowed: asked.push(folder) === 0 });
    return tool?.run({ method: "sampling/createMessage", params }, callContext({ approve }));
  };
  await Promise.all([ask(home), ask(other)]);
  expect(asked.sort()).toEqual([home, other].sort());
});

describe("a folder's file that is edited while the folder is in use", () => {
  const file = () => join(other, ".mcp.json");
  const running = () => livingProcesses().filter(({ command }) => command.includes(mark));
  const states = () =>
    Object.fromEntries(
      rig.manager
        .serversIn(other)
        .filter(({ config }) => config.source === "project")
        .map(({ config, status }) => [config.name, status.state]),
    );
  const become = (wanted: Record<string, string>) =>
    whenManager(rig.manager, () => JSON.stringify(states()) === JSON.stringify(wanted));
  const entry = (more: object = {}) => scripted({ pid: join(other, "started"), mark }, { ...few, ...more });
  const write = (servers: object) => writeJson(file(), { mcpServers: servers });
  /** As editors do: a new file takes the place of the old one. */
  const replace = (servers: object) => {
    writeJson(`${file()}.new`, { mcpServers: servers });
    renameSync(`${file()}.new`, file());
  };

  beforeEach(async () => {
    await rig.manager.load();
    await rig.manager.setFolders([home, other]);
  });

  it("counts at once, however it is saved: what is new or changed asks for trust, what is gone ends, the rest goes on", async () => {
    write({ db: entry() });
    await become({ db: "needs_approval" });
    rig.allow("db", other);
    await become({ db: "ready" });
    expect(toolsIn(other)).toContain("db__echo");
    const [first] = running();

    replace({ db: entry(), mail: entry() });
    await become({ db: "ready", mail: "needs_approval" });
    expect(running()).toEqual([first]);

    replace({ db: entry({ env: { MORE: "1" } }), mail: entry() });
    await become({ db: "needs_approval", mail: "needs_approval" });
    expect(await eventually(() => running().length === 0)).toBe(true);
    expect(toolsIn(other)).not.toContain("db__echo");
    expect(starts(other)).toBe(1);

    // As it was: that was allowed.
    replace({ db: entry() });
    await become({ db: "ready" });
    expect(starts(other)).toBe(2);

    rmSync(file());
    await become({});
    expect(await eventually(() => running().length === 0)).toBe(true);
    write({ db: entry() });
    await become({ db: "ready" });
  });

  it("while it is broken its servers go on, and the mistake is told until it is mended", async () => {
    write({ db: entry() });
    await become({ db: "needs_approval" });
    rig.allow("db", other);
    await become({ db: "ready" });
    const problems = () => rig.manager.problemsIn(other).map(({ message }) => message);
    writeFileSync(file(), '{"mcpServers": {"db": ');
    await whenManager(rig.manager, () => problems().length > 0);
    expect(problems()).toEqual([expect.stringContaining(`${file()}: this is not valid JSON`)]);
    expect(states()).toEqual({ db: "ready" });
    expect(starts(other)).toBe(1);
    write({});
    await become({});
    expect(problems()).toEqual([]);
  });

  it("is read once when it was quiet for a moment after the last of many changes", async () => {
    await rig.close();
    let scheduled: { run(): void }[] = [];
    const after = (_: number, run: () => void) => {
      const one = { run };
      scheduled = [...scheduled, one];
      return () => {
        scheduled = scheduled.filter((other) => other !== one);
      };
    };
    open({ servers: {}, clock: { ...systemClock, after } });
    await rig.manager.load();
    await rig.manager.setFolders([other]);
    const reads = vi.spyOn(rig.files, "read");
    for (const round of ["a", "b", "c"]) {
      const before = scheduled;
      replace({ [round]: entry() });
      // The system tells of each by itself.
      expect(await eventually(() => scheduled !== before)).toBe(true);
    }
    expect(reads).not.toHaveBeenCalled();
    expect(scheduled).toHaveLength(1);
    scheduled[0]?.run();
    expect(states()).toEqual({ c: "needs_approval" });
    expect(reads).toHaveBeenCalledTimes(1);
  });

  it("is watched no longer than the folder is in use", async () => {
    const watched = (folder: string) => {
      const node = `ino:${statSync(folder).ino.toString(16)} `;
      const open = readdirSync("/proc/self/fdinfo").map((name) => textOf(`/proc/self/fdinfo/${name}`));
      return open.some((info) =>
        info.split("\n").some((line) => line.startsWith("inotify") && line.includes(node)),
      );
    };
    expect([watched(home), watched(other)]).toEqual([true, true]);
    await rig.manager.setFolders([home]);
    expect([watched(home), watched(other)]).toEqual([true, false]);
    await rig.manager.dispose();
    expect(watched(home)).toBe(false);
  });

  it("a folder that is gone is said to be, and watched again when it is back in use", async () => {
    rmSync(other, { recursive: true });
    expect(await eventually(() => rig.lines.length > 0)).toBe(true);
    expect(rig.lines).toEqual([
      `.mcp.json: (Parley) ${other}: changes show when it comes into use again (the folder is gone).`,
    ]);
    mkdirSync(other);
    await rig.manager.load();
    write({ db: entry() });
    await become({ db: "needs_approval" });
  });
});

function textOf(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    // It was closed meanwhile.
    return "";
  }
}

it("when no conversation works in a folder any more its servers end, and come back with the next one", async () => {
  put(other);
  await rig.manager.load();
  await rig.manager.setFolders([home, other]);
  rig.allow("db", other);
  await rig.manager.settled();
  const running = () => livingProcesses().filter(({ command }) => command.includes(mark));
  expect(running()).toHaveLength(1);
  await rig.manager.setFolders([home]);
  expect(running()).toEqual([]);
  expect(namesIn(other)).toEqual(["shared"]);
  expect(rig.manager.server("shared").status.state).toBe("ready");
  await rig.manager.setFolders([home, other]);
  await rig.manager.settled();
  expect(statusIn(other).state).toBe("ready");
  expect(starts(other)).toBe(2);
});

it("nothing of a folder starts before the first load, however early a conversation works in it", async () => {
  put(other);
  const [config] = readConfig(rig.files.read(other)).servers.filter(({ source }) => source === "project");
  if (!config) throw new Error("not configured");
  const variables = { own: {}, folder: {}, workingFolder: other, home: join(home, "..") };
  rig.files.allow(proposalOf(config, variables, false).fingerprint);
  await rig.manager.setFolders([other]);
  expect([namesIn(other), starts(other)]).toEqual([[], 0]);
  await rig.manager.load();
  await rig.manager.settled();
  expect([namesIn(other), starts(other)]).toEqual([["shared", "db"], 1]);
});

it("a server of everywhere goes before a folder's of the same name, also when it is added later", async () => {
  put(other, "shared");
  put(home, "db");
  await rig.manager.load();
  await rig.manager.setFolders([home, other]);
  expect(rig.manager.server("shared", other).config.source).toBe("settings");
  rig.allow("db", home);
  await rig.manager.settled();
  rig.files.add({ db: scripted() });
  await rig.manager.load();
  await rig.manager.settled();
  expect(rig.manager.serversIn(home).map(({ config }) => [config.name, config.source])).toEqual([
    ["shared", "settings"],
    ["db", "user"],
  ]);
});

it("a file that cannot be read is a problem of its folder alone, and the other servers go on", async () => {
  mkdirSync(join(other, ".mcp.json"));
  await rig.manager.load();
  await rig.manager.setFolders([home, other]);
  await rig.manager.settled();
  expect(serversView(rig.manager, home, String).problems).toEqual([]);
  expect(serversView(rig.manager, other, String).problems).toEqual([
    `${join(other, ".mcp.json")}: it cannot be read (it is a folder).`,
  ]);
  expect(serversView(rig.manager, other, String).servers).toMatchObject([{ name: "shared", state: "ready" }]);
  rmSync(join(other, ".mcp.json"), { recursive: true });
});

it("/mcp speaks of the servers of the conversation that it is typed in", async () => {
  put(other);
  await rig.manager.load();
  await rig.manager.setFolders([home, other]);
  const places = { platform: process.platform, home, env: {} };
  const actions = new ServerActions({ manager: rig.manager, files: rig.files, places });
  const folderOf = (conversationId: string) => (conversationId === "there" ? other : home);
  const command = mcpCommand(actions, folderOf);
  const say = async (conversationId: string, ...words: string[]) =>
    (await command.run(words, { conversationId, typed: words.join(" ") })).output;
  expect(await say("here")).not.toContain("`db`");
  expect(await say("there")).toContain("`db`: needs approval");
  await expect(say("here", "allow", "db")).rejects.toThrow("There is no MCP server `db`");
  expect(await say("there", "allow", "db", "yes")).toContain("has `db` do this");
  expect(await say("there", "allow", "db", "yes")).toContain("may run");
  await rig.manager.settled();
  expect(await say("there", "tools", "db")).toContain("`echo`");
  await say("there", "off", "db", "echo");
  expect(toolsIn(other)).not.toContain("db__echo");
  expect(await say("there", "remove", "db").catch(String)).toContain(
    "is configured in the working folder's .mcp.json. Remove it there.",
  );
});
