import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import {
  closeSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  statSync,
  write,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import type { ModelServer } from "../../fakes/model-server/model-server.ts";
import { closed, ends, type LinePlace, lineOf, starts } from "../support/command-line.ts";
import { expect, replies, send, test } from "../support/test.ts";

const root = resolve(import.meta.dirname, "../../..");
const scriptedServer = join(root, "tests/fakes/mcp/scripted-mcp-server.mjs");

/** A home without a display and with a key for the fake model. */
function place(model: ModelServer, home = mkdtempSync(join(tmpdir(), "parley-line-"))): LinePlace {
  const userData = join(home, "user-data");
  mkdirSync(join(home, "Parley"), { recursive: true });
  mkdirSync(userData, { recursive: true });
  const settings = { provider: "anthropic", retryBaseMs: 1, firstRun: false };
  writeFileSync(join(userData, "settings.json"), JSON.stringify(settings));
  const env = { PATH: process.env.PATH ?? "", HOME: home, XDG_CONFIG_HOME: join(home, ".config") };
  return { home, userData, env: { ...env, ANTHROPIC_BASE_URL: model.url, ANTHROPIC_API_KEY: "test-key" } };
}

/** Until it has printed this. */
const shows = (child: ChildProcess, words: string): Promise<void> =>
  new Promise((done) => {
    let out = "";
    child.stdout?.on("data", (chunk) => {
      out += chunk;
      if (out.includes(words)) done();
    });
  });

const parley = (at: LinePlace, words: string[], input?: string) => ends(starts(at, words), input);
const tools = (...calls: object[]) => `[[script:tools ${JSON.stringify({ calls })}]]`;
const lines = (out: string) =>
  out
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));

test("a prompt is answered without a display, in words and as events, with the standard input, and is gone on with", async ({
  model,
}) => {
  const at = place(model);
  const first = await parley(at, ["-p", "Good morning"]);
  expect(first).toMatchObject({ code: 0, out: "Good morning\n" });

  const second = await parley(
    at,
    ["--json", "--prompt=Read it", "--continue", "Good morning"],
    "from the pipe\n",
  );
  expect(second.code).toBe(0);
  const events = lines(second.out);
  expect(events.map(({ type }) => type)).toEqual(
    expect.arrayContaining(["run.started", "text.delta", "run.ended"]),
  );
  expect(events.at(-1)).toMatchObject({ type: "run.ended", stopReason: "end_turn" });
  const asked = JSON.stringify(model.requests.at(-1)?.body.messages);
  expect(asked).toContain("Good morning");
  expect(asked).toContain("from the pipe");

  const lost = await parley(at, ["-p", "Hello", "--continue", "no such one"]);
  expect(lost).toMatchObject({ code: 1, out: "" });
  expect(lost.err).toContain("no such one");
});

test("the command that the set-up makes does it, and what it does not know is code 2", async ({ model }) => {
  const at = place(model);
  const config = join(at.home, ".config/Parley");
  mkdirSync(config, { recursive: true });
  writeFileSync(join(config, "settings.json"), readFileSync(join(at.userData, "settings.json")));
  const command = (words: string[]) =>
    ends(spawn(join(root, "bin/parley"), words, { cwd: at.home, env: at.env }));
  expect(await command(["-p", "Good evening"])).toMatchObject({ code: 0, out: "Good evening\n" });
  const wrong = await command(["-p", "Hello", "--levl", "work"]);
  expect(wrong).toMatchObject({ code: 2, out: "" });
  expect(wrong.err).toContain('What is "--levl"?');
  const level = await command(["-p", "Hello", "--level", "all"]);
  expect(level).toMatchObject({ code: 2 });
  expect(level.err).toContain('--level is look, ask or work, not "all".');
});

test("tools work by the level: reading runs, a change needs an approval, and is refused where Parley only looks", async ({
  model,
}) => {
  const at = place(model);
  const folder = join(at.home, "project");
  mkdirSync(folder);
  writeFileSync(join(folder, "notes.txt"), "The harbour is behind the hill.");
  const read = tools({ name: "read_file", input: { path: "notes.txt" } });
  const looked = await parley(at, ["-p", read, "--cwd", "project"]);
  expect(looked.code).toBe(0);
  expect(looked.out).toContain("The harbour is behind the hill.");

  const write = tools({ name: "write_file", input: { path: "new.txt", content: "New." } });
  const asked = await parley(at, ["-p", write, "--cwd", "project", "--level", "ask"]);
  expect(asked.code).toBe(3);
  expect(asked.err).toContain("write_file needs your approval");
  expect(() => statSync(join(folder, "new.txt"))).toThrow();
  const refused = await parley(at, ["-p", write, "--cwd", "project", "--level", "look"]);
  expect(refused.code).toBe(0);
  expect(() => statSync(join(folder, "new.txt"))).toThrow();
  const worked = await parley(at, ["-p", write, "--cwd", "project", "--level", "work"]);
  expect(worked.code).toBe(0);
  expect(readFileSync(join(folder, "new.txt"), "utf8")).toBe("New.");
});

test("a server of the settings that is still starting is waited for, and its tools are offered", async ({
  model,
}) => {
  const at = place(model);
  const settings = join(at.userData, "settings.json");
  const scripted = {
    command: process.execPath,
    // It starts when it has had a second to itself.
    args: ["-e", `setTimeout(() => import(${JSON.stringify(scriptedServer)}), 1000)`, "{}"],
  };
  const mcpServers = { scripted };
  writeFileSync(settings, JSON.stringify({ ...JSON.parse(readFileSync(settings, "utf8")), mcpServers }));
  expect(await parley(at, ["-p", "Hello"])).toMatchObject({ code: 0, out: "Hello\n" });
  const offered = model.requests.at(-1)?.body.tools as { name: string }[];
  expect(offered.map(({ name }) => name)).toContain("scripted__echo");
});

test("Ctrl+C stops it with code 130, and what had come is kept", async ({ model }) => {
  const at = place(model);
  const child = starts(at, ["--json", "-p", 'Tell me [[script:text {"words":9,"hold":"half","at":3}]]']);
  const ended = ends(child);
  await shows(child, "word-3");
  child.kill("SIGINT");
  expect(await ended).toMatchObject({ code: 130, err: expect.stringContaining("Interrupted.") });
  model.release("half");
  const next = await parley(at, ["--json", "-p", "And now?", "--continue", "Tell me"]);
  expect(next.code).toBe(0);
  expect(JSON.stringify(model.requests.at(-1)?.body.messages)).toContain("word-3");
});

test("Ctrl+C, the system's wish and the end of the terminal stop it while the standard input is read, which nobody may ever close", async ({
  model,
}) => {
  const at = place(model);
  const pipe = join(at.home, "pipe");
  execFileSync("mkfifo", [pipe]);
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
    // Both ends: it stays open.
    const ends = openSync(pipe, "r+");
    const child = starts(at, ["-p", "Hello"], [ends, "pipe", "pipe"]);
    const ended = closed(child);
    // More than a pipe holds: it is there when somebody reads.
    await promisify(write)(ends, "a".repeat(100_000));
    child.kill(signal);
    expect(await ended, signal).toMatchObject({ code: 130, out: "", err: "parley: Interrupted.\n" });
    closeSync(ends);
  }
  expect(model.requests).toHaveLength(0);
});

// Bug: until its own handlers stood, the signal went to Chromium's, which quits the app with code 0; and one that came between two
// of its own was lost.
test("a signal that comes just before its handlers change ends it with code 130, too", async ({ model }) => {
  const at = place(model);
  const changes = async (signal: NodeJS.Signals, count: number) => {
    const preload = join(at.home, "signal.cjs");
    writeFileSync(
      preload,
      `const { on } = process;
      let left = ${count};
      process.on = process.addListener = function (name, listener) {
        if (process.type === "browser" && name === "${signal}" && left-- === 1) process.kill(process.pid, name);
        return on.call(this, name, listener);
      };`,
    );
    const env = { ...at.env, NODE_OPTIONS: `--require ${preload}` };
    return await ends(
      starts({ ...at, env }, ["-p", 'Hello [[script:text {"words":9,"hold":"ever","at":3}]]']),
    );
  };
  for (const count of [1, 2, 3]) {
    expect(await changes("SIGINT", count), `change ${count}`).toMatchObject({ code: 130 });
  }
  expect(await changes("SIGTERM", 1)).toMatchObject({ code: 130 });
});

test("more than fits beside a prompt is refused, in words", async ({ model }) => {
  const tooMuch = await parley(place(model), ["-p", "Hello"], "a".repeat(200_001));
  expect(tooMuch).toEqual({
    ...{ code: 1, out: "" },
    err: "parley: More than 200,000 characters came on the standard input.\n",
  });
  expect(model.requests).toHaveLength(0);
});

test("where Parley runs the prompt runs there, by a socket for this user alone; the window keeps its conversation", async ({
  startWithModel,
  model,
}) => {
  const running = await startWithModel();
  await send(running.page, "In the window");
  await expect(replies(running.page)).toHaveCount(1);
  const at = place(model, running.home);
  const answered = await parley(at, ["-p", "From the line"]);
  expect(answered).toMatchObject({ code: 0, out: "From the line\n" });
  await expect(running.page.getByTestId("conversation-item")).toHaveCount(2);
  await expect(running.page.getByTestId("message-user")).toContainText("In the window");
  const folder = join(running.userData, "run");
  expect(statSync(folder).mode & 0o777).toBe(0o700);
  expect(statSync(join(folder, "prompts.sock")).mode & 0o777).toBe(0o600);

  const child = starts(at, ["-p", 'Long [[script:text {"words":9,"hold":"there","at":3}]]']);
  const ended = ends(child);
  await model.held("there");
  child.kill("SIGINT");
  expect(await ended).toMatchObject({ code: 130 });
  model.release("there");
});

test("prompts that come at the same time without a window are all answered, each in its folder", async ({
  model,
}) => {
  const at = place(model);
  const folders = ["one", "two", "three"];
  for (const folder of folders) mkdirSync(join(at.home, folder));
  const write = tools({ name: "write_file", input: { path: "new.txt", content: "New." } });
  const words = (folder: string) => ["-p", write, "--cwd", folder, "--level", "work"];
  const answers = await Promise.all(folders.map((folder) => parley(at, words(folder))));
  for (const answer of answers) expect(answer).toMatchObject({ code: 0 });
  for (const folder of folders) {
    expect(readFileSync(join(at.home, folder, "new.txt"), "utf8")).toBe("New.");
  }
});

test("the process that answers prompts without a window ends when the last one has its answer", async ({
  model,
}) => {
  const at = place(model);
  const held = (name: string) => `Tell me [[script:text {"words":9,"hold":"${name}","at":3}]]`;
  const first = starts(at, ["-p", held("first")]);
  const isAnswered = shows(first, "word-9");
  const isFirstEnded = ends(first);
  await model.held("first");
  const second = parley(at, ["-p", held("second")]);
  await model.held("second");
  const third = starts(at, ["-p", held("third")]);
  const isThirdEnded = ends(third);
  await model.held("third");
  model.release("first");
  await isAnswered;
  third.kill("SIGINT");
  expect(await isThirdEnded).toMatchObject({ code: 130 });
  model.release("second");
  expect(await second).toMatchObject({ code: 0, out: expect.stringContaining("word-9") });
  expect(await isFirstEnded).toMatchObject({
    ...{ code: 0, err: "parley: Other prompts still run in this process. Ctrl+C ends them.\n" },
  });
  model.release("third");
});

test("Ctrl+C ends a process that has its own answer, with the prompts that still run in it", async ({
  model,
}) => {
  const at = place(model);
  const first = starts(at, ["-p", 'First [[script:text {"words":9,"hold":"first","at":3}]]']);
  const isFirstEnded = ends(first);
  await model.held("first");
  const second = parley(at, ["-p", 'Second [[script:text {"words":9,"hold":"second","at":3}]]']);
  await model.held("second");
  const waits = new Promise<void>((done) => {
    first.stderr?.on("data", (said) => String(said).includes("Other prompts") && done());
  });
  model.release("first");
  await waits;
  first.kill("SIGINT");
  expect(await isFirstEnded).toMatchObject({ code: 0 });
  expect((await second).code).not.toBe(0);
  model.release("second");
});

test("Parley that is started while a prompt runs without a window opens when that has ended", async ({
  start,
  model,
}) => {
  const at = place(model);
  const asked = parley(at, ["-p", 'Long [[script:text {"words":9,"hold":"long","at":3}]]']);
  await model.held("long");
  const { page } = await start({ home: at.home, launched: () => model.release("long") });
  expect(await asked).toMatchObject({ code: 0, out: expect.stringContaining("word-9") });
  await expect(page.getByTestId("conversation-item")).toContainText(["Long"]);
});

test("a terminal gets no control sequences of a model's; a pipe gets the text as it is", async ({
  model,
}) => {
  const at = place(model);
  const text = "\u001b]0;title\u0007plain \u001b[31mred\u001b[0m";
  const prompt = `[[script:text ${JSON.stringify({ text })}]]`;
  expect((await parley(at, ["-p", prompt])).out).toContain(text);
  const args = lineOf(at, ["-p", prompt]);
  const line = args.map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(" ");
  const onTerminal = await ends(spawn("script", ["-qec", line, "/dev/null"], { cwd: at.home, env: at.env }));
  expect(onTerminal.out).toContain("plain red");
  expect(onTerminal.out).not.toContain("\u001b");
});
