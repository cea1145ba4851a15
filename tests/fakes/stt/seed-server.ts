import { readFileSync } from "node:fs";
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { z } from "zod";

export interface Session {
  events: { type: string; text: string }[];
  /** What is being said: it is finished by stopping. */
  open: string | null;
}
/** How many stretches of sound there are, with half a second of silence between them. */
function stretches(bytes: Buffer): number {
  let count = 0;
  let silent = Number.POSITIVE_INFINITY;
  for (let at = 44; at + 1 < bytes.length; at += 2) {
    if (Math.abs(bytes.readInt16LE(at)) < 1500) silent += 1;
    else {
      if (silent > 8000) count += 1;
      silent = 0;
    }
  }
  return count;
}

/**
 * The least that a speech server can be: three tools, and events that are given once. Its microphone is a recording, and
 * each stretch of loud sound in it is the next of `texts`. What comes last is said when it is stopped.
 */
export function createSeedServer(
  wav: string,
  texts: readonly string[],
  sessions = new Map<string, Session>(),
): McpServer {
  const server = new McpServer({ name: "seed", version: "1.0.0" });
  const answer = (value: unknown) => ({ content: [{ type: "text" as const, text: JSON.stringify(value) }] });
  const find = (id: string) => {
    const session = sessions.get(id);
    if (!session) throw new Error(`There is no session ${id}.`);
    return session;
  };

  server.registerTool(
    "stt_start_session",
    { inputSchema: { source: z.enum(["microphone", "loopback"]).default("microphone") } },
    () => {
      const session_id = String(sessions.size + 1);
      const heard = texts.slice(0, stretches(readFileSync(wav)));
      const events = heard.slice(0, -1).map((text) => ({ type: "utterance_final", text }));
      sessions.set(session_id, { events, open: heard.at(-1) ?? null });
      return answer({ session_id });
    },
  );
  server.registerTool("stt_get_updates", { inputSchema: { session_id: z.string() } }, ({ session_id }) =>
    answer({ events: find(session_id).events.splice(0) }),
  );
  server.registerTool("stt_stop_session", { inputSchema: { session_id: z.string() } }, ({ session_id }) => {
    const session = find(session_id);
    if (session.open !== null) session.events.push({ type: "utterance_final", text: session.open });
    session.open = null;
    return answer({});
  });
  return server;
}
