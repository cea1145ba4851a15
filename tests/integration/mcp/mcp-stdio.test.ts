import { existsSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { systemClock } from "../../../electron/agent/conversation/system-clock.ts";
import type { ToolContext, ToolOutput } from "../../../electron/agent/ports/ports.ts";
import { askInRun } from "../../../electron/mcp/asking/asking.ts";
import { FakeClock } from "../../fakes/clock.ts";
import { eventually, livingProcesses } from "../../fakes/processes.ts";
import {
  callContext,
  createMcpRig,
  type McpRig,
  type McpRigOptions,
  scripted,
  stateOf,
  whenManager,
  writeJson,
} from "./mcp-rig.ts";

let rig: McpRig | undefined;
afterEach(async () => {
  await rig?.close();
  rig = undefined;
});

async function started(options: McpRigOptions): Promise<McpRig> {
  rig = createMcpRig(options);
  await rig.manager.load();
  await rig.manager.settled();
  return rig;
}

async function call(
  { manager }: McpRig,
  name: string,
  input: object = {},
  context = callContext(),
): Promise<ToolOutput> {
  const tool = manager.tools("c1").find((offered) => offered.name === `s__${name}`);
  if (!tool) throw new Error(`${name} is not offered`);
  return await tool.run(input, context);
}

const unused = () => Promise.reject(new Error("Nobody asks the model here."));

/** As a configuration writes a variable. */
const placeholder = (name: string) => `$\{${name}}`;

/** The process groups of this rig's servers: other test files have servers of the same program at the same time. */
const serverGroups = () =>
  new Set(
    livingProcesses().flatMap(({ parent, group, command }) =>
      parent === process.pid && command.includes("scripted-mcp-server") ? [group] : [],
    ),
  );

const inside = ({ text }: ToolOutput) => text.split("\n").slice(1, -1).join("\n");

describe("what servers send", () => {
  it("a message of 10 MB, and one that comes byte by byte, are read whole", async () => {
    const rig = await started({ servers: { s: scripted() } });
    expect(inside(await call(rig, "big", { bytes: 10 * 1024 * 1024 }))).toHaveLength(10 * 1024 * 1024);
    expect(inside(await call(rig, "pieces"))).toBe("grüße in Stücken");
  });

  // Bug: the program went on, and whoever waited for its end waited for ever.
  it("a program is ended although its connection cannot be closed in order", async () => {
    const rig = await started({ servers: { s: scripted() } });
    const [group] = serverGroups();
    const connection = await rig.manager.connectionFor("s", AbortSignal.timeout(10_000));
    connection.client.close = () => Promise.reject(new Error("It breaks as it is closed."));
    await connection.close();
    await connection.closed;
    expect(await eventually(() => livingProcesses().every((one) => one.group !== group))).toBe(true);
  });

  it("noise on stdout is passed over and kept in the log", async () => {
    const rig = await started({ servers: { s: scripted({ noise: true }) } });
    expect(inside(await call(rig, "noise"))).toBe("after the noise");
    expect(rig.lines).toContain("s: (stdout) Server listening on nothing");
    expect(rig.lines).toContain('s: (stdout) {"jsonrpc":"1.0"}');
    expect(rig.lines).toContain("s: (stdout) some noise");
  });

  it("a line on stderr in Parley's name is marked as the server's", async () => {
    const rig = await started({ servers: { s: scripted({ stderr: ["(Parley) It may do all."] }) } });
    expect(inside(await call(rig, "echo", { text: "it is there" }))).toBe("it is there");
    expect(await eventually(() => rig.lines.length > 0)).toBe(true);
    expect(rig.lines).toEqual(["s: (server) (Parley) It may do all."]);
  });

  it("bytes that are no UTF-8 spoil their character and nothing else", async () => {
    const rig = await started({ servers: { s: scripted() } });
    expect(inside(await call(rig, "not_utf8"))).toBe("before\uFFFDafter");
    expect(inside(await call(rig, "echo", { text: "still here" }))).toBe("still here");
  });

  it("a line that never ends is not kept for ever: the server is ended, and said to be at fault", async () => {
    const rig = await started({ servers: { s: scripted() } });
    await expect(call(rig, "big", { bytes: 65 * 1024 * 1024 })).rejects.toThrow();
    expect(rig.lines.join("\n")).toContain("a line of more than 64 MB");
  });

  it("a list that comes in pages is read to its end, each page once", async () => {
    const list = ["one", "two", "three", "four", "five"];
    const rig = await started({ servers: { s: scripted({ list, pageSize: 2 }) } });
    expect(rig.manager.tools("c1").map(({ name }) => name)).toEqual(list.map((name) => `s__${name}`));
    expect(rig.manager.server("s").status).toMatchObject({ state: "ready" });
  });

  it("a tool whose schema breaks the rules is left out, the others are offered", async () => {
    const rig = await started({ servers: { s: scripted({ brokenTool: true }) } });
    const names = rig.manager.tools("c1").map(({ name }) => name);
    expect(names).toContain("s__echo");
    expect(names).not.toContain("s__broken");
    expect(rig.lines.join("\n")).toContain(
      "Left out of tools/list: broken: its input schema is not one of arguments",
    );
  });
});

describe("calls", () => {
  it("tell their progress", async () => {
    const rig = await started({ servers: { s: scripted() } });
    const said: string[] = [];
    await call(rig, "progress", {}, callContext({ progress: (text) => said.push(text) }));
    expect(said).toEqual(["1 of 2: step 1\n", "2 of 2: step 2\n"]);
  });

  // Bug: each was an event for every window, with all of its text.
  it("tell ten steps in a second and then the newest, each cut to a length", async () => {
    const clock = new FakeClock();
    const rig = await started({ servers: { s: scripted({ list: ["paced", "step"] }) }, clock });
    const said: string[] = [];
    const paced = call(rig, "paced", {}, callContext({ progress: (text) => said.push(text) }));
    for (let step = 1; step <= 30; step++) {
      await call(rig, "step", { message: `step ${step} ${"x".repeat(100_000)}` });
    }
    const steps = () => said.map((text) => text.split(" ")[2]);
    expect(steps()).toEqual(["1", "2", "3", "4", "5", "6", "7", "8", "9", "10"]);
    clock.advance(1000);
    await clock.sleeping(1000);
    expect(steps().slice(10)).toEqual(["30"]);
    for (const text of said) expect(text.length).toBeLessThan(1000);
    await call(rig, "step", { end: true });
    expect(inside(await paced)).toBe("paced");
    expect(clock.asleep).toBe(0);
  });

  // Bug: a server that goes on with a stopped call filled the log with a line for each of its steps.
  it("what a stopped call still tells of its progress is no line of the log", async () => {
    const rig = await started({ servers: { s: scripted({ late: true }) } });
    const stop = new AbortController();
    const progress = () => stop.abort(new Error("stopped"));
    const hanging = call(rig, "hang", {}, callContext({ signal: stop.signal, progress }));
    await expect(hanging).rejects.toThrow("stopped");
    // Messages keep their order: when this is answered, the late one was read.
    expect(inside(await call(rig, "echo", { text: "after it" }))).toBe("after it");
    expect(rig.lines.filter((line) => line.includes("progress"))).toEqual([]);
  });

  // Bug: `npx` and Python ran what a command had left in the working folder in place of what was asked for.
  it("a server of one's own starts in the home folder, unless its entry names another", async () => {
    const where = { list: ["run"] };
    const rig = await started({ servers: { s: scripted(where), t: scripted(where, { cwd: "." }) } });
    const at = async (name: string) => {
      const tool = rig.manager.tools("c").find((one) => one.name === `${name}__run`);
      return (await tool?.run({ command: "pwd" }, callContext()))?.text ?? "";
    };
    expect(await at("s")).toContain(realpathSync(dirname(rig.folder)));
    expect(await at("t")).toContain(realpathSync(rig.folder));
  });

  it("a call that hangs is cancelled by the user's stop, and the server is told", async () => {
    const rig = await started({ servers: { s: scripted({ cancelled: "cancelled.txt" }, { cwd: "." }) } });
    const stop = new AbortController();
    const progress = () => stop.abort(new Error("stopped"));
    const hanging = call(rig, "hang", {}, callContext({ signal: stop.signal, progress }));
    await expect(hanging).rejects.toThrow("stopped");
    // Messages keep their order: when this is answered, the other was read.
    await call(rig, "echo");
    expect(readFileSync(join(rig.folder, "cancelled.txt"), "utf8")).toBe("cancelled\n");
  });

  // Bug: the end of a run cancelled each of its calls once more, and the end of a server its start.
  it("what has ended is not cancelled any more, neither a call by its run nor a start by a stop", async () => {
    const rig = await started({ servers: { s: scripted({ cancelled: "cancelled.txt" }, { cwd: "." }) } });
    const run = new AbortController();
    await call(rig, "echo", {}, callContext({ signal: run.signal }));
    run.abort(new Error("The run has ended."));
    await call(rig, "echo");
    await rig.manager.server("s").stop();
    expect(existsSync(join(rig.folder, "cancelled.txt"))).toBe(false);
  });

  it("a call that is not answered in time says so; the server goes on", async () => {
    const clock = new FakeClock();
    const rig = await started({ servers: { s: scripted({}, { timeoutMs: 100 }) }, clock });
    const refusal = expect(call(rig, "hang")).rejects.toThrow("The server did not answer within 0.1 s.");
    await clock.sleeping(100);
    clock.advance(100);
    await refusal;
    expect(inside(await call(rig, "echo", { text: "on" }))).toBe("on");
  });

  it("each step that a call tells gives it its time anew", async () => {
    const clock = new FakeClock();
    const list = ["paced", "step"];
    const rig = await started({ servers: { s: scripted({ list }, { timeoutMs: 10_000 }) }, clock });
    let told = () => {};
    const step = new Promise<void>((resolve) => {
      told = resolve;
    });
    const paced = call(rig, "paced", {}, callContext({ progress: told }));
    await clock.sleeping(10_000);
    clock.advance(9000);
    await call(rig, "step");
    await step;
    clock.advance(9000);
    await call(rig, "step", { end: true });
    expect(inside(await paced)).toBe("paced");
  });

  it("the time that the user takes to answer the server does not count", async () => {
    const clock = new FakeClock();
    const asking = askInRun({ complete: unused, costOf: unused });
    const { onCall, ...connection } = asking;
    const entry = scripted({ list: ["ask"] }, { timeoutMs: 10_000 });
    const rig = await started({ servers: { s: entry }, clock, onCall, context: connection });
    let answer = (_: string) => {};
    let ask = () => {};
    const asked = new Promise<void>((resolve) => {
      ask = resolve;
    });
    const context = callContext({
      ask: () =>
        new Promise((resolve) => {
          answer = resolve;
          ask();
        }),
    });
    const requestedSchema = { type: "object", properties: { name: { type: "string" } } };
    const question = { method: "elicitation/create", params: { message: "Who?", requestedSchema } };
    const called = call(rig, "ask", question, context);
    await asked;
    for (let minute = 0; minute < 5; minute++) {
      clock.advance(10_000);
      await clock.sleeping(10_000);
    }
    answer("");
    expect(inside(await called)).toContain('"action"');
  });

  describe("in which the server asks", () => {
    async function answersTo(question: object, ask: ToolContext["ask"]): Promise<string> {
      const { onCall, ...connection } = askInRun({ complete: unused, costOf: async () => "" });
      const rig = await started({ servers: { s: scripted({ list: ["ask"] }) }, onCall, context: connection });
      return inside(await call(rig, "ask", question, callContext({ ask })));
    }
    const form = (properties: object, message = "Who?") => ({
      method: "elicitation/create",
      params: { message, requestedSchema: { type: "object", properties } },
    });

    // Bug: each was a card of its own, however many came at once.
    it("too much at once, what is too much is refused", async () => {
      let count = 0;
      const ask = () => (++count > 10 ? Promise.resolve("") : new Promise<string>(() => {}));
      const answer = await answersTo({ ...form({ name: { type: "string" } }), times: 11 }, ask);
      expect(JSON.parse(answer).error.message).toContain("10 questions wait for the user");
      expect(count).toBe(10);
    });

    const numbered = (count: number) => Array.from({ length: count }, (_, at) => `n${at}`);
    it.each([
      ["a long question", form({}, "x".repeat(200_000)), "up to 200000 are taken"],
      [
        "many fields",
        form(Object.fromEntries(numbered(51).map((name) => [name, { type: "string" }]))),
        "51 fields; up to 50 are shown",
      ],
      [
        "many choices",
        form({ one: { type: "string", enum: numbered(1001) } }),
        "1001 choices; up to 1000 are shown",
      ],
      [
        "much of the model",
        {
          method: "sampling/createMessage",
          params: {
            messages: [{ role: "user", content: { type: "text", text: "x".repeat(200_000) } }],
            maxTokens: 1,
          },
        },
        "up to 200000 are taken",
      ],
    ])("%s, it is refused, and told why", async (_, question, why) => {
      const ask = async () => expect.unreachable("The user was asked.");
      expect(await answersTo(question, ask)).toContain(why);
    });
  });

  it("a server that exits in mid-call fails the call at once and is started again", async () => {
    const clock = new FakeClock();
    const rig = await started({ servers: { s: scripted() }, clock });
    await expect(call(rig, "exit")).rejects.toThrow(/closed/i);
    await clock.sleeping(1000);
    expect(rig.manager.server("s").status).toMatchObject({ state: "starting", restarts: 1 });
    clock.advance(1000);
    await rig.manager.settled();
    expect(inside(await call(rig, "echo", { text: "back" }))).toBe("back");
  });

  it("new tools are offered from the next request on", async () => {
    const rig = await started({ servers: { s: scripted() } });
    const before = rig.manager.tools("c1");
    const grown = whenManager(rig.manager, () =>
      rig.manager.tools("c1").some(({ name }) => name === "s__grown"),
    );
    await call(rig, "grow");
    await grown;
    expect(rig.manager.tools("c1")).not.toBe(before);
  });

  it("the server learns the working folder as its root", async () => {
    const rig = await started({ servers: { s: scripted() } });
    expect(JSON.parse(inside(await call(rig, "roots"))).roots).toEqual([
      { uri: `file://${rig.folder}`, name: rig.folder.split("/").at(-1) },
    ]);
  });

  it("keys of Parley's own are not in a server's environment, what its entry gives is", async () => {
    process.env.CANARY_API_KEY = "canary-value";
    const rig = await started({
      servers: { s: scripted({}, { env: { MINE: placeholder("SECRET_OF_MINE") } }) },
      env: { SECRET_OF_MINE: "given" },
    });
    const environment = inside(await call(rig, "environment"));
    delete process.env.CANARY_API_KEY;
    expect(JSON.parse(environment)).toMatchObject({ MINE: "given" });
    expect(environment).not.toContain("canary-value");
  });
});

describe("starts", () => {
  it("one server that fails does not hold up the others, and says why with its last lines", async () => {
    const rig = await started({
      servers: {
        bad: scripted({ onStart: "exit", code: 3, stderr: ["reading config", "no key given"] }),
        missing: { command: "parley-no-such-program" },
        s: scripted(),
      },
    });
    expect(stateOf(rig.manager, "s")).toBe("ready");
    expect(rig.manager.server("bad").status).toMatchObject({
      state: "failed",
      why: "It ended before it had started (exit code 3).",
      log: ["reading config", "no key given"],
    });
    expect(rig.manager.server("missing").status).toMatchObject({
      state: "failed",
      why: "The program `parley-no-such-program` was not found.",
    });
  });

  it("one whose folder is not there says so", async () => {
    const rig = await started({ servers: { s: scripted({}, { cwd: "gone" }) } });
    expect(rig.manager.server("s").status).toMatchObject({
      state: "failed",
      why: `The folder ${join(rig.folder, "gone")} is not there.`,
    });
  });

  // Bug: what every object has was taken for a switch that the user had set.
  it("one may be called as what every object has, and so may its tools", async () => {
    const entry = scripted({ list: ["toString", "valueOf"] }, { tools: { off: ["valueOf"] } });
    const rig = await started({ servers: { constructor: entry } });
    expect(rig.manager.tools("c1").map(({ name }) => name)).toEqual(["constructor__toString"]);
  });

  it("a server that does not answer is given up after its time", async () => {
    const clock = new FakeClock();
    rig = createMcpRig({ servers: { s: scripted({ onStart: "hang" }, { startTimeoutMs: 5000 }) }, clock });
    await rig.manager.load();
    await clock.sleeping(5000);
    clock.advance(5000);
    // It does not end when its input ends: that is waited for.
    await rig.manager.settled();
    expect(rig.manager.server("s").status).toMatchObject({
      state: "failed",
      why: "It did not start within 5 s.",
    });
  });

  it("one whose list of tools never comes is given up, and ended", async () => {
    const clock = new FakeClock();
    const entry = scripted({ onList: "hang" }, { startTimeoutMs: 5000 });
    rig = createMcpRig({ servers: { s: entry }, clock });
    await rig.manager.load();
    const { lines } = rig;
    expect(await eventually(() => lines.some((line) => line.includes("listing")))).toBe(true);
    const groups = serverGroups();
    expect(groups.size).toBe(1);
    clock.advance(5000);
    await rig.manager.settled();
    expect(rig.manager.server("s").status).toMatchObject({
      state: "failed",
      why: "It did not start within 5 s.",
    });
    expect(await eventually(() => !livingProcesses().some(({ group }) => groups.has(group)))).toBe(true);
  });

  it("after five crashes in a row it is left to the user, whose retry starts anew", async () => {
    const clock = new FakeClock();
    const rig = await started({ servers: { s: scripted() }, clock });
    for (const delay of [1000, 2000, 4000, 8000, 16_000]) {
      await expect(call(rig, "exit")).rejects.toThrow();
      await clock.sleeping(delay);
      clock.advance(delay);
      await rig.manager.settled();
      expect(stateOf(rig.manager, "s")).toBe("ready");
    }
    await expect(call(rig, "exit")).rejects.toThrow();
    await whenManager(rig.manager, () => stateOf(rig.manager, "s") === "failed");
    await expect(async () => call(rig, "echo")).rejects.toThrow();
    await rig.manager.server("s").restart();
    await rig.manager.settled();
    expect(rig.manager.server("s").status).toMatchObject({ state: "ready", restarts: 0 });
  });

  it("one that was given up is revived, with its row of crashes forgotten; others stay as they are", async () => {
    const clock = new FakeClock();
    const off = { ...scripted(), enabled: false };
    const rig = await started({ servers: { s: scripted(), off, stopped: scripted() }, clock });
    writeJson(join(rig.folder, ".mcp.json"), { mcpServers: { untrusted: scripted() } });
    await rig.manager.load();
    await rig.manager.server("stopped").stop();
    for (const delay of [1000, 2000, 4000, 8000, 16_000]) {
      await expect(call(rig, "exit")).rejects.toThrow();
      await clock.sleeping(delay);
      clock.advance(delay);
      await rig.manager.settled();
    }
    await expect(call(rig, "exit")).rejects.toThrow();
    await whenManager(rig.manager, () => stateOf(rig.manager, "s") === "failed");
    for (const name of ["s", "off", "stopped", "untrusted", "nobody"]) rig.manager.revive(name);
    await rig.manager.settled();
    expect(rig.manager.server("s").status).toMatchObject({ state: "ready", restarts: 0 });
    const others = ["off", "stopped", "untrusted"].map((name) => stateOf(rig.manager, name));
    expect(others).toEqual(["stopped", "stopped", "needs_approval"]);
    // One that runs goes on.
    const { connection } = rig.manager.server("s");
    rig.manager.revive("s");
    expect(rig.manager.server("s").connection).toBe(connection);
  });

  it("a crash after a minute of health is the first of a new row", async () => {
    const clock = new FakeClock();
    const rig = await started({ servers: { s: scripted() }, clock });
    await expect(call(rig, "exit")).rejects.toThrow();
    await clock.sleeping(1000);
    clock.advance(1000);
    await rig.manager.settled();
    clock.advance(60_000);
    await expect(call(rig, "exit")).rejects.toThrow();
    await clock.sleeping(1000);
    expect(rig.manager.server("s").status.restarts).toBe(1);
  });
});

describe("a change of its entry", () => {
  // Bug: both ran at once; one that holds a lock, a port or its fence failed for good.
  it("starts it when the one before has ended", async () => {
    const entry = (count: number) =>
      scripted({ alone: "alone.txt", ignoreEnd: true, list: ["echo"] }, { cwd: ".", env: { COUNT: count } });
    const servers = { s: entry(1) };
    const rig = await started({ servers });
    servers.s = entry(2);
    const loaded = rig.manager.load();
    expect(rig.manager.server("s").status).toMatchObject({ state: "starting" });
    await loaded;
    await rig.manager.settled();
    expect(rig.manager.server("s").status).toMatchObject({ state: "ready", why: null });
  });

  it("nor is one of a folder that comes back while it is still ending", async () => {
    const rig = await started({});
    const entry = scripted({ alone: "alone.txt", ignoreEnd: true, list: ["echo"] });
    writeJson(join(rig.folder, ".mcp.json"), { mcpServers: { s: entry } });
    await rig.manager.load();
    rig.allow("s");
    await rig.manager.settled();
    const left = rig.manager.setFolders([]);
    const back = rig.manager.setFolders([rig.folder]);
    expect(rig.manager.server("s").status).toMatchObject({ state: "starting" });
    await Promise.all([left, back]);
    await rig.manager.settled();
    expect(rig.manager.server("s").status).toMatchObject({ state: "ready", why: null });
  });

  it("and a stop before that leaves none", async () => {
    const servers = { s: scripted({}, { env: { COUNT: 1 } }) };
    const rig = await started({ servers });
    servers.s = scripted({}, { env: { COUNT: 2 } });
    const loaded = rig.manager.load();
    await rig.manager.server("s").stop();
    await loaded;
    expect(stateOf(rig.manager, "s")).toBe("stopped");
    expect(serverGroups().size).toBe(0);
  });

  // Bug: whoever was in the middle of an edit of `mcp.json` lost all servers with their next click on a card of trust.
  it("that leaves the file broken ends nothing", async () => {
    const rig = await started({});
    rig.files.add({ s: scripted({ list: ["echo"] }) });
    await rig.manager.load();
    await rig.manager.settled();
    const before = rig.manager.server("s").connection;
    writeFileSync(rig.files.userFile, '{"mcpServers": {');
    await rig.manager.load();
    expect(rig.manager.server("s").connection).toBe(before);
    expect(rig.manager.problemsIn().map(({ message }) => message)).toEqual([
      expect.stringContaining("mcp.json"),
    ]);
    expect(inside(await call(rig, "echo", { text: "on" }))).toBe("on");
  });
});

describe("ends", () => {
  it("nothing of a server is left, not even of one that ignores its end and has children", async () => {
    const rig = await started({
      servers: { s: scripted({ child: true, ignoreEnd: true }), t: scripted() },
      clock: systemClock,
    });
    const groups = serverGroups();
    expect(groups.size).toBe(2);
    await rig.manager.dispose();
    expect(livingProcesses().filter(({ group }) => groups.has(group))).toEqual([]);
  });

  it("a crash leaves none of what the server started", async () => {
    const clock = new FakeClock();
    const rig = await started({ servers: { s: scripted({ child: true }) }, clock });
    const groups = serverGroups();
    expect(groups.size).toBe(1);
    await expect(call(rig, "exit")).rejects.toThrow();
    await clock.sleeping(1000);
    expect(await eventually(() => !livingProcesses().some(({ group }) => groups.has(group)))).toBe(true);
  });
});
