import type { ToEchoWorker } from "./echo-messages.ts";
import { echoService } from "./echo-service.ts";

// The audio page's worker: to learn an echo takes a tenth of a second, which the page is not held up for. What fails here
// reaches the page as an error of the worker.
const serve = echoService((event) =>
  postMessage(event, { transfer: event.type === "frame" ? [event.pcm.buffer] : [] }),
);
addEventListener("message", ({ data }: MessageEvent<ToEchoWorker>) => serve(data));
