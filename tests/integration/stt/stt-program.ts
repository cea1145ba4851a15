import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { programPath } from "../../fixtures/built-programs.ts";
import { SttClient } from "./stt-client.ts";

/** Starts the stdio program and connects to it; closing the client ends it. */
export async function connectStdio(environment: NodeJS.ProcessEnv = process.env): Promise<SttClient> {
  return SttClient.connect(stdioTransport(environment));
}

export function stdioTransport(environment: NodeJS.ProcessEnv = process.env): StdioClientTransport {
  const env = Object.fromEntries(
    Object.entries(environment).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
  return new StdioClientTransport({
    command: process.execPath,
    args: [programPath("stt-stdio")],
    env,
    stderr: "inherit",
  });
}
