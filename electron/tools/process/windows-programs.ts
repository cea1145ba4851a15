import { execFile } from "node:child_process";
import { win32 } from "node:path";

/** Runs one of Windows' own programs to its end. Never rejects. @returns its exit code; null when it could not be run */
export type RunProgram = (file: string, args: readonly string[]) => Promise<ProgramEnd>;

interface ProgramEnd {
  code: number | null;
  stdout: string;
}

export interface WindowsProcess {
  pid: number;
  /** Who started it: it may be gone, and its number be another's. */
  parent: number;
  /** Milliseconds since the epoch. */
  startedAt: number;
}

/**
 * All processes that the user may see. Written for Windows 10 and later, after its documentation: it has not been run
 * there. WMIC, which is quicker to start, is gone from newer ones.
 * @throws Error when nothing of use is said
 */
export async function processTable(run: RunProgram): Promise<WindowsProcess[]> {
  const { code, stdout } = await run(powershell, [
    "-NoLogo",
    "-NoProfile",
    "-NonInteractive",
    "-Command",
    query,
  ]);
  const table = stdout.split(/\r?\n/).flatMap(processOf);
  if (table.length === 0) throw new Error(`PowerShell does not list the processes (exit code ${code}).`);
  return table;
}

/**
 * Ends a process and all that it started, as far as those who started it are still there. Not run on Windows yet.
 * @param force whether it is killed; else it is asked to close, which only a program with a window hears
 * @returns false when it could not be ended
 */
export async function killTree(run: RunProgram, pid: number, force: boolean): Promise<boolean> {
  const { code } = await run(taskkill, ["/PID", String(pid), "/T", ...(force ? ["/F"] : [])]);
  return code === 0 || code === notFound;
}

/** By their own paths: Windows looks for a name in the working folder first. */
const inSystem = (...path: string[]) =>
  win32.join(process.env.SystemRoot ?? "C:\\Windows", "System32", ...path);
const powershell = inSystem("WindowsPowerShell", "v1.0", "powershell.exe");
const taskkill = inSystem("taskkill.exe");
const notFound = 128;

/** The idle process has no date. No double quotes: they would have to be masked on the way. */
const query = [
  "Get-CimInstance -ClassName Win32_Process -Property ProcessId,ParentProcessId,CreationDate",
  "Where-Object { $_.CreationDate }",
  "ForEach-Object { '{0} {1} {2}' -f $_.ProcessId, $_.ParentProcessId, $_.CreationDate.ToFileTimeUtc() }",
].join(" | ");

function processOf(line: string): WindowsProcess[] {
  const [, pid, parent, time] = /^(\d+) (\d+) (\d{17,19})$/.exec(line.trim()) ?? [];
  if (!pid || !parent || !time) return [];
  return [{ pid: Number(pid), parent: Number(parent), startedAt: fromFileTime(BigInt(time)) }];
}

/** Of 100 ns each, since 1601. Source: FILETIME in the Windows documentation. */
const fromFileTime = (ticks: bigint) => Number(ticks / 10_000n) - 11_644_473_600_000;

/** Both programs answer within seconds or never. */
const timeout = 30_000;

export const runProgram: RunProgram = (file, args) =>
  new Promise((resolve) => {
    execFile(file, args, { windowsHide: true, timeout, maxBuffer: 16 << 20 }, (error, stdout) => {
      const code = error === null ? 0 : error.code;
      resolve({ code: typeof code === "number" ? code : null, stdout });
    });
  });
