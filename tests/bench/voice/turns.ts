import { defaultSettings } from "../../../shared/settings.ts";
import { sampleRateHz } from "../../../shared/voice/stt.ts";
import { embeddedModel } from "../../integration/stt/stt-in-process.ts";
import { spread } from "../spread.ts";
import { type Part, percent } from "./part.ts";
import { hear } from "./turn-hearing.ts";
import { fixtureFolder, type Turn, turnsOf } from "./turn-recordings.ts";
import { takeTurn } from "./turn-taking.ts";

/** Turns with pauses that were put in or stretched, of each set. */
const count = 110;
/** How long models take to say their first word, in milliseconds. */
const firstTokensMs = [300, 600, 1000];
/** As `endpoints`: an utterance may end so much before a pause that ended it. */
const slackMs = 400;

/**
 * Whether who thinks aloud is cut off: turns of real speech of one sentence each, with pauses of 300–900 ms in
 * mid-sentence, through the production recogniser, endpointer and router on the clock of the samples. `cutRaw`: of 100
 * turns those in which a pause ended an utterance. `cut`, for a model whose first word comes so many milliseconds after each request: those of which
 * something was shown before the end, or that became more than one prompt. `wait…`: after the last sound of a turn, until
 * its request and until something of its reply is shown. With --dir also the recordings of another folder, as the set that rules were tuned on.
 */
export const turns: Part = async ({ tell, folder }) => {
  const folders = [fixtureFolder, ...(folder === undefined ? [] : [folder])];
  const model = await embeddedModel();
  const usual = await judge(model, await turnsOf(folders, count, { from: 300, to: 900 }), tell);
  const long = await judge(model, await turnsOf(folders, 40, { from: 900, to: 1500 }), tell);
  model.dispose();
  const figures: Record<string, unknown> = {};
  for (const set of ["test", "tune"] as const) {
    const own = usual.filter(({ turn }) => turn.set === set);
    if (own.length === 0) continue;
    figures[set] = {
      ...summary(own),
      bySource: Object.fromEntries(
        [...new Set(own.map(({ turn }) => turn.source))].map((source) => [
          source,
          cuts(own.filter(({ turn }) => turn.source === source)),
        ]),
      ),
      pausesOf900To1500: cuts(long.filter(({ turn }) => turn.set === set)),
    };
  }
  return { turns: figures };
};

type Judged = Awaited<ReturnType<typeof judge>>[number];

async function judge(model: Parameters<typeof hear>[0], all: readonly Turn[], tell: (line: string) => void) {
  const limits = {
    endpointing_ms: defaultSettings["voice.endpointingMs"],
    utterance_end_ms: defaultSettings["voice.utteranceEndMs"],
  };
  const judged = [];
  for (const turn of all) {
    const heard = await hear(model, turn.pcm, limits);
    const finals = heard.flatMap(({ event }) => (event.type === "utterance_final" ? [event] : []));
    const endMs = toMs(turn.end);
    const endedAt = turn.pauses.filter((pause) =>
      finals.some(({ end_ms }) => {
        const ended = end_ms ?? 0;
        return ended > toMs(pause.from) - slackMs && ended < toMs(pause.to);
      }),
    );
    const taken = firstTokensMs.map((firstTokenMs) => {
      const { shownAtMs, requestedAtMs, requests } = takeTurn(heard, firstTokenMs);
      const isCut = shownAtMs.length !== 1 || shownAtMs.some((ms) => ms < endMs);
      return {
        isCut,
        requests,
        toRequestMs: (requestedAtMs ?? Number.NaN) - endMs,
        toShownMs: (shownAtMs.at(-1) ?? Number.NaN) - endMs,
      };
    });
    judged.push({
      turn,
      isCutRaw: finals.length > 1 || endedAt.length > 0,
      taken,
      pauses: turn.pauses.length,
    });
    const pauses = turn.pauses.map((p) => `${p.kind} ${Math.round(toMs(p.to - p.from))}`).join(", ");
    const cut = firstTokensMs.filter((_, index) => taken[index]?.isCut);
    const texts = finals.map(({ text }) => text).join(" | ");
    tell(
      `${turn.set} ${turn.name} (${pauses}): ${texts}${cut.length > 0 ? `  CUT at ${cut.join(", ")}` : ""}  request after ${Math.round(taken[0]?.toRequestMs ?? 0)}, shown after ${taken.map(({ toShownMs }) => Math.round(toShownMs)).join(", ")}`,
    );
  }
  return judged;
}

function cuts(judged: readonly Judged[]) {
  return {
    turns: judged.length,
    pauses: judged.flatMap(({ turn }) => turn.pauses).length,
    cutRaw: percent(judged.filter(({ isCutRaw }) => isCutRaw).length, judged.length),
    cut: byModel((index) => percent(judged.filter(({ taken }) => taken[index]?.isCut).length, judged.length)),
  };
}

function summary(judged: readonly Judged[]) {
  const of = (index: number, pick: "toRequestMs" | "toShownMs" | "requests") =>
    judged.flatMap(({ taken }) => taken[index]?.[pick] ?? []);
  return {
    ...cuts(judged),
    waitForRequestMs: spread(of(0, "toRequestMs")),
    waitForReplyMs: byModel((index) => spread(of(index, "toShownMs"))),
    requestsPerTurn: byModel(
      (index) => Math.round((100 * of(index, "requests").reduce((a, b) => a + b, 0)) / judged.length) / 100,
    ),
  };
}

const byModel = <T>(of: (index: number) => T) =>
  Object.fromEntries(firstTokensMs.map((ms, index) => [`after${ms}`, of(index)]));

const toMs = (samples: number) => (samples * 1000) / sampleRateHz;
