import { readdir, readFile } from "node:fs/promises";
import { dirname, join, relative, resolve } from "node:path";
import { listPackage } from "@electron/asar";
import { root } from "../setup/run.mjs";

/**
 * The packages that an app folder consists of: those in its archive, and those that became part of the built files, whatever kind
 * of dependency they are here.
 * @param options.resources the folder `resources` of the packaged app
 * @param options.built the folder whose files were packed, with their source maps
 * @returns {Promise<{ name: string, version: string, license: unknown, folder: string }[]>} each once, with its folder here
 */
export async function shippedPackages({ resources, built }) {
  const folders = new Set([...packagesIn(join(resources, "app.asar")), ...(await packagesBuiltInto(built))]);
  const found = new Map();
  for (const folder of folders) {
    const { name, version, license } = JSON.parse(
      await readFile(join(folder, "package.json"), "utf8").catch(() => "{}"),
    );
    // Folders of a package bring files of that name that only say how it is loaded.
    if (typeof name !== "string" || typeof version !== "string") continue;
    found.set(`${name}@${version}`, { name, version, license, folder });
  }
  return [...found.values()].sort((one, other) => (one.name < other.name ? -1 : 1));
}

const ofPackage = /^(.*\/node_modules\/(?:@[^/]+\/)?[^/]+)\/package\.json$/;

function packagesIn(archive) {
  return listPackage(archive, { isPack: false }).flatMap((path) => {
    const [, folder] = ofPackage.exec(path.replaceAll("\\", "/")) ?? [];
    return folder ? [join(root, folder)] : [];
  });
}

/** By what the source maps name: what is bundled left its folder behind. */
async function packagesBuiltInto(built) {
  const maps = (await readdir(built, { recursive: true })).filter((name) => name.endsWith(".map"));
  const folders = new Set();
  for (const name of maps) {
    const { sources } = JSON.parse(await readFile(join(built, name), "utf8"));
    const from = dirname(join(built, name));
    for (const source of sources) {
      // A source may be marked as something that a plugin made of it.
      const path = resolve(from, source.replace(/^\0/, "").replace(/\?.*$/, "")).replaceAll("\\", "/");
      const [folder] = /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path) ?? [];
      if (folder && !relative(root, folder).startsWith("..")) folders.add(folder);
    }
  }
  return folders;
}
