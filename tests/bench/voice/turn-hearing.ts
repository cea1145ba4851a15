import type { RecogniserModel } from "../../../electron/stt-server/recognisers/recogniser.ts";
import { frameSamples, type SttEvent, sampleRateHz } from "../../../shared/voice/stt.ts";
import { hearAll, movableClock, type Step } from "../../integration/stt/stt-in-process.ts";

/** What a speech server said, and when: milliseconds on the clock of the samples. */
export interface HeardEvent {
  atMs: number;
  event: SttEvent;
}

/**
 * All that a session of the speech server says of a recording. Its time goes on with the samples, and nothing else takes any:
 * what it decides is the same on every computer.
 */
export async function hear(
  model: RecogniserModel,
  pcm: Int16Array,
  limits: { endpointing_ms: number; utterance_end_ms: number },
): Promise<HeardEvent[]> {
  const clock = movableClock();
  const startedAt = clock.now();
  const steps: Step[] = [];
  for (let at = 0; at < pcm.length; at += frameSamples) {
    steps.push(() => clock.move((frameSamples * 1000) / sampleRateHz), pcm.subarray(at, at + frameSamples));
  }
  const request = { source: "file", path: "turn.wav", ...limits };
  const events = await hearAll(model, request, () => steps, { clock });
  return events.map((event) => ({ atMs: Date.parse(event.timestamp_utc) - startedAt, event }));
}
