import { parseArgs } from "node:util";
import { bargeIn, echoStop } from "./voice/barge-in.ts";
import { endpoints } from "./voice/endpoints.ts";
import { latency } from "./voice/latency.ts";
import type { Part } from "./voice/part.ts";
import { phantom } from "./voice/phantom.ts";
import { earlyStops, ownStops, stopRooms } from "./voice/stop-rooms.ts";
import { turns } from "./voice/turns.ts";
import { words } from "./voice/words.ts";

// npm run bench -- voice [PART …] [--rounds N] [--dir D] [--room NAME] [--signs FILE] [--json]
// Parts: latency, endpoints, turns, barge-in, phantom, words; none named: all, one after the other, over half an hour. Each
// says at its head what it measures and how. Of barge-in only "stop" beside a loudspeaker: echo-stop; in rooms that are
// reckoned: stop-rooms, own-stops, early-stops.
const whole: Readonly<Record<string, Part>> = {
  latency,
  endpoints,
  turns,
  "barge-in": bargeIn,
  phantom,
  words,
};
const parts: Readonly<Record<string, Part>> = {
  ...whole,
  "echo-stop": echoStop,
  "stop-rooms": stopRooms,
  "own-stops": ownStops,
  "early-stops": earlyStops,
};
const { values, positionals: named } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: "string", default: "3" },
    dir: { type: "string" },
    room: { type: "string" },
    signs: { type: "string" },
    json: { type: "boolean", default: false },
  },
});
const { dir: folder, room, signs, json: asJson } = values;
const rounds = Number(values.rounds);
const unknown = named.find((name) => !(name in parts));
if (unknown !== undefined) {
  console.error(`There is no part "${unknown}". There are ${Object.keys(parts).join(", ")}.`);
  process.exit(1);
}

const figures: Record<string, unknown> = {};
for (const [name, part] of Object.entries(named.length === 0 ? whole : parts)) {
  if (named.length > 0 && !named.includes(name)) continue;
  const measured = await part({ rounds, folder, room, signs, tell: (line) => !asJson && console.log(line) });
  Object.assign(figures, measured);
  if (!asJson) console.log(`${name}: ${JSON.stringify(measured)}`);
}
console.log(JSON.stringify(figures));
// What is still open is the speech server's own: its native parts keep the process alive.
process.exit(0);
