import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { pipeline } from "node:stream/promises";
import { root } from "./setup/run.mjs";
import { orExit, SetUpError, say } from "./setup/say.mjs";

// node scripts/release-files.mjs FOLDER [TAG]: looks a release's files through and writes their checksums, SHA256SUMS. Refuses
// what is not a release: a name with -dev, another version than the tag's, a kind that is missing.

// Squirrel updates an app on macOS from its zip.
const kinds = [".deb", ".tar.gz", ".AppImage", ".dmg", ".zip", ".exe"];

await orExit(async () => {
  const [folder, tag] = process.argv.slice(2);
  if (folder === undefined) throw new SetUpError("Usage: node scripts/release-files.mjs FOLDER [TAG]");
  const { version } = JSON.parse(await readFile(join(root, "package.json"), "utf8"));
  if (tag !== undefined && tag !== `v${version}`) {
    throw new SetUpError(`The tag is ${tag}, and package.json says ${version}.`);
  }
  const all = (await readdir(resolve(folder), { withFileTypes: true })).filter((entry) => entry.isFile());
  const names = all
    .map(({ name }) => name)
    .filter((name) => name !== "SHA256SUMS")
    .sort();
  const development = names.find((name) => /-dev[._-]/.test(name));
  if (development !== undefined) {
    throw new SetUpError(
      `${/[\d.]+-dev/.exec(development)?.[0] ?? development} is no release: ${development}`,
    );
  }
  const packages = names.filter((name) => kinds.some((kind) => name.endsWith(kind)));
  const missing = kinds.filter((kind) => !packages.some((name) => name.endsWith(kind)));
  if (missing.length > 0) throw new SetUpError(`There is no ${missing.join(", no ")} in ${folder}.`);
  const others = packages.filter((name) => !name.includes(version));
  if (others.length > 0) throw new SetUpError(`Not of version ${version}: ${others.join(", ")}`);
  const lines = [];
  for (const name of names) lines.push(`${await sha256(join(folder, name))}  ${name}\n`);
  await writeFile(join(folder, "SHA256SUMS"), lines.join(""));
  say(`SHA256SUMS of ${names.length} files is in ${folder}`);
});

async function sha256(file) {
  const hash = createHash("sha256");
  await pipeline(createReadStream(file), hash);
  return hash.digest("hex");
}
