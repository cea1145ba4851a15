import { readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import type { AboutInfo } from "../../../shared/ipc/setting-routes.ts";

const manifest = z.object({
  name: z.string().optional(),
  version: z.string().default(""),
  license: z.string().catch("see its folder"),
  dependencies: z.record(z.string(), z.string()).default({}),
  optionalDependencies: z.record(z.string(), z.string()).default({}),
});

const written = z.array(z.object({ name: z.string(), version: z.string(), licence: z.string() }));

/** The packages that Parley is made of, with what each lets others do, by name. @param resources of a package; null in a clone */
export function licences(appFolder: string, resources: string | null): AboutInfo["licences"] {
  return resources === null
    ? installed(appFolder)
    : written.parse(JSON.parse(readFileSync(join(resources, "licences.json"), "utf8")));
}

/** Packages that are built into the windows' pages and into main. */
const builtIn = [
  ...["react", "react-dom", "react-markdown", "remark-gfm", "remend", "@tanstack/react-virtual"],
  ...["@anthropic-ai/sdk", "highlight.js", "katex"],
];

function installed(appFolder: string): AboutInfo["licences"] {
  const found = new Map<string, AboutInfo["licences"][number]>();
  const look = (name: string) => {
    if (found.has(name)) return;
    const read = readManifest(join(appFolder, "node_modules", name, "package.json"));
    if (!read) return;
    found.set(name, { name, version: read.version, licence: read.license });
    for (const other of Object.keys({ ...read.dependencies, ...read.optionalDependencies })) look(other);
  };
  const own = readManifest(join(appFolder, "package.json"));
  for (const name of [...Object.keys(own?.dependencies ?? {}), ...builtIn]) look(name);
  return [...found.values()].sort((one, other) => (one.name < other.name ? -1 : 1));
}

function readManifest(path: string): z.infer<typeof manifest> | null {
  try {
    return manifest.parse(JSON.parse(readFileSync(path, "utf8")));
  } catch {
    return null;
  }
}
