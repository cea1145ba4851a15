import type { VoiceSource } from "../../../shared/conversation/messages.ts";
import { voiceSource } from "../../../shared/conversation/messages.ts";
import type { VoiceStart } from "../session/voice-state.ts";

/** What may follow `/voice start`, for people. */
export const startUsage =
  "/voice start [microphone | loopback | both | file PATH [fast]] [--mic-device-name NAME] [--mic-device-id ID] [--endpointing-ms 100–10000] [--utterance-end-ms 100–20000] [--language CODE] [--server NAME]";

/**
 * Reads the words after `/voice start`.
 * @param path makes what was typed an absolute path
 * @returns what to start, or one line that says what is wrong and what is allowed
 */
export function readStartOptions(
  words: readonly string[],
  defaultSource: VoiceSource,
  path: (typed: string) => string,
): { start: VoiceStart } | { wrong: string } {
  const plain: string[] = [];
  const options: Partial<VoiceStart> = {};
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? "";
    if (!word.startsWith("--")) {
      plain.push(word);
      continue;
    }
    const [name = "", given] = splitOption(word);
    const option = allowed[name];
    if (!option) return { wrong: `There is no option \`${name}\`. The options are ${names.join(", ")}.` };
    const value = given ?? words[++at];
    if (value === undefined || value.trim() === "" || (given === undefined && value.startsWith("--"))) {
      return { wrong: `\`${name}\` needs a value: ${option.takes}.` };
    }
    const read = option.read(value);
    if (!read) return { wrong: `\`${name} ${value}\` is not allowed: ${option.takes}.` };
    Object.assign(options, read);
  }
  const [word = defaultSource, ...rest] = plain;
  const source = voiceSource.safeParse(word);
  if (!source.success) {
    return { wrong: `There is no source \`${word}\`. The sources are ${voiceSource.options.join(", ")}.` };
  }
  if (source.data !== "file") {
    return rest.length > 0
      ? { wrong: `\`${rest.join(" ")}\` is not known after \`${source.data}\`.` }
      : { start: { source: source.data, ...options } };
  }
  const [file, pace, ...extra] = rest;
  if (file === undefined) return { wrong: "The file is missing: `/voice start file PATH`." };
  const surplus = pace === undefined || pace === "fast" ? extra : [pace, ...extra];
  if (surplus.length > 0) {
    return { wrong: `\`${surplus.join(" ")}\` is not known after the file. Only \`fast\` may follow.` };
  }
  return { start: { source: "file", path: path(file), ...(pace === "fast" && { pace }), ...options } };
}

interface Option {
  takes: string;
  /** null: not allowed. */
  read(value: string): Partial<VoiceStart> | null;
}

const allowed: Record<string, Option> = {
  "--mic-device-name": { takes: "part of a device's name", read: (deviceName) => ({ deviceName }) },
  "--mic-device-id": { takes: "an id from `/voice devices`", read: (deviceId) => ({ deviceId }) },
  "--endpointing-ms": milliseconds(100, 10_000, (endpointingMs) => ({ endpointingMs })),
  "--utterance-end-ms": milliseconds(100, 20_000, (utteranceEndMs) => ({ utteranceEndMs })),
  "--language": {
    takes: "a language's code, such as en or de, or auto",
    read: (language) => (/^auto$|^[a-z]{2,3}(-[a-z0-9]{2,8})*$/i.test(language) ? { language } : null),
  },
  "--server": { takes: "the name of a configured MCP server", read: (server) => ({ server }) },
};
const names = Object.keys(allowed);

function milliseconds(least: number, most: number, of: (ms: number) => Partial<VoiceStart>): Option {
  return {
    takes: `whole milliseconds from ${least} to ${most}`,
    read: (value) => {
      const ms = /^\d+$/.test(value) ? Number(value) : Number.NaN;
      return ms >= least && ms <= most ? of(ms) : null;
    },
  };
}

/** `--name=value` as well as `--name value`. */
function splitOption(word: string): [name: string, value?: string] {
  const at = word.indexOf("=");
  return at < 0 ? [word] : [word.slice(0, at), word.slice(at + 1)];
}
