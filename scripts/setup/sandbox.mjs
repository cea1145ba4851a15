import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { SetUpError, say } from "./say.mjs";

/**
 * The command line switches that Chromium's sandbox needs here: none, or `--no-sandbox` for root, who cannot
 * have one. Nobody else ever runs without it.
 * @throws SetUpError with the two commands to type where the sandbox cannot work yet
 */
export function sandboxSwitches(dist) {
  if (process.platform !== "linux") return [];
  if (process.getuid() === 0) {
    say("running as root, where Chromium has no sandbox: adding --no-sandbox");
    return ["--no-sandbox"];
  }
  const helper = join(dist, "chrome-sandbox");
  if (hasUserNamespaces() || isSetUidRoot(helper)) return [];
  throw new SetUpError(
    "Chromium's sandbox cannot start here: this system gives ordinary users no user namespaces. Type this once, then run the same command again:\n" +
      `  sudo chown root:root '${helper}'\n  sudo chmod 4755 '${helper}'`,
  );
}

function hasUserNamespaces() {
  // Ubuntu lets `unshare` itself through and stops other programs; the sandbox is such another program.
  if (kernelSetting("kernel/apparmor_restrict_unprivileged_userns") === "1") return false;
  const probe = spawnSync("unshare", ["--user", "--map-root-user", "--pid", "--net", "--fork", "true"]);
  return probe.status === 0;
}

function kernelSetting(name) {
  const file = `/proc/sys/${name}`;
  return existsSync(file) ? readFileSync(file, "utf8").trim() : "";
}

function isSetUidRoot(file) {
  if (!existsSync(file)) return false;
  const { uid, mode } = statSync(file);
  return uid === 0 && (mode & 0o7777) === 0o4755;
}
