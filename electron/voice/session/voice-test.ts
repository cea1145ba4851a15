import type { VoiceTestResult } from "../../../shared/voice/voice-panel.ts";
import type { Clock } from "../../agent/ports/ports.ts";
import { Ear } from "../stt/ear.ts";
import type { SttClient } from "../stt/stt-client.ts";

/** How long a test listens. */
export const testMs = 5000;
/** Under this nobody speaks into the microphone, or it is another one. RMS, 0–1. */
const tooQuiet = 0.01;

export interface VoiceTestOptions {
  connect(): Promise<SttClient>;
  startArguments: ConstructorParameters<typeof Ear>[0]["startArguments"];
  clock: Clock;
  /** The loudest since the test began, RMS 0–1; null where nobody tells. */
  peak(): number | null;
}

/** Listens to the microphone for a while without sending anything. */
export async function testVoice({
  connect,
  startArguments,
  clock,
  peak,
}: VoiceTestOptions): Promise<VoiceTestResult> {
  const texts: string[] = [];
  const notices: string[] = [];
  const nothing = () => {};
  const ear = new Ear({
    source: "microphone",
    connect,
    startArguments,
    clock,
    events: {
      onEvent: nothing,
      onState: nothing,
      onOnset: nothing,
      onPartial: nothing,
      onFinal: (_, { text }) => texts.push(text),
      onNothing: nothing,
      onGap: nothing,
      onNotice: (_, message) => notices.push(message),
      onAside: nothing,
      onWake: nothing,
      onTalk: nothing,
    },
  });
  const over = new AbortController();
  const patience = clock.sleep(testMs, over.signal).catch(() => {});
  const ended = await Promise.race([ear.done, patience.then(() => null)]);
  over.abort();
  await ear.stop();
  return { texts, peak: peak(), notices, failure: ended };
}

/** The result in words. */
export function describeTest({ texts, peak, notices, failure }: VoiceTestResult): string {
  if (failure) return `The test failed: ${failure.message}${failure.hint ? ` ${failure.hint}` : ""}`;
  const heard =
    texts.length > 0 ? `Heard: ${texts.map((text) => `“${text}”`).join(", ")}.` : "Heard no words.";
  return [heard, ...(peak === null ? [] : [describeLevel(peak)]), ...notices].join(" ");
}

function describeLevel(peak: number): string {
  const dB = peak > 0 ? `${Math.round(20 * Math.log10(peak))} dB` : "silence";
  const advice = peak < tooQuiet ? ": very quiet, check the microphone (`/voice devices`)" : "";
  return `Loudest: ${dB}${advice}.`;
}
