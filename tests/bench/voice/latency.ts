import { clipSamples, sampleRateHz, silence, writeWav } from "../../e2e/support/machine/audio.ts";
import { spread } from "../spread.ts";
import { speechIs, startApp, voiceIs } from "./app.ts";
import type { Part } from "./part.ts";
import { speechEnds } from "./recordings.ts";

/** Five recordings each: of fewer than 20 figures the 95th percentile would be the worst one. */
const leastRounds = 5;

/**
 * How long a spoken prompt takes on its way, in the real app against the fake model server, on this machine's clock.
 * Each recording is played at real-time pace as a `file` source, whose samples are the session's own clock: speech
 * ends at the arrival of sample 0 plus the clip's last sample of speech (the fixtures' table); the request is its
 * first byte at the server. The reply is said aloud: from the end of its first sentence's text to its first sound.
 */
export const latency: Part = async ({ rounds, tell }) => {
  const app = await startApp();
  const figures = {
    finalToRequestMs: [] as number[],
    speechEndToFinalMs: [] as number[],
    speechEndToRequestMs: [] as number[],
    timeToFirstAudioMs: [] as number[],
  };
  for (let round = 0; round < Math.max(rounds, leastRounds); round++) {
    for (const [name, end] of Object.entries(speechEnds)) {
      const path = writeWav(clipSamples(name), silence(2500));
      const from = app.events.length;
      const requests = app.model.count;
      await app.send(`/voice start file ${path}`);
      const heard = await app.next(from, (event) => (event.type === "voice.utterance" ? event : undefined));
      const request = await app.model.requested(requests + 1);
      await app.next(from, voiceIs("off"));
      const spoken = await app.next(from, speechIs("speaking"));
      // Enough was heard.
      await app.send("/say");
      await app.next(from, speechIs("silent"));
      const { audioStartedAt, finalAt } = heard.timing;
      if (audioStartedAt === null || finalAt === null || spoken.firstAudioMs === undefined)
        throw new Error("No times were told.");
      const speechEndAt = audioStartedAt + (end * 1000) / sampleRateHz;
      figures.timeToFirstAudioMs.push(spoken.firstAudioMs);
      figures.finalToRequestMs.push(request.atMs - finalAt);
      figures.speechEndToFinalMs.push(finalAt - speechEndAt);
      figures.speechEndToRequestMs.push(request.atMs - speechEndAt);
      tell(
        `${name}: ${heard.text} (${Math.round(request.atMs - speechEndAt)} ms, of them ${Math.round(request.atMs - finalAt)} after the final; first sound after ${spoken.firstAudioMs} ms)`,
      );
    }
  }
  await app.close();
  return {
    finalToRequestMs: spread(figures.finalToRequestMs),
    speechEndToFinalMs: spread(figures.speechEndToFinalMs),
    speechEndToRequestMs: spread(figures.speechEndToRequestMs),
    timeToFirstAudioMs: spread(figures.timeToFirstAudioMs),
  };
};
