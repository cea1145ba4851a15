import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  type EndpointAction,
  type EndpointSettings,
  type EndpointState,
  idleSince,
  stepEndpointer,
} from "../../../../electron/stt-server/session/endpointer.ts";
import { phraseOf } from "../../../../electron/stt-server/session/phrase-rule.ts";

const frameMs = 32;
const phraseIn = (text: string) => phraseOf(text, { endCost: null, mayBeEnglish: true });
const settings: EndpointSettings = { endpointingMs: 500, utteranceEndMs: 1000, maxUtteranceMs: 30_000 };

/** Runs the endpointer over frames that are speech or not. @returns its actions with the time of each */
function run(speech: boolean[], text = "open the door", limits = settings) {
  let state: EndpointState = idleSince(0);
  let speechEndMs = 0;
  let onsetMs = 0;
  const actions: (EndpointAction & { atMs: number })[] = [];
  speech.forEach((speaking, index) => {
    const nowMs = (index + 1) * frameMs;
    if (speaking && !speech[index - 1]) onsetMs = nowMs - frameMs;
    if (!speaking && speech[index - 1]) speechEndMs = nowMs - frameMs;
    const stepped = stepEndpointer(
      state,
      { nowMs, speaking, onsetMs, speechEndMs, phrase: phraseIn(text) },
      limits,
    );
    state = stepped.state;
    if (stepped.action) actions.push({ ...stepped.action, atMs: nowMs });
  });
  return actions;
}

const frames = (ms: number, speaking: boolean) => Array<boolean>(Math.ceil(ms / frameMs)).fill(speaking);
const ends = (actions: ReturnType<typeof run>) =>
  actions.flatMap((action) => (action.type === "end" ? [action] : []));

describe("endpointer", () => {
  it("ends an utterance after endpointing_ms of silence", () => {
    const [end] = ends(run([...frames(320, true), ...frames(2000, false)]));
    expect(end).toMatchObject({ reason: "endpoint", startMs: 0, endMs: 320 });
    expect(end?.atMs).toBe(320 + 512);
  });

  it("goes on through a shorter silence", () => {
    const actions = run([
      ...frames(320, true),
      ...frames(450, false),
      ...frames(320, true),
      ...frames(600, false),
    ]);
    expect(ends(actions)).toHaveLength(1);
  });

  it("waits longer after a phrase that plainly goes on, and ends at utterance_end_ms at the latest", () => {
    const speech = [...frames(320, true), ...frames(2000, false)];
    expect(ends(run(speech, "open the door and"))[0]?.atMs).toBe(320 + 928);
    const [late] = ends(run(speech, "open the door and", { ...settings, endpointingMs: 800 }));
    expect(late).toMatchObject({ reason: "utterance_end", atMs: 320 + 1024 });
  });

  it("ends a whole short answer sooner", () => {
    const speech = [...frames(320, true), ...frames(2000, false)];
    expect(ends(run(speech, "yes please"))[0]?.atMs).toBe(320 + 352);
  });

  it("cuts speech without a pause at max_utterance_ms and goes on in a new utterance", () => {
    const actions = run(frames(3200, true), "", { ...settings, maxUtteranceMs: 1000 });
    expect(actions.slice(0, 4)).toMatchObject([
      { type: "start", startMs: 0 },
      { type: "end", reason: "max_length", startMs: 0, endMs: 1000 },
      { type: "start", startMs: 1000 },
      { type: "end", reason: "max_length" },
    ]);
  });

  it("ends at the very moment that a limit is reached", () => {
    const limits = { endpointingMs: 500, utteranceEndMs: 1000, maxUtteranceMs: 3000 };
    const at = (nowMs: number, speaking: boolean, text = "open the door", changed = {}) =>
      stepEndpointer(
        { kind: "utterance", startMs: 0 },
        { nowMs, speaking, onsetMs: 0, speechEndMs: 1000, phrase: phraseIn(text) },
        { ...limits, ...changed },
      ).action;
    expect([at(1499, false), at(1500, false)]).toMatchObject([null, { reason: "endpoint" }]);
    const late = { endpointingMs: 5000 };
    expect([at(1999, false, "and", late), at(2000, false, "and", late)]).toMatchObject([
      null,
      { reason: "utterance_end" },
    ]);
    expect([at(2999, true), at(3000, true)]).toMatchObject([null, { reason: "max_length", endMs: 3000 }]);
  });

  it("says nothing of silence", () => {
    expect(run(frames(60_000, false))).toEqual([]);
  });

  const anySpeech = fc
    .array(fc.tuple(fc.boolean(), fc.integer({ min: 1, max: 60 })), { maxLength: 40 })
    .map((runs) => runs.flatMap(([speaking, length]) => Array<boolean>(length).fill(speaking)));
  const anySettings = fc.record({
    endpointingMs: fc.integer({ min: 100, max: 5000 }),
    utteranceEndMs: fc.integer({ min: 100, max: 5000 }),
    maxUtteranceMs: fc.integer({ min: 1000, max: 20_000 }),
  });
  const anyText = fc.constantFrom("", "yes", "and", "open the door");

  it("never ends later than utterance_end_ms of silence, by more than a frame", () => {
    fc.assert(
      fc.property(anySpeech, anySettings, anyText, (speech, limits, text) => {
        for (const end of ends(run(speech, text, limits))) {
          if (end.reason !== "max_length")
            expect(end.atMs - end.endMs).toBeLessThan(limits.utteranceEndMs + frameMs);
        }
      }),
    );
  });

  it("never makes an utterance longer than max_utterance_ms, nor two that overlap", () => {
    fc.assert(
      fc.property(anySpeech, anySettings, anyText, (speech, limits, text) => {
        let before = 0;
        for (const end of ends(run(speech, text, limits))) {
          expect(end.endMs - end.startMs).toBeLessThanOrEqual(limits.maxUtteranceMs);
          expect(end.startMs).toBeGreaterThanOrEqual(before);
          expect(end.endMs).toBeGreaterThanOrEqual(end.startMs);
          before = end.endMs;
        }
      }),
    );
  });

  it("alternates starts and ends, and every spoken frame is in an utterance", () => {
    fc.assert(
      fc.property(anySpeech, anySettings, anyText, (speech, limits, text) => {
        const actions = run([...speech, ...frames(6000, false)], text, limits);
        expect(actions.map(({ type }) => type)).toEqual(
          actions.map((_, index) => (index % 2 ? "end" : "start")),
        );
        const spoken = speech.filter(Boolean).length * frameMs;
        const covered = ends(actions).reduce((sum, { startMs, endMs }) => sum + endMs - startMs, 0);
        // A cut at max_utterance_ms falls inside a frame: the rest of that frame was fed, but is not counted.
        const cuts = ends(actions).filter(({ reason }) => reason === "max_length").length;
        expect(covered + cuts * frameMs).toBeGreaterThanOrEqual(spoken);
      }),
    );
  });
});
