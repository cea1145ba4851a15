import { spawn } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { commandLineSettings, commandLineStartUp } from "../../../electron/settings/command-line.ts";
import { docPages, root } from "../../unit/docs/pages.ts";
import { privateDisplay } from "../stt/private-display.ts";
import { bare, isLaunch, type ShownCommand, terminalCommands } from "./shown-commands.ts";

const { scripts } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
  scripts: Record<string, string>;
};

interface Ended {
  code: number | null;
  /** Both streams, as they came. */
  printed: string;
}

/** Runs a program in the project's folder, or in `cwd`, to its end, or to the moment when `until` is printed. @param input on its stdin, which then stays open */
function run(
  [program = "", ...args]: readonly string[],
  more: { input?: string; until?: RegExp; env?: object; cwd?: string } = {},
): Promise<Ended> {
  const { input, until, env, cwd = root } = more;
  return new Promise((resolve, reject) => {
    // A group of its own: npm's children end with it.
    const child = spawn(program, args, { cwd, detached: true, env: { ...process.env, ...env } });
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

/** Commands that write what is generated. */
const generators = terminalCommands.filter((command) =>
  /^(?:npm run [a-z]+-(?:doc|table)|npx vitest run \S+ -u|node scripts\/\S+-icons\.mjs)$/.test(
    bare(command).join(" "),
  ),
);

/** Those that tests run as they are shown: in the groups below, and in parley-commands.test.ts. */
const isRun = (command: ShownCommand): boolean =>
  isLaunch(command) ||
  generators.includes(command) ||
  /^npm (?:start -- --doctor$|run -s stt-server$|run -s stt:check -- |run bench -- NAME$)/.test(
    bare(command).join(" "),
  );

/** What no test runs: how it begins, why not, and the test that shows the same, as tests/README.md names it. */
const notRun: readonly { begins: readonly string[]; why: string; proof: string }[] = [
  {
    begins: ["npm start", "npm run dev"],
    why: "They open a window that stays. What is passed on is read below.",
    proof:
      "integration/setup/setup-system.test.ts “without a display says what to type, before it installs anything”",
  },
  {
    begins: ["npm run setup", "npm install"],
    why: "They change the packages that the tests run with; a run of the tests begins with the set-up.",
    proof:
      "integration/setup/setup-dependencies.test.ts “are installed once, and then need no request and no npm”",
  },
  {
    begins: ["npm test", "npm run check"],
    why: "They would run themselves, for minutes.",
    proof:
      "integration/setup/second-look.test.ts “a file that can never be loaded has failed, beside others that pass”",
  },
  {
    begins: ["npx vitest run", "npx playwright test"],
    why: "They would run tests in a test: they are asked to list them.",
    proof: "integration/docs/terminal-commands.test.ts “tests by their path”",
  },
  {
    begins: ["npm run bench", "npm run soak"],
    why: "They take minutes, and measure while nothing else runs.",
    proof: "integration/docs/terminal-commands.test.ts “$file has the parts and options that are shown”",
  },
  {
    begins: ["npm run mutate"],
    why: "It takes hours.",
    proof:
      "integration/docs/terminal-commands.test.ts “each npm script is there, and so is the file that it runs”",
  },
  {
    begins: ["npm run screenshots"],
    why: "It takes minutes, and other fonts make other pictures.",
    proof: "unit/docs/links.test.ts “the script that makes the pictures makes each of them”",
  },
  {
    begins: ["npm run try-models -- --speech"],
    why: "It downloads gigabytes: a server of the test's has small models.",
    proof:
      "integration/stt/try-models.test.ts “writes a line for each model: what was downloaded, how well and fast it works, or why it cannot be used”",
  },
  {
    begins: ["npm run try-models -- --providers"],
    why: "It needs keys and costs money: it is run on the far sides of the tests.",
    proof:
      "integration/providers/try-providers.test.ts “ten checks pass with a model that does all of it, and stand in the table with their date”",
  },
  {
    begins: ["npm run package"],
    why: "It takes minutes, and with `--try` a bare Debian.",
    proof: "integration/setup/setup-package.test.ts “is made without a network”",
  },
  {
    begins: ["apt install bubblewrap socat"],
    why: "It changes the system.",
    proof: "integration/security/fence.test.ts “no bubblewrap, no socat: what to install”",
  },
  {
    begins: ["apt install ./", "apt remove"],
    why: "They change the system.",
    proof:
      "integration/setup/setup-package.test.ts “holds the app, its launcher, desktop entry and icons, all of them root's and written by nobody else”",
  },
];

test("each command that a document shows is run by a test, or stands in the list of those that are not", () => {
  const begins = (command: ShownCommand, begin: string) => bare(command).join(" ").startsWith(begin);
  const others = terminalCommands.filter((command) => !isRun(command));
  const listed = notRun.flatMap((entry) => entry.begins);
  const open = others.filter((command) => !listed.some((begin) => begins(command, begin)));
  expect(open.map(({ page, line }) => `${page}: ${line}`)).toEqual([]);
  expect(listed.filter((begin) => !others.some((command) => begins(command, begin)))).toEqual([]);
  const unproven = notRun.filter(({ proof }) => {
    const [, file = "", title = ""] = /^(\S+) “(.+)”$/.exec(proof) ?? [];
    return !readFileSync(join(root, "tests", file), "utf8").includes(`"${title}"`);
  });
  expect(unproven.map(({ proof }) => proof)).toEqual([]);
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

test("what `npm start` passes on is understood", () => {
  const starts = withScript("start").map(({ args, ...command }) => ({ ...command, args }));
  expect(starts.length).toBeGreaterThan(3);
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

  test("what writes a page, a table or pictures changes nothing in a copy of the project", async () => {
    const lines = new Set(generators.map((command) => bare(command).join(" ")));
    expect(lines.size).toBeGreaterThan(5);
    const copy = mkdtempSync(join(tmpdir(), "parley-copy-"));
    const files = (await run(["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"])).printed
      .split("\0")
      .filter(Boolean);
    for (const path of files.filter((path) => existsSync(join(root, path))))
      cpSync(join(root, path), join(copy, path));
    symlinkSync(join(root, "node_modules"), join(copy, "node_modules"));
    const git = (...args: string[]) => run(["git", ...args], { cwd: copy });
    await git("init", "--quiet");
    await git("add", "--all");
    const screen = process.platform === "linux" ? await privateDisplay() : null;
    await Promise.all(
      [...lines].map(async (line) => {
        const { code, printed } = await run(line.split(" "), {
          cwd: copy,
          env: { DISPLAY: screen?.display },
        });
        expect(code, `${line}\n${printed}`).toBe(0);
      }),
    );
    await screen?.dispose();
    // Another Chromium packs the same picture into other bytes.
    const icons = "resources/icons";
    const changed = await git("add", "--all", "--dry-run", "--", ".", `:!${icons}/*.png`);
    expect(changed).toEqual({ code: 0, printed: "" });
    expect(readdirSync(join(copy, icons))).toEqual(readdirSync(join(root, icons)));
    for (const name of readdirSync(join(copy, icons))) {
      const png = readFileSync(join(copy, icons, name));
      expect(`${png.readUInt32BE(16)}x${png.readUInt32BE(20)}.png`).toBe(name);
    }
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
