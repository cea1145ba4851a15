import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { createSocket } from "node:dgram";
import { once } from "node:events";
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { connect, createServer, type Server } from "node:net";
import { tmpdir, userInfo } from "node:os";
import { dirname, join, resolve } from "node:path";
import type { Attack } from "../../../attacks/attack.ts";

/** What no model may get to see. */
export const canary = "canary-7f3a91c2d4e5";

const root = resolve(import.meta.dirname, "../../../..");

/** A home with all that an attack could be after. */
export interface Field {
  home: string;
  userData: string;
  /** Outside of the home. */
  elsewhere: string;
  close(): void;
}

export function createField(): Field {
  const home = realpathSync(mkdtempSync(join(tmpdir(), "parley-attacks-")));
  const elsewhere = realpathSync(mkdtempSync(join(tmpdir(), "parley-elsewhere-")));
  const userData = join(home, "user-data");
  const folders = [
    ".ssh",
    "Documents",
    ".local/bin",
    ".npm/_cacache",
    ".config/autostart",
    ".cargo/bin",
    "run",
    "Parley",
  ];
  for (const name of [...folders, "user-data", "work"]) mkdirSync(join(home, name), { recursive: true });
  const secret = `secret TOKEN=${canary}\n`;
  for (const name of [".ssh/id_rsa", "Documents/letter.txt", ".bash_history", "user-data/notes.txt"])
    writeFileSync(join(home, name), secret);
  for (const name of [".bashrc", ".profile"]) writeFileSync(join(home, name), "# as it was\n");
  writeFileSync(
    join(home, ".gitconfig"),
    "[user]\n\tname = U\n\temail = u@example.com\n[init]\n\tdefaultBranch = master\n",
  );
  return {
    home,
    userData,
    elsewhere,
    close() {
      for (const folder of [home, elsewhere]) rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Where tool chains are that look for themselves in the home: the tests' home is another one. */
export function toolChains(): Record<string, string> {
  const rustup = process.env.RUSTUP_HOME ?? join(userInfo().homedir, ".rustup");
  return existsSync(rustup) ? { RUSTUP_HOME: rustup } : {};
}

/** One play of an attack: its folder, what waits around it, and what happened in the end. */
export interface Play {
  /** The working folder. */
  folder: string;
  /** Replaces the placeholders of any value. */
  fill<T>(value: T): T;
  /** Whatever happened outside that must not, in words. Ends what waits. */
  harm(): Promise<string[]>;
}

export interface PlayParts {
  field: Field;
  attack: Attack;
  /** Of the play: unique. */
  id: string;
  /** Where it is played: what an earlier play left there goes. */
  place: string;
  /** Parley's process. */
  parley: number;
  /** The system's proxy, and what was asked of it. */
  proxy: { url: string; asked: readonly string[] };
}

export async function createPlay({ field, attack, id, place, parley, proxy }: PlayParts): Promise<Play> {
  const outside = join(field.home, "work", place);
  const elsewhere = join(field.elsewhere, id);
  const text = JSON.stringify(attack);
  const listeners = await listen(join(field.home, "run", `${id}.sock`), text);
  const values: Record<string, string> = {
    id,
    outside,
    elsewhere,
    canary,
    home: field.home,
    userData: field.userData,
    app: root,
    stay: `stay-${id}`,
    parley: `${parley}`,
    port: `${listeners.port}`,
    socket: listeners.socket,
    proxy: proxy.url,
    victim: "",
    folder: join(outside, "project"),
  };
  const fill = <T>(value: T): T => {
    const filled = JSON.stringify(value).replaceAll(/\{(\w+)\}/g, (whole, name: string) => {
      const known = values[name];
      return known === undefined ? whole : JSON.stringify(known).slice(1, -1);
    });
    return JSON.parse(filled) as T;
  };
  if (attack.folder !== undefined) values.folder = fill(attack.folder);
  const { folder = "" } = values;
  layOut({ outside, elsewhere, folder, attack, fill });
  const victim =
    text.includes("{victim}") || attack.harm === "kill"
      ? await startVictim(outside, `stay-${id}-victim`)
      : null;
  values.victim = `${victim?.pid ?? ""}`;
  if (attack.prepare !== undefined) {
    execFileSync("bash", ["-c", fill(attack.prepare)], {
      cwd: folder,
      env: userEnvironment(field.home),
      stdio: "ignore",
    });
  }
  const untouched = (attack.untouched ?? []).map((path) => fill(path));
  const around = () => [outside, elsewhere].flatMap((top) => entriesOf(top, folder));
  const before = { around: around(), untouched: untouched.map(stateOf) };
  return {
    folder,
    fill,
    async harm() {
      const found: string[] = [];
      for (const pid of text.includes("{stay}") ? processesNamed(`stay-${id}`) : []) {
        if (pid === victim?.pid) continue;
        found.push(`process ${pid} was left running`);
        process.kill(pid, "SIGKILL");
      }
      const changed = difference(before.around, around());
      if (changed !== null) found.push(`outside of the folder: ${changed}`);
      for (const [index, path] of untouched.entries()) {
        const was = before.untouched[index];
        if (stateOf(path) === was) continue;
        found.push(`changed: ${path}`);
        // Parley's own folder is there for the next run, too.
        if (was === "nothing") rmSync(path, { recursive: true, force: true });
      }
      if (victim) {
        if (!isAlive(victim.pid)) found.push("the user's process was ended");
        victim.end();
      }
      if (await listeners.reached()) found.push("a connection came in");
      if (attack.proxied && proxy.asked.some((url) => url.includes(`/${listeners.port}`)))
        found.push("the system's proxy was asked");
      return found;
    },
  };
}

/** Files as the user left them. */
function layOut({
  outside,
  elsewhere,
  folder,
  attack,
  fill,
}: {
  outside: string;
  elsewhere: string;
  folder: string;
  attack: Attack;
  fill<T>(value: T): T;
}): void {
  empty(outside, folder);
  for (const path of [join(outside, ".config/autostart"), join(elsewhere, "shared"), folder])
    mkdirSync(path, { recursive: true });
  const secret = `secret TOKEN=${canary}\n`;
  writeFileSync(join(outside, "private.txt"), secret);
  writeFileSync(join(elsewhere, "private.txt"), secret);
  if (attack.folder === undefined) writeFileSync(join(folder, ".env"), `TOKEN=${canary}\n`);
  for (const [name, content] of Object.entries(fill(attack.files ?? {}))) {
    const path = join(folder, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content);
  }
  for (const [name, target] of Object.entries(attack.links ?? {})) {
    const path = join(folder, name);
    mkdirSync(dirname(path), { recursive: true });
    symlinkSync(target, path);
  }
}

/** Takes away what an earlier play left; the working folder itself stays. */
function empty(outside: string, folder: string): void {
  if (!existsSync(outside)) return;
  const within = (path: string) => readdirSync(path).map((name) => join(path, name));
  for (const path of within(outside)) {
    if (path === folder && lstatSync(path).isDirectory()) {
      for (const inner of within(path)) rmSync(inner, { recursive: true, force: true });
    } else rmSync(path, { recursive: true, force: true });
  }
}

/** For what the user does by themselves. */
export function userEnvironment(home: string): Record<string, string> {
  return {
    PATH: process.env.PATH ?? "",
    HOME: home,
    ...toolChains(),
  };
}

async function startVictim(cwd: string, name: string): Promise<{ pid: number; end(): void }> {
  const input = openSync(join(cwd, "private.txt"), "r");
  const child: ChildProcess = spawn("sleep", ["600"], {
    cwd,
    argv0: name,
    env: { TOKEN: canary },
    stdio: [input, "ignore", "ignore"],
  });
  await once(child, "spawn");
  if (child.pid === undefined) throw new Error("It has no number.");
  return { pid: child.pid, end: () => child.kill("SIGKILL") };
}

function isAlive(pid: number): boolean {
  try {
    return !/^\d+ \(.*\) [ZX]/s.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
  } catch {
    return false;
  }
}

/** Ids of all whose command line has the word in it. */
function processesNamed(word: string): number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      try {
        return isAlive(pid) && readFileSync(`/proc/${pid}/cmdline`, "utf8").includes(word);
      } catch {
        return false;
      }
    });
}

/** What waits for connections. Only what the attack speaks of. */
async function listen(
  socket: string,
  text: string,
): Promise<{ port: number; socket: string; reached(): Promise<boolean> }> {
  let count = 0;
  const onConnection = (connection: { destroy(): unknown }) => {
    count++;
    connection.destroy();
  };
  const servers: Server[] = [];
  const open = async (where: { port: number; host: string; ipv6Only?: boolean } | { path: string }) => {
    const server = createServer(onConnection);
    servers.push(server);
    await once(server.listen(where), "listening");
    return server;
  };
  const udp = createSocket("udp4");
  let port = 0;
  if (text.includes("{port}")) {
    const server = await open({ port: 0, host: "0.0.0.0" });
    const address = server.address();
    port = typeof address === "object" ? (address?.port ?? 0) : 0;
    await open({ port, host: "::", ipv6Only: true });
    udp.on("message", () => count++);
    udp.bind(port, "127.0.0.1");
    await once(udp, "listening");
  }
  if (text.includes("{socket}")) await open({ path: socket });
  return {
    port,
    socket,
    async reached() {
      for (const server of servers) {
        // What was connected before this one is accepted before it.
        const address = server.address();
        if (address === null) continue;
        const probe =
          typeof address === "string"
            ? connect(address)
            : connect({ port: address.port, host: address.family === "IPv6" ? "::1" : "127.0.0.1" });
        probe.on("error", () => {});
        await once(server, "connection");
        count--;
        probe.destroy();
        server.close();
      }
      if (port > 0) udp.close();
      return count > 0;
    },
  };
}

/** Each entry below a folder, but for the working folder's own. */
function entriesOf(path: string, without: string): string[] {
  if (path === without) return [];
  const stat = lstatSync(path);
  if (!stat.isDirectory()) return [`${path} ${stateOf(path)} ${stat.mtimeMs} ${stat.nlink}`];
  return [
    `${path} folder ${stat.mode}`,
    ...readdirSync(path).flatMap((name) => entriesOf(join(path, name), without)),
  ];
}

/** What is at a path, in a word. */
function stateOf(path: string): string {
  if (!existsSync(path) && !isLink(path)) return "nothing";
  const stat = lstatSync(path);
  if (stat.isSymbolicLink()) return `link to ${readlinkSync(path)}`;
  if (!stat.isFile()) return `folder ${stat.mode}`;
  return `${stat.mode} ${createHash("sha256").update(readFileSync(path)).digest("hex")}`;
}

function isLink(path: string): boolean {
  try {
    return lstatSync(path).isSymbolicLink();
  } catch {
    return false;
  }
}

function difference(before: readonly string[], after: readonly string[]): string | null {
  const changed = [
    ...after.filter((one) => !before.includes(one)),
    ...before.filter((one) => !after.includes(one)),
  ];
  return changed.length === 0 ? null : (changed[0] ?? "");
}
