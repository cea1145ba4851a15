import { binary } from "./setup/run.mjs";
import { runToEnd } from "./setup/run-to-end.mjs";
import { orExit } from "./setup/say.mjs";
import { setUp } from "./setup/set-up.mjs";

// npm run screenshots [-- NAME…]: makes the pictures of the documents, or those of such names.
await orExit(async () => {
  await setUp({ forTests: true });
  const wanted = process.argv.slice(2);
  const only = wanted.length > 0 ? ["--grep", `^.*(${wanted.join("|")})$`] : [];
  await runToEnd(process.execPath, [
    binary("playwright"),
    "test",
    "--config=playwright.screenshots.config.ts",
    ...only,
  ]);
});
