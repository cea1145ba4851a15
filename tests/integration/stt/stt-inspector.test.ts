import { execFile } from "node:child_process";
import { createRequire } from "node:module";
import { dirname, resolve } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { startSessionResult } from "../../../shared/voice/stt.ts";
import { programPath } from "../../fixtures/built-programs.ts";

const run = promisify(execFile);
const clip = resolve(import.meta.dirname, "../../fixtures/audio/librivox_0930.wav");
const inspector = resolve(
  dirname(createRequire(import.meta.url).resolve("@modelcontextprotocol/inspector-cli/package.json")),
  "build/cli.js",
);

/** One call of the MCP inspector's command line: it starts the server, asks, and ends it. */
async function inspect(...args: string[]): Promise<unknown> {
  const command = [inspector, "--cli", process.execPath, programPath("stt-stdio"), ...args];
  // It looks for its own package.json beside the folder it is run in.
  const { stdout } = await run(process.execPath, command, { cwd: dirname(inspector) });
  return JSON.parse(stdout);
}

const call = (tool: string, ...args: string[]) =>
  inspect("--method", "tools/call", "--tool-name", tool, ...(args.length > 0 ? ["--tool-arg", ...args] : []));

const toolList = z.object({
  tools: z.array(
    z.object({
      name: z.string(),
      inputSchema: z.object({ properties: z.record(z.string(), z.unknown()).optional() }),
    }),
  ),
});

describe("the speech server used by the MCP inspector's command line", () => {
  it("lists its tools with what they take", async () => {
    const { tools } = toolList.parse(await inspect("--method", "tools/list"));
    const takes = Object.fromEntries(
      tools.map(({ name, inputSchema }) => [name, Object.keys(inputSchema.properties ?? {})]),
    );
    expect(Object.keys(takes)).toEqual(
      expect.arrayContaining([
        "stt_list_devices",
        "stt_start_session",
        "stt_get_updates",
        "stt_get_session",
        "stt_stop_session",
        "stt_update_session",
      ]),
    );
    expect(takes.stt_get_updates).toEqual(["session_id", "since_seq", "limit", "wait_ms"]);
  });

  it("starts a session over a recording, and ends with the one who asked", async () => {
    const answer = z.object({ structuredContent: startSessionResult });
    const { structuredContent } = answer.parse(
      await call("stt_start_session", "source=file", `path=${clip}`, "pace=fast"),
    );
    expect(structuredContent).toMatchObject({ source: "file", status: "starting" });
  });

  it("says in words what is wrong with a call", async () => {
    const answer = z.object({ isError: z.literal(true), content: z.array(z.object({ text: z.string() })) });
    const { content } = answer.parse(await call("stt_get_session", "session_id=nobody"));
    expect(content[0]?.text).toContain("There is no session “nobody”");
  });
});
