import { appendFileSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { CallToolRequestSchema, ListToolsRequestSchema } from "@modelcontextprotocol/sdk/types.js";

/**
 * Anybody's speech server, as a real MCP server over stdio that follows a script (`STT_SCRIPT`, JSON) and writes
 * what it was asked for to `STT_CALLS`, a line of JSON each. Run it with `node --import tsx`.
 */
export interface SttScript {
  /** Before the tool names, as a server of another name has it. */
  prefix?: string;
  /** Tools that this server lacks. */
  missing?: string[];
  /** Sent by `stt_start_session` instead of a session. */
  startError?: string;
  /** Answers of `stt_get_updates` in turn, over all sessions; after the last one it says `afterwards`. */
  updates: ScriptedAnswer[];
  /** Answers of their own for the sessions of a source, such as `loopback`. */
  sources?: Record<string, ScriptedAnswer[]>;
  afterwards?: "running" | "stopped" | "failed";
  /** Each session's first question for news is answered at once with none: it listens. */
  saysItListens?: boolean;
  /** Each session gets `updates` from their beginning. */
  again?: boolean;
  /** Whether `wait_ms` is in the schema: then an answer without news is held until something is asked to stop. */
  canWait?: boolean;
  /** What `stt_stop_session` adds to the log, to be read by the next update. */
  onStop?: Record<string, unknown>[];
  /** So long after the answer to the stop, in milliseconds; by default before it. */
  onStopAfterMs?: number;
  /** Whether it knows microphones, and what is changed while it listens. */
  canUpdate?: boolean;
  /** With `canUpdate`: of this source it changes nothing while it listens. */
  keeps?: string;
  /** With `canUpdate`: a change is answered so long after the stop of its session was answered, in milliseconds. */
  updatesAfterStopMs?: number;
  /** With `canUpdate`: whether it can be told that the user talks by a key. */
  canTalk?: boolean;
  /** What `stt_start_session` answers, as text; `SESSION` stands for the session's id. */
  startAnswer?: string;
  /** The answer of `stt_start_session` is held until something else is asked for, or for so many milliseconds. */
  startsAfterMs?: number;
  /** What its cursor is called in the schema; without it `since_seq`. null: it has none, and gives each event once. */
  cursor?: string | null;
  /** A log that is read from the cursor, `limit` events at a time; `reads: false` always gives its beginning. */
  log?: { events: Record<string, unknown>[]; reads: boolean };
  /** What `stt_list_devices` answers; without it there is no such tool. */
  devices?: unknown;
  /** The answer of `stt_stop_session` is held for ever. */
  stopHangs?: boolean;
  /** Its updates say nothing of how the session stands. */
  hasNoStatus?: boolean;
  /** It says “running” for ever, whatever it was asked. */
  neverStops?: boolean;
  /** Answers are structured content alone, without the text that stands for it. */
  structured?: boolean;
}

export type ScriptedAnswer =
  | { status?: string; events?: Record<string, unknown>[]; first_seq?: number }
  /** The text as it is, whatever it is. */
  | { raw: string }
  | { error: string }
  | { exit: number };

const script: SttScript = JSON.parse(process.env.STT_SCRIPT ?? '{"updates":[]}');
let answers = [...script.updates];
const ownAnswers = new Map<string, ScriptedAnswer[]>();
let sessions = 0;
const stopped = new Set<string>();
/** Sessions of a source that it keeps as it is. */
const kept = new Set<string>();
const asked = new Set<string>();
const flushed: Record<string, unknown>[] = [];
const waiting: (() => void)[] = [];
const changing: (() => void)[] = [];

const number = { type: "number" };
const string = { type: "string" };
const tools = [
  {
    name: "stt_start_session",
    properties: {
      source: string,
      path: string,
      endpointing_ms: number,
      ...(script.canUpdate
        ? { mic_device_id: string, record_to: string, model: string, wake_phrase: string }
        : {}),
    },
  },
  {
    name: "stt_get_updates",
    properties: {
      session_id: string,
      ...(script.cursor === null ? {} : { [script.cursor ?? "since_seq"]: number }),
      limit: number,
      ...(script.canWait ? { wait_ms: number } : {}),
    },
  },
  { name: "stt_get_session", properties: { session_id: string } },
  { name: "stt_stop_session", properties: { session_id: string } },
  ...(script.canUpdate
    ? [
        {
          name: "stt_update_session",
          properties: {
            ...{ session_id: string, endpointing_ms: number, muted: { type: "boolean" } },
            ...(script.canTalk && { talking: { type: "boolean" } }),
          },
        },
      ]
    : []),
  ...(script.devices === undefined ? [] : [{ name: "stt_list_devices", properties: {} }]),
].filter((tool) => !script.missing?.includes(tool.name));

const server = new Server({ name: "scripted", version: "1.0.0" }, { capabilities: { tools: {} } });

server.setRequestHandler(ListToolsRequestSchema, () => ({
  tools: tools.map(({ name, properties }) => ({
    name: `${script.prefix ?? ""}${name}`,
    inputSchema: { type: "object" as const, properties },
  })),
}));

server.setRequestHandler(CallToolRequestSchema, async ({ params }) => {
  const name = params.name.slice(script.prefix?.length ?? 0);
  const args = params.arguments ?? {};
  if (process.env.STT_CALLS) appendFileSync(process.env.STT_CALLS, `${JSON.stringify({ name, args })}\n`);
  const session = { session_id: String(args.session_id ?? `s${sessions}`) };
  if (name === "stt_start_session") {
    if (script.startError) return failure(script.startError);
    sessions += 1;
    if (args.source === script.keeps) kept.add(`s${sessions}`);
    if (script.again) answers = [...script.updates];
    const own = `s${sessions}`;
    const forSource = script.sources?.[String(args.source)];
    if (forSource) ownAnswers.set(own, [...forSource]);
    if (script.startsAfterMs !== undefined) await wait(script.startsAfterMs);
    if (script.startAnswer !== undefined) {
      return { content: [{ type: "text", text: script.startAnswer.replace("SESSION", own) }] };
    }
    return json({
      session_id: `s${sessions}`,
      status: "starting",
      created_utc: "2026-01-01T00:00:00Z",
      source: args.source,
      mic_device_id: null,
      mic_device_name: null,
    });
  }
  if (name === "stt_list_devices") return json(script.devices);
  if (name === "stt_stop_session" && script.stopHangs) return await new Promise(() => {});
  if (name === "stt_stop_session") {
    stopped.add(session.session_id);
    const flush = () => flushed.push(...(script.onStop ?? []));
    if (script.onStopAfterMs === undefined) flush();
    else setTimeout(flush, script.onStopAfterMs);
    for (const wake of waiting.splice(0)) wake();
    setTimeout(() => {
      for (const change of changing.splice(0)) change();
    }, script.updatesAfterStopMs ?? 0);
    return json({ ...session, status: "stopped", stable_chunk_count: 0, error_count: 0 });
  }
  if (name === "stt_update_session") {
    if (kept.has(session.session_id)) return failure("This source cannot be muted.");
    if (script.updatesAfterStopMs !== undefined) {
      await new Promise<void>((resolve) => changing.push(resolve));
    }
    const { endpointing_ms = 500, muted = false } = args;
    return json({
      ...session,
      status: "running",
      endpointing_ms,
      utterance_end_ms: 1000,
      max_utterance_ms: 30_000,
      muted,
    });
  }
  return await update(session, Number(args[script.cursor ?? "since_seq"] ?? 0));
});

async function update(session: { session_id: string }, since: number) {
  if (script.log && !stopped.has(session.session_id)) {
    const { events, reads } = script.log;
    const rest = reads ? events.filter(({ seq }) => Number(seq) > since) : events;
    if (rest.length > 0) return json({ events: rest.slice(0, 100) });
  }
  const isFirst = !asked.has(session.session_id);
  asked.add(session.session_id);
  const answer =
    script.saysItListens && isFirst
      ? { events: [] }
      : (ownAnswers.get(session.session_id) ?? answers).shift();
  if (!answer) {
    const isStopped = () => stopped.has(session.session_id) && !script.neverStops;
    const isAsked = stopped.has(session.session_id);
    if (script.canWait && !isAsked && (script.afterwards ?? "running") === "running") {
      await new Promise<void>((resolve) => waiting.push(resolve));
    }
    const events = flushed.filter((event) => Number(event.seq) > since);
    if (script.hasNoStatus) return json({ events });
    return json({
      ...session,
      status: isStopped() ? "stopped" : (script.afterwards ?? "running"),
      events,
      next_seq: lastSeq(events, since),
    });
  }
  if ("exit" in answer) process.exit(answer.exit);
  if ("raw" in answer) return { content: [{ type: "text", text: answer.raw }] };
  if ("error" in answer) return failure(answer.error);
  const { status = "running", events = [], first_seq } = answer;
  if (script.hasNoStatus) return json({ events });
  return json({
    ...session,
    status,
    events,
    next_seq: lastSeq(events, since),
    ...(first_seq === undefined ? {} : { first_seq }),
  });
}

/** The last that is told, else what was asked from. */
const lastSeq = (events: readonly Record<string, unknown>[], since: number) =>
  Math.max(since, ...events.map(({ seq }) => Number(seq)));

const json = (value: unknown) =>
  script.structured
    ? { content: [], structuredContent: value }
    : { content: [{ type: "text", text: JSON.stringify(value) }] };
const failure = (text: string) => ({ isError: true, content: [{ type: "text", text }] });

await server.connect(new StdioServerTransport());
