import { mkdir, readdir, readFile, rm } from "node:fs/promises";
import { join, resolve } from "node:path";
import { makeDeb } from "./package/deb.mjs";
import { addToFeed, feedFileName } from "./package/feed-file.mjs";
import { packageOptions, packageUsage } from "./package/options.mjs";
import { writeSbom } from "./package/sbom.mjs";
import { sizeLine, sizeOf } from "./package/sizes.mjs";
import { makeTarball } from "./package/tarball.mjs";
import { withPrivateDesktop } from "./setup/display.mjs";
import { runtimeLine } from "./setup/electron-runtime.mjs";
import { binary, root } from "./setup/run.mjs";
import { runToEnd } from "./setup/run-to-end.mjs";
import { orExit, SetUpError, say } from "./setup/say.mjs";
import { setUp } from "./setup/set-up.mjs";
import { neededPrograms } from "./setup/system-libraries.mjs";

// npm run package: the app as a folder, and the packages made of it, with the local runtime and without a network.
// docs/packages.md says what is in them; `npm run package -- --help` what can be asked for.

/** These are made by programs that electron-builder fetches; the others are made here, of the folder. */
const byBuilder = new Set(["AppImage", "dmg", "zip", "nsis"]);
const builderSystems = { linux: "--linux", darwin: "--mac", win32: "--win" };

if (process.argv.includes("--help")) process.stdout.write(packageUsage);
else await orExit(makePackages);

async function makePackages() {
  const options = packageOptions(process.argv.slice(2));
  const output = resolve(root, options.folder ?? "dist");
  const runtime = await setUp({ command: false });
  say(`packaging: ${runtimeLine(runtime)}`);
  if (options.isRelease && runtime.endOfLife) {
    throw new SetUpError("A release is not made with a runtime that is past its end of life.");
  }
  const { version: plain } = JSON.parse(await readFile(join(root, "package.json"), "utf8"));
  // By its name and by what it says of itself: nobody takes it for a release.
  const version = runtime.endOfLife ? `${plain}-dev` : plain;
  await mkdir(output, { recursive: true });
  await rm(join(output, feedFileName(version)), { force: true });
  const app = await build({ ...options, output, runtime, version });
  if (app === null) return;
  const resources = join(app, process.platform === "darwin" ? "Parley.app/Contents/Resources" : "resources");
  const about = { version, runtime: runtime.version, platform: process.platform, arch: process.arch };
  say(`what is in it: ${await writeSbom({ ...about, resources, built: join(root, "out"), output })}`);
  const files = await packed({ ...options, app, output, version });
  for (const [kind, file] of files) {
    say(sizeLine(kind, file, await sizeOf(file), options.isFast));
    if (kind === "deb" && options.feed !== null) {
      await addToFeed({ file, version, output, released: new Date().toISOString() });
    }
  }
  if (options.tries) await tryDeb(Object.fromEntries(files).deb, output);
}

async function tryDeb(deb, output) {
  if (deb === undefined) throw new SetUpError("--try wants a .deb: name it in --only, or leave --only out.");
  await neededPrograms({ debootstrap: "debootstrap" });
  const program = join(root, "tests/packaged/try-deb.ts");
  const args = ["--import", "tsx", program, deb, join(output, "tried")];
  await withPrivateDesktop((env) => runToEnd(process.execPath, args, { env: { ...process.env, ...env } }));
}

/** Runs electron-builder. @returns the app folder, or null where it failed, which it said itself */
async function build({ kinds, feed, output, runtime, version }) {
  const settings = {
    electronDist: runtime.dist,
    electronVersion: runtime.version,
    "directories.output": output,
    "extraMetadata.version": version,
    ...(feed !== null && { "publish.provider": "generic", "publish.url": feed }),
  };
  const targets = kinds.filter((kind) => byBuilder.has(kind));
  const system = [builderSystems[process.platform], ...(targets.length > 0 ? targets : ["dir"])];
  const options = Object.entries(settings).map(([key, value]) => `-c.${key}=${value}`);
  await runToEnd(process.execPath, [binary("electron-builder"), ...system, "--publish", "never", ...options]);
  if (process.exitCode) return null;
  const folder = (await readdir(output)).find((name) => /^(linux|win|mac)(-\w+)*(-unpacked)?$/.test(name));
  if (folder === undefined) throw new SetUpError(`electron-builder left no app folder in ${output}.`);
  return join(output, folder);
}

/** @returns each kind with its file or folder */
async function packed({ kinds, app, output, version, isFast }) {
  const what = { app, output, version, isFast };
  const files = [];
  for (const kind of kinds) {
    if (kind === "dir") files.push([kind, app]);
    else if (kind === "tar.gz") files.push([kind, await makeTarball(what)]);
    else if (kind === "deb") files.push([kind, await makeDeb(what)]);
    else files.push([kind, await builtFile(kind, output, version)]);
  }
  return files;
}

async function builtFile(kind, output, version) {
  const ending = kind === "nsis" ? ".exe" : `.${kind}`;
  const name = (await readdir(output)).find((each) => each.includes(version) && each.endsWith(ending));
  if (name === undefined) throw new SetUpError(`electron-builder left no ${ending} in ${output}.`);
  return join(output, name);
}
