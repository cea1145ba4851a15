import { readdir, rm } from "node:fs/promises";
import { join, resolve } from "node:path";
import { runtimeLine } from "./setup/electron-runtime.mjs";
import { binary, root } from "./setup/run.mjs";
import { runToEnd } from "./setup/run-to-end.mjs";
import { orExit, say } from "./setup/say.mjs";
import { setUp } from "./setup/set-up.mjs";

// npm run package [-- FOLDER]: the app as a folder in FOLDER (dist/), with the local runtime and without a network.
await orExit(async () => {
  const output = resolve(root, process.argv[2] ?? "dist");
  const runtime = await setUp();
  say(`packaging: ${runtimeLine(runtime)}`);
  const settings = {
    electronDist: runtime.dist,
    electronVersion: runtime.version,
    "directories.output": output,
  };
  const options = Object.entries(settings).map(([key, value]) => `-c.${key}=${value}`);
  await runToEnd(process.execPath, [binary("electron-builder"), "--dir", "--publish", "never", ...options]);
  if (process.exitCode) return;
  // What a runtime starts without an app; electron-builder leaves it in when it copies an unpacked runtime.
  for (const entry of await readdir(output, { withFileTypes: true })) {
    if (entry.isDirectory()) {
      await rm(join(output, entry.name, "resources/default_app.asar"), { force: true });
    }
  }
});
