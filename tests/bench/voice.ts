import { bargeIn, echoStop } from "./voice/barge-in.ts";
import { endpoints } from "./voice/endpoints.ts";
import { latency } from "./voice/latency.ts";
import type { Part } from "./voice/part.ts";
import { phantom } from "./voice/phantom.ts";
import { ownStops, stopRooms } from "./voice/stop-rooms.ts";
import { words } from "./voice/words.ts";

// npm run bench -- voice [PART …] [--rounds N] [--room NAME] [--json]
// Parts: latency, endpoints, barge-in, phantom, words; none named: all, one after the other, half an hour. Each says at
// its head what it measures and how. Of barge-in only "stop" beside a loudspeaker: echo-stop; in rooms that are reckoned: stop-rooms, own-stops.
const whole: Readonly<Record<string, Part>> = { latency, endpoints, "barge-in": bargeIn, phantom, words };
const parts: Readonly<Record<string, Part>> = {
  ...whole,
  "echo-stop": echoStop,
  "stop-rooms": stopRooms,
  "own-stops": ownStops,
};
const args = process.argv.slice(2);
const asJson = args.includes("--json");
const at = args.indexOf("--rounds");
const rounds = at < 0 ? 3 : Number(args[at + 1]);
const roomAt = args.indexOf("--room");
const room = roomAt < 0 ? undefined : args[roomAt + 1];
const values = new Set([at, roomAt].filter((index) => index >= 0).map((index) => index + 1));
const named = args.filter((word, index) => !word.startsWith("--") && !values.has(index));
const unknown = named.find((name) => !(name in parts));
if (unknown !== undefined) {
  console.error(`There is no part "${unknown}". There are ${Object.keys(parts).join(", ")}.`);
  process.exit(1);
}

const figures: Record<string, unknown> = {};
for (const [name, part] of Object.entries(named.length === 0 ? whole : parts)) {
  if (named.length > 0 && !named.includes(name)) continue;
  const measured = await part({ rounds, room, tell: (line) => !asJson && console.log(line) });
  Object.assign(figures, measured);
  if (!asJson) console.log(`${name}: ${JSON.stringify(measured)}`);
}
console.log(JSON.stringify(figures));
// What is still open is the speech server's own: its native parts keep the process alive.
process.exit(0);
