import { expect, it } from "vitest";
import { SttClient } from "../../../electron/voice/stt/stt-client.ts";
import type { SttScript } from "../../fakes/stt/scripted-stt-server.ts";
import { programPath } from "../../fixtures/built-programs.ts";
import { createMcpRig, scripted, stateOf } from "./mcp-rig.ts";

const speech = (script: SttScript) => ({
  command: process.execPath,
  args: [programPath("scripted-stt-server")],
  env: { STT_SCRIPT: JSON.stringify(script) },
});

it("a configured server can be the ear: its session tools are used over its own connection, which goes on afterwards", async () => {
  const rig = createMcpRig({ servers: { ears: speech({ prefix: "my_", updates: [] }), other: scripted() } });
  try {
    await rig.manager.load();
    const { signal } = new AbortController();
    const { client, closed } = await rig.manager.connectionFor("ears", signal);
    const stt = await SttClient.over(client, closed);
    const { session_id } = await stt.startSession({ source: "microphone" });
    await stt.stopSession(session_id);
    const answer = await stt.getUpdates({ session_id, since_seq: 0, limit: 100, wait_ms: 0 }, signal);
    expect(answer.status).toBe("stopped");
    await stt.close();
    expect(stateOf(rig.manager, "ears")).toBe("ready");

    const other = await rig.manager.connectionFor("other", signal);
    await expect(SttClient.over(other.client, other.closed)).rejects.toThrow(
      "does not have …stt_start_session",
    );
    await expect(rig.manager.connectionFor("nobody", signal)).rejects.toThrow(
      "There is no MCP server `nobody`.",
    );
  } finally {
    await rig.close();
  }
});

// Bug: "There is no MCP server … None are configured." was said while the fence was still looked for.
it("a server that is asked for before the list was read is not said to be missing from it", async () => {
  const rig = createMcpRig({ servers: { ears: scripted() } });
  const signal = AbortSignal.timeout(10_000);
  try {
    await expect(rig.manager.connectionFor("ears", signal)).rejects.toThrow("still being read: try again");
    await rig.manager.load();
    await expect(rig.manager.connectionFor("nobody", signal)).rejects.toThrow("Configured: `ears`.");
  } finally {
    await rig.close();
  }
});
