import { appendFileSync } from "node:fs";
import { InMemoryTransport } from "@modelcontextprotocol/sdk/inMemory.js";
import { recorderInputs } from "../../../../electron/stt-server/audio/audio-inputs.ts";
import { systemClock } from "../../../../electron/stt-server/clock.ts";
import { serveClient } from "../../../../electron/stt-server/server.ts";
import { processSessions } from "../../../../electron/stt-server/session/process-sessions.ts";
import { startArguments } from "../../../../electron/voice/stt/start-arguments.ts";
import type { AgentEvent } from "../../../../shared/conversation/events.ts";
import { defaultSettings } from "../../../../shared/settings.ts";
import { sampleRateHz, writeWav } from "../../../e2e/support/machine/audio.ts";
import { type Final, finalsOf, SttClient } from "../../../integration/stt/stt-client.ts";
import { startApp, voiceIs } from "../app.ts";
import type { Recording } from "./recording.ts";
import type { SoundFile } from "./sounds.ts";

type Utterance = Extract<AgentEvent, { type: "voice.utterance" }>;

export interface HeardUtterance<Sound extends SoundFile> {
  utterance: Utterance;
  /** What it was heard in. */
  sound: Sound;
  /** It, or a prompt that it went on with, is sent to the model. */
  isPrompt: boolean;
}

/** A sound's edge may be heard a little elsewhere, in milliseconds. */
const slackMs = 200;

/**
 * What the app hears of a recording, played as fast as it goes: a fresh app, with the settings it comes with, but for replies,
 * which it does not speak.
 */
export async function heardIn<Sound extends SoundFile>({
  samples,
  slots,
}: Recording<Sound>): Promise<HeardUtterance<Sound>[]> {
  const app = await startApp({ settings: { "voice.speak": "never" } });
  app.model.answerUnmarked('[[script:text {"text": "Yes."}]]');
  const from = app.events.length;
  await app.send(`/voice start file ${writeWav(samples)} fast`);
  await app.next(from, voiceIs("off"));
  const utterances = app.events
    .slice(from)
    .flatMap((event) => (event.type === "voice.utterance" ? [event] : []));
  await app.close();
  return utterances.map((utterance) => {
    const endMs = utterance.timing.speechEndMs;
    if (endMs === null) throw new Error(`Nobody knows when “${utterance.text}” was said.`);
    const slot = slots.findLast((one) => (one.from * 1000) / sampleRateHz - slackMs < endMs);
    if (!slot) throw new Error(`“${utterance.text}” was heard before the first sound.`);
    return { utterance, sound: slot.sound, isPrompt: utterance.dropped === undefined };
  });
}

/** Writes each utterance of a recording into `path` as a line of JSON: what the app made of it, and all that the speech server says of it. */
export async function writeSigns<Sound extends SoundFile>(
  path: string,
  part: string,
  { samples }: Recording<Sound>,
  heard: readonly HeardUtterance<Sound>[],
): Promise<void> {
  const finals = await serverFinals(writeWav(samples));
  for (const { utterance, sound, isPrompt } of heard) {
    const { text, confidence, rule, dropped, readings, timing } = utterance;
    const server = finals.find((final) => final.end_ms === timing.speechEndMs);
    const line = { part, sound, isPrompt, text, confidence, rule, dropped, readings, server };
    appendFileSync(path, `${JSON.stringify(line)}\n`);
  }
}

/** The speech server's own words for all utterances, started as the app starts it. */
async function serverFinals(path: string): Promise<Final[]> {
  const sessions = processSessions(recorderInputs(systemClock), systemClock, fetch);
  const [clientEnd, serverEnd] = InMemoryTransport.createLinkedPair();
  await serveClient(sessions, serverEnd);
  const stt = await SttClient.connect(clientEnd);
  const start = startArguments({ source: "file", path, pace: "fast" }, "file", defaultSettings);
  const finals = finalsOf(await stt.transcribe(path, start));
  await stt.close();
  return finals;
}
