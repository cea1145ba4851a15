import { runProgram } from "./setup/run-program.mjs";

// npm run bench -- NAME [ARGUMENTS]: runs tests/bench/NAME.ts; stdout is the benchmark's own.
await runProgram({ folder: "tests/bench", kind: "benchmark", usage: "npm run bench -- NAME" });
