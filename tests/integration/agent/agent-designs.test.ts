import { existsSync, mkdtempSync } from "node:fs";
import { readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { afterEach, expect, test } from "vitest";
import { z } from "zod";
import { systemClock } from "../../../electron/agent/conversation/system-clock.ts";
import type { Tool } from "../../../electron/agent/ports/ports.ts";
import { createCommandRegistry } from "../../../electron/commands/registry.ts";
import { openDatabase } from "../../../electron/store/database/open-database.ts";
import { openStore } from "../../../electron/store/open-store.ts";
import { openSqliteStore } from "../../../electron/store/sqlite-store.ts";
import { voiceCommand } from "../../../electron/voice/session/voice-command.ts";
import { VoiceService } from "../../../electron/voice/session/voice-service.ts";
import { sharedClient } from "../../../electron/voice/stt/stt-client.ts";
import { defaultSettings } from "../../../shared/settings.ts";
import { FakeClock } from "../../fakes/clock.ts";
import { eventually, livingProcesses } from "../../fakes/processes.ts";
import { programPath } from "../../fixtures/built-programs.ts";
import {
  eventsOf,
  expectSoundStream,
  nextEvent,
  ofType,
  replyIn,
  rigForEachTest,
  typed,
} from "./agent-rig.ts";

/** What the designs ask of several parts at once: the agent, a provider over HTTP, a database, processes. */

const folders: string[] = [];
// Registered first, done last: after the rig that uses them.
afterEach(async () => {
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true });
});
const makeRig = rigForEachTest();
function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "parley-designs-"));
  folders.push(folder);
  return folder;
}
const marker = (name: string, args: object = {}) => `[[script:${name} ${JSON.stringify(args)}]]`;
const tool = (name: string, run: Tool["run"]): Tool => ({
  name,
  description: name,
  input: z.looseObject({}),
  effect: "read",
  run,
});
const fail = (error: unknown): never => {
  throw error;
};

test("a request carries the project's documents by profile and the user's own words in its system prompt", async () => {
  const rig = await makeRig({ settings: { systemPromptExtra: "Call me Captain." } });
  await writeFile(join(rig.folder, "AGENTS.md"), "Use tabs.");
  await writeFile(join(rig.folder, "CLAUDE.md"), "Be kind.");
  await writeFile(join(rig.folder, "GEMINI.md"), "Not for Claude.");
  await eventsOf(rig.conversations.create().submit(typed("Hello")));
  const system = JSON.stringify(rig.server.requests[0]?.body.system);
  const layers = [
    "You are Parley",
    "claude-opus-5-5",
    rig.folder,
    "Use tabs.",
    "Be kind.",
    "Call me Captain.",
  ];
  const places = layers.map((part) => system.indexOf(part));
  expect(places).not.toContain(-1);
  expect(places).toEqual([...places].sort((a, b) => a - b));
  expect(system).not.toContain("Not for Claude.");
});

test("in the middle of a run: steering enters, then the history is compacted, then the next request is made", async () => {
  let count = 0;
  const rig = await makeRig({
    settings: { contextWindow: 10_000, protectedTailMessages: 4 },
    tools: [tool("counter", async () => ({ text: `item ${++count}` }))],
  });
  const conversation = rig.conversations.create();
  for (const name of ["one", "two", "three"]) {
    await eventsOf(conversation.submit(typed(`${name} ${"x".repeat(1000)}`)));
  }
  const end = conversation.subscribe(({ type }) => {
    if (type !== "tool.ended") return;
    end();
    conversation.steer({ text: "Only the north side", source: null });
  });
  const usage = { input: 8100, cacheRead: 0, cacheWrite: 0 };
  const loop = marker("loop", { rounds: 1, calls: [{ name: "counter" }], usage });
  const events = await eventsOf(conversation.submit(typed(`four ${loop}`)));

  const steps = events.flatMap((event) => {
    if (event.type === "message.added") return [event.message.origin ?? "reply"];
    return ["model.requested", "compaction.started", "compaction.ended"].includes(event.type)
      ? [event.type]
      : [];
  });
  expect(steps.slice(0, 10)).toEqual([
    "typed",
    "model.requested",
    "reply",
    "tool",
    "steering",
    "compaction.started",
    "summary",
    "compaction.ended",
    "model.requested",
    "reply",
  ]);
  const last = JSON.stringify(rig.server.requests.at(-1)?.body.messages);
  expect(last).toContain("one xxx");
  expect(last).not.toContain("two xxx");
  expect(last).toContain("item 1");
  expect(last).toContain("Only the north side");
});

test("compactionStrategy none never asks for a summary, however full the context is", async () => {
  const rig = await makeRig({
    settings: { contextWindow: 10_000, protectedTailMessages: 1, compactionStrategy: "none" },
  });
  const conversation = rig.conversations.create();
  const full = marker("text", { usage: { input: 9900, cacheRead: 0, cacheWrite: 0 } });
  for (const name of ["one", "two", "three"]) {
    await eventsOf(conversation.submit(typed(`${name} ${"x".repeat(1000)} ${full}`)));
  }
  expect(ofType(rig.logged, "compaction.started")).toEqual([]);
  expect(rig.server.requests).toHaveLength(3);
});

test("a stream that falls silent is tried again, and shows nothing twice", async () => {
  const clock = new FakeClock();
  const rig = await makeRig({ clock, settings: { streamIdleMs: 60_000, retryMax: 1 } });
  const conversation = rig.conversations.create();
  const submission = conversation.submit(typed(marker("text", { words: 3, hold: "silence" })));
  await nextEvent(conversation, ({ type }) => type === "text.delta");
  await clock.sleeping(60_000);
  clock.advance(60_000);
  await clock.sleeping(1000);
  rig.server.release("silence");
  clock.advance(1000);
  const events = await eventsOf(submission);
  expect(ofType(events, "retry")).toMatchObject([{ attempt: 1, delayMs: 1000 }]);
  expect(ofType(events, "stream.reset")).toHaveLength(1);
  expectSoundStream(events);
  expect(replyIn(events)).toBe("word-1 word-2 word-3");
});

test("a run leaves its events, each call's whole output and its duration in the database", async () => {
  const file = join(newFolder(), "parley.db");
  const store = openSqliteStore(file, fail);
  const long = `HEAD${"x".repeat(5000)}TAIL`;
  const rig = await makeRig({
    store,
    clock: systemClock,
    settings: { toolOutputLimits: { long: 1000 } },
    tools: [
      tool("long", async (_, { progress }) => {
        progress("so far");
        return { text: long };
      }),
    ],
  });
  const conversation = rig.conversations.create();
  const calls = [{ name: "long" }, { name: "nothing_like_it" }];
  const events = await eventsOf(conversation.submit(typed(`Go ${marker("tools", { calls })}`)));
  await rig.conversations.dispose();
  store.close();

  const database = openDatabase(file);
  const rows = database.prepare("SELECT event_id AS id, at, type FROM events ORDER BY seq").all([]);
  const called = database
    .prepare("SELECT name, output, is_error, duration_ms, was_truncated FROM tool_calls ORDER BY name")
    .all([]);
  database.close();
  expect(ofType(events, "tool.output")).toHaveLength(1);
  const live = ["text.delta", "tool.output"];
  const kept = rig.logged
    .filter(({ type }) => !live.includes(type))
    .map(({ id, at, type }) => ({ id, at, type }));
  expect(rows).toEqual(kept);
  const [ended] = ofType(events, "tool.ended").filter(({ name }) => name === "long");
  expect(ended?.output.length).toBeLessThanOrEqual(1000);
  expect(called).toMatchObject([
    { name: "long", output: long, is_error: 0, duration_ms: ended?.durationMs, was_truncated: 1 },
    { name: "nothing_like_it", is_error: 1, was_truncated: 0 },
  ]);
});

test("with memoryEnabled off nothing of a conversation is written", async () => {
  const file = join(newFolder(), "data", "parley.db");
  const { store, problem } = openStore({ enabled: false, file, reportError: fail });
  const rig = await makeRig({ store });
  expect(replyIn(await eventsOf(rig.conversations.create().submit(typed("Hello"))))).toBe("Hello");
  expect(problem).toBeNull();
  expect(existsSync(file)).toBe(false);
  const kept = openStore({ enabled: true, file, reportError: fail });
  expect(existsSync(file)).toBe(true);
  kept.store.close();
});

test("closing a sub-agent ends its own command; the environment that it shared works on", async () => {
  let told = "";
  const agents = tool("agents", async (_, { subagents, environment, signal, settings }) => {
    const options = { timeoutMs: 60_000, signal, environmentPolicy: settings.environmentPolicy, fence: null };
    const own = environment.execCommand("mkfifo gate; echo ready; cat gate", options);
    const command = "echo $$ > draft; mv draft agent; sleep 300";
    const calls = [{ name: "shell", input: { command } }];
    const id = subagents.spawn(`Wait ${marker("tools", { calls })}`);
    const pidFile = join(environment.workingDirectory, "agent");
    await eventually(() => existsSync(pidFile) && existsSync(join(environment.workingDirectory, "gate")));
    const session = Number(await readFile(pidFile, "utf8"));
    const alive = () => livingProcesses().filter((process) => process.session === session).length;
    const before = alive();
    await subagents.close(id);
    await environment.execCommand("echo on > gate", options);
    const { output, exitCode } = await own;
    told = `${before > 0} ${alive()} ${output}${exitCode}`;
    return { text: told };
  });
  const rig = await makeRig({ clock: systemClock, tools: [agents] });
  const calls = [{ name: "agents" }];
  await eventsOf(rig.conversations.create().submit(typed(`Go ${marker("tools", { calls })}`)));
  expect(told).toBe("true 0 ready\non\n0");
});

test("spoken words run as a prompt that is marked; /voice status and stop answer while it runs", async () => {
  const rig = await makeRig();
  const conversation = rig.conversations.create();
  const text = `say it ${marker("text", { hold: "half" })}`;
  const heard = { seq: 1, type: "utterance_final", timestamp_utc: "2026-01-01T00:00:00Z", confidence: 0.9 };
  const STT_SCRIPT = JSON.stringify({
    canWait: true,
    updates: [{ events: [{ ...heard, utterance_id: "u1", text, reason: "endpoint" }] }],
  });
  const connect = sharedClient(
    async () =>
      new StdioClientTransport({
        command: process.execPath,
        args: [programPath("scripted-stt-server")],
        env: { PATH: process.env.PATH ?? "", STT_SCRIPT, STT_CALLS: join(newFolder(), "calls") },
      }),
  );
  const voice = new VoiceService({ connect, settings: () => defaultSettings, clock: systemClock });
  const { answer } = createCommandRegistry([
    voiceCommand({
      voice,
      target: () => conversation,
      settings: () => defaultSettings,
      resolvePath: (path) => path,
    }),
  ]);
  const context = { conversationId: conversation.id };
  try {
    const ended = nextEvent(conversation, ({ type }) => type === "run.ended");
    expect((await answer("/voice start microphone", context)).output).toContain("listen to the microphone");
    await rig.server.held("half");
    expect(conversation.state).toBe("processing");
    const status = (await answer("/voice status", context)).output;
    expect(status).toContain("(the microphone)");
    expect(status).toContain("heard: 1 utterance, sent: 1 prompt");
    expect((await answer("/voice stop", context)).output).toBe(
      "Voice is off. Heard 1 utterance, sent 1 prompt.",
    );
    expect(conversation.state).toBe("processing");
    rig.server.release("half");
    await ended;
    expect(conversation.history[0]).toMatchObject({ origin: "voice", source: "microphone" });
    expect(conversation.history).toHaveLength(2);
  } finally {
    await voice.stop();
    await (await connect()).close();
  }
});
