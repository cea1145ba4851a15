import { dependencies } from "./setup/dependencies.mjs";
import { runToEnd } from "./setup/run-to-end.mjs";
import { orExit } from "./setup/say.mjs";

// npm run -s mcp:conformance-client -- URL: Parley's MCP client, as the protocol's conformance suite runs one.
await orExit(async () => {
  await dependencies();
  const client = "tests/fixtures/conformance/client.ts";
  await runToEnd(process.execPath, ["--import", "tsx", client, ...process.argv.slice(2)]);
});
