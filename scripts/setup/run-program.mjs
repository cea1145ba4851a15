import { existsSync } from "node:fs";
import { join } from "node:path";
import { withPrivateDesktop } from "./display.mjs";
import { root } from "./run.mjs";
import { runToEnd } from "./run-to-end.mjs";
import { orExit, SetUpError } from "./say.mjs";
import { setUp } from "./set-up.mjs";

/** Runs `FOLDER/NAME.ts`, named by the first argument, on a desktop of its own; the other arguments are the program's. */
export async function runProgram({ folder, kind, usage }) {
  await orExit(async () => {
    const [name = "", ...rest] = process.argv.slice(2);
    const file = join(root, folder, `${name}.ts`);
    if (!/^[a-z-]+$/.test(name) || !existsSync(file)) {
      throw new SetUpError(`There is no ${kind} "${name}": ${usage}, where ${folder}/NAME.ts exists.`);
    }
    await setUp({ forTests: true });
    await withPrivateDesktop((env) =>
      runToEnd(process.execPath, ["--import", "tsx", file, ...rest], { env: { ...process.env, ...env } }),
    );
  });
}
