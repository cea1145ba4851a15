import { expectDisplay } from "./setup/display.mjs";
import { runtimeLine } from "./setup/electron-runtime.mjs";
import { runToEnd } from "./setup/run-to-end.mjs";
import { sandboxSwitches } from "./setup/sandbox.mjs";
import { orExit, say } from "./setup/say.mjs";
import { setUp } from "./setup/set-up.mjs";

// npm start [-- ARGUMENTS FOR ELECTRON]
await orExit(async () => {
  expectDisplay("npm start");
  const runtime = await setUp();
  const switches = sandboxSwitches(runtime.dist);
  say(runtimeLine(runtime));
  await runToEnd(runtime.executable, [...switches, ".", ...process.argv.slice(2)]);
});
