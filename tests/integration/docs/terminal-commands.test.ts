import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { parseLaunch } from "../../../electron/desktop/launch/launch-request.ts";
import { commandLineSettings, commandLineStartUp } from "../../../electron/settings/command-line.ts";
import { docPages, root } from "../../unit/docs/pages.ts";
import { type ShownCommand, terminalCommands } from "./shown-commands.ts";

const { scripts } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
  scripts: Record<string, string>;
};

interface Ended {
  code: number | null;
  /** Both streams, as they came. */
  printed: string;
}

/** Runs a program in the project's folder to its end, or to the moment when `until` is printed. @param input on its stdin, which then stays open */
function run(
  [program = "", ...args]: readonly string[],
  more: { input?: string; until?: RegExp; env?: object } = {},
): Promise<Ended> {
  const { input, until, env } = more;
  return new Promise((resolve, reject) => {
    // A group of its own: npm's children end with it.
    const child = spawn(program, args, { cwd: root, detached: true, env: { ...process.env, ...env } });
    let printed = "";
    const take = (text: string) => {
      printed += text;
      if (until?.test(printed) && child.pid) process.kill(-child.pid, "SIGTERM");
    };
    child.stdout.setEncoding("utf8").on("data", take);
    child.stderr.setEncoding("utf8").on("data", take);
    child.once("error", reject);
    child.once("close", (code) => resolve({ code, printed }));
    if (input === undefined) child.stdin.end();
    else child.stdin.write(input);
  });
}

/** Without what stands before the program, and what is piped into it: that is the reader's. */
const bare = ({ words }: ShownCommand): string[] => {
  const piped = words.slice(words.lastIndexOf("|") + 1);
  const rest = piped.filter((word, place) => !(place === 0 && /^[A-Z_]+=/.test(word)));
  return rest[0] === "xvfb-run" ? rest.slice(2) : rest[0] === "sudo" ? rest.slice(1) : rest;
};

/** An npm script and what it is given; null: no such command. */
function scriptOf(command: ShownCommand): { name: string; args: string[] } | null {
  const [program, ...rest] = bare(command).filter((word) => word !== "-s");
  if (program !== "npm") return null;
  const [verb = "", ...more] = rest;
  const name = verb === "run" ? (more.shift() ?? "") : verb;
  return { name, args: more.filter((word) => word !== "--") };
}

const withScript = (name: string) =>
  terminalCommands.flatMap((command) => {
    const script = scriptOf(command);
    return script?.name === name ? [{ ...command, args: script.args }] : [];
  });

test("documents show commands, and each is of a kind that is looked at here", () => {
  expect(terminalCommands.length).toBeGreaterThan(50);
  const kinds = new Set(["npm", "npx", "parley", "bin/parley", "apt", "node"]);
  const other = terminalCommands.filter((command) => !kinds.has(bare(command)[0] ?? ""));
  expect(other.map(({ page, line }) => `${page}: ${line}`)).toEqual([]);
});

/** npm's own. */
const verbs = new Set(["install", "sbom"]);

test("each npm script is there, and so is the file that it runs", () => {
  const named = terminalCommands.flatMap((command) => {
    const script = scriptOf(command);
    return script && !verbs.has(script.name) ? [{ ...command, script }] : [];
  });
  const missing = named.filter(({ script: { name } }) => {
    const file = /scripts\/[\w-]+\.mjs/.exec(scripts[name] ?? "")?.[0];
    return file === undefined || !existsSync(join(root, file));
  });
  expect(missing.map(({ page, line }) => `${page}: ${line}`)).toEqual([]);
});

test("what Parley is started with is understood", () => {
  const starts = withScript("start").map(({ args, ...command }) => ({ ...command, args }));
  const launches = terminalCommands.filter((command) => /^(?:bin\/)?parley$/.test(bare(command)[0] ?? ""));
  expect(starts.length).toBeGreaterThan(3);
  expect(launches.length).toBeGreaterThan(3);
  const known = new Set([
    "--new",
    "--continue",
    "--resume",
    "--fork",
    "--max-tokens",
    "--doctor",
    "--user-data-dir",
  ]);
  for (const { line, args } of starts) {
    const values = args.map((word) => (word === "N" ? "200000" : word));
    for (const word of args.filter((word) => word.startsWith("--")))
      expect(known, line).toContain(word.split("=")[0]);
    expect([...commandLineSettings(values).problems, ...commandLineStartUp(values).problems], line).toEqual(
      [],
    );
  }
  for (const command of launches) {
    const words = bare(command).slice(1);
    // Named, not shown.
    if (words.join() === "-p") continue;
    const launch = parseLaunch(["electron", "--launch", ...words], "0.1.0");
    expect(launch.ok || launch.code === 0, command.line).toBe(true);
  }
});

/** Parts that stand in brackets behind a command: “… -- start --json` (`start idle`)”. */
const partsNamedFor = (name: string): string[] =>
  docPages.flatMap(({ prose }) =>
    [...prose.matchAll(/`npm run bench -- (\w+)[^`]*` \((?:parts by name: )?`([a-z -]+)`\)/g)].flatMap(
      ([, of, parts = ""]) => (of === name ? parts.split(" ") : []),
    ),
  );

describe("measurements that are named", () => {
  const measured = (["bench", "soak"] as const).flatMap((kind) =>
    withScript(kind).flatMap(({ args: [name, ...args] }) =>
      name === undefined || name === "NAME" ? [] : [{ file: `tests/${kind}/${name}.ts`, name, kind, args }],
    ),
  );
  const programs = [...new Map(measured.map((one) => [one.file, one])).values()];

  test("there are some", () => expect(programs.length).toBeGreaterThan(5));

  test.each(programs)("$file has the parts and options that are shown", async ({ file, name, kind }) => {
    const words = measured.flatMap((one) => (one.file === file ? one.args : []));
    if (kind === "bench") words.push(...partsNamedFor(name));
    const parts = new Set(words.filter((word) => /^[a-z][a-z-]*$/.test(word)));
    const source = readFileSync(join(root, file), "utf8");
    for (const option of new Set(words.filter((word) => word.startsWith("--")))) {
      const key = (option.split("=")[0] ?? "").slice(2);
      expect(source, option).toMatch(new RegExp(`"--${key}"|\\b${key}: \\{|"${key}": \\{`));
    }
    if (parts.size === 0) return;
    const { code, printed } = await run([process.execPath, "--import", "tsx", file, "no-such-part"]);
    expect(code).not.toBe(0);
    const there = /There are (.+)\./.exec(printed)?.[1]?.split(", ");
    expect(there).toEqual(expect.arrayContaining([...parts]));
  });

  test("what there is not is refused in words", async () => {
    const { code, printed } = await run(["npm", "run", "-s", "bench", "--", "no-such-thing"]);
    expect(code).not.toBe(0);
    expect(printed).toContain('There is no benchmark "no-such-thing"');
  });
});

describe("commands that do no harm are run", () => {
  const files = terminalCommands.filter((command) => bare(command)[0] === "npx");

  test("tests by their path", async () => {
    const paths = (program: string) =>
      new Set(
        files
          .map(bare)
          .filter((words) => words[1] === program)
          .map((words) => words[3] ?? ""),
      );
    expect(paths("vitest").size).toBeGreaterThan(1);
    const [listed, played] = await Promise.all([
      run(["npx", "vitest", "list", "--filesOnly", ...paths("vitest")]),
      run(["npx", "playwright", "test", "--list", ...paths("playwright")]),
    ]);
    expect(listed.code, listed.printed).toBe(0);
    expect(played.code, played.printed).toBe(0);
    for (const path of paths("vitest")) expect(listed.printed).toContain(path);
    for (const path of paths("playwright")) expect(played.printed).toContain(path.replace("tests/e2e/", ""));
  });

  test("the speech server answers as an MCP server, with the tools that the documents name", async () => {
    expect(withScript("stt-server").length).toBeGreaterThan(0);
    const params = {
      protocolVersion: "2025-06-18",
      capabilities: {},
      clientInfo: { name: "t", version: "1" },
    };
    const messages = [
      { jsonrpc: "2.0", id: 1, method: "initialize", params },
      { jsonrpc: "2.0", method: "notifications/initialized" },
      { jsonrpc: "2.0", id: 2, method: "tools/list" },
    ];
    const input = messages.map((message) => `${JSON.stringify(message)}\n`).join("");
    const { printed } = await run(["npm", "run", "-s", "stt-server"], { input, until: /"id":2\b.*\n/ });
    const listed = new Set([...printed.matchAll(/"name":"(stt_\w+)"/g)].map(([, name]) => name));
    const voice = readFileSync(join(root, "docs/voice.md"), "utf8");
    const named = /^The tools are [^.]*\./m.exec(voice)?.[0].match(/`stt_\w+`/g) ?? [];
    expect(named.length).toBeGreaterThan(5);
    expect(new Set(named.map((name) => name.slice(1, -1)))).toEqual(listed);
  });

  test("the check of a speech server takes what is shown, and says where nothing answers", async () => {
    const shown = withScript("stt:check");
    expect(shown.length).toBeGreaterThan(3);
    for (const { line, args } of shown) {
      const at = args.findIndex((word) => word === "COMMAND" || word === "npm");
      // In place of a server: one that ends at once, and an address where nobody is.
      const real = at < 0 ? args.map((word) => word.replace(":8000", ":9")) : [...args.slice(0, at), "false"];
      if (line.includes("ADDRESS")) real.splice(0, real.length, "--url", "http://127.0.0.1:9/mcp");
      const { code, printed } = await run(["npm", "run", "-s", "stt:check", "--", ...real]);
      expect(code, `${line}\n${printed}`).toBe(2);
      expect(printed, line).not.toContain("[--level basic|full]");
    }
  });

  test("the doctor, from a start without a display, checks each part and ends", async () => {
    const shown = withScript("start").find(({ args }) => args.join() === "--doctor");
    const home = mkdtempSync(join(tmpdir(), "parley-doctor-"));
    const words = [...(shown?.words ?? []), `--user-data-dir=${join(home, "data")}`];
    const { code, printed } = await run(words, { env: { HOME: home, DISPLAY: "", WAYLAND_DISPLAY: "" } });
    for (const part of ["Model", "Microphone", "Speech recognition", "Voice", "Disk"])
      expect(printed).toMatch(new RegExp(`^(?:ok|limited|FAILED)\\s+${part}`, "m"));
    expect([0, 1]).toContain(code);
  });
});
