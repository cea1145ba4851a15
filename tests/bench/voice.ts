import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { AgentEvent } from "../../shared/events.ts";
import { sampleRateHz } from "../../shared/stt.ts";
import { clipSamples, silence } from "../e2e/support/audio.ts";
import { launchParley } from "../e2e/support/launch.ts";
import { createModelServer } from "../fakes/model-server/model-server.ts";
import { makeWav } from "../fixtures/audio/make-wav.ts";
import { spread } from "./spread.ts";

// npm run bench -- voice [--rounds N] [--json]
// How long a spoken prompt takes on its way, in the real app against the fake model server, on this machine's clock.
// Each recording is played at real-time pace as a `file` source, whose samples are the session's own clock: speech
// ends at the arrival of sample 0 plus the clip's last sample of speech (the fixtures' table); the request is its
// first byte at the server. The reply is said aloud: from the end of its first sentence's text to its first sound.
const argument = (name: string) => process.argv[process.argv.indexOf(name) + 1];
const rounds = process.argv.includes("--rounds") ? Number(argument("--rounds")) : 3;
const asJson = process.argv.includes("--json");

const ends: Record<string, number> = JSON.parse(
  readFileSync(join(import.meta.dirname, "../fixtures/audio/speech-ends.json"), "utf8"),
);
const folder = mkdtempSync(join(tmpdir(), "parley-bench-"));
const model = await createModelServer();
const parley = await launchParley({
  env: { ANTHROPIC_BASE_URL: model.url, ANTHROPIC_API_KEY: "bench" },
});
const { page } = parley;
await page.getByTestId("composer").waitFor();

declare global {
  interface Window {
    benchEvents(events: AgentEvent[]): Promise<void>;
  }
}

/** Everything that the window was told, as it was told. */
const events: AgentEvent[] = [];
const waiting = new Set<() => void>();
await page.exposeFunction("benchEvents", (batch: AgentEvent[]) => {
  events.push(...batch);
  for (const look of [...waiting]) look();
});
await page.evaluate(() => {
  window.parley.onPush((push) => {
    if (push.type === "events") void window.benchEvents(push.events);
  });
});
/** What `pick` makes of the first event after `from` that it takes. */
const next = <T>(from: number, pick: (event: AgentEvent) => T | undefined) =>
  new Promise<T>((resolve) => {
    const look = () => {
      for (const event of events.slice(from)) {
        const picked = pick(event);
        if (picked === undefined) continue;
        waiting.delete(look);
        resolve(picked);
        return;
      }
    };
    waiting.add(look);
    look();
  });

const figures = {
  finalToRequestMs: [] as number[],
  speechEndToFinalMs: [] as number[],
  speechEndToRequestMs: [] as number[],
  timeToFirstAudioMs: [] as number[],
};
for (let round = 0; round < rounds; round++) {
  for (const [name, end] of Object.entries(ends)) {
    const path = join(folder, `${name}.wav`);
    writeFileSync(path, makeWav([...clipSamples(name), ...silence(2500)]));
    const from = events.length;
    const requests = model.requests.length;
    await page.getByTestId("composer").fill(`/voice start file ${path}`);
    await page.getByTestId("composer").press("Enter");
    const heard = await next(from, (event) => (event.type === "voice.utterance" ? event : undefined));
    const request = await model.requested(requests + 1);
    await next(from, (event) => (event.type === "voice.state" && event.state === "off" ? true : undefined));
    const firstAudioMs = await next(from, (event) =>
      event.type === "speech.state" ? event.firstAudioMs : undefined,
    );
    figures.timeToFirstAudioMs.push(firstAudioMs);
    await next(from, (event) =>
      event.type === "speech.state" && event.state === "silent" ? true : undefined,
    );
    const { audioStartedAt, finalAt } = heard.timing;
    if (audioStartedAt === null || finalAt === null) throw new Error("The speech server told no times.");
    const speechEndAt = audioStartedAt + (end * 1000) / sampleRateHz;
    figures.finalToRequestMs.push(request.atMs - finalAt);
    figures.speechEndToFinalMs.push(finalAt - speechEndAt);
    figures.speechEndToRequestMs.push(request.atMs - speechEndAt);
    if (!asJson)
      console.log(
        `${name}: ${heard.text} (${Math.round(request.atMs - speechEndAt)} ms, of them ${Math.round(request.atMs - finalAt)} after the final)`,
      );
  }
}
console.log(
  JSON.stringify({
    finalToRequestMs: spread(figures.finalToRequestMs),
    speechEndToFinalMs: spread(figures.speechEndToFinalMs),
    speechEndToRequestMs: spread(figures.speechEndToRequestMs),
    timeToFirstAudioMs: spread(figures.timeToFirstAudioMs),
  }),
);
await parley.close();
await model.close();
