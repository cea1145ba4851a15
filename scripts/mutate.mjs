import { binary } from "./setup/run.mjs";
import { runToEnd } from "./setup/run-to-end.mjs";
import { orExit } from "./setup/say.mjs";
import { setUp } from "./setup/set-up.mjs";

// npm run mutate [-- --mutate FILES]: breaks the modules of stryker.config.json in small ways, one by one, and names each
// break that no test notices. Ends with 1 where fewer than `thresholds.break` percent are noticed.
await orExit(async () => {
  await setUp({ forTests: true });
  await runToEnd(process.execPath, [
    binary("@stryker-mutator/core", "stryker"),
    "run",
    ...process.argv.slice(2),
  ]);
});
