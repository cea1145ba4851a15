import { serveEcho } from "./echo-service.ts";

// The audio page's worker: to learn an echo takes a tenth of a second, which the page is not held up for. What fails here
// reaches the page as an error of the worker.
serveEcho(globalThis);
