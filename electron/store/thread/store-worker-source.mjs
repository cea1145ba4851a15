import { register } from "tsx/esm/api";

// Runs the store's thread from its source: in tests and benchmarks, where nothing is built.
register();
await import("./store-worker.ts");
