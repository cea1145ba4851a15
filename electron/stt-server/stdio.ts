import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { recorderInputs } from "./audio/audio-inputs.ts";
import { systemClock } from "./clock.ts";
import { serveClient } from "./server.ts";
import { processSessions } from "./session/process-sessions.ts";

/** The server as a program of its own: MCP over standard input and output, for any client. */

// Standard output belongs to JSON-RPC: one stray line would break the client's parser.
console.log = console.info = console.debug = console.error;

const sessions = processSessions(recorderInputs(systemClock), systemClock, fetch);
let ending = false;

/** Stops what listens, recorders included, and exits. */
function end(): void {
  if (ending) return;
  ending = true;
  void sessions.stopAll().finally(() => process.exit(0));
}

process.stdin.on("end", end).on("close", end);
// The client is gone without closing our input.
process.stdout.on("error", end);
for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) process.on(signal, end);

await serveClient(sessions, new StdioServerTransport());
