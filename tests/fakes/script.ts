import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface ScriptOptions {
  readonly env?: Record<string, string | undefined>;
  readonly uid?: number;
  readonly cwd?: string;
  /** In a process group of its own, so that what it starts can be ended with it. */
  readonly detached?: boolean;
  /** Another copy of `scripts/`: an ordinary user may not be allowed to read the clone. */
  readonly scripts?: string;
}

const ownScripts = resolve(import.meta.dirname, "../../scripts");

/**
 * Starts Node on a few lines that use the project's own scripts. `source` may name them by `scripts/…`; the
 * process is a real one, with `env` added to ours.
 */
export function startScript(
  source: string,
  { env = {}, scripts = ownScripts, ...options }: ScriptOptions = {},
): ChildProcess {
  const code = source.replaceAll(/"scripts\/(.*?)"/g, (_, path: string) =>
    JSON.stringify(pathToFileURL(resolve(scripts, path)).href),
  );
  return spawn(process.execPath, ["--input-type=module", "-e", code], {
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "pipe"],
    ...options,
  });
}

/** As `startScript`, to the end. */
export function runScript(source: string, options?: ScriptOptions): Promise<Ended> {
  return ended(startScript(source, options));
}

/** Runs a file of `scripts/` with Node to its end. */
export function runFile(
  file: string,
  args: string[] = [],
  { env = {}, ...options }: ScriptOptions = {},
): Promise<Ended> {
  return ended(
    spawn(process.execPath, [resolve(ownScripts, file), ...args], {
      env: { ...process.env, ...env },
      stdio: ["ignore", "pipe", "pipe"],
      ...options,
    }),
  );
}

export async function ended(child: ChildProcess): Promise<Ended> {
  let stdout = "";
  let stderr = "";
  child.stdout?.setEncoding("utf8").on("data", (text: string) => {
    stdout += text;
  });
  child.stderr?.setEncoding("utf8").on("data", (text: string) => {
    stderr += text;
  });
  await once(child, "close");
  return { code: child.exitCode, stdout, stderr };
}
