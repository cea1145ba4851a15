import { randomUUID } from "node:crypto";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join, relative, resolve } from "node:path";
import { extractFile, listPackage } from "@electron/asar";
import { root } from "../setup/run.mjs";

/**
 * Writes what a package consists of, as CycloneDX: the packages in its archive, those that became part of the built files, whatever
 * kind of dependency they are here, and the runtime.
 * @param options.resources the folder `resources` of the packaged app
 * @param options.built the folder whose files were packed, with their source maps
 * @returns the file
 */
export async function writeSbom({ resources, built, version, runtime, output, platform, arch }) {
  const found = [
    ...packagesIn(join(resources, "app.asar")),
    ...(await packagesBuiltInto(built)),
    { name: "electron", version: runtime, license: "MIT" },
  ];
  const components = new Map(found.map((each) => [`${each.name}@${each.version}`, each]));
  const file = join(output, `parley-${version}-${platform}-${arch}.cdx.json`);
  const document = {
    bomFormat: "CycloneDX",
    specVersion: "1.5",
    serialNumber: `urn:uuid:${randomUUID()}`,
    version: 1,
    metadata: {
      timestamp: new Date().toISOString(),
      component: { type: "application", name: "parley", version, "bom-ref": "parley" },
    },
    components: [...components.keys()].sort().map((key) => componentOf(components.get(key))),
  };
  await writeFile(file, `${JSON.stringify(document, null, 2)}\n`);
  return file;
}

const ofPackage = /\/node_modules\/(?:@[^/]+\/)?[^/]+\/package\.json$/;

function packagesIn(archive) {
  return listPackage(archive, { isPack: false })
    .map((path) => path.replaceAll("\\", "/"))
    .filter((path) => ofPackage.test(path))
    .map((path) => aboutOf(extractFile(archive, path.slice(1)).toString()))
    .filter(isNamed);
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
  const texts = await Promise.all(
    [...folders].map((folder) => readFile(join(folder, "package.json"), "utf8").catch(() => "{}")),
  );
  return texts.map(aboutOf).filter(isNamed);
}

function aboutOf(text) {
  const { name, version, license } = JSON.parse(text);
  return { name, version, license };
}

/** Folders of a package bring files of that name that only say how it is loaded. */
const isNamed = ({ name, version }) => typeof name === "string" && typeof version === "string";

function componentOf({ name, version, license }) {
  const purl = `pkg:npm/${name.replace("@", "%40")}@${version}`;
  const licences = typeof license === "string" ? { licenses: [{ license: { name: license } }] } : {};
  return { type: "library", "bom-ref": purl, name, version, purl, ...licences };
}
