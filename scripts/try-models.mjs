import { dependencies } from "./setup/dependencies.mjs";
import { runToEnd } from "./setup/run-to-end.mjs";
import { orExit } from "./setup/say.mjs";

// npm run try-models -- --speech [--results FILE] [ID…]: downloads the models of the catalogue of speech models, tries each, and
// writes down what was found.
await orExit(async () => {
  await dependencies();
  const program = "scripts/try-models/main.ts";
  await runToEnd(process.execPath, ["--import", "tsx", program, ...process.argv.slice(2)]);
});
