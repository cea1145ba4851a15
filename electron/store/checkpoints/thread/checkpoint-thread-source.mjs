import { register } from "tsx/esm/api";

// Runs the checkpoints' thread from its source: in tests and benchmarks, where nothing is built.
register();
await import("./checkpoint-thread.ts");
