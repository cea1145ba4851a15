import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { z } from "zod";

const root = resolve(import.meta.dirname, "../../..");
const executable = z.string().parse(createRequire(import.meta.url)("electron"));

/** Each milestone in milliseconds since the process was started. */
export type Milestones = Readonly<Record<string, number>>;

export interface Started {
  child: ChildProcess;
  /** `painted`: the first picture with a text box. */
  milestones: Milestones;
  /** Ends it as the system would, and waits for it. */
  end(): Promise<void>;
}

/** A home where Parley never was: nobody is asked anything, no model server of this computer is looked for. */
export function freshHome(): string {
  const home = mkdtempSync(join(tmpdir(), "parley-start-"));
  mkdirSync(join(home, "user-data"));
  mkdirSync(join(home, "Parley"));
  const settings = { provider: "offline", firstRun: false };
  writeFileSync(join(home, "user-data", "settings.json"), JSON.stringify(settings));
  return home;
}

/** @param app the folder of Parley, or the main file of another app @param home where its data is */
async function startOnce(app: string, home: string): Promise<Started> {
  const kept = ["PATH", "DISPLAY", "XAUTHORITY", "LANG", "DBUS_SESSION_BUS_ADDRESS"];
  const environment = Object.fromEntries(kept.map((name) => [name, process.env[name]]));
  const startedMs = performance.timeOrigin + performance.now();
  const child = spawn(
    executable,
    [
      ...(process.getuid?.() === 0 ? ["--no-sandbox"] : []),
      `--user-data-dir=${join(home, "user-data")}`,
      ...["-r", join(import.meta.dirname, "watch-window.cjs")],
      app,
    ],
    {
      env: { ...environment, HOME: home, XDG_CONFIG_HOME: join(home, ".config") },
      stdio: ["ignore", "pipe", "ignore"],
    },
  );
  const times = z.record(z.string(), z.number()).parse(JSON.parse(await firstLine(child)));
  const milestones = Object.entries(times).map(([name, atMs]) => [name, Math.round(atMs - startedMs)]);
  return {
    child,
    milestones: Object.fromEntries(milestones),
    async end() {
      const exited = once(child, "exit");
      child.kill("SIGTERM");
      await exited;
    },
  };
}

async function firstLine(child: ChildProcess): Promise<string> {
  if (!child.stdout) throw new Error("The app has no output.");
  for await (const line of createInterface({ input: child.stdout })) if (line.startsWith("{")) return line;
  throw new Error("The app ended before it showed its window.");
}

export const startParley = (home: string) => startOnce(root, home);
export const startBare = (home: string) => startOnce(join(import.meta.dirname, "bare-window.mjs"), home);
