import { afterEach, expect, test, vi } from "vitest";
import { Find } from "../../../../../renderer/state/conversation/find.ts";
import type { FoundItem } from "../../../../../shared/conversation/find-text.ts";
import {
  type ConversationView,
  emptyView,
  type TranscriptItem,
} from "../../../../../shared/conversation/transcript.ts";

const user = (key: string, text: string): TranscriptItem => ({
  kind: "user",
  key,
  text,
  origin: "typed",
  source: null,
  at: 0,
});

afterEach(() => {
  vi.useRealTimers();
});

/** A conversation of pages, the last of which is loaded; what stands before is found when the test says so. */
function start(...pages: TranscriptItem[][]) {
  let loaded = pages.length - 1;
  const shown: string[] = [];
  const asked: { text: string; before: string; answer: (found: FoundItem[] | null) => void }[] = [];
  let view: ConversationView;
  const show = () => {
    view = { ...emptyView("c", "c"), items: pages.slice(loaded).flat(), hasEarlier: loaded > 0 };
  };
  show();
  const find = new Find({
    view: () => view,
    findEarlier: ({ text, before }) => new Promise((answer) => asked.push({ text, before, answer })),
    loadEarlier: async () => {
      loaded--;
      show();
    },
    reveal: (key) => shown.push(key),
  });
  find.attach();
  find.open();
  /** The conversation goes on: the last page is another one. */
  const goOn = async (...last: TranscriptItem[]) => {
    pages[pages.length - 1] = last;
    show();
    find.itemsChanged();
    await vi.advanceTimersByTimeAsync(1000);
  };
  return { find, shown, asked, goOn };
}

test("begins with the newest place and goes round", async () => {
  const { find, shown } = start([user("a", "one"), user("b", "one one"), user("c", "two")]);
  await find.setText("one");
  expect(find.state.get()).toMatchObject({ at: 2, isSearching: false });
  expect(find.state.get()?.places).toEqual([
    { key: "a", nth: 0 },
    { key: "b", nth: 0 },
    { key: "b", nth: 1 },
  ]);
  find.step(1);
  find.step(-1);
  expect(shown).toEqual(["b", "a", "b"]);
  find.close();
  expect(find.state.get()).toBeNull();
});

test("what is not loaded is found, too: the place that is shown stays, and stepping there loads it", async () => {
  const { find, shown, asked } = start([user("a", "one")], [user("b", "x")], [user("c", "one")]);
  const searched = find.setText("one");
  expect(find.state.get()).toMatchObject({ at: 0, isSearching: true });
  expect(asked[0]).toMatchObject({ text: "one", before: "c" });
  asked[0]?.answer([{ key: "a", count: 1 }]);
  await searched;
  expect(find.state.get()).toMatchObject({ at: 1, isSearching: false });
  expect(shown).toEqual(["c"]);
  find.step(-1);
  await new Promise(setImmediate);
  expect(shown).toEqual(["c", "a"]);
});

test("the answer to an older text, and one that comes after closing, are nothing", async () => {
  const { find, asked } = start([user("a", "one two")], [user("b", "x")]);
  const first = find.setText("one");
  const second = find.setText("two");
  asked[1]?.answer([{ key: "a", count: 1 }]);
  await second;
  asked[0]?.answer([{ key: "a", count: 9 }]);
  await first;
  expect(find.state.get()?.places).toEqual([{ key: "a", nth: 0 }]);
  const third = find.setText("one");
  find.close();
  asked[2]?.answer([{ key: "a", count: 1 }]);
  await third;
  expect(find.state.get()).toBeNull();
});

test("where looking fails, what is loaded counts", async () => {
  const { find, asked } = start([user("a", "x")], [user("b", "one")]);
  const searched = find.setText("one");
  asked[0]?.answer(null);
  await searched;
  expect(find.state.get()).toMatchObject({ places: [{ key: "b", nth: 0 }], at: 0, isSearching: false });
});

// Bug: with the bar open, what came was not counted and could not be reached; places that were gone stayed.
test("what comes and goes while it is open counts, and the place that is shown stays", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const { find, shown, goOn } = start([user("a", "one"), user("b", "one one")]);
  await find.setText("one");
  find.step(-1);
  expect(find.state.get()).toMatchObject({ at: 1, places: { length: 3 } });
  const before = [...shown];
  await goOn(user("a", "two"), user("b", "one one"), user("c", "one"));
  expect(find.state.get()?.places.map(({ key }) => key)).toEqual(["b", "b", "c"]);
  expect(find.state.get()?.at).toBe(0);
  // Whoever reads is not scrolled away by that.
  expect(shown).toEqual(before);
  await goOn(user("d", "one"));
  expect(find.state.get()).toMatchObject({ at: 0, places: [{ key: "d", nth: 0 }] });
  await goOn(user("e", "two"));
  expect(find.state.get()).toMatchObject({ at: -1, places: [] });
});

test("what is not loaded is asked for again only where another path is shown", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const { find, asked, goOn } = start([user("a", "one")], [user("c", "one")]);
  const searched = find.setText("one");
  await goOn(user("c", "one"), user("d", "one"));
  asked[0]?.answer([{ key: "a", count: 1 }]);
  await searched;
  expect(find.state.get()).toMatchObject({ at: 1, isSearching: false });
  expect(find.state.get()?.places.map(({ key }) => key)).toEqual(["a", "c", "d"]);
  await goOn(user("e", "one"));
  expect(asked).toHaveLength(2);
  expect(asked[1]).toMatchObject({ before: "e" });
  asked[1]?.answer([]);
  await vi.advanceTimersByTimeAsync(0);
  expect(find.state.get()).toMatchObject({ at: 0, places: [{ key: "e", nth: 0 }], isSearching: false });
});

// Bug: what was opened where no conversation was shown came later by itself.
test("without a bar it does not open", async () => {
  const find = new Find({
    view: () => null,
    findEarlier: async () => null,
    loadEarlier: async () => {},
    reveal: () => {},
  });
  find.open();
  await find.setText("one");
  expect(find.state.get()).toBeNull();
  const end = find.attach();
  find.open();
  expect(find.state.get()).not.toBeNull();
  end();
  expect(find.state.get()).toBeNull();
});
