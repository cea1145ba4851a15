import type { AgentEvent } from "../../../shared/conversation/events.ts";
import { sampleRateHz, writeWav } from "../../e2e/support/machine/audio.ts";
import { startApp, voiceIs } from "./app.ts";
import { type Part, percent } from "./part.ts";
import { type PausedRecording, pausedRecordings } from "./recordings.ts";

/** A model of the cloud says its first word after about this. */
const firstTokenMs = 500;
/** How far from a pause's beginning an utterance may end to be ended by it: a word before it may fade early. */
const slackMs = 400;

/**
 * How often a speaker who stops to think is taken to have finished: recordings with pauses of 300–900 ms in
 * mid-sentence, played at their own pace in the real app. A pause is lost when a reply was shown or a tool ran before
 * the speaker went on, and also when the words after it became a prompt of their own; fragments that were merged are
 * saved.
 */
export const endpoints: Part = async ({ rounds, tell }) => {
  const app = await startApp({ settings: { "voice.speak": "never" } });
  app.model.answerAfter(firstTokenMs);
  let pauses = 0;
  let lost = 0;
  let ended = 0;
  for (const recording of pausedRecordings(rounds)) {
    const from = app.events.length;
    await app.send(`/voice start file ${writeWav(recording.samples)}`);
    await app.next(from, voiceIs("off"));
    await app.next(from, idleAfter(app.events, from));
    const verdicts = judge(recording, app.events.slice(from));
    pauses += verdicts.length;
    lost += verdicts.filter(({ isLost }) => isLost).length;
    ended += verdicts.filter(({ isEnded }) => isEnded).length;
    for (const { ms, isEnded, isLost, text } of verdicts) {
      const became = isLost ? "LOST" : isEnded ? "merged" : "waited for";
      tell(`${recording.name}: ${Math.round(ms)} ms after “${text}”: ${became}`);
    }
  }
  await app.close();
  tell(`${ended} of ${pauses} pauses ended an utterance, ${lost} were lost`);
  return { falseEndpoint: percent(lost, pauses) };
};

/** Says when the last run that was begun has ended. */
function idleAfter(events: readonly AgentEvent[], from: number) {
  return (): true | undefined => {
    const seen = events.slice(from);
    const count = (type: AgentEvent["type"]) => seen.filter((event) => event.type === type).length;
    const prompts = count("input.queued");
    return prompts > 0 && count("run.ended") >= prompts ? true : undefined;
  };
}

function judge({ pauses }: PausedRecording, events: readonly AgentEvent[]) {
  const utterances = events.flatMap((event) => (event.type === "voice.utterance" ? [event] : []));
  const shown = events.flatMap(({ type, at }) =>
    type === "text.delta" || type === "tool.started" ? [at] : [],
  );
  const startedAt = utterances[0]?.timing.audioStartedAt;
  if (startedAt === null || startedAt === undefined) throw new Error("No times were told.");
  const toMs = (samples: number) => (samples * 1000) / sampleRateHz;
  return pauses.map((pause) => {
    const [fromMs, toMs_] = [toMs(pause.from), toMs(pause.to)];
    const index = utterances.findIndex(({ timing: { speechEndMs } }) => {
      return speechEndMs !== null && speechEndMs > fromMs - slackMs && speechEndMs < toMs_;
    });
    const wasShown = shown.some((at) => at >= startedAt + fromMs && at < startedAt + toMs_);
    const next = utterances[index + 1];
    const isEnded = index >= 0;
    return {
      ms: toMs_ - fromMs,
      isEnded,
      isLost: wasShown || (isEnded && next !== undefined && next.rule !== "merged"),
      text: utterances[index]?.text ?? "…",
    };
  });
}
