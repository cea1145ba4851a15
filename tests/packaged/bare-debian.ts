import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { cacheFolder } from "../../scripts/setup/cache-folder.mjs";

/** The plain user of the bare system. */
export const user = { name: "somebody", home: "/home/somebody" };

/** A Debian of its own in a folder, with nothing but its base: what is started in it sees no other files. */
export interface BareDebian {
  /** The folder that is its root. */
  root: string;
  /** Runs a command in it to its end, as root. @returns what it printed @throws Error when it fails */
  run(...command: string[]): string;
  /** As `run`, as the plain user. */
  runAsUser(...command: string[]): string;
  /** Starts a program in it, as the plain user. */
  start(command: string[], env?: Record<string, string>): ChildProcess;
  remove(): Promise<void>;
}

const path = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";
const bare = ["-i", `PATH=${path}`, "LANG=C.UTF-8"];
const asRoot = [...bare, "HOME=/root", "DEBIAN_FRONTEND=noninteractive"];
const asUser = [...bare, `HOME=${user.home}`, `USER=${user.name}`];

/** A root of its own (pivot_root, not chroot): programs in it may make namespaces, as sandbox and fence do. */
const enter = `mount --bind "$1" "$1"
for place in proc sys dev; do mount --rbind "/$place" "$1/$place"; done
if [ -d /tmp/.X11-unix ]; then mkdir -p "$1/tmp/.X11-unix"; mount --bind /tmp/.X11-unix "$1/tmp/.X11-unix"; fi
cd "$1"; mkdir -p .old; pivot_root . .old; umount -l /.old; rmdir /.old 2>/dev/null || true
shift; cd /; exec chroot . "$@"`;

/** The release that is tried where this machine runs another system, such as Ubuntu. */
const otherwise = "bookworm";

/**
 * Makes one by debootstrap, of this machine's Debian and from its mirror; elsewhere of `otherwise` and from Debian's own. The
 * base is kept for the next time.
 * @throws Error where this is not root, or debootstrap is missing
 */
export async function bareDebian(): Promise<BareDebian> {
  if (process.getuid?.() !== 0) throw new Error("A bare Debian is made by root.");
  const [id, codename = ""] = said("sh", "-c", ". /etc/os-release; echo $ID $VERSION_CODENAME").split(" ");
  const isDebian = id === "debian";
  const base = await baseArchive(isDebian ? codename : otherwise);
  const root = await mkdtemp("/var/tmp/parley-bare-");
  said("tar", "-C", root, "-xf", base);
  // It reaches the network as this machine does. Links are followed here, and never there.
  const shared = ["etc/hosts", "etc/resolv.conf", "etc/ssl/certs", "usr/share/keyrings"];
  if (isDebian) shared.push("etc/apt");
  const archive = join(root, "shared.tar");
  said("tar", "-C", "/", "-hcf", archive, ...shared);
  said("tar", "-C", root, "-xf", archive);
  await rm(archive);
  const inside = (environment: string[], command: string[]) => [
    ...["--mount", "--propagation", "private", "sh", "-ec", enter, "bare", root],
    ...["/usr/bin/env", ...environment, ...command],
  ];
  const userCommand = (command: string[]) => [
    ...["setpriv", "--reuid", user.name, "--regid", user.name, "--init-groups"],
    ...command,
  ];
  const debian: BareDebian = {
    root,
    run: (...command) => said("unshare", ...inside(asRoot, command)),
    runAsUser: (...command) => said("unshare", ...inside(asUser, userCommand(command))),
    start: (command, env = {}) => {
      const more = Object.entries(env).map(([name, value]) => `${name}=${value}`);
      return spawn("unshare", inside([...asUser, ...more], userCommand(command)), {
        stdio: ["ignore", "ignore", "pipe"],
        detached: true,
      });
    },
    remove: () => rm(root, { recursive: true, force: true }),
  };
  debian.run("useradd", "--create-home", "--shell", "/bin/bash", user.name);
  debian.run("apt-get", "update", "-qq");
  return debian;
}

async function baseArchive(suite: string): Promise<string> {
  const base = join(cacheFolder(), `bare-debian-${suite}.tar`);
  if (existsSync(base)) return base;
  const work = await mkdtemp("/var/tmp/parley-bare-base-");
  try {
    const targets = said("apt-get", "indextargets", "--format", "$(SITE) $(CREATED_BY)");
    const mirror = targets
      .split("\n")
      .find((line) => line.endsWith(" Packages") && /debian$/.test(line.split(" ")[0] ?? ""));
    const from = mirror?.split(" ")[0] ?? "http://deb.debian.org/debian";
    said("debootstrap", "--variant=minbase", "--include=ca-certificates", suite, join(work, "root"), from);
    said("tar", "-C", join(work, "root"), "-cf", join(work, "base.tar"), ".");
    await mkdir(cacheFolder(), { recursive: true });
    await rename(join(work, "base.tar"), base);
    return base;
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

/** What a program prints. */
function said(command: string, ...args: string[]): string {
  const { status, stdout, stderr, error } = spawnSync(command, args, { encoding: "utf8", maxBuffer: 1e8 });
  if (error) throw error;
  if (status !== 0)
    throw new Error(`${command} ${args.slice(-6).join(" ")}: ${(stdout + stderr).slice(-2000)}`);
  return stdout.trim();
}
