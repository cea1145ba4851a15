import type { Settings } from "../../../shared/settings.ts";
import { type SttEvent, sttEvent } from "../../../shared/voice/stt.ts";
import type { SttClient } from "../../voice/stt/stt-client.ts";
import type { Check, Finding } from "./run-check.ts";

/** A speech server that was started for the checks. */
export interface HearingParts {
  client: Pick<SttClient, "startSession" | "getUpdates" | "stopSession">;
  /** @returns ends it */
  onLevel(listener: (sessionId: string, level: number) => void): () => void;
}

export interface HearingChecksOptions {
  settings(): Settings;
  /** A started speech server. */
  parts(): Promise<HearingParts>;
  /** Has the system ask for the microphone, where it does. @throws Error in words */
  allowMicrophone(): Promise<void>;
  /** A WAV file of somebody who says `fixtureWords`. */
  fixture(): Promise<string>;
  platform: NodeJS.Platform;
}

/** What the fixture says. */
export const fixtureWords = "he was not an ill disposed young man";

/** So long the microphone is heard, in milliseconds. */
const listenMs = 300;
/** Starting the server and loading its model takes a busy computer this long, in milliseconds. A missing device fails at once. */
const hearingLimitMs = 60_000;

/** Whether the microphone and the computer's sound give frames, and whether the recogniser hears words. */
export function hearingChecks(options: HearingChecksOptions): Check[] {
  return [
    {
      name: "microphone",
      limitMs: hearingLimitMs,
      look: async (signal) => {
        await options.allowMicrophone();
        return await listen("microphone", options, signal);
      },
      todo: "Plug a microphone in and choose it in the system's sound settings.",
    },
    {
      name: "loopback",
      limitMs: hearingLimitMs,
      look: async (signal) => {
        try {
          return await listen("loopback", options, signal);
        } catch (error) {
          // Nobody needs it but for meetings.
          const found = error instanceof Error ? error.message : String(error);
          return { state: "limited", found, todo: loopbackTodo(options.platform) };
        }
      },
      todo: loopbackTodo(options.platform),
    },
    {
      name: "recogniser",
      limitMs: 40_000,
      look: (signal) => recognise(options, signal),
      todo: "Choose another speech model in the voice panel.",
    },
  ];
}

const loopbackTodo = (platform: NodeJS.Platform): string =>
  platform === "linux"
    ? "Meetings need PulseAudio or PipeWire: sudo apt-get install pipewire-pulse pulseaudio-utils"
    : "Meetings need the system's permission to record its sound: look in its privacy settings.";

/** Opens the source for a moment. @throws SttError where it cannot be opened */
async function listen(
  source: "microphone" | "loopback",
  { settings, parts }: HearingChecksOptions,
  signal: AbortSignal,
): Promise<Finding> {
  const { client, onLevel } = await parts();
  const { "voice.microphone": device } = settings();
  const levels: number[] = [];
  /** Other checks have sessions, too: before this one has an id, nothing that is heard is known to be its own. */
  let sessionId: string | null = null;
  let end = () => {};
  const heardEnough = new Promise<void>((resolve) => {
    let firstAt: number | null = null;
    end = onLevel((id, level) => {
      if (id !== sessionId) return;
      firstAt ??= performance.now();
      levels.push(level);
      if (performance.now() - firstAt >= listenMs) resolve();
    });
    signal.addEventListener("abort", () => resolve());
  });
  try {
    const started = await client.startSession({
      source,
      ...(source === "microphone" && device !== "" && { mic_device_id: device }),
    });
    sessionId = started.session_id;
    const failure = failureOf(client, sessionId, signal);
    const why = await Promise.race([heardEnough.then(() => null), failure]);
    if (why !== null) throw new Error(why);
    const name = started.mic_device_name ?? "The source";
    const peak = Math.max(...levels);
    if (source === "loopback") return { state: "ok", found: `${name} is heard.` };
    if (peak > 0) return { state: "ok", found: `${name} is heard; loudest ${inDecibels(peak)}.` };
    return {
      state: "limited",
      found: `${name} gives nothing but silence.`,
      todo: "Look whether it is muted, or choose another one.",
    };
  } finally {
    end();
    if (sessionId !== null) await client.stopSession(sessionId).catch(() => {});
  }
}

const inDecibels = (level: number) => `${Math.round(20 * Math.log10(level))} dB`;

/** Resolves with the reason when the session ends by itself. */
async function failureOf(
  client: HearingParts["client"],
  sessionId: string,
  signal: AbortSignal,
): Promise<string> {
  let why = "It ended by itself.";
  for await (const event of eventsOf(client, sessionId, signal))
    if (event.type === "error") why = event.message;
  return signal.aborted ? "It was ended." : why;
}

async function recognise(options: HearingChecksOptions, signal: AbortSignal): Promise<Finding> {
  const { client } = await options.parts();
  const { "voice.model": model, "voice.language": language } = options.settings();
  const { session_id: sessionId } = await client.startSession({
    source: "file",
    path: await options.fixture(),
    pace: "fast",
    language,
    ...(model !== "" && { model }),
  });
  const texts: string[] = [];
  let failure: string | null = null;
  try {
    for await (const event of eventsOf(client, sessionId, signal)) {
      if (event.type === "utterance_final") texts.push(event.text);
      if (event.type === "error") failure = event.message;
    }
  } finally {
    await client.stopSession(sessionId).catch(() => {});
  }
  if (failure !== null) throw new Error(failure);
  return heard(texts.join(" "), language);
}

/** What is thought of the words. Only of English it can be said whether they are right. */
export function heard(text: string, language: string): Finding {
  const words = new Set(text.toLowerCase().split(/[^a-z']+/));
  const wanted = fixtureWords.split(" ");
  const right = wanted.filter((word) => words.has(word)).length;
  if (text !== "" && !language.startsWith("en")) {
    return {
      state: "ok",
      found: "It hears speech. Its test sentence is English, so its words were not compared.",
    };
  }
  const found = text === "" ? "It heard no words." : `It heard ${right} of ${wanted.length} words right.`;
  if (right >= wanted.length / 2) return { state: "ok", found };
  return { state: "failed", found, todo: "Choose another speech model in the voice panel." };
}

/** All events of a session until it is over. */
async function* eventsOf(
  client: HearingParts["client"],
  sessionId: string,
  signal: AbortSignal,
): AsyncGenerator<SttEvent> {
  let since = 0;
  while (!signal.aborted) {
    const answer = await client.getUpdates(
      { session_id: sessionId, since_seq: since, limit: 100, wait_ms: 2_000 },
      signal,
    );
    for (const raw of answer.events) {
      const event = sttEvent.safeParse(raw);
      if (!event.success) continue;
      since = Math.max(since, event.data.seq);
      yield event.data;
    }
    const isOver = answer.status === "stopped" || answer.status === "failed";
    if (isOver && answer.events.length === 0) return;
  }
}
