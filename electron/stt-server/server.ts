import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import {
  type GetSessionResult,
  type GetUpdatesResult,
  getSessionResult,
  getUpdatesArguments,
  getUpdatesResult,
  listDevicesResult,
  type StartSessionResult,
  type StopSessionResult,
  sessionArguments,
  startSessionArguments,
  startSessionResult,
  stopSessionResult,
  sttTool,
  type UpdateSessionArguments,
  type UpdateSessionResult,
  updateSessionArguments,
  updateSessionResult,
} from "../../shared/voice/stt.ts";
import { answer } from "./answer.ts";
import { registerModelTools } from "./models/model-tools.ts";
import { ownWordsOf } from "./rescoring/rescoring.ts";
import type { Session } from "./session/session.ts";
import { Owner, type Sessions } from "./session/sessions.ts";

/**
 * Serves the speech-to-text tools to one client. When the client is gone, the sessions it started are stopped: no
 * microphone stays open for nobody.
 */
export async function serveClient(sessions: Sessions, transport: Transport): Promise<McpServer> {
  const server = new McpServer({ name: "parley-stt", version: "1.0.0" });
  const owner = new Owner();
  registerTools(server, sessions, owner);
  registerModelTools(server, sessions.models);
  server.server.onclose = () => void sessions.leave(owner);
  server.server.onerror = (error) => console.error(`MCP: ${error.message}`);
  await server.connect(transport);
  return server;
}

function registerTools(server: McpServer, sessions: Sessions, owner: Owner): void {
  server.registerTool(
    sttTool.listDevices,
    {
      description: "Lists what can be listened to: sources, microphones (capture) and outputs (render).",
      outputSchema: listDevicesResult,
      annotations: { readOnlyHint: true },
    },
    () => answer(() => sessions.inputs.listDevices()),
  );
  server.registerTool(
    sttTool.startSession,
    {
      description:
        "Starts to listen and to transcribe. Read the events with stt_get_updates; end with stt_stop_session.",
      inputSchema: startSessionArguments,
      outputSchema: startSessionResult,
    },
    (request) => answer(async () => started(await sessions.start(request, owner))),
  );
  server.registerTool(
    sttTool.getUpdates,
    {
      description:
        "The session's events after since_seq, oldest first. With wait_ms it waits for the next event.",
      inputSchema: getUpdatesArguments,
      outputSchema: getUpdatesResult,
      annotations: { readOnlyHint: true },
    },
    ({ session_id, since_seq, limit, wait_ms }, { signal }) =>
      answer(async () => {
        const session = sessions.get(session_id);
        await session.log.waitFor(since_seq, wait_ms, signal);
        return updates(session, since_seq, limit);
      }),
  );
  server.registerTool(
    sttTool.getSession,
    {
      description: "How a session stands. Its next_seq is the number that the next event will get.",
      inputSchema: sessionArguments,
      outputSchema: getSessionResult,
      annotations: { readOnlyHint: true },
    },
    ({ session_id }) => answer(async () => described(sessions.get(session_id))),
  );
  server.registerTool(
    sttTool.stopSession,
    {
      description:
        "Stops listening. What was being said becomes a last utterance_final, still readable afterwards.",
      inputSchema: sessionArguments,
      outputSchema: stopSessionResult,
      annotations: { idempotentHint: true },
    },
    ({ session_id }) =>
      answer(async () => {
        const session = sessions.get(session_id);
        await session.stop();
        return stopped(session);
      }),
  );
  server.registerTool(
    sttTool.updateSession,
    {
      description:
        "Changes a session while it listens: silence limits in milliseconds, whether it is muted, whether the user holds a key to talk, and the hot words. What is left out stays.",
      inputSchema: updateSessionArguments,
      outputSchema: updateSessionResult,
      annotations: { idempotentHint: true },
    },
    (changes) => answer(async () => updated(sessions.get(changes.session_id), changes)),
  );
}

function started(session: Session): StartSessionResult {
  return {
    session_id: session.id,
    status: session.status,
    created_utc: new Date(session.createdAt).toISOString(),
    source: session.request.source,
    mic_device_id: session.device.deviceId,
    mic_device_name: session.device.deviceName,
  };
}

function updates(session: Session, sinceSeq: number, limit: number): GetUpdatesResult {
  const events = session.log.read(sinceSeq, limit);
  return {
    session_id: session.id,
    status: session.status,
    events,
    next_seq: events.at(-1)?.seq ?? sinceSeq,
    first_seq: session.log.firstSeq,
  };
}

function described(session: Session): GetSessionResult {
  const { finals, errors, latestTranscript } = session.log.tally;
  return {
    session_id: session.id,
    status: session.status,
    source: session.request.source,
    language: session.request.language,
    model: session.modelName,
    next_seq: session.log.nextSeq,
    stable_chunk_count: finals,
    latest_transcript: latestTranscript,
    error_count: errors,
  };
}

function updated(session: Session, changes: UpdateSessionArguments): UpdateSessionResult {
  const { endpointing_ms, utterance_end_ms, max_utterance_ms, muted, talking, hot_words } = changes;
  if (hot_words !== undefined) session.teach(ownWordsOf(changes));
  session.update({
    ...(endpointing_ms === undefined ? {} : { endpointingMs: endpointing_ms }),
    ...(utterance_end_ms === undefined ? {} : { utteranceEndMs: utterance_end_ms }),
    ...(max_utterance_ms === undefined ? {} : { maxUtteranceMs: max_utterance_ms }),
    ...(muted === undefined ? {} : { muted }),
    ...(talking === undefined ? {} : { talking }),
  });
  const { settings } = session;
  return {
    session_id: session.id,
    status: session.status,
    endpointing_ms: settings.endpointingMs,
    utterance_end_ms: settings.utteranceEndMs,
    max_utterance_ms: settings.maxUtteranceMs,
    muted: settings.muted,
    talking: settings.talking,
  };
}

function stopped(session: Session): StopSessionResult {
  const { finals, errors } = session.log.tally;
  return { session_id: session.id, status: session.status, stable_chunk_count: finals, error_count: errors };
}
