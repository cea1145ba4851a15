import { dependencies } from "./setup/dependencies.mjs";
import { runToEnd } from "./setup/run-to-end.mjs";
import { orExit } from "./setup/say.mjs";

// npm run -s stt:check -- [--level basic|full] [--json] COMMAND ARGS…: checks a speech server against docs/speech-server.md.
await orExit(async () => {
  await dependencies();
  const program = "scripts/stt-check/main.ts";
  await runToEnd(process.execPath, ["--import", "tsx", program, ...process.argv.slice(2)]);
});
