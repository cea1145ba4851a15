import { runProgram } from "./setup/run-program.mjs";

// npm run soak -- NAME [ARGUMENTS]: runs tests/soak/NAME.ts; stdout is its own.
await runProgram({ folder: "tests/soak", kind: "soak test", usage: "npm run soak -- NAME" });
