import { randomUUID } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { shippedPackages } from "./shipped-packages.mjs";

/**
 * Writes what a package consists of, as CycloneDX: `shippedPackages`, and the runtime.
 * @param options.resources the folder `resources` of the packaged app
 * @param options.built the folder whose files were packed, with their source maps
 * @returns the file
 */
export async function writeSbom({ resources, built, version, runtime, output, platform, arch }) {
  const found = [
    ...(await shippedPackages({ resources, built })),
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

function componentOf({ name, version, license }) {
  const purl = `pkg:npm/${name.replace("@", "%40")}@${version}`;
  const licences = typeof license === "string" ? { licenses: [{ license: { name: license } }] } : {};
  return { type: "library", "bom-ref": purl, name, version, purl, ...licences };
}
