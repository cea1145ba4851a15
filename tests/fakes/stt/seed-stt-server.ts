import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { createSeedServer } from "./seed-server.ts";

/** `WAV TEXT…`: the least that a speech server can be, over standard input and output. */
const [wav = "", ...texts] = process.argv.slice(2);
await createSeedServer(wav, texts).connect(new StdioServerTransport());
