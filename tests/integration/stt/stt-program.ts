import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { buildPrograms } from "../../fixtures/built-programs.ts";
import { SttClient } from "./stt-client.ts";

/** The speech-to-text programs as built from the sources of this moment. */
export interface SttPrograms {
  stdio: string;
  utility: string;
  dispose(): Promise<void>;
}

export async function buildSttPrograms(): Promise<SttPrograms> {
  const { paths, dispose } = await buildPrograms({
    stdio: "electron/stt-server/stdio.ts",
    utility: "electron/stt-utility.ts",
  });
  return { ...paths, dispose };
}

/** Starts the stdio program and connects to it; closing the client ends it. */
export async function connectStdio(
  program: string,
  environment: NodeJS.ProcessEnv = process.env,
): Promise<SttClient> {
  return SttClient.connect(stdioTransport(program, environment));
}

export function stdioTransport(
  program: string,
  environment: NodeJS.ProcessEnv = process.env,
): StdioClientTransport {
  const env = Object.fromEntries(
    Object.entries(environment).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
  return new StdioClientTransport({ command: process.execPath, args: [program], env, stderr: "inherit" });
}
