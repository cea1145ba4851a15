import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";

/** The folder of the clone. */
export const root = resolve(import.meta.dirname, "../..");

/**
 * Runs a program to its end, its own output on our stderr.
 * @param options.quiet keep the output for the result instead of showing it
 * @param options.onText told of each piece of output, when quiet
 * @returns exit code (1 when a signal ended it) and, when quiet, the output
 * @throws the spawn error when the program does not exist
 */
export function run(command, args, { quiet = false, onText, ...options } = {}) {
  return new Promise((done, fail) => {
    const stdio = quiet ? ["ignore", "pipe", "pipe"] : ["ignore", 2, 2];
    const child = spawn(command, args, { cwd: root, stdio, ...options });
    let output = "";
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding("utf8").on("data", (text) => {
        output += text;
        onText?.(text);
      });
    }
    child.on("error", fail);
    child.on("close", (code) => done({ code: code ?? 1, output }));
  });
}

/** Runs the npm that runs us (or the one on the PATH), so the user's registry, proxy and login settings hold. */
export function npm(args, options) {
  const cli = process.env.npm_execpath;
  if (cli?.endsWith(".js")) return run(process.execPath, [cli, ...args], options);
  return run("npm", args, { shell: process.platform === "win32", ...options });
}

/**
 * The script behind an installed package's command, to be run with Node itself: `node_modules/.bin` holds
 * shell scripts on Windows.
 */
export function binary(packageName, command = packageName) {
  const folder = join(root, "node_modules", packageName);
  const { bin } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  return join(folder, typeof bin === "string" ? bin : bin[command]);
}
