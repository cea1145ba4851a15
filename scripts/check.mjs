import { runChecks } from "./check/steps.mjs";
import { dependencies } from "./setup/dependencies.mjs";
import { orExit } from "./setup/say.mjs";

// npm run check: types, format and lint, layers, unused code.
await orExit(async () => {
  await dependencies();
  const results = await runChecks();
  if (results.some(({ passed }) => !passed)) process.exitCode = 1;
});
