import { randomUUID } from "node:crypto";
import type { Clock } from "../../agent/ports/ports.ts";
import type { SpawnServer } from "../ports.ts";

export interface LoginShellOptions {
  env: Readonly<Record<string, string | undefined>>;
  platform: NodeJS.Platform;
  home: string;
  spawn: SpawnServer;
  clock: Clock;
  /** Why there is none. */
  onProblem(message: string): void;
}

/** Longest that a shell's start-up files may take, in milliseconds. */
const timeoutMs = 5000;

/**
 * The PATH that the user's shell would have: started from a desktop icon we get a bare one, which finds no `npx`.
 * @returns null where ours is good (started from a terminal, or on Windows), or where the shell does not say
 */
export async function loginShellPath(options: LoginShellOptions): Promise<string | null> {
  const { env, platform, home, spawn, clock, onProblem } = options;
  if (platform === "win32" || env.TERM !== undefined) return null;
  const shell = env.SHELL || (platform === "darwin" ? "/bin/zsh" : "/bin/sh");
  // Start-up files print what they like: what counts stands between two marks.
  const mark = `parley-${randomUUID()}`;
  const command = `printf '%s' '${mark}'; printenv PATH; printf '%s' '${mark}'`;
  const ended = new AbortController();
  try {
    const process = await spawn(shell, ["-ilc", command], { cwd: home, env: defined(env) });
    process.stdin.on("error", () => {}).end();
    process.stderr.resume();
    let output = "";
    process.stdout.setEncoding("utf8").on("data", (text: string) => {
      if (output.length < maxOutput) output += text;
    });
    const said = new Promise<void>((resolve) => process.stdout.once("close", resolve).once("end", resolve));
    const late = clock.sleep(timeoutMs, ended.signal).catch(() => {});
    await Promise.race([said, late]);
    await process.end();
    const path = output.split(mark)[1]?.trim();
    if (path) return path;
    onProblem(`The shell ${shell} did not say its PATH within ${timeoutMs / 1000} s.`);
  } catch (error) {
    onProblem(`The shell ${shell} cannot be asked for its PATH: ${String(error)}`);
  } finally {
    ended.abort();
  }
  return null;
}

/** UTF-16 units. */
const maxOutput = 1_000_000;

function defined(env: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const entries = Object.entries(env).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value]],
  );
  return Object.fromEntries(entries);
}
