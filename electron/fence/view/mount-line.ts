import { quoted } from "../../../shared/safety/shell-words.ts";
import { isAtOrAbove } from "./readable.ts";

export interface MountChanges {
  /** An empty file: what is hidden reads as that. */
  empty: string;
  /** A file that nobody may read. */
  unreadable: string;
  /** Absolute: hidden files that git keeps. Read as empty they would be committed as empty. */
  kept: readonly string[];
  /** Absolute: files in whose place others are read. */
  replaced: readonly { path: string; by: string }[];
  home: string;
  folder: string;
}

/**
 * Changes what the library has bubblewrap do. The fence gets namespaces for memory that processes share and for names, too,
 * and stays in the session that it is started in, which has no terminal: by that all of it is ended. The library hides a
 * file behind `/dev/null`, a device, over which `git add` and others stumble; an emptied home folder can be written to, so
 * that a command takes for kept what is gone with it; and the kernel's settings are open to root.
 * @param line as the library made it: options of bubblewrap, ` -- `, the command
 * @throws Error where it is made otherwise
 */
export function withMounts(
  line: string,
  { empty, unreadable, kept, replaced, home, folder }: MountChanges,
): string {
  const end = line.indexOf(" --dev /dev ");
  if (end < 0) throw new Error("The library made another command line than is known of it.");
  // A space behind the last one, too.
  let options = line
    .slice(0, end + 1)
    .replace(" --new-session ", " ")
    .replaceAll("--ro-bind /dev/null ", `--ro-bind ${quoted(empty)} `);
  for (const path of kept) {
    for (const form of [path, quoted(path)]) {
      options = options.replaceAll(
        `--ro-bind ${quoted(empty)} ${form} `,
        () => `--ro-bind ${quoted(unreadable)} ${form} `,
      );
    }
  }
  const top = `/${home.split("/")[1] ?? ""}`;
  const isEmptied = options.includes(` --tmpfs ${top} `) && !isAtOrAbove(folder, top);
  // Root may write the kernel's settings there, whatever else it may not.
  const rest = line.slice(end + 1).replace(" --proc /proc ", " --proc /proc --ro-bind /proc/sys /proc/sys ");
  for (const { path, by } of replaced) options += `--ro-bind ${quoted(by)} ${quoted(path)} `;
  return `${options}${isEmptied ? `--remount-ro ${quoted(top)} ` : ""}${namespaces}${rest}`;
}

const namespaces = "--unshare-ipc --unshare-uts --unshare-cgroup-try ";
