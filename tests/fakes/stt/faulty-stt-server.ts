import { appendFileSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { CallToolRequestSchema, ListToolsRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { type FaultScript, faultOf } from "./stt-faults.ts";

/**
 * A speech server that hears `count` utterances and does wrong what its script says, an answer at a time. What it has
 * told, it never tells again; what it has not, the next session tells, also of the next process: its state is a file.
 */
const script: FaultScript = JSON.parse(process.env.STT_FAULTS ?? "{}");
const { count, stateFile, callsFile } = script;

interface State {
  /** Answers so far. */
  step: number;
  /** Utterances whose final was in an answer that can be read. */
  told: number;
  sessions: number;
}
const state: State = existsSync(stateFile)
  ? JSON.parse(readFileSync(stateFile, "utf8"))
  : { step: 0, told: 0, sessions: 0 };
const save = () => writeFileSync(stateFile, JSON.stringify(state));
const note = (line: string) => appendFileSync(callsFile, `${line}\n`);

let session = "";
/** The utterance that the session's log begins with. */
let base = 0;
let isStopped = false;
let isAsleep: (() => void) | null = null;
let skipsHole = false;

const number = { type: "number" };
const string = { type: "string" };
const server = new Server({ name: "faulty", version: "1.0.0" }, { capabilities: { tools: {} } });
server.setRequestHandler(ListToolsRequestSchema, () => ({
  tools: [
    { name: "stt_start_session", properties: { source: string } },
    {
      name: "stt_get_updates",
      properties: { session_id: string, since_seq: number, limit: number, wait_ms: number },
    },
    { name: "stt_get_session", properties: { session_id: string } },
    { name: "stt_stop_session", properties: { session_id: string } },
  ].map(({ name, properties }) => ({ name, inputSchema: { type: "object" as const, properties } })),
}));

server.setRequestHandler(CallToolRequestSchema, async ({ params }) => {
  const args = params.arguments ?? {};
  if (params.name === "stt_start_session") {
    session = `s${++state.sessions}`;
    base = state.told;
    isStopped = false;
    skipsHole = false;
    save();
    note(`start ${session}`);
    const created_utc = new Date(0).toISOString();
    const device = { mic_device_id: null, mic_device_name: null };
    return json({ session_id: session, status: "starting", created_utc, source: args.source, ...device });
  }
  if (params.name === "stt_stop_session") {
    note(`stop ${String(args.session_id)}`);
    isStopped = true;
    isAsleep?.();
    return json({ session_id: args.session_id, status: "stopped", stable_chunk_count: 0, error_count: 0 });
  }
  return await update(Number(args.since_seq ?? 0), Number(args.limit ?? 100));
});

/** Two events an utterance: odd ones are its beginning, even ones its words. */
const eventAt = (seq: number): Record<string, unknown> => {
  const head = { seq, timestamp_utc: "2026-01-01T00:00:00Z" };
  const utterance = base + Math.ceil(seq / 2);
  if (seq % 2 === 1) return { ...head, type: "speech_start", offset_ms: seq * 1000 };
  const text = `utterance number ${utterance}`;
  return { ...head, type: "utterance_final", utterance_id: `u${utterance}`, text, confidence: 0.9 };
};

async function update(since: number, limit: number) {
  const last = (count - base) * 2;
  if (since >= last && !isStopped) {
    await new Promise<void>((resolve) => {
      isAsleep = resolve;
    });
  }
  const fault = isStopped ? "none" : faultOf(script.faults, state.step++);
  save();
  const upTo = (size: number) => Math.min(last, since + Math.min(size, limit));
  const tell = (seqs: number[], more: object = {}, text = (body: string) => body) => {
    // What comes after a hole is not told yet: the client asks for the hole first.
    let told = since;
    for (const seq of seqs.toSorted((a, b) => a - b)) if (seq <= told + 1) told = Math.max(told, seq);
    if ("first_seq" in more) told = Math.max(...seqs, told);
    state.told = Math.max(state.told, base + Math.floor(told / 2));
    save();
    const answer = {
      session_id: session,
      next_seq: Math.max(since, ...seqs),
      status: isStopped ? "stopped" : "running",
      events: seqs.map(eventAt),
      ...more,
    };
    return { content: [{ type: "text", text: text(JSON.stringify(answer)) }] };
  };
  const next = range(since + 1, upTo(6));
  switch (skipsHole && fault === "hole" ? "none" : fault) {
    case "none":
      skipsHole = false;
      return tell(isStopped ? range(since + 1, upTo(500)) : next);
    case "huge":
      return tell(range(since + 1, upTo(500)));
    case "twice":
      return tell([...range(Math.max(1, since - 5), since), ...next, ...next]);
    case "disorder":
      return tell(next.toReversed());
    case "hole":
      skipsHole = true;
      return tell(next.filter((seq) => seq !== since + 2));
    case "lost": {
      // Only a beginning is ever lost: the words come.
      const from = since % 2 === 0 ? since + 2 : since + 1;
      return tell(range(from, upTo(6)), from > since + 1 ? { first_seq: from } : {});
    }
    case "noise":
      return tell(next, {}, (body) => `[info] here:\n\`\`\`json\n${body}\n\`\`\`\nbye`);
    case "slow":
      await wait(5);
      return tell(next);
    case "malformed":
      return { content: [{ type: "text", text: '{"events": [' }] };
    case "schema":
      return json({ session_id: 7, status: "fine", events: "none" });
    case "error":
      return { isError: true, content: [{ type: "text", text: "boom" }] };
    case "stopped":
      return json({ session_id: session, next_seq: since, status: "stopped", events: [] });
    case "exit":
      note(`exit ${session}`);
      return process.exit(1);
  }
}

const range = (from: number, to: number) =>
  Array.from({ length: Math.max(0, to - from + 1) }, (_, index) => from + index);
const json = (value: unknown) => ({ content: [{ type: "text", text: JSON.stringify(value) }] });

await server.connect(new StdioServerTransport());
