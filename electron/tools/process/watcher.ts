import { spawn } from "node:child_process";

/** Seconds between SIGTERM and SIGKILL, wherever a process group is ended. */
export const killAfterSeconds = 2;

/**
 * Ends a process group when we die, however we die: a shell blocked on a pipe that only we hold the other end of. It
 * lives in a session of its own, out of reach of what ends us or the group.
 */
export interface Watcher {
  /** Names the group. Until then our death ends nothing. */
  watch(groupId: number): void;
  /** The group has ended: the watcher goes without touching anything, as its number may have been given again. */
  dismiss(): void;
}

/** POSIX only. @throws Error when there is no /bin/sh */
export async function startWatcher(): Promise<Watcher> {
  const child = spawn("/bin/sh", ["-c", script], {
    stdio: ["pipe", "ignore", "ignore"],
    detached: true,
    // Not in anybody's folder: it must never keep one from being unmounted or removed.
    cwd: "/",
    env: { PATH: "/usr/local/bin:/usr/bin:/bin" },
  });
  await new Promise<void>((resolve, reject) => {
    child.once("spawn", resolve);
    child.once("error", reject);
  });
  const { stdin } = child;
  // Somebody ended the watcher; the group is then ended by us alone.
  stdin.on("error", () => {});
  // A watcher must never keep us alive: that is what it waits for.
  child.unref();
  return {
    watch: (groupId) => void stdin.write(`${groupId}\n`),
    dismiss: () => void stdin.end("ended\n"),
  };
}

/**
 * All of the session, read from /proc where there is one, else with pkill, else the group; the dead that nobody has
 * collected yet do not count. Tenths of a second, so that a group which ends at once is not waited for; where sleep
 * knows no tenths, seconds.
 */
const script = `
exec 2>/dev/null
trap '' HUP INT QUIT TERM PIPE
read -r group || exit 0
read -r word && exit 0
send() {
  signal=$1
  if [ -r /proc/self/stat ]; then
    hit=1
    for stat in /proc/[0-9]*/stat; do
      read -r line <"$stat" || continue
      # After the name, which may hold spaces and brackets: state, parent, group, session.
      set -- \${line##*) }
      [ "$4" = "$group" ] && [ "$1" != Z ] && kill "-$signal" "\${line%% *}" && hit=0
    done
    return $hit
  fi
  pkill "-$signal" -s "$group" || kill "-$signal" "-$group"
}
send TERM || exit 0
left=${killAfterSeconds * 10}
while [ "$left" -gt 0 ]; do
  send 0 || exit 0
  if sleep 0.1; then left=$((left - 1)); else sleep 1; left=$((left - 10)); fi
done
send KILL && send KILL
`;
