import { mkdtempSync, readdirSync, rmSync, statSync, utimesSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { GroupRecord } from "../../../../electron/tools/process/group-record.ts";
import { startInGroup } from "../../../../electron/tools/process/process-group.ts";
import { windowsLeftovers } from "../../../../electron/tools/process/windows-leftovers.ts";
import type { RunProgram } from "../../../../electron/tools/process/windows-programs.ts";
import { eventually } from "../../../fakes/processes.ts";

/**
 * The record of what runs as it is kept on Windows: its decisions and its command lines, with lists of processes as
 * PowerShell prints them. Windows itself had no part in this.
 */

const system32 = "C:\\Windows\\System32";
const listing = [
  `${system32}\\WindowsPowerShell\\v1.0\\powershell.exe`,
  "-NoLogo",
  "-NoProfile",
  "-NonInteractive",
  "-Command",
  "Get-CimInstance -ClassName Win32_Process -Property ProcessId,ParentProcessId,CreationDate | " +
    "Where-Object { $_.CreationDate } | " +
    "ForEach-Object { '{0} {1} {2}' -f $_.ProcessId, $_.ParentProcessId, $_.CreationDate.ToFileTimeUtc() }",
];
const killing = (pid: number) => [`${system32}\\taskkill.exe`, "/PID", `${pid}`, "/T", "/F"];

/** 100 ns since 1601, as Windows counts. */
const fileTime = (at: number) => (BigInt(at) + 11_644_473_600_000n) * 10_000n + 4321n;
type Row = [pid: number, parent: number, startedAt: number];
const others: Row[] = [
  [4, 0, Date.UTC(2026, 1, 3, 7)],
  [1084, 920, Date.UTC(2026, 1, 3, 7, 1)],
];
const table = (...rows: Row[]) =>
  [...others, ...rows].map(([pid, parent, at]) => `${pid} ${parent} ${fileTime(at)}\r\n`).join("");

let folder: string;
let said: string[];
let ran: string[][];
let answers: { table: string; kill: number };

const run: RunProgram = async (file, args) => {
  ran.push([file, ...args]);
  return file.endsWith("taskkill.exe")
    ? { code: answers.kill, stdout: "" }
    : { code: 0, stdout: answers.table };
};
const openRecord = () => {
  let count = 0;
  return new GroupRecord({
    folder,
    newId: () => `mark-${count++}`,
    log: (message) => said.push(message),
    leftovers: windowsLeftovers(run),
  });
};
/** A program with this number is put on record, and Parley ends without a word. @returns when that was */
async function left(pid: number): Promise<number> {
  const before = Date.now();
  await openRecord().entry().write(pid);
  return before;
}
const killed = () => ran.filter(([file]) => file?.endsWith("taskkill.exe"));

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "parley-windows-"));
  said = [];
  ran = [];
  answers = { table: table(), kill: 0 };
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  rmSync(folder, { recursive: true });
});

describe("on Windows the next start", () => {
  test("ends what a program had started that went with Parley, each with its own", async () => {
    const at = await left(5120);
    answers.table = table([7316, 5120, at + 40], [7317, 7316, at + 90], [8008, 5120, at + 300]);
    await openRecord().reap();
    expect(ran).toEqual([listing, killing(7316), killing(8008)]);
    expect(said).toEqual(["Process 5120 was left by an earlier run of Parley: it is ended."]);
    expect(readdirSync(folder)).toEqual([]);
  });

  test("ends the program itself where it is still there", async () => {
    const at = await left(5120);
    answers.table = table([5120, 4711, at + 3], [7316, 5120, at + 40]);
    await openRecord().reap();
    expect(killed()).toEqual([killing(5120)]);
  });

  test("leaves alone who has only the number, or was started by one who had only the number", async () => {
    const at = await left(5120);
    const minute = 60_000;
    const lists = [
      // Another program of that number, with what it started: before ours, and long after it.
      table([5120, 1084, at - minute], [7316, 5120, at - minute + 40]),
      table([5120, 1084, at + minute], [7316, 5120, at + minute + 40]),
      table([5120, 1084, at + 8000], [7316, 5120, at + 8001]),
      // That one is gone as well.
      table([7316, 5120, at - minute]),
      table([7316, 5120, at + minute]),
      table([7316, 1084, at + 40]),
    ];
    for (const list of lists) {
      await left(5120);
      answers.table = list;
      await openRecord().reap();
      expect(readdirSync(folder)).toEqual([]);
    }
    expect(killed()).toEqual([]);
    expect(said).toEqual([]);
  });

  test("ends also what was started late, by the last sign of life that Parley gave", async () => {
    const at = await left(5120);
    const hour = 3_600_000;
    answers.table = table([7316, 5120, at + hour + 9000]);
    utimesSync(join(folder, "mark-0.json"), new Date(at + hour), new Date(at + hour));
    await openRecord().reap();
    expect(killed()).toEqual([killing(7316)]);
  });

  test("tries again at the start after it what could not be ended, and not what had ended by itself", async () => {
    const at = await left(5120);
    answers = { table: table([7316, 5120, at + 40]), kill: 1 };
    await openRecord().reap();
    expect(readdirSync(folder)).toEqual(["mark-0.json"]);
    answers.kill = 128;
    await openRecord().reap();
    expect(killed()).toEqual([killing(7316), killing(7316)]);
    expect(readdirSync(folder)).toEqual([]);
  });

  test("asks for the processes once, and not at all where nothing is on record", async () => {
    await openRecord().reap();
    expect(ran).toEqual([]);
    const record = openRecord();
    for (const pid of [5120, 6004, 6008]) await record.entry().write(pid);
    await record.reap();
    expect(ran).toEqual([listing]);
  });

  test("says so where the processes are not listed", async () => {
    await left(5120);
    answers.table = "Get-CimInstance : Access is denied.\r\n";
    await openRecord().reap();
    expect(said).toEqual([
      `${join(folder, "mark-0.json")} could not be followed up: Error: PowerShell does not list the processes (exit code 0).`,
    ]);
  });
});

test("as long as a program runs, signs of life are given", async () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  const entry = openRecord().entry();
  await entry.write(5120);
  const file = join(folder, "mark-0.json");
  utimesSync(file, new Date(0), new Date(0));
  vi.advanceTimersByTime(10_000);
  expect(await eventually(() => statSync(file).mtimeMs > 0)).toBe(true);
  await entry.remove();
  expect(vi.getTimerCount()).toBe(0);
});

test("a program is on record from its start to its end", async () => {
  vi.spyOn(process, "platform", "get").mockReturnValue("win32");
  const env = { PATH: process.env.PATH ?? "" };
  const group = await startInGroup("/bin/cat", [], { cwd: folder, env, stdin: "pipe", record: openRecord() });
  // As it is, with no gate before it.
  expect(group.child.spawnfile).toBe("/bin/cat");
  expect(readdirSync(folder)).toEqual(["mark-0.json"]);
  group.child.stdin?.end();
  await group.exited;
  expect(readdirSync(folder)).toHaveLength(1);
  await group.end();
  expect(readdirSync(folder)).toEqual([]);
  // Its number may be another's: nobody was ended by it.
  expect(killed()).toEqual([]);
});
