import { spawnSync } from "node:child_process";
import { cpSync, existsSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { debName } from "../../scripts/package/deb.mjs";
import { createModelServer } from "../fakes/model-server/model-server.ts";
import { privateDisplay } from "../integration/stt/private-display.ts";
import { type BareDebian, bareDebian, user } from "./bare-debian.ts";
import { commandLine, firstRun, secondRun } from "./drive.ts";
import { startInstalled } from "./installed-app.ts";
import { speechMirror } from "./mirror.ts";

// try-deb.ts DEB PICTURES: installs the package on a bare Debian, uses it there as a plain user, and takes it off again. The model
// is the tests' own server, and the speech model is on a mirror here; nothing else is made up.

const [deb = "", pictures = ""] = process.argv.slice(2);
if (!existsSync(deb)) throw new Error("Usage: try-deb.ts DEB PICTURES");

const done = (what: string): void => void process.stdout.write(`✓ ${what}\n`);
const field = (name: string): string =>
  spawnSync("dpkg-deb", ["--field", deb, name], { encoding: "utf8" }).stdout.trim();

const debian = await bareDebian();
const display = await privateDisplay();
const model = await createModelServer();
const mirror = await speechMirror();
try {
  const needs = `${field("Depends")}, ${field("Recommends")}, desktop-file-utils`;
  debian.run("apt-get", "satisfy", "-y", "-qq", "--no-install-recommends", needs);
  done("Debian has everything that the package needs");
  const before = filesOf(debian);
  install(debian);
  done("installed: the sandbox's helper is root's, links are Parley's");

  const home = join(debian.root, user.home);
  writeFileSync(join(home, "models.json"), mirror.catalogue);
  const speech = new URL("../fixtures/audio/librivox_0880.wav", import.meta.url).pathname;
  cpSync(speech, join(home, "speech.wav"));
  const options = {
    debian,
    display: display.display,
    pictures,
    env: {
      ANTHROPIC_BASE_URL: model.url,
      PARLEY_SPEECH_CATALOGUE: `${user.home}/models.json`,
    },
    switches: [
      "--use-fake-ui-for-media-stream",
      "--use-fake-device-for-media-stream",
      `--use-file-for-fake-audio-capture=${user.home}/speech.wav%noloop`,
    ],
  };
  const first = await startInstalled(options);
  await firstRun({ app: first, home, model, mirror, done });
  await first.close();
  const second = await startInstalled(options);
  await secondRun({ app: second, home, debian, display: display.display, done });
  await second.close();
  done("it ends when its user logs out");

  await commandLine({ debian, home, env: options.env, done });

  debian.run("apt-get", "remove", "-y", "-qq", debName);
  expectNothingLeft(before, filesOf(debian));
  install(debian);
  debian.run("apt-get", "purge", "-y", "-qq", debName);
  expectNothingLeft(before, filesOf(debian));
  if (!existsSync(join(home, ".config/Parley/parley.db"))) throw new Error("the user's data is gone");
  done("removed, installed again and purged: each time nothing is left of it but what is the user's");
} finally {
  await mirror.close();
  await model.close();
  await display.dispose();
  await debian.remove();
}

function install({ root, run, runAsUser }: BareDebian): void {
  cpSync(deb, join(root, "var/tmp/parley.deb"));
  run("apt-get", "install", "-y", "-qq", "/var/tmp/parley.deb");
  const { uid, mode } = statSync(join(root, "opt/Parley/chrome-sandbox"));
  if (uid !== 0 || (mode & 0o7777) !== 0o4755) throw new Error("chrome-sandbox is not root's with mode 4755");
  const handler = runAsUser("xdg-mime", "query", "default", "x-scheme-handler/parley");
  if (handler !== "parley.desktop") throw new Error(`links go to ${handler || "nobody"}`);
  run("desktop-file-validate", "/usr/share/applications/parley.desktop");
}

/** All files but the user's own, what its sound left in /tmp, and where apt and dpkg keep what they did. */
function filesOf({ root }: BareDebian): Set<string> {
  const own = new RegExp(
    `^(${user.home}|/var/(log|cache|lib/(apt|dpkg)|tmp)|/tmp/pulse-[^/]+|/root|/proc|/sys|/dev)(/|$)`,
  );
  const paths = readdirSync(root, { recursive: true }).map((path) => `/${String(path)}`);
  return new Set(paths.filter((path) => !own.test(path)));
}

function expectNothingLeft(before: ReadonlySet<string>, after: ReadonlySet<string>): void {
  const left = [...after].filter((path) => !before.has(path));
  const gone = [...before].filter((path) => !after.has(path));
  if (left.length + gone.length > 0) throw new Error(`left: ${left.join(" ")}; gone: ${gone.join(" ")}`);
}
