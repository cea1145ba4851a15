import { rm } from "node:fs/promises";
import { resolve } from "node:path";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { build } from "vite";
import { SttClient } from "./stt-client.ts";

const root = resolve(import.meta.dirname, "../../..");

/** The speech-to-text programs as built from the sources of this moment. */
export interface SttPrograms {
  stdio: string;
  utility: string;
  dispose(): Promise<void>;
}

/** Bundles like the app's build does (packages stay outside), into a folder of this test file's own. */
export async function buildSttPrograms(): Promise<SttPrograms> {
  // Not in `out`, which a build empties; below the packages' folder, so that they are found from there.
  const outDir = resolve(root, "node_modules/.cache", `stt-test-${process.pid}-${process.hrtime.bigint()}`);
  await build({
    configFile: false,
    root,
    logLevel: "error",
    build: {
      ssr: true,
      target: "node20.18",
      outDir,
      copyPublicDir: false,
      rollupOptions: {
        input: {
          stdio: resolve(root, "electron/stt-server/stdio.ts"),
          utility: resolve(root, "electron/stt-utility.ts"),
        },
        output: { format: "es", entryFileNames: "[name].mjs", chunkFileNames: "[name].mjs" },
      },
    },
  });
  return {
    stdio: resolve(outDir, "stdio.mjs"),
    utility: resolve(outDir, "utility.mjs"),
    dispose: () => rm(outDir, { recursive: true, force: true }),
  };
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
