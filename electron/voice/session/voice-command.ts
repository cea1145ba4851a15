import type { Settings } from "../../../shared/settings.ts";
import type { SttEvent } from "../../../shared/voice/stt.ts";
import type { TurnTimings } from "../../../shared/voice/voice-snapshot.ts";
import type { Command, CommandAnswer } from "../../commands/registry.ts";
import type { VoiceTarget } from "../routing/voice-target.ts";
import { readStartOptions, startUsage } from "../stt/start-options.ts";
import { tallyText } from "./repair-tally.ts";
import type { VoiceService } from "./voice-service.ts";
import { describeTest } from "./voice-test.ts";

export interface VoiceCommandOptions {
  voice: VoiceService;
  target(conversationId: string): VoiceTarget;
  settings(): Settings;
  /** An absolute path from what was typed: relative ones start at the conversation's folder, `~` is the home folder. */
  resolvePath(path: string, conversationId: string): string;
}

const usage = `${startUsage} · status · stop · devices [--server NAME] · events [N] · mute [on | off] · test`;

const sourceName = {
  microphone: "the microphone",
  loopback: "what this computer plays",
  file: "a file",
  both: "a meeting: the microphone and what this computer plays",
};

/** `/voice …`: it answers at once, also while a run is going on; `test` after a few seconds. */
export function voiceCommand(options: VoiceCommandOptions): Command {
  const { voice } = options;
  return {
    name: "voice",
    usage,
    description:
      "Listen to the microphone, to what this computer plays, to both as a meeting, or to a WAV file",
    run: ([action = "status", ...args], { conversationId }) => {
      if (action === "start") return start(options, args, conversationId);
      if (action === "events") return events(voice, args);
      if (action === "mute") return mute(voice, args);
      if (action === "devices") return devices(voice, args);
      const plain = plainActions.get(action);
      if (plain && args.length === 0) return plain(voice);
      const allowed = plain ? `\`/voice ${action}\` takes no arguments.` : "";
      return wrong(`\`/voice ${[action, ...args].join(" ")}\` is not known. ${allowed}`.trim());
    },
  };
}

const plainActions = new Map<string, (voice: VoiceService) => CommandAnswer | Promise<CommandAnswer>>([
  ["status", status],
  ["stop", stop],
  ["test", test],
]);

function start(
  { voice, target, settings, resolvePath }: VoiceCommandOptions,
  args: string[],
  conversationId: string,
): CommandAnswer {
  const read = readStartOptions(args, settings()["voice.source"], (path) =>
    resolvePath(path, conversationId),
  );
  if ("wrong" in read) return wrong(read.wrong);
  voice.start(target(conversationId), read.start);
  const { source } = read.start;
  const meeting =
    source === "both" ? " Nothing is sent until you ask: type a prompt, and what was said goes with it." : "";
  return { output: `Starting to listen to ${sourceName[source]}.${meeting} \`/voice stop\` ends it.` };
}

async function stop(voice: VoiceService): Promise<CommandAnswer> {
  const before = voice.status();
  if (before.conversationId === null) return { output: "Voice is off already." };
  await voice.stop();
  const { utterances, prompts } = voice.status();
  return {
    output: `Voice is off. Heard ${count(utterances, "utterance")}, sent ${count(prompts, "prompt")}.`,
  };
}

function status(voice: VoiceService): CommandAnswer {
  const now = voice.status();
  const { waiting, held } = voice.queue();
  const muted = now.isMuted ? ", muted" : "";
  const lines = [
    now.source === null
      ? `Voice is **${now.state}**.`
      : `Voice is **${now.state}**${muted} (${sourceName[now.source]}).`,
    now.silence ? `- microphone: ${now.silence.message} ${now.silence.hint ?? ""}` : "",
    now.sessionId ? `- session: \`${now.sessionId}\`` : "",
    `- heard: ${count(now.utterances, "utterance")}, sent: ${count(now.prompts, "prompt")}`,
    `- queue: ${waiting} waiting${held > 0 ? `, ${held} held` : ""}`,
    voice.talkHint === null ? "" : `- push-to-talk: ${voice.talkHint}`,
    voice.stopWordsHint === null ? "" : `- stop words: ${voice.stopWordsHint}`,
    voice.repair.isOn || voice.repair.asked > 0 ? `- corrected: ${tallyText(voice.repair)}` : "",
    voice.turn ? `- last turn: ${describeTurn(voice.turn)}` : "",
    now.restarts > 0 ? `- restarts: ${now.restarts}` : "",
    now.lastText === null ? "" : `- last words: “${now.lastText}”`,
    now.lastError ? `- last error: ${now.lastError.message} ${now.lastError.hint ?? ""}` : "",
  ];
  return { output: lines.filter((line) => line !== "").join("\n") };
}

async function devices(voice: VoiceService, args: string[]): Promise<CommandAnswer> {
  const name = /^--server(?:=| )(\S+)$/.exec(args.join(" "))?.[1];
  if (args.length > 0 && name === undefined) {
    return wrong("`/voice devices` takes only `--server NAME`.");
  }
  const { capture = [], render = [], warning } = await voice.devices(name);
  const list = (title: string, found: typeof capture) =>
    found.map(({ id, name, is_default }) => `- ${title}: ${name}${is_default ? " (default)" : ""} \`${id}\``);
  const lines = [...list("microphone", capture), ...list("output", render), ...(warning ? [warning] : [])];
  return { output: lines.length > 0 ? lines.join("\n") : "No devices found." };
}

const defaultEvents = 10;
const mostEvents = 200;

function events(voice: VoiceService, args: string[]): CommandAnswer {
  const [word = String(defaultEvents), ...rest] = args;
  const wanted = /^\d+$/.test(word) ? Number(word) : 0;
  if (rest.length > 0 || wanted < 1 || wanted > mostEvents) {
    return wrong(`\`/voice events\` takes a number from 1 to ${mostEvents}.`);
  }
  const lines = voice.events(wanted).map(({ source, event }) => `- ${source} ${describeEvent(event)}`);
  return { output: lines.length > 0 ? lines.join("\n") : "There have been no speech events yet." };
}

async function mute(voice: VoiceService, args: string[]): Promise<CommandAnswer> {
  const [word, ...rest] = args;
  if (rest.length > 0 || (word !== undefined && word !== "on" && word !== "off")) {
    return wrong("`/voice mute` takes `on` or `off`; without either it switches.");
  }
  const isMuted = word === undefined ? !voice.status().isMuted : word === "on";
  await voice.mute(isMuted);
  return {
    output: isMuted ? "Muted. Nothing you say is kept or sent until `/voice mute off`." : "Listening again.",
  };
}

async function test(voice: VoiceService): Promise<CommandAnswer> {
  const result = await voice.test();
  return { output: describeTest(result), isError: result.failure !== null };
}

function describeTurn(turn: TurnTimings): string {
  const { recogniseMs, deliverMs, requestMs, firstWordsMs, firstAudioMs } = turn;
  const parts = [
    [recogniseMs, "end of speech to its words"],
    [deliverMs, "to the prompt"],
    [requestMs, "to the request"],
    [firstWordsMs, "to the reply's first words"],
    [firstAudioMs, "to its first sound"],
  ] as const;
  // Most replies are not said aloud.
  const known = parts.filter(([ms], index) => ms !== null || index < 4);
  return known.map(([ms, what]) => `${ms === null ? "?" : Math.round(ms)} ms ${what}`).join(", ");
}

function describeEvent({ seq, type, timestamp_utc, ...payload }: SttEvent): string {
  const more = JSON.stringify(payload);
  const shown = more.length > 300 ? `${more.slice(0, 300)}…` : more;
  return `#${seq} ${timestamp_utc} **${type}** \`${shown.replaceAll("`", "'")}\``;
}

const wrong = (what: string): CommandAnswer => ({ output: `${what} Usage: \`${usage}\``, isError: true });

const count = (n: number, noun: string) => `${n} ${noun}${n === 1 ? "" : "s"}`;
