import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir } from "node:fs/promises";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { startInGroup } from "../../../electron/tools/process/process-group.ts";
import { eventually, killNow, livingProcesses } from "../../fakes/processes.ts";
import { createToolRig, type ToolRig } from "../../unit/tools/tool-rig.ts";

let rig: ToolRig;
beforeEach(async () => {
  rig = await createToolRig();
});
afterEach(async () => {
  await rig.close();
  expect(await eventually(() => ownWatchers().length === 0), "a watcher is left").toBe(true);
});

const shell = async (command: string, more: object = {}, changes = {}) =>
  await rig.call("shell", { command, ...more }, changes);
const inSession = (session: number) => livingProcesses().filter((process) => process.session === session);
const ownWatchers = () =>
  livingProcesses().filter(
    ({ parent, command }) => parent === process.pid && command.includes("read -r group"),
  );
/** The first number of the output: the commands here begin with `echo $$`, and theirs is the session. */
const numberIn = (text: string) => Number(/\d+/.exec(text)?.[0]);

/** Aborts as soon as the command has said something. */
function abortedAtFirstWord() {
  const controller = new AbortController();
  return {
    signal: controller.signal,
    progress: () => controller.abort(new Error("stop")),
  };
}

// What is ended here would sleep for 300 s: whatever waited for it would meet the test's limit first.
describe("shell", () => {
  test("output and exit code, as they come; nothing to read; the working folder", async () => {
    await mkdir(rig.at("sub"));
    expect(await shell("echo out; echo err >&2; pwd; cat")).toEqual({
      text: `out\nerr\n${rig.environment.workingDirectory}\n[exit code 0]`,
    });
    expect(rig.progress.join("")).toBe(`out\nerr\n${rig.environment.workingDirectory}\n`);
    const failed = await shell("printf x; pwd >&2; exit 3", { working_directory: "sub" });
    expect(failed).toEqual({
      text: `x${rig.environment.workingDirectory}/sub\n[exit code 3]`,
      isError: true,
    });
    expect((await shell("kill -9 $$")).text).toBe("[ended by a signal]");
    await expect(shell("true", { working_directory: "missing" })).rejects.toThrow("no such file");
    await expect(shell("echo a\0b")).rejects.toThrow("cannot contain a NUL");
    await expect(shell(`echo ${"x".repeat(3_000_000)}`)).rejects.toThrow("too long for this system");
  });

  test("characters that come in pieces are whole; bash's own syntax works", async () => {
    const { text } = await shell(
      "printf '\\xf0\\x9f'; sleep 0.05; printf '\\x98\\x80'; [[ a == a ]] && echo yes",
    );
    expect(text).toBe("😀yes\n[exit code 0]");
  });

  test("secrets of ours are not in a command's environment, by the policy", async () => {
    process.env.PARLEY_TEST_API_KEY = "secret";
    process.env.PARLEY_TEST_PLAIN = "plain";
    process.env.LC_PAPER = "C";
    try {
      const command = 'echo "$PARLEY_TEST_API_KEY,$PARLEY_TEST_PLAIN,$LC_PAPER,$HOME"';
      const home = process.env.HOME;
      expect((await shell(command)).text).toContain(`,,C,${home}\n`);
      const core = await shell(command, {}, { settings: { environmentPolicy: "core" } });
      expect(core.text).toContain(`,,,${home}\n`);
      const all = await shell(command, {}, { settings: { environmentPolicy: "inherit all" } });
      expect(all.text).toContain(`secret,plain,C,${home}\n`);
    } finally {
      delete process.env.PARLEY_TEST_API_KEY;
      delete process.env.PARLEY_TEST_PLAIN;
      delete process.env.LC_PAPER;
    }
  });

  test("its time is up: what it said is kept, timeout_ms is named, nothing of its group lives", async () => {
    const { text, isError } = await shell("echo $$; (sleep 300; echo never) & sleep 300", {
      timeout_ms: 3000,
    });
    expect(isError).toBe(true);
    expect(text).toMatch(/^\d+\n\[ended after 3000 ms.*timeout_ms, up to 600000\]$/);
    expect(inSession(numberIn(text))).toEqual([]);
    const bySetting = await shell("sleep 300", {}, { settings: { shellTimeoutMs: 50 } });
    expect(bySetting.text).toContain("ended after 50 ms");
    await expect(shell("true", { timeout_ms: 600_001 })).rejects.toThrow();
  });

  test("one that goes on after SIGTERM is killed, with its children", async () => {
    const command =
      "trap 'echo asked' TERM; (trap '' TERM; exec sleep 300) & echo $$; while true; do sleep 0.05; done";
    const { text } = await shell(command, {}, abortedAtFirstWord());
    // bash says that its sleep was ended, too.
    expect(text.replace("Terminated\n", "")).toMatch(/^\d+\nasked\n\[interrupted by the user/);
    expect(inSession(numberIn(text))).toEqual([]);
  });

  test("an abort ends it at once and keeps what it said; one before the start runs nothing", async () => {
    const { text, isError } = await shell("echo $$; sleep 300", {}, abortedAtFirstWord());
    expect(isError).toBe(true);
    expect(inSession(numberIn(text))).toEqual([]);
    const signal = AbortSignal.abort(new Error("stop"));
    await expect(shell("echo x > ran", {}, { signal })).rejects.toThrow("stop");
    expect(await rig.environment.fileExists("ran")).toBe(false);
  });

  test("what it leaves in the background is not waited for and does not stay, jobs of its own included", async () => {
    const { text } = await shell(
      "echo $$; sleep 300 & nohup sleep 300 >/dev/null 2>&1 & set -m; sleep 300 & echo on",
    );
    expect(text).toMatch(/^\d+\non\n\[exit code 0\]$/);
    expect(inSession(numberIn(text))).toEqual([]);
  });

  test("somebody who left the session and holds the pipe does not hold us", async () => {
    const { text } = await shell("setsid sleep 300 & echo $!");
    const stranger = numberIn(text);
    expect(livingProcesses().map(({ pid }) => pid)).toContain(stranger);
    killNow(stranger);
  });

  test("both outputs in the order of arrival, also through /dev/stdout and /dev/stderr", async () => {
    const { text } = await shell(
      "for i in 1 2 3; do echo o$i; echo e$i >&2; echo d$i >/dev/stderr; done; echo x >/dev/stdout",
    );
    expect(text).toBe("o1\ne1\nd1\no2\ne2\nd2\no3\ne3\nd3\nx\n[exit code 0]");
  });

  test("last words after SIGTERM get through", async () => {
    const command = "trap 'echo bye; exit 7' TERM; echo hello; while true; do sleep 0.05; done";
    const { text } = await shell(command, {}, abortedAtFirstWord());
    // bash says that its sleep was ended, too.
    expect(text.replace("Terminated\n", "")).toBe(
      "hello\nbye\n[interrupted by the user; the output ends here]",
    );
  });

  test("a flood of output is bounded: beginning and end are kept, and it is shown live only so far", async () => {
    const { text } = await shell("echo first; head -c 30000000 /dev/zero | tr '\\0' 'x'; echo; echo last");
    expect(text.length).toBeLessThan(9_000_000);
    expect(text.startsWith("first\n")).toBe(true);
    expect(text.endsWith("last\n[exit code 0]")).toBe(true);
    expect(text).toMatch(/\n\([\d,]+ characters were not kept\)\n/);
    expect(rig.progress.join("").length).toBeLessThan(400_000);
  });

  test("cleanup ends what still runs", async () => {
    let running: ReturnType<typeof shell> | undefined;
    const said = await new Promise<string>((progress) => {
      running = shell("echo $$; sleep 300", {}, { progress });
    });
    const session = numberIn(said);
    await rig.environment.cleanup();
    expect(inSession(session)).toEqual([]);
    expect((await running)?.text).toContain("[ended by a signal]");
  });
});

describe("the watcher", () => {
  test.each([
    ["and its children", "echo $$; sleep 300 & sleep 300"],
    ["that ignores SIGTERM", "trap '' TERM HUP; echo $$; sleep 300 & while true; do sleep 1; done"],
    ["with jobs in groups of their own", "echo $$; set -m; sleep 300 & sleep 300"],
  ])("our death by kill -9 ends a command %s, and the watcher goes too", async (_, command) => {
    const host = spawn(
      process.execPath,
      [
        "--import",
        "tsx",
        fileURLToPath(new URL("../../fakes/command-host.ts", import.meta.url)),
        rig.at(),
        command,
      ],
      { stdio: ["ignore", "pipe", "inherit"] },
    );
    let session = -1;
    try {
      const [line] = await once(createInterface({ input: host.stdout }), "line");
      session = Number(line);
      expect(inSession(session).length).toBeGreaterThan(0);
      const watchers = livingProcesses().filter(
        ({ parent, command: line }) => parent === host.pid && line.includes("read -r group"),
      );
      expect(watchers.length).toBe(1);
      expect(watchers[0]?.session).not.toBe(session);
      host.kill("SIGKILL");
      await once(host, "exit");
      const pids = new Set([...inSession(session), ...watchers].map(({ pid }) => pid));
      const gone = () =>
        inSession(session).length === 0 && !livingProcesses().some(({ pid }) => pids.has(pid));
      expect(await eventually(gone)).toBe(true);
    } finally {
      host.kill("SIGKILL");
      for (const { pid } of inSession(session)) killNow(pid);
    }
  });

  test("a program that is spoken to ends as a whole, any number of times; one that is missing ends by itself", async () => {
    const place = { cwd: rig.at(), env: { PATH: process.env.PATH ?? "" }, stdin: "pipe" as const };
    const group = await startInGroup("/bin/sh", ["-c", "sleep 300 & cat"], place);
    const { stdin, stdout } = group.child;
    if (!stdin || !stdout) throw new Error("no pipes");
    stdin.write("hello\n");
    expect(String((await once(stdout, "data"))[0])).toBe("hello\n");
    await Promise.all([group.end(), group.end()]);
    expect(inSession(group.pid)).toEqual([]);
    expect(await group.exited).toEqual({ code: null, signal: "SIGTERM" });

    const missing = await startInGroup("/nowhere/program", [], place);
    missing.child.stdout?.resume();
    missing.child.stderr?.resume();
    expect((await missing.exited).code).toBe(127);
    await missing.end();
    await expect(startInGroup("/bin/true", [], { ...place, cwd: "/nowhere" })).rejects.toThrow("ENOENT");
  });
});
