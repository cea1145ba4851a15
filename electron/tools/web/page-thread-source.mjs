import { register } from "tsx/esm/api";

// Reads a page from the thread's source: in tests, where nothing is built.
register();
await import("./page-thread.ts");
