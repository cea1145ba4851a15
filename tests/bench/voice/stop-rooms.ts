import { openFlite } from "../../../electron/voice/tts/flite.ts";
import type { AgentEvent } from "../../../shared/conversation/events.ts";
import { sampleRateHz } from "../../../shared/voice/stt.ts";
import { spread } from "../spread.ts";
import type { Part, PartOptions } from "./part.ts";
import { seeded } from "./recordings.ts";
import type { Room } from "./sound-room.ts";
import { type Canceller, openSpokenRoom, type SpokenRoom, type Synthesise } from "./spoken-room.ts";

const trials = 20;
/** So long after "stop" what became of it is known. */
const knownMs = 5_000;
const earlyKnownMs = 3_000;
/** A stop that comes later is told, and is no stop. */
const wantedMs = 600;
/** Loudness (RMS, 0–1) of who speaks, as that of the reply. */
const nearRms = 0.1;
/** In each room. */
const ownMinutes = 5;

const rooms: Readonly<Record<string, Room>> = {
  headphones: { echoDb: null, tailMs: 0 },
  "-12 dB": { echoDb: -12, tailMs: 0 },
  "-12 dB, tail": { echoDb: -12, tailMs: 200 },
  "-6 dB": { echoDb: -6, tailMs: 0 },
  "-6 dB, tail": { echoDb: -6, tailMs: 200 },
  "0 dB": { echoDb: 0, tailMs: 0 },
  "0 dB, tail": { echoDb: 0, tailMs: 200 },
  "0 dB, slips": { echoDb: 0, tailMs: 0, slipsEveryMs: 4_000 },
};
const stopRoomNames = Object.keys(rooms).filter((name) => !name.endsWith("slips"));
/** Where Parley is heard saying "stop" itself; in the last an echo is never cancelled for long. */
const ownRooms = ["-12 dB", "-6 dB, tail", "0 dB, tail", "0 dB, slips"];

/** Where "stop" is said before anything is known of the echo. */
const earlyRooms = ["-12 dB, tail", "-6 dB, tail", "0 dB, tail", "0 dB, slips"];

/** In the place of the browser's echo cancellation: one that lets nothing through while the loudspeaker sounds … */
const deaf: Canceller = { share: 0, afterMs: 300 };
/** … and one that lets through what a good one does, 40 dB softer, of the whole microphone. */
const leaky: Canceller = { share: 0.01, afterMs: 300 };

/**
 * "Stop" over a reply in rooms that are reckoned, by three synthetic voices at three paces and three heights, as loud as the
 * reply itself: how many of 20 stopped it within 600 ms and for good, after how long (milliseconds of the room's time, from the
 * first sound of "stop" to the pause), and how many became a prompt. The time that computing takes is not in it.
 */
export const stopRooms: Part = (options) => inEach(options, stopRoomNames, deaf, sayStops);

/** Replies that say "stop" and "wait" themselves, ten times in five minutes: how often they stopped themselves. */
export const ownStops: Part = (options) => inEach(options, ownRooms, leaky, sayItself);

async function inEach(
  { tell, room: only }: PartOptions,
  names: readonly string[],
  canceller: Canceller,
  measure: (room: SpokenRoom, tell: (line: string) => void) => Promise<object>,
) {
  const replies = await voiceOfReplies();
  const figures: Record<string, unknown> = {};
  for (const name of names) {
    const room = rooms[name];
    if (!room || (only !== undefined && only !== name)) continue;
    const spoken = await openSpokenRoom(room, canceller, replies);
    const measured = await measure(spoken, (line) => tell(`${name}: ${line}`));
    await spoken.close();
    tell(`${name}: ${JSON.stringify(measured)}`);
    figures[`${measure === sayItself ? "own" : "stop"}, ${name}`] = measured;
  }
  return figures;
}

/**
 * The same in the first two seconds of the first reply of a session. `early`: nothing is known of the echo, each is in a session of
 * an audio page that was just opened; also how often ten first replies that say such words themselves stopped themselves.
 * `again`: in a session after one in which a reply was heard out, by the same microphone.
 */
export const earlyStops: Part = async ({ tell, room: only }) => {
  const replies = await voiceOfReplies();
  const figures: Record<string, unknown> = {};
  for (const name of earlyRooms) {
    const room = rooms[name];
    if (!room || (only !== undefined && only !== name)) continue;
    const ways = { early: newPages(room, replies), again: await laterSessions(room, replies) };
    for (const [way, sessions] of Object.entries(ways)) {
      const says = (line: string) => tell(`${way}, ${name}: ${line}`);
      const measured = {
        ...(await stopEarly(sessions, says)),
        falseStops: await stopItselfEarly(sessions, says),
      };
      await sessions.close();
      says(JSON.stringify(measured));
      figures[`${way}, ${name}`] = measured;
    }
  }
  return figures;
};

/** Sessions that have just begun, one after the other. */
interface Sessions {
  next(): Promise<SpokenRoom>;
  /** The latest is over. */
  end(): Promise<void>;
  close(): Promise<void>;
}

function newPages(room: Room, replies: Synthesise): Sessions {
  let open: SpokenRoom | null = null;
  const end = async () => {
    await open?.close();
    open = null;
  };
  return {
    next: async () => {
      open = await openSpokenRoom(room, leaky, replies);
      return open;
    },
    end,
    close: end,
  };
}

async function laterSessions(room: Room, replies: Synthesise): Promise<Sessions> {
  const spoken = await openSpokenRoom(room, leaky, replies);
  spoken.speech.say("c1", sentences.slice(0, 3).join(" "));
  await spoken.pass(15_000);
  return {
    next: async () => {
      await spoken.restart();
      return spoken;
    },
    end: async () => {
      spoken.speech.stop();
      await spoken.pass(2_500);
    },
    close: () => spoken.close(),
  };
}

async function stopEarly(sessions: Sessions, tell: (line: string) => void) {
  const stops = await stopWords();
  const took: number[] = [];
  let [within, prompts] = [0, 0];
  for (const [trial, said] of stops.entries()) {
    const spoken = await sessions.next();
    const [from, promptsBefore] = [spoken.events.length, spoken.target.texts.length];
    spoken.speech.say("c1", sentences.slice(trial % 4).join(" "));
    await spoken.pass(300 + 90 * trial);
    const watch = watchPauses(spoken, from, spoken.clock.now());
    spoken.sound.say(said.samples);
    await spoken.pass(earlyKnownMs);
    const { pausedAfterMs, isPausedNow } = watch();
    const isStopped = isPausedNow && pausedAfterMs !== null;
    if (isStopped) took.push(pausedAfterMs);
    if (isStopped && pausedAfterMs <= wantedMs) within += 1;
    prompts += spoken.target.texts.length - promptsBefore;
    const became = isStopped ? `after ${Math.round(pausedAfterMs)} ms` : "MISSED";
    tell(`at ${300 + 90 * trial} ms ${said.name}: ${became} ${heardOf(spoken.events.slice(from))}`);
    await sessions.end();
  }
  return {
    within600Ms: within,
    everStopped: took.length,
    of: stops.length,
    afterMs: spread(took),
    wrongPrompts: prompts,
  };
}

/** @returns how many of ten first replies that say "stop" or "wait" stopped themselves */
async function stopItselfEarly(sessions: Sessions, tell: (line: string) => void): Promise<number> {
  let falseStops = 0;
  for (const text of sentencesWithStops) {
    const spoken = await sessions.next();
    const from = spoken.events.length;
    spoken.speech.say("c1", `${text} ${sentences[0]}`);
    for (let waited = 0; waited < 9_000 && spoken.speech.shown()?.state !== "stopped"; waited += 64)
      await spoken.pass(64);
    const events = spoken.events.slice(from);
    const isStopped = events.some(
      (event) =>
        event.type === "speech.interrupted" || (event.type === "speech.state" && event.state === "stopped"),
    );
    if (isStopped) tell(`FALSE STOP in “${text}”: ${heardOf(events)}`);
    falseStops += isStopped ? 1 : 0;
    await sessions.end();
  }
  return falseStops;
}

async function sayStops(room: SpokenRoom, tell: (line: string) => void) {
  const stops = await stopWords();
  const { speech, target } = room;
  const took: number[] = [];
  let [stopped, prompts] = [0, 0];
  // From the first reply on it is known whether the microphone hears the loudspeaker.
  speech.say("c1", sentences.slice(0, 3).join(" "));
  await room.pass(9_000);
  while (speech.shown() !== null) await room.step();
  for (let trial = 0; trial < trials; trial++) {
    const said = stops[trial % stops.length];
    if (!said) throw new Error("Nobody says stop.");
    const from = room.events.length;
    const promptsBefore = target.texts.length;
    speech.say("c1", sentences.slice(trial % 4).join(" "));
    await room.pass(1_500 + 137 * trial);
    const onsetAt = room.clock.now();
    room.sound.say(said.samples);
    const watch = watchPauses(room, from, onsetAt);
    await room.pass(knownMs);
    const { pausedAfterMs, isPausedNow } = watch();
    const isStopped = isPausedNow && pausedAfterMs !== null;
    if (isStopped && pausedAfterMs <= wantedMs) stopped += 1;
    if (isStopped) took.push(pausedAfterMs);
    prompts += target.texts.length - promptsBefore;
    tell(
      `${said.name}: ${isStopped ? `after ${Math.round(pausedAfterMs)} ms` : "MISSED"} ${heardOf(room.events.slice(from))}`,
    );
    speech.stop();
    await room.pass(2_500);
  }
  return {
    within600Ms: stopped,
    everStopped: took.length,
    of: trials,
    afterMs: spread(took),
    wrongPrompts: prompts,
  };
}

async function sayItself(room: SpokenRoom, tell: (line: string) => void) {
  const { speech, target } = room;
  const until = room.clock.now() + ownMinutes * 60_000;
  const texts = [...sentences, ...sentencesWithStops, ...sentences];
  let [falseStops, pauses, sentence] = [0, 0, 0];
  while (room.clock.now() < until) {
    const from = room.events.length;
    const text = texts[sentence++ % texts.length] ?? "";
    speech.say("c1", `${text} ${texts[sentence++ % texts.length]}`);
    await room.pass(200);
    for (let waited = 0; waited < 60_000 && speech.shown() !== null; waited += 64) {
      await room.pass(64);
      if (speech.shown()?.state !== "stopped") continue;
      falseStops += 1;
      tell(`FALSE STOP in “${text}”: ${heardOf(room.events.slice(from))}`);
      speech.goOn();
    }
    const events = room.events.slice(from);
    pauses += events.filter((event) => event.type === "speech.state" && event.state === "paused").length;
    if (events.some((event) => event.type === "speech.interrupted")) {
      falseStops += 1;
      tell(`CUT OFF in “${text}”: ${heardOf(events)}`);
    }
    await room.pass(1_000);
  }
  return { minutes: ownMinutes, falseStops, pausesThatWentOn: pauses, wrongPrompts: target.texts.length };
}

/** @returns what tells when the pause that holds now began; null: it does not */
function watchPauses(room: SpokenRoom, from: number, onsetAt: number) {
  return () => {
    let pausedAt: number | null = null;
    for (const event of room.events.slice(from)) {
      if (event.type !== "speech.state" || event.at < onsetAt) continue;
      pausedAt = event.state === "speaking" ? null : (pausedAt ?? event.at);
    }
    const shown = room.speech.shown();
    return {
      pausedAfterMs: pausedAt === null ? null : pausedAt - onsetAt,
      isPausedNow: shown === null || shown.state === "stopped",
    };
  };
}

function heardOf(events: readonly AgentEvent[]): string {
  return events
    .flatMap((event) =>
      event.type === "voice.utterance"
        ? [`“${event.text}” ${event.rule ?? event.dropped ?? "PROMPT"}`]
        : event.type === "speech.state" && event.state !== "speaking"
          ? [event.state]
          : [],
    )
    .join(", ");
}

interface Said {
  name: string;
  samples: Float64Array;
}

/** The voices that Parley does not speak with by itself first. */
const speakers = ["rms", "awb", "rms", "awb", "kal"] as const;

async function stopWords(): Promise<Said[]> {
  const all: Said[] = [];
  for (let index = 0; index < trials; index++) {
    const voice = speakers[index % speakers.length] ?? "rms";
    const rate = [0.9, 1, 1.15][index % 3] ?? 1;
    const height = [1, 1.12, 0.9, 1][Math.floor(index / 5) % 4] ?? 1;
    const word = index % 4 === 3 ? "Wait." : "Stop.";
    const flite = await openFlite(voice);
    const { pcm, sampleRateHz: rateHz } = await flite.synthesise(word, rate);
    all.push({
      name: `${word} ${voice} ${rate} ${height}`,
      samples: spokenAs(pcm, (rateHz * height) / sampleRateHz),
    });
  }
  return all;
}

/** So many times as fast and high, without the silence before, as loud as a person. */
function spokenAs(pcm: Int16Array, speed: number): Float64Array {
  const first = pcm.findIndex((sample) => Math.abs(sample) > 600);
  const sound = pcm.subarray(Math.max(0, first));
  const samples = Float64Array.from({ length: Math.floor(sound.length / speed) }, (_, index) => {
    const at = index * speed;
    const [one = 0, other = 0] = sound.subarray(Math.floor(at), Math.floor(at) + 2);
    return one + (at % 1) * (other - one);
  });
  const loud = samples.filter((sample) => Math.abs(sample) > 600);
  const rms = Math.sqrt(loud.reduce((sum, one) => sum + one * one, 0) / Math.max(1, loud.length));
  return samples.map((sample) => Math.max(-1, Math.min(1, (sample * nearRms) / rms)));
}

/** The embedded voice; each sentence is made once. */
async function voiceOfReplies(): Promise<Synthesise> {
  const flite = await openFlite("slt");
  const made = new Map<string, Int16Array>();
  return async (text) => {
    const known = made.get(text) ?? (await flite.synthesise(text, 1)).pcm;
    made.set(text, known);
    const rms = Math.sqrt(known.reduce((sum, one) => sum + one * one, 0) / known.length) / 0x8000;
    return known.map((sample) => (sample * nearRms) / rms / 1.6);
  };
}

const random = seeded(5);
const things = [
  "the report",
  "this folder",
  "your question",
  "the next test",
  "that letter",
  "the long list",
];
const thing = () => things[Math.floor(random() * things.length)] ?? "";
const sentences = Array.from(
  { length: 14 },
  (_, index) =>
    `Here is point number ${index + 1} about ${thing()}, and it goes on for a while before it ends.`,
);
const sentencesWithStops = [
  "You can tell the server to stop at any moment and it will keep its files.",
  "The train does not stop there on a Sunday, so take the bus.",
  "If you wait for the second answer the first one is lost.",
  "They had to wait until the evening before the letter came.",
  "Nobody could stop the water from coming into the house.",
  "I would wait a little before I write to them again.",
  "The programs stop when the list is empty and nothing is left.",
  "There is no need to wait for me, just begin with the soup.",
  "A good test must stop at the first mistake and tell you why.",
  "People wait in the long hall and read the news meanwhile.",
];
