import { binary } from "./setup/run.mjs";
import { runToEnd } from "./setup/run-to-end.mjs";
import { orExit } from "./setup/say.mjs";
import { setUp } from "./setup/set-up.mjs";

// npm run mutate [-- FILES…]: breaks the modules of stryker.config.json, or these, in small ways, one by one, and names
// each break that no test notices. It remembers what it tried. Ends with 1 where fewer than `thresholds.break` percent are
// noticed. tests/mutants.md lists what may stay unnoticed, and why. Further arguments go to Stryker.
await orExit(async () => {
  await setUp({ forTests: true, built: false });
  const isModule = (argument) => argument.endsWith(".ts");
  const modules = process.argv.slice(2).filter(isModule);
  const others = process.argv.slice(2).filter((argument) => !isModule(argument));
  const stryker = binary("@stryker-mutator/core", "stryker");
  const only = modules.length > 0 ? ["--mutate", modules.join(",")] : [];
  await runToEnd(process.execPath, [stryker, "run", ...only, ...others]);
});
