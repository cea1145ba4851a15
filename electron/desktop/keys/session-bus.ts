import { execFile } from "node:child_process";
import { promisify } from "node:util";

const run = promisify(execFile);

/**
 * Asks the session's bus for a property, by whichever program there is that can.
 * @returns what was printed; null where nobody answers, or no such program is there
 */
export async function busProperty(
  { name, path, face, property }: { name: string; path: string; face: string; property: string },
  env: NodeJS.ProcessEnv,
  signal: AbortSignal,
): Promise<string | null> {
  const get = "org.freedesktop.DBus.Properties.Get";
  const ways: readonly (readonly [program: string, args: readonly string[]])[] = [
    ["gdbus", ["call", "--session", "--dest", name, "--object-path", path, "--method", get, face, property]],
    [
      "dbus-send",
      ["--session", "--print-reply", `--dest=${name}`, path, get, `string:${face}`, `string:${property}`],
    ],
    ["busctl", ["--user", "get-property", name, path, face, property]],
  ];
  for (const [program, args] of ways) {
    try {
      const { stdout } = await run(program, args, { env, signal });
      return stdout.trim();
    } catch (error) {
      signal.throwIfAborted();
      const isMissing = error instanceof Error && Reflect.get(error, "code") === "ENOENT";
      if (!isMissing) return null;
    }
  }
  return null;
}
