import { lstatSync } from "node:fs";
import { join, resolve } from "node:path";
import type { FenceHost } from "../../agent/ports/ports.ts";
import { isAtOrAbove } from "../view/readable.ts";

export type RefusedHost = FenceHost & { why: string };

/**
 * What the proxies refused by themselves, such as a name that leads to a private address.
 * @param lines as the library writes them: `deny network-outbound host:port (why)`
 */
export function refusedIn(lines: readonly string[]): RefusedHost[] {
  const found = lines.flatMap((line) => {
    const [, host = "", port = "", why = ""] =
      /^deny network-outbound (\S+):(\d+)(?: \((.*)\))?$/.exec(line) ?? [];
    return host === "" ? [] : [{ host, port: Number(port), why }];
  });
  return [...new Map(found.map((one) => [`${one.host}:${one.port}`, one])).values()];
}

export interface SeenFence {
  folder: string;
  home: string;
  /** Absolute: what can be read at all. */
  readable: readonly string[];
  /** Relative to the folder: what reads as empty. */
  hidden: readonly string[];
  /** Relative to the folder: what cannot be changed. */
  protected: readonly string[];
  mayWrite: boolean;
  refusedHosts: readonly RefusedHost[];
}

/** Lines for whoever reads what a command said: which of its troubles the fence may have made. */
export function fenceNotes(
  command: string,
  output: string,
  exitCode: number | null,
  seen: SeenFence,
): string[] {
  const text = `${command}\n${output}`;
  const notes = seen.refusedHosts.map(({ host, port, why }) => `The fence refused ${host}:${port}: ${why}.`);
  if (seen.refusedHosts.length === 0 && exitCode !== 0 && noNetwork.test(output)) {
    notes.push(
      "Fenced commands reach the network only through the proxy that the variables http_proxy and https_proxy name, and this program seems not to use it.",
    );
  }
  if (noWrite.test(output)) notes.push(whyNoWrite(output, seen));
  if (noSocket.test(output))
    notes.push(
      "The fence lets no command reach a socket of this computer, such as Docker's or the desktop's.",
    );
  const hidden = seen.hidden.filter((path) => names(text, path));
  if (hidden.length > 0)
    notes.push(`The fence hides ${listed(hidden)}: what holds keys cannot be read, or reads as empty.`);
  const outside = looksMissing.test(output) ? outsidePaths(text, seen) : [];
  if (outside.length > 0) {
    notes.push(
      `The fence hides ${listed(outside)}, which looks missing: a command sees the working folder and programs.`,
    );
  }
  return notes;
}

function whyNoWrite(output: string, seen: SeenFence): string {
  if (!seen.mayWrite) {
    return "The fence may have refused a write: this command may look, and write in its temporary folder only.";
  }
  const named = seen.protected.filter((path) => names(output, path));
  const which =
    named.length > 0 ? ` ${listed(named)} can only be read here, since it decides what runs elsewhere.` : "";
  return `The fence may have refused a write: commands write in the working folder and in $TMPDIR only.${which}`;
}

const looksMissing =
  /No such file|not found|cannot (?:access|open|find|stat)|does not exist|ENOENT|Unable to (?:find|open)/i;
const noWrite =
  /Read-only file system|EROFS|EBUSY|Device or resource busy|Permission denied|EACCES|Operation not permitted|EPERM|(?:isn't|is not|not) writable/i;
const noSocket =
  /AF_UNIX|docker daemon|\/var\/run\/docker\.sock|cannot open display|Can't connect to (?:local|X)|DBUS_SESSION/i;
const noNetwork =
  /Could not resolve host|Name or service not known|Temporary failure in name resolution|Network is unreachable|ENETUNREACH|EAI_AGAIN|ENOTFOUND|getaddrinfo/i;

/** Whether a text names a file, by its way or by its last part. */
function names(text: string, path: string): boolean {
  const last = path.slice(path.lastIndexOf("/") + 1);
  return (
    text.includes(path) || new RegExp(`(^|[\\s"'=/:@])${escaped(last)}($|[\\s"';|&:,)])`, "m").test(text)
  );
}

const escaped = (text: string) => text.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");

/** Paths that are there and cannot be seen. */
function outsidePaths(text: string, { folder, home, readable }: SeenFence): string[] {
  const found = new Set<string>();
  for (const [, before = "", path = ""] of text.slice(0, maxLooked).matchAll(paths)) {
    if (before !== "" && !/[\s"'=(:,<>]/.test(before)) continue;
    const whole = path.startsWith("~") ? join(home, path.slice(1)) : resolve(folder, path);
    const isSeen = [folder, ...readable, "/proc", "/dev", "/sys"].some((at) => isAtOrAbove(at, whole));
    const isAbove = isAtOrAbove(whole, folder);
    if (!isSeen && !isAbove && whole !== home && found.size < maxNamed && isOnDisk(whole)) found.add(path);
  }
  return [...found];
}

const paths = /(^|.)((?:~|\.\.)?\/[\w.@%+~/-]+)/gm;
/** UTF-16 units. */
const maxLooked = 20_000;
const maxNamed = 5;

function isOnDisk(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return false;
  }
}

function listed(paths: readonly string[]): string {
  const shown = paths.slice(0, maxNamed).join(", ");
  return paths.length > maxNamed ? `${shown} and ${paths.length - maxNamed} more` : shown;
}
