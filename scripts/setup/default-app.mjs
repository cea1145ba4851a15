import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createPackage } from "@electron/asar";

/**
 * Writes the small app that an Electron runtime starts with when it is given a path on the command line.
 * An archive, not a folder: `resources/app` would be copied into packages made from the runtime.
 */
export async function writeDefaultApp(dist, scratch) {
  const source = join(scratch, "default-app");
  await mkdir(source, { recursive: true });
  await mkdir(join(dist, "resources"), { recursive: true });
  await writeFile(join(source, "package.json"), JSON.stringify({ name: "electron", main: "main.mjs" }));
  await writeFile(join(source, "main.mjs"), mainSource);
  await createPackage(source, join(dist, "resources/default_app.asar"));
  await rm(source, { recursive: true });
}

// `-r FILE` is how test drivers get in before the app. The module awaits the app's own main file, because
// Electron holds back `ready` only until its first module has run.
const mainSource = `import { app } from "electron";
import { existsSync, readFileSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

const preloads = [];
let given;
for (let at = 1; at < process.argv.length && given === undefined; at++) {
  const argument = process.argv[at];
  if (argument === "-r" || argument === "--require") preloads.push(resolve(process.argv[++at]));
  else if (argument === "-v" || argument === "--version") {
    console.log("v" + process.versions.electron);
    process.exit(0);
  } else if (!argument.startsWith("-")) given = resolve(argument);
}
const require = createRequire(import.meta.url);
for (const file of preloads) require(file);
if (given === undefined) {
  console.error("Give the folder of an app on the command line.");
  process.exit(1);
}
await start(given);

async function start(path) {
  let file = path;
  let folder = dirname(path);
  if (existsSync(path) && statSync(path).isDirectory()) {
    folder = path;
    const about = JSON.parse(readFileSync(join(path, "package.json"), "utf8"));
    if (about.version) app.setVersion(about.version);
    app.setName(about.productName ?? about.name ?? "Electron");
    file = join(path, about.main ?? "index.js");
  }
  app.setAppPath(folder);
  try {
    await import(pathToFileURL(file).href);
  } catch (error) {
    console.error(error);
    process.exit(1);
  }
}
`;
