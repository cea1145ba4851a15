import { canHideDisplay, expectDisplay, withDisplay } from "./setup/display.mjs";
import { runtimeLine } from "./setup/electron-runtime.mjs";
import { runToEnd } from "./setup/run-to-end.mjs";
import { sandboxSwitches } from "./setup/sandbox.mjs";
import { orExit, say } from "./setup/say.mjs";
import { setUp } from "./setup/set-up.mjs";

// npm start [-- ARGUMENTS FOR ELECTRON]
// With --doctor it opens no window: where there is no display it gets one that nobody sees.
const isDoctor = process.argv.includes("--doctor");
await orExit(async () => {
  if (!isDoctor || !canHideDisplay()) await expectDisplay("npm start");
  const runtime = await setUp();
  const switches = sandboxSwitches(runtime.dist);
  say(runtimeLine(runtime));
  const words = [...switches, ".", ...process.argv.slice(2)];
  if (isDoctor)
    await withDisplay((env) => runToEnd(runtime.executable, words, { env: { ...process.env, ...env } }));
  else await runToEnd(runtime.executable, words);
});
