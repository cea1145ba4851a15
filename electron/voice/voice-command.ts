import { speechSource } from "../../shared/messages.ts";
import type { Settings } from "../../shared/settings.ts";
import type { Command, CommandAnswer } from "../commands/registry.ts";
import type { VoiceTarget } from "./hearing.ts";
import type { VoiceRuntime } from "./runtime.ts";

export interface VoiceCommandOptions {
  voice: VoiceRuntime;
  target(conversationId: string): VoiceTarget;
  settings(): Settings;
  /** An absolute path from what was typed: relative ones start at the working folder, `~` is the home folder. */
  resolvePath(path: string): string;
}

const usage = "/voice start [microphone | loopback | file PATH [fast]] [--server NAME] · status · stop";

const sourceName = { microphone: "the microphone", loopback: "what this computer plays", file: "a file" };

/** `/voice`: start, status, stop. It answers at once, also while a run is going on. */
export function voiceCommand(options: VoiceCommandOptions): Command {
  return {
    name: "voice",
    usage,
    description: "Listen to the microphone, to what this computer plays, or to a WAV file",
    run: ([action = "status", ...args], { conversationId }) => {
      if (action === "start") return start(options, args, conversationId);
      if (action === "stop") return stop(options);
      if (action === "status" && args.length === 0) return status(options);
      return wrong(`\`/voice ${[action, ...args].join(" ")}\` is not known.`);
    },
  };
}

function start(options: VoiceCommandOptions, given: string[], conversationId: string): CommandAnswer {
  const at = given.indexOf("--server");
  const server = at < 0 ? undefined : given[at + 1];
  if (at >= 0 && server === undefined) return wrong("The server's name is missing.");
  const args = at < 0 ? given : given.toSpliced(at, 2);
  const [word = options.settings()["voice.source"], ...rest] = args;
  const source = speechSource.safeParse(word);
  if (!source.success) return wrong(`There is no source \`${word}\`.`);
  const [path, pace, ...extra] = rest;
  if (source.data === "file" && path === undefined) return wrong("The file is missing.");
  const surplus = source.data === "file" ? extra : rest;
  if (surplus.length > 0) return wrong(`\`${surplus.join(" ")}\` is not known.`);
  if (pace !== undefined && pace !== "fast") return wrong(`\`${pace}\` is not known.`);
  options.voice.start(options.target(conversationId), {
    source: source.data,
    pace,
    server,
    ...(path === undefined ? {} : { path: options.resolvePath(path) }),
  });
  return { output: `Starting to listen to ${sourceName[source.data]}. \`/voice stop\` ends it.` };
}

async function stop({ voice }: VoiceCommandOptions): Promise<CommandAnswer> {
  const before = voice.status();
  if (before.conversationId === null) return { output: "Voice is off already." };
  await voice.stop();
  const { utterances, prompts } = voice.status();
  return {
    output: `Voice is off. Heard ${count(utterances, "utterance")}, sent ${count(prompts, "prompt")}.`,
  };
}

function status({ voice }: VoiceCommandOptions): CommandAnswer {
  const now = voice.status();
  const lines = [
    now.source === null
      ? `Voice is **${now.state}**.`
      : `Voice is **${now.state}** (${sourceName[now.source]}).`,
    now.sessionId ? `- session: \`${now.sessionId}\`` : "",
    `- heard: ${count(now.utterances, "utterance")}, sent: ${count(now.prompts, "prompt")}`,
    now.restarts > 0 ? `- restarts: ${now.restarts}` : "",
    now.lastText === null ? "" : `- last words: “${now.lastText}”`,
    now.lastError ? `- last error: ${now.lastError.message} ${now.lastError.hint ?? ""}` : "",
  ];
  return { output: lines.filter((line) => line !== "").join("\n") };
}

const wrong = (what: string): CommandAnswer => ({ output: `${what} Usage: \`${usage}\``, isError: true });

const count = (n: number, noun: string) => `${n} ${noun}${n === 1 ? "" : "s"}`;
