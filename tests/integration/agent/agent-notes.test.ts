import { cpSync, existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { openSqliteStore } from "../../../electron/store/sqlite-store.ts";
import { createRig, eventsOf, type Rig, typed } from "./agent-rig.ts";

const clean: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of clean.splice(0).reverse()) await end();
});

const note = "[The reply above was being read aloud and was interrupted after “…one two”.]";

let ids = 0;

async function rigOver(file: string): Promise<Rig> {
  const store = openSqliteStore(file, (error) => {
    throw error;
  });
  const rig = await createRig({ store, newId: () => `id-${++ids}` });
  clean.push(() => store.close());
  clean.push(() => rig.close());
  return rig;
}

/** A database as a process leaves it that is killed now. */
function asLeftByACrash(file: string, copy: string): string {
  for (const end of ["", "-wal", "-shm"])
    if (existsSync(`${file}${end}`)) cpSync(`${file}${end}`, `${copy}${end}`);
  return copy;
}

const lastTexts = (rig: Rig) =>
  rig.server.requests.at(-1)?.body.messages.flatMap(({ content }) => content.map(({ text }) => text)) ?? [];

test("Parley's words for the model that came during a run survive a crash of it, and are said once", async () => {
  const folder = mkdtempSync(join(tmpdir(), "parley-notes-"));
  clean.push(() => rmSync(folder, { recursive: true }));
  const file = join(folder, "parley.db");
  const before = await rigOver(file);
  const conversation = before.conversations.create();
  conversation.submit(typed('first [[script:text {"text":"one two three","hold":"first","at":1}]]'));
  await before.server.held("first");
  conversation.note(note);
  const left = asLeftByACrash(file, join(folder, "left.db"));

  const after = await rigOver(left);
  // It is no prompt: nothing is offered to be sent.
  expect(after.conversations.list().sessions).toMatchObject([{ heldInputs: 0 }]);
  const again = after.conversations.open(conversation.id);
  expect(again.view().queue).toEqual([]);
  await eventsOf(again.submit(typed("What now?")));
  expect(lastTexts(after).filter((text) => text === note)).toHaveLength(1);
  expect(lastTexts(after).slice(-2)).toEqual([note, "What now?"]);
  await eventsOf(again.submit(typed("And now?")));
  expect(lastTexts(after).filter((text) => text === note)).toHaveLength(1);
});

test("they go before the next prompt when nothing crashes, and leave nothing behind", async () => {
  const folder = mkdtempSync(join(tmpdir(), "parley-notes-"));
  clean.push(() => rmSync(folder, { recursive: true }));
  const rig = await rigOver(join(folder, "parley.db"));
  const conversation = rig.conversations.create();
  const first = conversation.submit(
    typed('first [[script:text {"text":"one two three","hold":"first","at":1}]]'),
  );
  await rig.server.held("first");
  conversation.note(note);
  rig.server.release("first");
  await eventsOf(first);
  await eventsOf(conversation.submit(typed("What now?")));
  expect(lastTexts(rig).slice(-2)).toEqual([note, "What now?"]);
  expect(rig.store.loadInputs(conversation.id)).toEqual([]);
});
