import { existsSync, readFileSync } from "node:fs";
import { chmod, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { root } from "./run.mjs";

/**
 * The `parley` command of a clone, in `bin/`: it starts Parley, or reaches the instance that runs. Packages have
 * `resources/launcher` in its place.
 * @param runtime of Electron
 * @param folder of the clone
 */
export async function launcher({ executable }, folder = root) {
  const isWindows = process.platform === "win32";
  const file = join(folder, "bin", isWindows ? "parley.cmd" : "parley");
  const text = isWindows ? windowsScript(executable, folder) : script(executable, folder);
  if (existsSync(file) && readFileSync(file, "utf8") === text) return;
  await mkdir(join(folder, "bin"), { recursive: true });
  await writeFile(file, text);
  await chmod(file, 0o755);
}

const script = (executable, folder) => `#!/bin/sh
# Made by npm run setup. Chromium has no sandbox for root.
headless=
for word in "$@"; do
  case $word in -p | --prompt | --prompt=* | --backup | --backup=* | --restore | --restore=*) headless='--ozone-platform=headless --disable-gpu --log-level=3' ;; esac
done
if [ "$(id -u)" = 0 ]; then headless="--no-sandbox $headless"; fi
# Behind "--" Chromium takes no word, such as a prompt, for a switch of its own.
exec ${quoted(executable)} $headless ${quoted(folder)} -- --launch "$@"
`;

const windowsScript = (executable, folder) => `@echo off\r\n"${executable}" "${folder}" -- --launch %*\r\n`;

const quoted = (text) => `'${text.replaceAll("'", "'\\''")}'`;
