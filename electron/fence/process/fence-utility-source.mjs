import { register } from "tsx/esm/api";

// Runs the fence's process from its source: in tests and benchmarks, where nothing is built.
register();
await import("./fence-utility.ts");
