import { itemFinder } from "../../../shared/conversation/find-items.ts";
import type { FoundItem } from "../../../shared/conversation/find-text.ts";
import type { ConversationView } from "../../../shared/conversation/transcript.ts";
import { Store } from "../store.ts";

/** What is loaded is searched for so long before the window has a turn, in milliseconds. */
const sliceMs = 30;
/** Items that came or went are looked through so much later, in milliseconds: an answer comes in many pieces. */
const refreshMs = 300;

/** One place: the item, and which of the places in it, from 0. */
export interface FoundPlace {
  key: string;
  nth: number;
}

export interface FindState {
  text: string;
  /** Oldest first. */
  places: readonly FoundPlace[];
  /** The one that is shown; -1: none. */
  at: number;
  /** What is not loaded is still being read. */
  isSearching: boolean;
  /** Another number each time the place at `at` is to be brought into sight. */
  shows: number;
}

/** What was asked for what is not loaded: the places before an item that was the first one. */
interface Earlier {
  before: string;
  /** null until the answer is there. */
  found: readonly FoundItem[] | null;
}

/** What of the conversation was looked through here. */
interface Loaded {
  keys: ReadonlySet<string>;
  found: readonly FoundItem[];
}

const nothingLoaded: Loaded = { keys: new Set(), found: [] };

export interface FindOptions {
  view(): ConversationView | null;
  /** Places in what is not loaded. @returns null where that failed */
  findEarlier(query: { conversationId: string; text: string; before: string }): Promise<FoundItem[] | null>;
  /** Loads a page more. */
  loadEarlier(): Promise<void>;
  reveal(key: string): void;
}

/** Looking for a text in the conversation that is shown, also in what is not loaded. null: closed. */
export class Find {
  readonly state = new Store<FindState | null>(null);
  readonly #options: FindOptions;
  #bars = 0;
  #other: ((text: string | null) => void) | null = null;
  #attempt = 0;
  #shows = 0;
  #loaded = nothingLoaded;
  #earlier: Earlier | null = null;
  #refresh: ReturnType<typeof setTimeout> | undefined;

  constructor(options: FindOptions) {
    this.#options = options;
  }

  /** A bar is there to show it; without one it does not open. @returns what ends that, and closes it */
  attach = (): (() => void) => {
    this.#bars++;
    return () => {
      this.#bars--;
      this.close();
    };
  };

  /** A page that stands in place of the conversation is searched instead. @param open with a text, or with what was looked for; @returns what ends that */
  lend = (open: (text: string | null) => void): (() => void) => {
    this.#other = open;
    return () => {
      this.#other = null;
    };
  };

  open = (): void => {
    this.#other?.(null);
    if (this.#bars === 0 || this.state.get() !== null) return;
    this.state.set({ text: "", places: [], at: -1, isSearching: false, shows: this.#shows });
  };

  close = (): void => {
    this.#forget();
    this.state.set(null);
  };

  /** Finds the text anew and shows its newest place. */
  setText = async (text: string): Promise<void> => {
    this.#other?.(text);
    const state = this.state.get();
    if (!state) return;
    this.#forget();
    this.state.set({ ...state, text, places: [], at: -1, isSearching: true });
    await this.#look(text);
  };

  /** Other items are loaded: they are looked through soon. The place that is shown stays as long as it is there. */
  itemsChanged = (): void => {
    if (!this.state.get()?.text) return;
    this.#refresh ??= setTimeout(() => {
      this.#refresh = undefined;
      const text = this.state.get()?.text;
      if (text) void this.#look(text);
    }, refreshMs);
  };

  /** The next place, or the one before; behind the last comes the first. */
  step = (by: 1 | -1): void => {
    const state = this.state.get();
    const count = state?.places.length ?? 0;
    if (!state || count === 0) return;
    this.state.set({ ...state, at: (state.at + by + count) % count, shows: ++this.#shows });
    void this.#show();
  };

  #forget(): void {
    this.#attempt++;
    clearTimeout(this.#refresh);
    this.#refresh = undefined;
    this.#loaded = nothingLoaded;
    this.#earlier = null;
  }

  async #look(text: string): Promise<void> {
    const attempt = ++this.#attempt;
    const view = this.#options.view();
    const items = view?.items ?? [];
    const find = itemFinder(text);
    const found: FoundItem[] = [];
    let since = performance.now();
    for (const item of items) {
      const one = find(item);
      if (one) found.push(one);
      if (performance.now() - since < sliceMs) continue;
      // Markdown is parsed once: with much of it loaded, typing goes on meanwhile.
      await new Promise((goOn) => setTimeout(goOn));
      if (attempt !== this.#attempt) return;
      since = performance.now();
    }
    const keys = new Set(items.map(({ key }) => key));
    this.#loaded = { keys, found };
    // As long as that item is on the path, so is all that stands before it.
    const isKnown = this.#earlier !== null && keys.has(this.#earlier.before);
    const before = view?.hasEarlier && text !== "" ? items[0]?.key : undefined;
    if (!isKnown) this.#earlier = before === undefined ? null : { before, found: null };
    this.#take();
    if (view && before !== undefined && !isKnown) await this.#lookEarlier(view.conversationId, text, before);
  }

  async #lookEarlier(conversationId: string, text: string, before: string): Promise<void> {
    const asked = this.#earlier;
    const found = await this.#options.findEarlier({ conversationId, text, before });
    if (this.#earlier !== asked) return;
    this.#earlier = { before, found: found ?? [] };
    this.#take();
  }

  /** Takes over what was found by now; the first place that a text has is shown. */
  #take(): void {
    const state = this.state.get();
    if (!state) return;
    const { keys, found } = this.#loaded;
    const earlier = this.#earlier?.found?.filter(({ key }) => !keys.has(key)) ?? [];
    const places = placesOf([...earlier, ...found]);
    const isFirst = state.isSearching && state.at < 0 && places.length > 0;
    if (isFirst) this.#shows++;
    this.state.set({
      ...state,
      places,
      at: keptAt(state, places),
      isSearching: this.#earlier?.found === null,
      shows: this.#shows,
    });
    if (isFirst) void this.#show();
  }

  /** Loads what stands before until the place is there, unless another one is meant by then. */
  async #show(): Promise<void> {
    const state = this.state.get();
    const place = state?.places[state.at];
    if (!place) return;
    for (;;) {
      const view = this.#options.view();
      const now = this.state.get();
      if (!view || !isSame(now?.places[now.at], place)) return;
      if (view.items.some(({ key }) => key === place.key)) return this.#options.reveal(place.key);
      if (!view.hasEarlier) return;
      await this.#options.loadEarlier();
      if (this.#options.view() === view) return;
    }
  }
}

const placesOf = (found: readonly FoundItem[]): FoundPlace[] =>
  found.flatMap(({ key, count }) => Array.from({ length: count }, (_, nth) => ({ key, nth })));

const isSame = (one: FoundPlace | undefined, other: FoundPlace): boolean =>
  one?.key === other.key && one.nth === other.nth;

/** Where the place that was shown is now; where it is gone, about as far on as it was. Without one: the newest. */
function keptAt({ places: before, at }: FindState, places: readonly FoundPlace[]): number {
  const shown = before[at];
  const same = shown ? places.findIndex((place) => isSame(place, shown)) : -1;
  if (same >= 0) return same;
  return shown ? Math.min(at, places.length - 1) : places.length - 1;
}
