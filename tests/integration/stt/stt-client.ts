import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { CallToolResultSchema } from "@modelcontextprotocol/sdk/types.js";
import {
  getUpdatesResult,
  type SttEvent,
  type SttSessionStatus,
  startSessionResult,
  sttEvent,
  sttTool,
} from "../../../shared/voice/stt.ts";

/** The official MCP client, with what the tests ask of the speech-to-text server. */
export class SttClient {
  readonly client = new Client({ name: "stt-test", version: "1.0.0" });

  static async connect(transport: Transport): Promise<SttClient> {
    const stt = new SttClient();
    await stt.client.connect(transport);
    return stt;
  }

  /** @returns the result's structured content; a tool's error is thrown with its text */
  async call(name: string, args: Record<string, unknown> = {}): Promise<Record<string, unknown>> {
    const result = CallToolResultSchema.parse(await this.client.callTool({ name, arguments: args }));
    const [content] = result.content;
    const text = content?.type === "text" ? content.text : "";
    if (result.isError) throw new Error(text);
    if (JSON.stringify(JSON.parse(text)) !== JSON.stringify(result.structuredContent)) {
      throw new Error("Text and structured content differ.");
    }
    return result.structuredContent ?? {};
  }

  async start(args: Record<string, unknown>): Promise<string> {
    return startSessionResult.parse(await this.call(sttTool.startSession, args)).session_id;
  }

  async stop(sessionId: string): Promise<Record<string, unknown>> {
    return this.call(sttTool.stopSession, { session_id: sessionId });
  }

  /** Reads on until `enough` or the session is over. @returns all events so far, in order */
  async read(
    sessionId: string,
    enough: (events: SttEvent[]) => boolean = () => false,
    seen: SttEvent[] = [],
  ): Promise<{ events: SttEvent[]; status: SttSessionStatus }> {
    const events = [...seen];
    while (true) {
      const since = events.at(-1)?.seq ?? 0;
      const reply = getUpdatesResult.parse(
        await this.call(sttTool.getUpdates, {
          session_id: sessionId,
          since_seq: since,
          limit: 500,
          wait_ms: 10_000,
        }),
      );
      events.push(...reply.events.map((event) => sttEvent.parse(event)));
      const over = reply.status === "stopped" || reply.status === "failed";
      if (enough(events) || (over && reply.events.length < 500)) return { events, status: reply.status };
    }
  }

  /** Everything that a session says of a file played as fast as it can. */
  async transcribe(path: string, args: Record<string, unknown> = {}): Promise<SttEvent[]> {
    const sessionId = await this.start({ source: "file", path, pace: "fast", ...args });
    const { events } = await this.read(sessionId);
    return events;
  }

  close(): Promise<void> {
    return this.client.close();
  }
}

export type Final = Extract<SttEvent, { type: "utterance_final" }>;

export function finalsOf(events: SttEvent[]): Final[] {
  return events.flatMap((event) => (event.type === "utterance_final" ? [event] : []));
}
