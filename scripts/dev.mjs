import { rm } from "node:fs/promises";
import { buildStamp } from "./setup/build.mjs";
import { expectDisplay } from "./setup/display.mjs";
import { runtimeLine } from "./setup/electron-runtime.mjs";
import { binary } from "./setup/run.mjs";
import { runToEnd } from "./setup/run-to-end.mjs";
import { sandboxSwitches } from "./setup/sandbox.mjs";
import { orExit, say } from "./setup/say.mjs";
import { setUp } from "./setup/set-up.mjs";

// npm run dev: the app with hot reload.
await orExit(async () => {
  await expectDisplay("npm run dev");
  const runtime = await setUp({ built: false });
  // What is built here is for development: the next start must build anew.
  await rm(buildStamp, { force: true });
  const noSandbox = sandboxSwitches(runtime.dist).length > 0 ? ["--noSandbox"] : [];
  say(runtimeLine(runtime));
  await runToEnd(process.execPath, [binary("electron-vite"), "dev", ...noSandbox, ...process.argv.slice(2)], {
    env: { ...process.env, ELECTRON_EXEC_PATH: runtime.executable },
  });
});
