import { existsSync } from "node:fs";
import { realpath } from "node:fs/promises";
import { resolve } from "node:path";
import { fencedShellOptions, quoted } from "../../../shared/safety/shell-words.ts";
import type { WrappedCommand } from "../../agent/ports/ports.ts";
import type { ServerFence, ServerProcess } from "../ports.ts";
import type { ConnectionOptions } from "./connection-options.ts";

/**
 * Starts the program of an entry, in its fence where it has one.
 * @throws FenceError when it cannot be fenced, and Error when it cannot be started: nothing runs then
 */
export async function startProgram(command: string, options: ConnectionOptions): Promise<ServerProcess> {
  const { entry, context, signal, fence } = options;
  const env = { ...(await context.childEnvironment()), ...entry.env };
  signal.throwIfAborted();
  // Where commands write, `npx` and Python would run what lies there in place of what was asked for.
  const byItself = fence ? context.workingFolder : (context.startFolder ?? context.workingFolder);
  const cwd = entry.cwd === undefined ? byItself : resolve(context.workingFolder, entry.cwd);
  if (!existsSync(cwd)) throw new Error(`The folder ${cwd} is not there.`);
  if (!fence) return await context.spawn(command, entry.args, { cwd, env });
  return await startFenced(command, { cwd: await realpath(cwd), env, fence }, options);
}

async function startFenced(
  command: string,
  { cwd, env, fence }: { cwd: string; env: Record<string, string>; fence: ServerFence },
  { entry, context, log, signal, askHost, onFenced, onLeft }: ConnectionOptions,
): Promise<ServerProcess> {
  const data = fence.dataFolder;
  const wrapped = await fence.fence.wrap({
    command: `exec ${[command, ...entry.args].map(quoted).join(" ")}`,
    folder: cwd,
    // The user's home is not there: what it keeps goes into a folder of its own.
    env: { ...env, HOME: data, XDG_DATA_HOME: data, XDG_CONFIG_HOME: data, ...entry.env },
    confinement: "change",
    readOnly: [],
    writable: [data],
    askHost,
  });
  try {
    signal.throwIfAborted();
    const server = await context.spawn("/bin/bash", [...fencedShellOptions, wrapped.line], {
      cwd,
      env: wrapped.env,
    });
    wrapped.started(server.pid, () => void server.end());
    onFenced(wrapped);
    let said = "";
    server.stderr.on("data", (text: Buffer | string) => {
      said = (said + String(text)).slice(-maxSaid);
    });
    const tell = (line: string) => log.say(line);
    const reported = server.exited.then(({ code }) => report(wrapped, { said, code, tell, onLeft }));
    const end = async () => {
      await server.end();
      // Its fence goes with it: what that has to say comes before.
      await Promise.race([reported, context.clock.sleep(patienceMs).catch(() => {})]);
    };
    const { pid, stdin, stdout, stderr, exited } = server;
    return { pid, stdin, stdout, stderr, exited, end };
  } catch (error) {
    await wrapped.ended("", null);
    throw error;
  }
}

/** Milliseconds for a report of what the fence refused. */
const patienceMs = 3000;
/** Characters of its errors that the fence looks through for what it refused. */
const maxSaid = 20_000;

async function report(
  wrapped: WrappedCommand,
  {
    said,
    code,
    tell,
    onLeft,
  }: { said: string; code: number | null; tell(line: string): void } & Pick<ConnectionOptions, "onLeft">,
): Promise<void> {
  const { refusedHosts, notes, putAside, ended } = await wrapped.ended(said, code);
  for (const { host, port, why } of refusedHosts) tell(`${host}:${port} was refused: ${why}.`);
  for (const note of notes) tell(note);
  if (ended !== null) tell(`Its fence ended it: ${ended}.`);
  if (putAside) onLeft(putAside);
}
