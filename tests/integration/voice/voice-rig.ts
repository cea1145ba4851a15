import { mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { afterEach } from "vitest";
import { noReplies, type SpokenReplies } from "../../../electron/voice/routing/utterance-router.ts";
import { VoiceService } from "../../../electron/voice/session/voice-service.ts";
import { stopPatienceMs } from "../../../electron/voice/session/voice-session.ts";
import type { VoiceStart, VoiceStatus } from "../../../electron/voice/session/voice-state.ts";
import { type SttClientOptions, sharedClient } from "../../../electron/voice/stt/stt-client.ts";
import type { AgentEvent } from "../../../shared/conversation/events.ts";
import { defaultSettings, type Settings } from "../../../shared/settings.ts";
import type { SttScript } from "../../fakes/stt/scripted-stt-server.ts";
import { FakeVoiceTarget } from "../../fakes/stt/voice-target.ts";
import { programPath } from "../../fixtures/built-programs.ts";

const clean: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of clean.splice(0)) await end();
});

/**
 * The real voice runtime against a real MCP server process that follows `script`.
 * @param server another program, with its arguments, in the place of the scripted one
 */
export function startVoice(
  script: SttScript,
  start: VoiceStart = { source: "microphone" },
  options: SttClientOptions = {},
  server: readonly string[] = [programPath("scripted-stt-server")],
  replies: SpokenReplies = noReplies,
) {
  const calls = join(mkdtempSync(join(tmpdir(), "parley-voice-")), "calls");
  const connect = sharedClient(
    async () =>
      new StdioClientTransport({
        command: process.execPath,
        args: [...server],
        env: { ...process.env, STT_SCRIPT: JSON.stringify(script), STT_CALLS: calls } as Record<
          string,
          string
        >,
      }),
    options,
  );
  const target = new FakeVoiceTarget();
  const { events } = target;
  const sleeps: number[] = [];
  const speech: string[] = [];
  const dictated: string[] = [];
  let settings: Settings = defaultSettings;
  const watchers = new Set<() => void>();
  const changed = () => {
    for (const watcher of [...watchers]) watcher();
  };
  let passStopLimit = () => {};
  let passStopPatience = () => {};
  let isTold = false;
  const voice = new VoiceService({
    connect,
    settings: () => settings,
    // Back-off passes at once and is noted; the limit on stopping never comes.
    clock: {
      now: () => Date.now(),
      sleep: (ms, signal) => {
        sleeps.push(ms);
        if (ms < 10_000) return Promise.resolve();
        return new Promise((resolve, reject) => {
          passStopLimit = resolve;
          signal?.addEventListener("abort", () => reject(signal.reason));
        });
      },
      after: (ms, run) => {
        if (ms === stopPatienceMs) passStopPatience = run;
        return () => {};
      },
    },
    recordings: "/recordings",
    replies,
    consent: {
      isTold: () => isTold,
      told: () => {
        isTold = true;
      },
    },
  });
  voice.subscribe((news) => {
    if (news.type === "expect_prompt") return void speech.push(voice.status().state);
    if (news.type === "dictated")
      dictated.push(`${news.conversationId}${news.isTrial ? " (trial)" : ""}: ${news.text}`);
    changed();
  });
  clean.push(async () => {
    await voice.stop();
    await (await connect().catch(() => null))?.close();
  });
  target.subscribe(changed);
  /** Resolves as soon as `holds` does, looked at after every event. */
  const until = (holds: (status: VoiceStatus) => boolean) =>
    new Promise<void>((resolve) => {
      const look = () => {
        if (!holds(voice.status())) return;
        watchers.delete(look);
        resolve();
      };
      watchers.add(look);
      look();
    });
  const asked = () =>
    readFileSync(calls, "utf8")
      .trim()
      .split("\n")
      .map((line): { name: string; args: Record<string, unknown> } => JSON.parse(line));
  voice.start(target, start);
  return {
    voice,
    target,
    prompts: () => target.texts,
    events,
    sleeps,
    speech,
    dictated,
    change: (values: Partial<Settings>) => {
      settings = { ...settings, ...values };
    },
    until,
    asked,
    connect,
    passStopLimit: () => passStopLimit(),
    passStopPatience: () => passStopPatience(),
  };
}

/** A finished utterance, as the server tells it. */
export const final = (seq: number, text: string) => ({
  seq,
  type: "utterance_final",
  timestamp_utc: "2026-01-01T00:00:00Z",
  utterance_id: `u${seq}`,
  text,
  reason: "endpoint",
  confidence: 0.9,
});
export const event = (seq: number, type: string, more: object = {}) => ({
  seq,
  type,
  timestamp_utc: "2026-01-01T00:00:00Z",
  ...more,
});
export const states = (events: AgentEvent[]) =>
  events.flatMap((body) => (body.type === "voice.state" ? [body.state] : []));
