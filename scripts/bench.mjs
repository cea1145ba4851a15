import { existsSync } from "node:fs";
import { join } from "node:path";
import { withPrivateDesktop } from "./setup/display.mjs";
import { root } from "./setup/run.mjs";
import { runToEnd } from "./setup/run-to-end.mjs";
import { orExit, SetUpError } from "./setup/say.mjs";
import { setUp } from "./setup/set-up.mjs";

// npm run bench -- NAME [ARGUMENTS]: runs tests/bench/NAME.ts; stdout is the benchmark's own.
await orExit(async () => {
  const [name = "", ...rest] = process.argv.slice(2);
  const file = join(root, "tests/bench", `${name}.ts`);
  if (!/^[a-z-]+$/.test(name) || !existsSync(file)) {
    throw new SetUpError(
      `There is no benchmark "${name}": npm run bench -- NAME, where tests/bench/NAME.ts exists.`,
    );
  }
  await setUp({ forTests: true });
  await withPrivateDesktop((env) =>
    runToEnd(process.execPath, ["--import", "tsx", file, ...rest], { env: { ...process.env, ...env } }),
  );
});
