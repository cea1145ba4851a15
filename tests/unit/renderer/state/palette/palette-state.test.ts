import { expect, it, vi } from "vitest";
import { Palette } from "../../../../../renderer/state/palette/palette-state.ts";
import { RememberedState } from "../../../../../renderer/state/remembered.ts";
import { snippetPieces } from "../../../../../renderer/state/sessions/search.ts";
import { Store } from "../../../../../renderer/state/store.ts";
import type { SearchHit } from "../../../../../shared/conversation/sessions.ts";

const nothing = () => {};

function paletteThatFinds(hits: SearchHit[]): Palette {
  return new Palette({
    search: async () => hits,
    sessions: () => [],
    waiting: () => [],
    shownId: () => undefined,
    commands: () => [],
    platform: () => "linux",
    models: { list: new Store(null), open: async () => {}, close: nothing, choose: async () => {} },
    remembered: new RememberedState(async () => ({ ok: false, error: { code: "none", message: "" } })),
    show: nothing,
    showWaiting: async () => {},
    showHit: async () => {},
    openSetting: nothing,
    rewind: nothing,
    send: async () => {},
    insert: nothing,
  });
}

// Bug: sixty characters stand before what the database found, and a row shows about fifty.
it("a message's row begins shortly before the word that was found", async () => {
  const palette = paletteThatFinds([
    {
      conversationId: "c",
      title: "Boats",
      messageId: "m",
      kind: "reply",
      snippet: "…n the harbour was calm all week long, and every sailor knew a \uE000keel\uE001 by its sound",
      at: 1,
    },
  ]);
  palette.open();
  palette.change("keel");
  await vi.waitFor(() => expect(palette.groups(0).some(({ kind }) => kind === "messages")).toBe(true));
  const row = palette.groups(0).find(({ kind }) => kind === "messages")?.items[0];
  expect(snippetPieces(row?.title ?? "")).toEqual([
    { text: "…sailor knew a ", isMarked: false },
    { text: "keel", isMarked: true },
    { text: " by its sound", isMarked: false },
  ]);
});
