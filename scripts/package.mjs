import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { runtimeLine } from "./setup/electron-runtime.mjs";
import { binary, root } from "./setup/run.mjs";
import { runToEnd } from "./setup/run-to-end.mjs";
import { orExit, say } from "./setup/say.mjs";
import { setUp } from "./setup/set-up.mjs";

// npm run package: the app as a folder in dist/, with the local runtime and without a network.
await orExit(async () => {
  const runtime = await setUp();
  say(`packaging: ${runtimeLine(runtime)}`);
  const settings = [`-c.electronDist=${runtime.dist}`, `-c.electronVersion=${runtime.version}`];
  const args = ["--dir", "--publish", "never", ...settings, ...process.argv.slice(2)];
  await runToEnd(process.execPath, [binary("electron-builder"), ...args]);
  if (process.exitCode) return;
  // What a runtime starts without an app; electron-builder leaves it in when it copies an unpacked runtime.
  for (const entry of await readdir(join(root, "dist"), { withFileTypes: true })) {
    if (entry.isDirectory()) {
      await rm(join(root, "dist", entry.name, "resources/default_app.asar"), { force: true });
    }
  }
});
