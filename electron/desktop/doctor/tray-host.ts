import { execFile } from "node:child_process";
import { promisify } from "node:util";

const run = promisify(execFile);
const watcher = "org.kde.StatusNotifierWatcher";
const bus = "org.freedesktop.DBus";

/** Programs that ask the session's bus, of which most desktops have one. */
const ways: readonly (readonly [program: string, args: readonly string[]])[] = [
  [
    "gdbus",
    ["call", "--session", "--dest", bus, "--object-path", "/", "--method", `${bus}.NameHasOwner`, watcher],
  ],
  [
    "dbus-send",
    ["--session", "--print-reply", `--dest=${bus}`, "/", `${bus}.NameHasOwner`, `string:${watcher}`],
  ],
  ["busctl", ["--user", "call", bus, "/", bus, "NameHasOwner", "s", watcher]],
];

/**
 * Whether a desktop of Linux shows tray icons: whether somebody on the session's bus takes them.
 * @returns null where none of the programs that could ask is there
 */
export async function hasTrayHost(env: NodeJS.ProcessEnv, signal: AbortSignal): Promise<boolean | null> {
  for (const [program, args] of ways) {
    try {
      const { stdout } = await run(program, args, { env, signal });
      return /true/.test(stdout);
    } catch (error) {
      signal.throwIfAborted();
      // Not installed: the next one. Anything else: there is no bus to ask.
      if (!isMissing(error)) return false;
    }
  }
  return null;
}

const isMissing = (error: unknown): boolean =>
  typeof error === "object" && error !== null && Reflect.get(error, "code") === "ENOENT";
