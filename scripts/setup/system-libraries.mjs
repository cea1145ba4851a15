import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { run } from "./run.mjs";
import { SetUpError, say } from "./say.mjs";

/** Shared libraries that Electron loads, and the Debian package of each; newer systems rename some to `…t64`. */
const libraries = {
  "libgtk-3.so.0": "libgtk-3-0",
  "libnss3.so": "libnss3",
  "libasound.so.2": "libasound2",
  "libgbm.so.1": "libgbm1",
  "libdrm.so.2": "libdrm2",
  "libxkbcommon.so.0": "libxkbcommon0",
  "libatk-bridge-2.0.so.0": "libatk-bridge2.0-0",
  "libatspi.so.0": "libatspi2.0-0",
  "libcups.so.2": "libcups2",
  "libXcomposite.so.1": "libxcomposite1",
  "libXdamage.so.1": "libxdamage1",
  "libXrandr.so.2": "libxrandr2",
  "libXss.so.1": "libxss1",
  "libnotify.so.4": "libnotify4",
};
/** Libraries by which the tests press keys and Parley hears them being let go; without them it says so and goes on. */
const testLibraries = { "libXtst.so.6": "libxtst6", "libXt.so.6": "libxt6" };
const renamed = new Set([
  "libxt6",
  "libgtk-3-0",
  "libasound2",
  "libatk-bridge2.0-0",
  "libatspi2.0-0",
  "libcups2",
]);

/** Programs that fence commands in. Without them Parley says so and asks for every command. */
export const fencePrograms = { bwrap: "bubblewrap", socat: "socat" };

/** Programs that the tests use besides. */
export const testPrograms = {
  Xvfb: "xvfb",
  xauth: "xauth",
  "dbus-daemon": "dbus",
  pulseaudio: "pulseaudio",
  pactl: "pulseaudio-utils",
  xdotool: "xdotool",
  // Makes a disk slow.
  strace: "strace",
  // What models call most in a shell: what the fence does to them is tried with the real ones.
  curl: "curl",
  python3: "python3",
  make: "make",
};

/**
 * Sees to the shared libraries that Electron needs on Linux, and for the tests to a few programs. What is there
 * is left alone; what is missing is installed where we are root on Debian or Ubuntu.
 * @throws SetUpError naming the command to type where we cannot install it ourselves
 */
export async function systemLibraries({ executable, forTests = false }) {
  if (process.platform !== "linux") return;
  const packages = missingPackages(forTests);
  const forFence = missingPrograms(fencePrograms);
  if (packages.length > 0) await install([...packages, ...forFence]);
  // An app without a fence works: it is installed by itself only where we can, and missing it ends nothing.
  else if (forFence.length > 0 && !(mayInstall() && (await isInstalled(forFence)))) {
    say(`commands will run without a fence. To have one: ${aptLine(forFence)}`);
  }
  const unresolved = unresolvedLibraries(executable);
  if (unresolved.length === 0) return;
  throw new SetUpError(
    `Electron needs shared libraries that this system does not have: ${unresolved.join(", ")}. ` +
      "Install them with the system's package manager, then run the same command again.",
  );
}

/**
 * Installs programs that only one command of a developer's needs, where we are root on Debian or Ubuntu.
 * @param programs each with the name of its package @throws SetUpError naming the command to type where we cannot
 */
export async function neededPrograms(programs) {
  const packages = missingPrograms(programs);
  if (packages.length > 0) await install(packages);
}

function missingPackages(forTests) {
  const packages = [];
  const known = knownLibraries();
  for (const [file, name] of Object.entries(libraries)) if (!known.has(file)) packages.push(name);
  if (!hasFonts()) packages.push("fonts-dejavu-core");
  if (!forTests) return packages;
  for (const [file, name] of Object.entries(testLibraries)) if (!known.has(file)) packages.push(name);
  return [...packages, ...missingPrograms(testPrograms)];
}

const missingPrograms = (programs) =>
  Object.entries(programs).flatMap(([program, name]) => (onPath(program) ? [] : [name]));

const isInstalled = (packages) =>
  install(packages).then(
    () => true,
    () => false,
  );

const mayInstall = () => process.getuid() === 0 && onPath("apt-get");

async function install(packages) {
  if (!onPath("apt-get")) {
    throw new SetUpError(
      `Electron needs what Debian calls ${packages.join(", ")}. Install this system's packages of that kind, ` +
        "then run the same command again.",
    );
  }
  const isRoot = process.getuid() === 0;
  if (!isRoot) throw new SetUpError(aptAdvice(packages));
  say(`installing system packages: ${packages.join(" ")}`);
  const options = { env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" }, quiet: true };
  const update = await run("apt-get", ["update", "-qq"], options);
  const names = packages.map(aptName);
  const result = await run("apt-get", ["install", "-y", "-qq", "--no-install-recommends", ...names], options);
  if (result.code === 0) return;
  const reason = `${update.output}\n${result.output}`.split("\n").filter((line) => /^(E|W|dpkg):/.test(line));
  throw new SetUpError(
    `apt-get could not install them. Check the network and the disk, then run the same command again.\n  ${reason.slice(0, 6).join("\n  ")}`,
  );
}

function aptAdvice(packages) {
  return (
    "Parley needs system packages that are not installed. Type this, then run the same command again:\n" +
    `  ${aptLine(packages)}`
  );
}

const aptLine = (packages) =>
  `sudo apt-get update && sudo apt-get install -y --no-install-recommends ${packages.map(aptName).join(" ")}`;

/** The name by which this system's apt knows a package. */
function aptName(name) {
  if (!renamed.has(name)) return name;
  const found = spawnSync("apt-cache", ["policy", `${name}t64`], { encoding: "utf8" }).stdout ?? "";
  if (/Candidate: (?!\(none\))/.test(found)) return `${name}t64`;
  return found === "" && usesNewNames() ? `${name}t64` : name;
}

/** For systems whose package lists are not there yet. */
function usesNewNames() {
  const about = existsSync("/etc/os-release") ? readFileSync("/etc/os-release", "utf8") : "";
  const version = Number.parseFloat(/^VERSION_ID="?([\d.]+)/m.exec(about)?.[1] ?? "0");
  return /^ID="?ubuntu/m.test(about) ? version >= 24.04 : version >= 13;
}

function knownLibraries() {
  // An ordinary user's PATH may lack the folders for administrators, where it lives.
  const env = { ...process.env, PATH: [process.env.PATH, "/usr/sbin", "/sbin"].join(delimiter) };
  const listing = spawnSync("ldconfig", ["-p"], { encoding: "utf8", env }).stdout ?? "";
  return new Set(listing.split("\n").map((line) => line.trim().split(" ")[0]));
}

function unresolvedLibraries(executable) {
  const listing = spawnSync("ldd", [executable], { encoding: "utf8" }).stdout ?? "";
  return listing
    .split("\n")
    .filter((line) => line.includes("not found"))
    .map((line) => line.trim().split(" ")[0]);
}

function hasFonts() {
  const folders = [
    "/usr/share/fonts",
    "/usr/local/share/fonts",
    join(process.env.HOME ?? "/", ".local/share/fonts"),
  ];
  return folders.some(
    (folder) => existsSync(folder) && readdirSync(folder, { recursive: true }).some(isFont),
  );
}

function isFont(name) {
  return /\.(ttf|otf|ttc|pfb)$/i.test(String(name));
}

/** Whether a program is on the PATH; also in the folders for administrators, which a user's PATH may lack. */
export function onPath(program) {
  const folders = [...(process.env.PATH ?? "").split(delimiter), "/usr/sbin", "/sbin"];
  return folders.some((folder) => existsSync(join(folder, program)));
}
