import { expect, test } from "vitest";
import { type PaletteEntry, slashEntries } from "../../../../../renderer/state/palette/palette-items.ts";
import { grouped, ranked } from "../../../../../renderer/state/palette/rank.ts";
import { bonusOf, usedOnceMore } from "../../../../../renderer/state/palette/uses.ts";
import { mostUses } from "../../../../../shared/remembered.ts";

const day = 24 * 3_600_000;
const now = 1000 * day;
const entry = (title: string, kind: PaletteEntry["kind"] = "commands", also = ""): PaletteEntry => ({
  ...{ id: title, kind, title, about: "", also },
  choice: { type: "conversation", conversationId: title },
});
const rank = (entries: readonly PaletteEntry[], words: string, uses = {}, most = 50) =>
  ranked(entries, { words: words.split(" "), uses, now, most });
const titles = (items: readonly { title: string }[]) => items.map(({ title }) => title);

test("what is used often and lately comes before what fits as well", () => {
  const entries = [entry("read one"), entry("read two")];
  expect(titles(rank(entries, "read"))).toEqual(["read one", "read two"]);
  const uses = { "read two": { count: 3, at: now } };
  expect(titles(rank(entries, "read", uses))).toEqual(["read two", "read one"]);
  expect(bonusOf({ count: 3, at: now - 60 * day }, now)).toBeLessThan(bonusOf({ count: 1, at: now }, now));
  expect(bonusOf({ count: 1_000_000, at: now }, now)).toBeLessThan(0.5);
});

test("so many uses are remembered, the oldest are forgotten", () => {
  let uses: ReturnType<typeof usedOnceMore> = {};
  for (let at = 0; at < mostUses + 2; at++) uses = usedOnceMore(uses, `id${at}`, at);
  uses = usedOnceMore(uses, "id5", mostUses + 2);
  expect(Object.keys(uses)).toHaveLength(mostUses);
  expect(uses.id5).toEqual({ count: 2, at: mostUses + 2 });
  expect(uses.id0).toBeUndefined();
});

test("the kind of the best match comes first, the others keep their order; one kind alone can be wanted", () => {
  const of = (kind: PaletteEntry["kind"], ...names: string[]) =>
    rank(
      names.map((name) => entry(name, kind)),
      "rewind",
    );
  const found = {
    conversations: of("conversations", "What rewind leaves alone"),
    messages: [],
    commands: of("commands", "Rewind to a prompt", "Take the last rewind back"),
    settings: of("settings", "Copies for rewind"),
    models: [],
  };
  expect(grouped(found, null, 5).map(({ kind }) => kind)).toEqual(["commands", "conversations", "settings"]);
  expect(grouped(found, "settings", 5).map(({ kind }) => kind)).toEqual(["settings"]);
  expect(grouped(found, null, 1)[0]?.items).toHaveLength(1);
});

test("a command is found by its name, too, and a setting by its key", () => {
  const commands = slashEntries([
    { name: "cd", usage: "/cd FOLDER", description: "Changes the folder. It must be there." },
  ]);
  expect(rank(commands, "/cd")[0]).toMatchObject({ title: "Changes the folder", marks: [] });
  expect(titles(rank([entry("Theme", "settings", "darkMode")], "darkmode"))).toEqual(["Theme"]);
});

test("of very many only the best are kept, in the order that all of them would have", () => {
  const entries = Array.from({ length: 500 }, (_, at) => entry(`${at % 7 ? "pre" : ""}read ${at}`));
  const all = titles(rank(entries, "read", {}, 1000));
  expect(all).toHaveLength(500);
  expect(titles(rank(entries, "read", {}, 20))).toEqual(all.slice(0, 20));
});
