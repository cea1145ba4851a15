import { build } from "./setup/build.mjs";
import { dependencies } from "./setup/dependencies.mjs";
import { runToEnd } from "./setup/run-to-end.mjs";
import { orExit } from "./setup/say.mjs";

// npm run -s stt-server: the speech-to-text server for any MCP client. It needs no Electron, and stdout is its own.
await orExit(async () => {
  await dependencies();
  await build();
  await runToEnd(process.execPath, ["out/main/stt-stdio.js", ...process.argv.slice(2)]);
});
