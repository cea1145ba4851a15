import type { UserError } from "../../../shared/conversation/events.ts";
import type { VoiceTestResult } from "../../../shared/voice/voice-snapshot.ts";
import { SessionSupervisor, type SupervisorOptions } from "../stt/session-supervisor.ts";

/** How long a test listens, from when sound comes; in milliseconds. */
export const testMs = 5000;
/** Under this nobody speaks into the microphone, or it is another one. RMS, 0–1. */
const tooQuiet = 0.01;

export interface VoiceTestOptions extends Omit<SupervisorOptions, "source"> {
  /** The loudest since the test began, RMS 0–1; null where nobody tells. */
  peak(): number | null;
}

/** Listens to the microphone for a while without sending anything. */
export async function testVoice({ peak, ...options }: VoiceTestOptions): Promise<VoiceTestResult> {
  const input = new SessionSupervisor({ ...options, source: "microphone" });
  let over = new AbortController();
  const listenOn = () => {
    over.abort();
    over = new AbortController();
    void options.clock.sleep(testMs, over.signal).then(
      () => input.stop(),
      () => {},
    );
  };
  let flows = false;
  const texts: string[] = [];
  const notices: string[] = [];
  let failure: UserError | null = null;
  for await (const event of input) {
    // What a recogniser takes to begin is not taken from what is heard. Some servers do not tell when they do.
    if (event.type === "opened" || (event.type === "audio_flows" && !flows)) listenOn();
    if (event.type === "audio_flows") flows = true;
    if (event.type === "final") texts.push(event.utterance.text);
    else if (event.type === "notice") notices.push(event.message);
    else if (event.type === "ended") failure = event.failure;
  }
  over.abort();
  return { texts, peak: peak(), notices, failure };
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
