import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { readFile, stat, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";

/** The list that Parley on Linux looks at for newer ones. A version such as 1.0.0-beta.1 follows those of its kind. Pure. */
export const feedFileName = (version) => `${/-([a-z]+)/.exec(version)?.[1] ?? "latest"}-linux.yml`;

/**
 * Writes a package into that list: beside what electron-builder wrote there of the AppImage, or into one of its own.
 * @param options.released ISO 8601
 * @returns the list
 */
export async function addToFeed({ file, version, output, released }) {
  const list = join(output, feedFileName(version));
  const sha512 = createHash("sha512")
    .update(await readFile(file))
    .digest("base64");
  const { size } = await stat(file);
  const entry = `  - url: ${basename(file)}\n    sha512: ${sha512}\n    size: ${size}\n`;
  const own = `version: ${version}\nfiles:\npath: ${basename(file)}\nsha512: ${sha512}\nreleaseDate: '${released}'\n`;
  const before = existsSync(list) ? await readFile(list, "utf8") : "";
  const isOfThis = before.startsWith(`version: ${version}\n`) && !before.includes(basename(file));
  await writeFile(list, (isOfThis ? before : own).replace(/^files:\n/m, `files:\n${entry}`));
  return list;
}
