import type { SearchHit, SessionSummary } from "../../../shared/conversation/sessions.ts";
import type { CommandSummary } from "../../../shared/ipc/setting-routes.ts";
import { texts } from "../../texts/texts.ts";
import { listTime } from "../conversation/wording.ts";
import { windowKeyLabel } from "../keys/key-sheet.ts";
import type { Models } from "../models.ts";
import type { RememberedState } from "../remembered.ts";
import { Search, shownSnippet, snippetForLine } from "../sessions/search.ts";
import { waitingFor } from "../sessions/waiting.ts";
import { Store } from "../store.ts";
import { wordsOf } from "./match-words.ts";
import {
  actionEntries,
  conversationEntry,
  conversationUseId,
  isWhole,
  lineEntries,
  modelEntries,
  namedEntries,
  type PaletteChoice,
  type PaletteEntry,
  type PaletteItem,
  type PaletteKind,
  paletteKinds,
  resumeWords,
  settingEntries,
  slashEntries,
} from "./palette-items.ts";
import { grouped, type PaletteGroup, type RankOptions, ranked } from "./rank.ts";
import { usedOnceMore } from "./uses.ts";

const t = texts.palette;

export interface PaletteOptions {
  search: (words: string, limit: number) => Promise<SearchHit[] | null>;
  sessions(): readonly SessionSummary[];
  /** Conversations that wait for the user, the shown one among them. */
  waiting(): readonly Pick<SessionSummary, "conversationId" | "title" | "updatedAt" | "needsApproval">[];
  shownId(): string | undefined;
  commands(): readonly CommandSummary[];
  platform(): string | undefined;
  models: Pick<Models, "list" | "open" | "close" | "choose">;
  remembered: RememberedState;
  show(conversationId: string): void;
  showWaiting(conversationId: string): Promise<void>;
  showHit(hit: SearchHit): Promise<void>;
  openSetting(words: string): void;
  /** Lets the user decide how far to go back, before the newest prompt. */
  rewind(): void;
  /** Sends a whole command. */
  send(line: string): Promise<unknown>;
  /** Puts the beginning of a command into the text box. */
  insert(text: string): void;
}

/** Rows of a kind where all kinds are shown, and where it alone is. */
const mostOfAll = 5;
const mostOfOne = 50;
const lastConversations = 5;
/** Messages are ranked by the database; a name that fits as well comes before them. */
const messageScore = 0.45;
/** Of a command's lines, while one word is typed: the command itself comes before them. */
const lineShare = 0.8;

/** Everything that can be gone to or done, by its name: one list, the best match first. */
export class Palette {
  readonly isOpen = new Store(false);
  readonly words = new Store("");
  /** Only what is of this kind; null: all. */
  readonly kind = new Store<PaletteKind | null>(null);
  readonly hits: Search["hits"];
  readonly isSettled: Search["isSettled"];
  readonly #options: PaletteOptions;
  readonly #search: Search;
  readonly #settings = settingEntries(texts.settingsPage.sections);

  constructor(options: PaletteOptions) {
    this.#options = options;
    this.#search = new Search(options.search);
    this.hits = this.#search.hits;
    this.isSettled = this.#search.isSettled;
  }

  open = (): void => {
    this.change("");
    this.kind.set(null);
    this.isOpen.set(true);
  };

  /** With these words, and with nothing but what is of this kind. */
  openWith = (words: string, kind: PaletteKind | null = null): void => {
    this.open();
    this.kind.set(kind);
    this.change(words);
    if (kind === "models") void this.#options.models.open();
  };

  close = (): void => {
    if (!this.isOpen.get()) return;
    this.isOpen.set(false);
    this.#options.models.close();
  };

  change = (words: string): void => {
    const isFirst = this.words.get().trim() === "" && words.trim() !== "";
    this.words.set(words);
    this.#search.change(resumeWords(words) ?? words);
    // The provider is asked once somebody looks for something.
    if (isFirst && this.#options.models.list.get() === null) void this.#options.models.open();
  };

  /** @param step 1: to the next kind, -1: to the one before; behind the last comes all */
  turn = (step: 1 | -1): void => {
    const all = [null, ...paletteKinds];
    const at = all.indexOf(this.kind.get());
    this.kind.set(all[(at + step + all.length) % all.length] ?? null);
  };

  /** What is shown for what is typed now. @param now milliseconds since the epoch */
  groups(now: number): PaletteGroup[] {
    const resumed = resumeWords(this.words.get());
    const words = wordsOf(resumed ?? this.words.get());
    const kind = this.kind.get();
    if (words.length === 0 && (kind === null || resumed !== null)) return this.#whenEmpty();
    const { uses } = this.#options.remembered.values.get();
    const list = this.#options.models.list.get();
    const models = list ? [...list.models, ...list.recent] : [];
    const options = { words, uses, now, most: mostOfOne };
    if (resumed !== null) {
      const items = this.#conversations(options);
      return items.length === 0 ? [] : [{ kind: "conversations", items }];
    }
    const rank = (entries: readonly PaletteEntry[]) => ranked(entries, options);
    const found = {
      conversations: this.#conversations(options),
      messages: this.#messages(),
      commands: merged(
        rank(this.#commands()),
        rank(lineEntries(this.#options.commands(), t.lines)),
        words.length > 1 ? 1 : lineShare,
      ),
      settings: rank(this.#settings),
      models: rank(modelEntries(models)),
    };
    return grouped(found, kind, kind === null ? mostOfAll : mostOfOne);
  }

  /** @param now milliseconds since the epoch */
  choose = ({ id, choice }: PaletteItem, now: number, act: (choice: PaletteChoice) => void): void => {
    const { remembered } = this.#options;
    if (choice.type !== "message" && choice.type !== "waiting") {
      remembered.change({ uses: usedOnceMore(remembered.values.get().uses, id, now) });
    }
    this.close();
    act(choice);
  };

  /** What of a choice needs nothing of the window's frame. */
  act = (choice: Exclude<PaletteChoice, { type: "action" }>): void => {
    const { show, showWaiting, showHit, openSetting, models, send, insert, rewind } = this.#options;
    switch (choice.type) {
      case "conversation":
        show(choice.conversationId);
        break;
      case "waiting":
        void showWaiting(choice.conversationId);
        break;
      case "message":
        void showHit(choice.hit);
        break;
      case "setting":
        openSetting(choice.words);
        break;
      case "model":
        void models.choose({ model: choice.model });
        break;
      case "rewind":
        rewind();
        break;
      case "slash":
        if (isWhole(choice.command)) void send(`/${choice.command.name}`);
        else insert(`/${choice.command.name} `);
        break;
      case "line":
        if (choice.isWhole) void send(choice.line);
        else insert(`${choice.line} `);
        break;
    }
  };

  #commands(): PaletteEntry[] {
    const { platform, commands } = this.#options;
    const keyOf = (action: Parameters<typeof windowKeyLabel>[1]) => windowKeyLabel(platform(), action);
    return [
      ...actionEntries(texts.keys.actions, keyOf),
      ...namedEntries(commands(), t.lines),
      ...slashEntries(commands()),
    ];
  }

  /** Only those that are shown are put into words: there may be tens of thousands. */
  #conversations(options: RankOptions): PaletteItem[] {
    const sessions = this.#options.sessions();
    const known = new Set(sessions.map(({ conversationId }) => conversationId));
    // Archived ones are not in the list.
    const others = this.hits
      .get()
      .filter(({ kind, conversationId }) => kind === "title" && !known.has(conversationId))
      .map(({ conversationId, title, at }) => ({ conversationId, title, updatedAt: at }));
    const named = [...sessions, ...others].map((session) => ({
      id: conversationUseId(session),
      title: session.title,
      also: "",
      session,
    }));
    return ranked(named, options).map(({ session, score, marks }) => ({
      ...conversationEntry(session, listTime(session.updatedAt)),
      score,
      marks,
    }));
  }

  #messages(): PaletteItem[] {
    return this.hits
      .get()
      .filter(({ kind }) => kind !== "title")
      .map((hit, index) => ({
        id: `message:${hit.messageId}:${index}`,
        kind: "messages",
        title: snippetForLine(shownSnippet(hit)),
        about: t.messageIn(hit.title, texts.sessions.hitAt(texts.sessions.hits[hit.kind], listTime(hit.at))),
        also: "",
        choice: { type: "message", hit },
        score: messageScore,
        marks: [],
      }));
  }

  /** What waits, then the last conversations. */
  #whenEmpty(): PaletteGroup[] {
    const { waiting, sessions, shownId } = this.#options;
    const plain = (entry: PaletteEntry): PaletteItem => ({ ...entry, score: 0, marks: [] });
    const waits = waiting().map((session) => ({
      ...plain(conversationEntry(session, waitingFor(session))),
      id: `waiting:${session.conversationId}`,
      choice: { type: "waiting" as const, conversationId: session.conversationId },
    }));
    const last = sessions()
      .filter(({ conversationId }) => conversationId !== shownId())
      .toSorted((a, b) => b.updatedAt - a.updatedAt)
      .slice(0, lastConversations)
      .map((session) => plain(conversationEntry(session, listTime(session.updatedAt))));
    const items = [...waits, ...last];
    return items.length === 0 ? [] : [{ kind: "conversations", items }];
  }
}

/** Two ranked lists as one, still ranked. @param share what the others' scores count */
const merged = (
  items: readonly PaletteItem[],
  others: readonly PaletteItem[],
  share: number,
): PaletteItem[] => {
  const lower = others.map((one) => ({ ...one, score: one.score * share }));
  return [...items, ...lower].toSorted((a, b) => b.score - a.score);
};
