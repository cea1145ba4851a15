import { parseArgs } from "node:util";
import { familyOf, sharedOutMb } from "../e2e/support/machine/process-family.ts";
import { replies } from "../e2e/support/test.ts";
import { keyFigures, openFigure, streamFrames } from "./render/page-figures.ts";
import { type SeededConversation, seedConversations } from "./render/seed.ts";
import { longReply } from "./render/texts.ts";
import { spread } from "./spread.ts";
import { startApp } from "./voice/app.ts";

// npm run bench -- render [PART …] [--sizes 0,2000,10000] [--rounds N] [--turns N] [--json]
// Parts: stream (times between frames while a reply is written, 200 words a second, by the messages before it), keys (in the
// longest conversation, nothing being written), open (the longest one, out of an empty one), growth (of the window's process
// over long turns; Linux). None named: all. Everything is drawn by the real app on a screen that nobody sees.
const { values, positionals: named } = parseArgs({
  allowPositionals: true,
  options: {
    sizes: { type: "string", default: "0,2000,10000" },
    rounds: { type: "string", default: "3" },
    turns: { type: "string", default: "20" },
    json: { type: "boolean", default: false },
  },
});
const deltasPerSecond = 200;
/** Words, and so deltas, of a reply: eight seconds. */
const replyWords = 1600;
/** What a turn needs before it flows. */
const skipMs = 500;

const sizes = values.sizes.split(",").map(Number);
const rounds = Number(values.rounds);
const parts: Record<string, () => Promise<Record<string, unknown>>> = { stream, keys, open, growth };
const unknown = named.find((name) => !(name in parts));
if (unknown !== undefined) {
  console.error(`There is no part "${unknown}". There are ${Object.keys(parts).join(", ")}.`);
  process.exit(1);
}

let seeded: SeededConversation[] = [];
const app = await startApp({
  // Nothing is summed up: each conversation is to stay as long as it is.
  settings: { provider: "anthropic", compactionStrategy: "none" },
  seed: (userData) => {
    seeded = seedConversations(
      userData,
      sizes.filter((size) => size > 0),
    );
  },
});
const { page } = app.parley;
// The loader that runs this file marks functions with their names, also those that go into the page.
await page.evaluate("globalThis.__name = (named) => named");
const longest = seeded.at(-1);
app.model.answerUnmarked(`[[script:text ${JSON.stringify({ text: longReply(replyWords) })}]]`);
// What the first reply of all loads is no part of any figure.
await turn();

const figures: Record<string, unknown> = {};
for (const [name, part] of Object.entries(parts)) {
  if (named.length > 0 && !named.includes(name)) continue;
  const measured = await part();
  Object.assign(figures, measured);
  if (!values.json) console.log(`${name}: ${JSON.stringify(measured)}`);
}
await app.close();
console.log(JSON.stringify(figures));

async function stream() {
  app.model.pace(deltasPerSecond);
  const streamFrameMs: Record<string, unknown> = {};
  for (const size of sizes) {
    const took: number[] = [];
    for (let round = 0; round < rounds; round++) {
      await show(size);
      const count = await replies(page).count();
      took.push(...(await streamFrames(page, () => app.send("Go on."), skipMs)));
      await replies(page).nth(count).waitFor();
    }
    streamFrameMs[size] = spread(took);
  }
  app.model.pace(null);
  return { streamFrameMs };
}

async function keys() {
  await show(sizes.at(-1) ?? 0);
  const { main, paint } = await keyFigures(page, 60 * rounds, 45);
  await page.getByTestId("composer").fill("");
  return { keystrokeMs: spread(main), keyToPaintMs: spread(paint) };
}

async function open() {
  if (!longest) return {};
  const took: number[] = [];
  // The first one fills the caches of the store.
  for (let round = 0; round <= 5 * rounds; round++) {
    await show(0);
    const ms = await openFigure(page, longest.id, longest.lastId);
    if (round > 0) took.push(ms);
  }
  return { openMs: spread(took) };
}

async function growth() {
  await show(0);
  // The first ones fill what is kept from turn to turn.
  for (let count = 0; count < 2; count++) await turn();
  const before = await rendererMb();
  for (let count = 0; count < Number(values.turns); count++) await turn();
  return { rendererGrowthMb: Math.round(((await rendererMb()) - before) * 10) / 10 };
}

/** An empty conversation for 0, else the seeded one. */
async function show(size: number): Promise<void> {
  const conversation = seeded.find(({ messages }) => messages === size);
  if (!conversation) {
    await page.getByTestId("new-conversation").click();
    await page.getByTestId("welcome").waitFor();
    return;
  }
  if (await page.locator(`[data-testid="transcript"] [data-key="${conversation.lastId}"]`).count()) return;
  await openFigure(page, conversation.id, conversation.lastId);
}

async function turn(): Promise<void> {
  const from = app.events.length;
  await app.send("Go on.");
  await app.next(from, (event) => (event.type === "run.ended" ? true : undefined));
  await page
    .locator('[data-testid="message-assistant"][data-streaming="true"]')
    .waitFor({ state: "detached" });
}

/** What the window's process has, once what nobody needs is gone. */
async function rendererMb(): Promise<number> {
  const session = await page.context().newCDPSession(page);
  for (let round = 0; round < 3; round++) await session.send("HeapProfiler.collectGarbage");
  await session.detach();
  const pid = await app.parley.app.evaluate(({ BrowserWindow }) =>
    BrowserWindow.getAllWindows()
      .find((window) => window.webContents.getURL().includes("/main/"))
      ?.webContents.getOSProcessId(),
  );
  if (pid === undefined) throw new Error("There is no window.");
  return sharedOutMb(familyOf(pid));
}
