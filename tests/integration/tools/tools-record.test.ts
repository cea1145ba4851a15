import { type ChildProcess, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { z } from "zod";
import { GroupRecord } from "../../../electron/tools/process/group-record.ts";
import { startInGroup } from "../../../electron/tools/process/process-group.ts";
import { eventually, killNow, livingProcesses } from "../../fakes/processes.ts";

/** Process groups on record: what survives both Parley and the watcher is ended by the next start, and nothing else. */

let folder: string;
let recordFolder: string;
let said: string[];
const strangers = new Set<ChildProcess>();
const sessions = new Set<number>();

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "parley-record-"));
  recordFolder = join(folder, "data", "processes");
  said = [];
});
afterEach(() => {
  for (const child of strangers) child.kill("SIGKILL");
  for (const session of sessions) for (const { pid } of inSession(session)) killNow(pid);
  strangers.clear();
  sessions.clear();
  rmSync(folder, { recursive: true });
});

const openRecord = () =>
  new GroupRecord({ folder: recordFolder, newId: randomUUID, log: (message) => said.push(message) });
const onRecord = () => (existsSync(recordFolder) ? readdirSync(recordFolder) : []);
const inSession = (session: number) => livingProcesses().filter((process) => process.session === session);
const at = (name: string) => join(recordFolder, name);
const entryShape = z.object({ pid: z.number(), start: z.string(), mark: z.string() });

/** Runs a command as Parley does, then kills Parley and the watcher at once. @returns the session that is left */
async function orphaned(command: string): Promise<number> {
  const script = fileURLToPath(new URL("../../fakes/command-host.ts", import.meta.url));
  const args = ["--import", "tsx", script, folder, command, recordFolder];
  const host = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
  strangers.add(host);
  const [line] = await once(createInterface({ input: host.stdout }), "line");
  const session = Number(line);
  sessions.add(session);
  const watchers = livingProcesses().filter(
    ({ parent, command: line }) => parent === host.pid && line.includes("read -r group"),
  );
  expect(watchers).toHaveLength(1);
  // The watcher first: it must not get to do its work.
  for (const { pid } of watchers) process.kill(pid, "SIGKILL");
  host.kill("SIGKILL");
  await once(host, "exit");
  return session;
}

/** A process of somebody else that leads a session, as a command of ours does. @returns its number */
async function stranger(): Promise<number> {
  const child = spawn("sleep", ["300"], { detached: true, stdio: "ignore" });
  strangers.add(child);
  await once(child, "spawn");
  if (child.pid === undefined) throw new Error("no number");
  return child.pid;
}

describe("the next start", () => {
  test.each([
    ["with its children", "echo $$; sleep 300 & sleep 300"],
    ["with jobs in groups of their own", "echo $$; set -m; sleep 300 & sleep 300"],
    ["that ignores SIGTERM", "trap '' TERM; echo $$; sleep 300 & while true; do sleep 1; done"],
  ])("ends a command %s when both Parley and its watcher were killed", async (_, command) => {
    const session = await orphaned(command);
    // Its shell speaks before it starts the others.
    expect(await eventually(() => inSession(session).length > 1)).toBe(true);
    expect(onRecord()).toHaveLength(1);

    await openRecord().reap();
    expect(inSession(session)).toEqual([]);
    expect(onRecord()).toEqual([]);
    expect(said).toEqual([`Process ${session} was left by an earlier run of Parley: it is ended.`]);
  });

  test("ends what a command left behind whose own process is gone without a trace", async () => {
    const env = { PATH: process.env.PATH ?? "" };
    const place = { cwd: folder, env, stdin: "ignore" as const, record: openRecord() };
    const { pid, exited } = await startInGroup("/bin/sh", ["-c", "sleep 300 & exit 0"], place);
    sessions.add(pid);
    await exited;
    expect(existsSync(`/proc/${pid}`)).toBe(false);
    expect(inSession(pid)).toHaveLength(1);
    await openRecord().reap();
    expect(inSession(pid)).toEqual([]);
    expect(onRecord()).toEqual([]);
  });

  test("leaves alone who has only the number of what is on record", async () => {
    const pid = await stranger();
    const record = openRecord();
    await record.entry().write(pid);
    const [name = ""] = onRecord();
    const entry = entryShape.parse(JSON.parse(readFileSync(at(name), "utf8")));
    expect(entry.pid).toBe(pid);
    const boot = readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
    const ticks = readFileSync(`/proc/${pid}/stat`, "utf8").split(" ")[21];
    expect(entry.start).toBe(`${boot} ${ticks}`);
    // Started a tick later; at the same tick, but since another start of the computer.
    const others = [`${boot} ${Number(ticks) + 1}`, `${randomUUID()} ${ticks}`];
    for (const [index, start] of others.entries()) {
      writeFileSync(at(`${index}.json`), JSON.stringify({ ...entry, start }));
    }
    rmSync(at(name));
    await record.reap();
    expect(inSession(pid)).toHaveLength(1);
    expect(onRecord()).toEqual([]);
    expect(said).toEqual([]);

    // The very same entry with the right start does end it: the start alone made the difference.
    writeFileSync(at(name), JSON.stringify(entry));
    await record.reap();
    expect(inSession(pid)).toEqual([]);
  });

  test("leaves alone a session whose leader is gone and which does not carry the mark", async () => {
    const child = spawn("/bin/sh", ["-c", "sleep 300 & echo $$"], {
      detached: true,
      stdio: ["ignore", "pipe", "ignore"],
    });
    const [line] = await once(createInterface({ input: child.stdout }), "line");
    const session = Number(line);
    sessions.add(session);
    if (child.exitCode === null) await once(child, "exit");
    const record = openRecord();
    await record.entry().write(process.pid);
    const [name = ""] = onRecord();
    const entry = entryShape.parse(JSON.parse(readFileSync(at(name), "utf8")));
    writeFileSync(at(name), JSON.stringify({ ...entry, pid: session }));
    await record.reap();
    expect(inSession(session)).toHaveLength(1);
    expect(onRecord()).toEqual([]);
  });

  test("says which entries cannot be read, drops them, and goes on with the others", async () => {
    const pid = await stranger();
    const record = openRecord();
    await record.entry().write(pid);
    const texts = {
      "half.json": '{"pid":',
      "empty.json": "",
      "init.json": JSON.stringify({ pid: 1, start: "x", mark: "x" }),
      "all.json": JSON.stringify({ pid: -1, start: "x", mark: "x" }),
      "without-start.json": JSON.stringify({ pid, mark: "x" }),
    };
    for (const [name, text] of Object.entries(texts)) writeFileSync(at(name), text);
    writeFileSync(at("unfinished.json.draft"), "");
    writeFileSync(at("notes.txt"), "somebody's own");
    await record.reap();
    expect(inSession(pid)).toEqual([]);
    expect(onRecord()).toEqual(["notes.txt"]);
    for (const name of Object.keys(texts)) {
      expect(
        said.filter((line) => line.startsWith(`${at(name)} cannot be read and is dropped`)),
      ).toHaveLength(1);
    }
    expect(said).toHaveLength(Object.keys(texts).length + 1);
  });

  test("has nothing to do where nothing was ever started, and does not touch what is started meanwhile", async () => {
    const record = openRecord();
    await record.reap();
    expect(said).toEqual([]);
    const reaping = record.reap();
    const place = { cwd: folder, env: { PATH: process.env.PATH ?? "" }, stdin: "pipe" as const, record };
    const group = await startInGroup("/bin/cat", [], place);
    sessions.add(group.pid);
    await reaping;
    expect(inSession(group.pid)).toHaveLength(1);
    await group.end();
    expect(said).toEqual([]);
  });
});

describe("a process group", () => {
  test("is on record before its program runs, and no longer when all of it has ended", async () => {
    const record = openRecord();
    const place = { cwd: folder, env: { PATH: process.env.PATH ?? "" }, stdin: "ignore" as const, record };
    const command = `cat ${recordFolder}/*.json; echo; echo $PARLEY_GROUP; sleep 300 & exit 0`;
    const group = await startInGroup("/bin/sh", ["-c", command], place);
    sessions.add(group.pid);
    const { stdout } = group.child;
    if (!stdout) throw new Error("no pipe");
    const lines = createInterface({ input: stdout })[Symbol.asyncIterator]();
    const entry = entryShape.parse(JSON.parse((await lines.next()).value ?? ""));
    expect(entry.pid).toBe(group.pid);
    expect((await lines.next()).value).toBe(entry.mark);
    await group.exited;
    // Its child lives on.
    expect(onRecord()).toHaveLength(1);
    await group.end();
    expect(inSession(group.pid)).toEqual([]);
    expect(onRecord()).toEqual([]);

    await expect(startInGroup("/bin/true", [], { ...place, cwd: "/nowhere" })).rejects.toThrow("ENOENT");
    expect(onRecord()).toEqual([]);
  });

  test("runs also when it cannot be put on record, which is said once", async () => {
    writeFileSync(join(folder, "data"), "in the way");
    const record = openRecord();
    const place = { cwd: folder, env: { PATH: process.env.PATH ?? "" }, stdin: "ignore" as const, record };
    for (let count = 0; count < 2; count++) {
      const group = await startInGroup("/bin/sh", ["-c", "exit 7"], place);
      expect((await group.exited).code).toBe(7);
      await group.end();
    }
    expect(said).toEqual([expect.stringMatching(/^A process cannot be put on record: .*ENOTDIR/)]);
  });
});
