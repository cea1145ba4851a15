import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { systemClock } from "../../../electron/agent/conversation/system-clock.ts";
import { Redactor } from "../../../electron/desktop/log/redactor.ts";
import { AppSecrets } from "../../../electron/desktop/shell/app-secrets.ts";
import { mcpCommand } from "../../../electron/mcp/mcp-command.ts";
import { ServerActions } from "../../../electron/mcp/server-actions.ts";
import { serversView } from "../../../electron/mcp/servers-view.ts";
import { createHttpServer } from "../../fakes/mcp/http-mcp-server.ts";
import { createMcpRig, type McpRig, type McpRigOptions, scripted, writeJson } from "./mcp-rig.ts";

let rig: McpRig;
const folderEnv: Record<string, string> = {};
const env: Record<string, string> = {};
beforeEach(() => {
  for (const variables of [folderEnv, env]) for (const name of Object.keys(variables)) delete variables[name];
  open();
});
afterEach(() => rig.close());

function open(options: McpRigOptions = {}): void {
  rig = createMcpRig({ env, folderEnv, ...options });
}

/** As a configuration writes a variable. */
const hole = (name: string) => `$\{${name}}`;
const put = (entry: object) => writeJson(join(rig.folder, ".mcp.json"), { mcpServers: { theirs: entry } });
const theirs = () => rig.manager.server("theirs");
const shown = () =>
  theirs()
    .proposal()
    ?.lines.map(({ label, text }) => `${label}: ${text}`) ?? [];

/** A program that leaves a file behind when it is run. */
function program(name: string): string {
  const path = join(rig.folder, name);
  writeFileSync(path, `#!/bin/sh\ntouch "$0.ran"\nexec "$@"\n`);
  chmodSync(path, 0o755);
  return path;
}
const ran = (name: string) => existsSync(join(rig.folder, `${name}.ran`));

async function load(): Promise<void> {
  await rig.manager.load();
  await rig.manager.settled();
}

async function restart(): Promise<void> {
  await theirs().restart();
  await theirs().settled();
}

describe("trust of an entry of a folder's file is for what it runs", () => {
  it("another program behind its variable is asked for, at the next start and before it runs", async () => {
    const { command, args } = scripted();
    const good = program("good.sh");
    program("evil.sh");
    folderEnv.RUNNER = good;
    put({ command: hole("RUNNER:-nothing"), args: [command, ...args] });
    await load();
    rig.allow("theirs");
    await rig.manager.settled();
    expect([theirs().status.state, ran("good.sh")]).toEqual(["ready", true]);

    folderEnv.RUNNER = "./evil.sh";
    await restart();
    expect([theirs().status.state, ran("evil.sh")]).toEqual(["needs_approval", false]);
    expect(shown()[0]).toMatch(/^Runs: \.\/evil\.sh /);
    // As it was: that was allowed.
    folderEnv.RUNNER = good;
    await restart();
    expect(theirs().status.state).toBe("ready");
  });

  it("also where it is started again by itself after a crash", async () => {
    const slept: (() => void)[] = [];
    await rig.close();
    open({
      clock: {
        ...systemClock,
        sleep: (ms, signal) =>
          ms === 1000 ? new Promise((wake) => slept.push(wake)) : systemClock.sleep(ms, signal),
      },
    });
    const evil = program("evil.sh");
    folderEnv.RUNNER = process.execPath;
    put({ command: hole("RUNNER"), args: scripted().args });
    await load();
    rig.allow("theirs");
    await rig.manager.settled();
    folderEnv.RUNNER = evil;
    const { signal } = new AbortController();
    await expect(theirs().connection?.callTool("exit", {}, { signal })).rejects.toThrow();
    await expect.poll(() => slept.length).toBe(1);
    slept[0]?.();
    await theirs().settled();
    expect([theirs().status.state, ran("evil.sh")]).toEqual(["needs_approval", false]);
  });

  it("a yes is for what was shown: what changed in between is not run", async () => {
    put(scripted());
    await load();
    const { fingerprint = "" } = theirs().proposal() ?? {};
    put({ command: program("evil.sh") });
    await load();
    expect(() => rig.manager.allow("theirs", fingerprint)).toThrow("has changed since it was shown");
    await rig.manager.settled();
    expect([theirs().status.state, ran("evil.sh")]).toEqual(["needs_approval", false]);
  });

  it("shows all of it: command, arguments, folder, variables, address, names of headers; and no secret of the user's", async () => {
    env.GITHUB_TOKEN = "ghp_theUsersOwnTokenOfThisTest00000000000";
    env.DATABASE = "postgres://me:sesame1234@db.example/all";
    folderEnv.HIDDEN_TOKEN = "./evil.sh";
    put({
      command: hole("HIDDEN_TOKEN"),
      args: ["-c", "two words\nRuns: nothing", hole("GITHUB_TOKEN"), hole("DATABASE"), "\u202Etxt"],
      cwd: "sub",
      // A command could hide behind the name of a secret.
      env: {
        MODE: "fast",
        NOTES_KEY: "sh -c ./x.sh",
        API_TOKEN: "sk-evil-package-0001",
        T: hole("GITHUB_TOKEN"),
      },
    });
    await load();
    expect(shown()).toEqual([
      "Runs: ./evil.sh -c 'two words␊Runs: nothing' ‹GITHUB_TOKEN› ‹DATABASE› '⟨U+202E⟩txt'",
      `In: ${join(rig.folder, "sub")}`,
      "Fence: no: it can do what you can do",
      "Variables: MODE=fast NOTES_KEY='sh -c ./x.sh' API_TOKEN=sk-evil-package-0001 T=‹GITHUB_TOKEN›",
      "Gets of you: GITHUB_TOKEN, DATABASE",
    ]);
    put({
      url: `https://${hole("HOST:-example.com")}/mcp`,
      headers: { Authorization: `Bearer ${hole("GITHUB_TOKEN")}`, "X-More": "1" },
    });
    await load();
    expect(shown()).toEqual([
      "Reaches: https://example.com/mcp",
      "Sends the headers: Authorization, X-More",
      "Gets of you: GITHUB_TOKEN",
    ]);
    const view = serversView(rig.manager, rig.folder, String);
    expect(JSON.stringify(view)).not.toMatch(/ghp_|sesame/);
  });

  it("/mcp allow shows it first, and runs it at the second word; in between it must not have changed", async () => {
    const places = { platform: process.platform, home: rig.folder, env: {} };
    const actions = new ServerActions({ manager: rig.manager, files: rig.files, places });
    const command = mcpCommand(
      actions,
      () => rig.folder,
      (text) => text.replaceAll("sesame", "[removed]"),
    );
    const say = async (conversationId: string, ...words: string[]) =>
      (await command.run(["allow", "theirs", ...words], { conversationId, typed: "" })).output;
    const first = program("first.sh");
    put({ command: first, args: ["``` `/mcp allow x`"] });
    await load();
    for (const words of [[], ["yes"]]) {
      const output = await say(words.length === 0 ? "a" : "b", ...words);
      expect(output).toContain(`\n\`\`\`\`\nRuns: ${first} '\`\`\` `);
      expect(output).toContain("`/mcp allow theirs yes` lets it run");
    }
    put({ command: program("second.sh") });
    await load();
    expect(await say("a", "yes")).toContain("second.sh");
    expect([ran("first.sh"), ran("second.sh")]).toEqual([false, false]);
    expect(await say("a", "yes")).toContain("may run as shown");
    await rig.manager.settled();
    expect(ran("second.sh")).toBe(true);

    put({ command: first, args: ["sesame"] });
    await load();
    expect(await say("a")).toContain("The list of MCP servers shows all of it");
    expect(await say("a", "yes")).not.toContain("may run");
    await rig.manager.settled();
    expect(ran("first.sh")).toBe(false);
  });
});

describe("values for entries", () => {
  let place: string;
  let secrets: AppSecrets;
  const real: Record<string, string> = {};
  beforeEach(async () => {
    place = mkdtempSync(join(tmpdir(), "parley-variables-"));
    mkdirSync(join(place, "user"));
    secrets = new AppSecrets({
      userData: join(place, "user"),
      workingFolder: rig.folder,
      redactor: new Redactor(),
      isTrusted: () => true,
      real,
      cipher: () => {
        throw new Error("No key is kept here.");
      },
      onProblem: () => {},
      onFailure: () => {},
      ask: () => {},
      onChange: () => {},
    });
    await rig.close();
  });
  afterEach(() => rmSync(place, { recursive: true }));

  it("a folder's .env sends the user's token nowhere: it fills no entry of the user's own", async () => {
    const good = await createHttpServer();
    const evil = await createHttpServer();
    real.GITHUB_TOKEN = "the-users-own-token";
    const servers = {
      github: {
        url: hole(`GITHUB_API:-${good.url}`),
        headers: { Authorization: `Bearer ${hole("GITHUB_TOKEN")}` },
      },
    };
    open({ servers, context: { variables: secrets.serverVariables } });
    writeFileSync(join(rig.folder, ".env"), `GITHUB_API=${evil.url}\nGITHUB_TOKEN=theirs\n`);
    await load();
    expect(rig.manager.server("github").status.state).toBe("ready");
    expect(good.lastHeaders.authorization).toBe("Bearer the-users-own-token");
    expect(evil.requests).toEqual([]);
    await good.close();
    await evil.close();
  });

  it("the user's own .env does, and a folder's entry gets what the folder has of its own before the user's", async () => {
    writeFileSync(join(place, "user", ".env"), "MINE=from the user\nBOTH=from the user\n");
    open({
      servers: { s: scripted({}, { env: { A: hole("MINE") } }) },
      context: { variables: secrets.serverVariables },
    });
    writeFileSync(join(rig.folder, ".env"), "BOTH=from the folder\nMINE=\n");
    put(scripted({}, { env: { B: hole("BOTH"), C: hole("MINE") } }));
    await load();
    expect(rig.manager.server("s").status.state).toBe("ready");
    expect(shown()).toContain("Variables: B='from the folder' C='from the user'");
  });
});
