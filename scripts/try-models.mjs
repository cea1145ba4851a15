import { dependencies } from "./setup/dependencies.mjs";
import { runToEnd } from "./setup/run-to-end.mjs";
import { orExit } from "./setup/say.mjs";

// npm run try-models -- --speech [--results FILE] [ID…]: downloads the models of the catalogue of speech models, tries each, and
// writes down what was found.
// npm run try-models -- --providers [--model NAME] [--results FILE] [PROVIDER…]: ten checks of each provider that there is a key for.
await orExit(async () => {
  await dependencies();
  const args = process.argv.slice(2);
  const program = args.includes("--providers")
    ? "scripts/try-models/providers/main.ts"
    : "scripts/try-models/main.ts";
  await runToEnd(process.execPath, ["--import", "tsx", program, ...args]);
});
