import type { ListQuery, SessionSummary } from "../../../shared/conversation/sessions.ts";
import type { SessionPage } from "../../../shared/ipc/conversation-routes.ts";
import { Store } from "../store.ts";

/** The first page is what a window shows at once; the rest follows by itself. */
const firstPage = 200;
const furtherPages = 1000;

/**
 * The conversations of the list, or the archived ones: pinned first, then last used first. Rows that main pushes win
 * over those of a page that was asked for earlier.
 */
export class SessionList {
  readonly sessions = new Store<readonly SessionSummary[]>([]);
  readonly #isArchived: boolean;
  readonly #fetch: (query: ListQuery) => Promise<SessionPage | null>;
  /** Ids that main told of since the loading began. */
  #told = new Set<string>();
  #loading = 0;

  /** @param fetch answers null where it failed, and has said so */
  constructor(isArchived: boolean, fetch: (query: ListQuery) => Promise<SessionPage | null>) {
    this.#isArchived = isArchived;
    this.#fetch = fetch;
  }

  /** Resolves when the first page is there; the others follow. */
  async load(): Promise<void> {
    const loading = ++this.#loading;
    this.#told = new Set();
    const page = await this.#fetch({ limit: firstPage, isArchived: this.#isArchived });
    if (!page || loading !== this.#loading) return;
    const told = this.sessions.get().filter(({ conversationId }) => this.#told.has(conversationId));
    this.#merge(told, page);
    void this.#loadRest(loading, page.next);
  }

  /** A row is new or changed. */
  receive(summary: SessionSummary): void {
    this.#told.add(summary.conversationId);
    const others = this.sessions
      .get()
      .filter(({ conversationId }) => conversationId !== summary.conversationId);
    if (summary.isArchived === this.#isArchived) {
      const after = others.findIndex((other) => inOrder(summary, other) < 0);
      others.splice(after < 0 ? others.length : after, 0, summary);
    }
    this.sessions.set(others);
  }

  remove(conversationId: string): void {
    this.#told.add(conversationId);
    const sessions = this.sessions.get();
    const left = sessions.filter((session) => session.conversationId !== conversationId);
    if (left.length < sessions.length) this.sessions.set(left);
  }

  async #loadRest(loading: number, first: SessionPage["next"]): Promise<void> {
    for (let after = first; after !== null; ) {
      const page = await this.#fetch({ limit: furtherPages, isArchived: this.#isArchived, after });
      if (!page || loading !== this.#loading) return;
      this.#merge(this.sessions.get(), page);
      after = page.next;
    }
  }

  #merge(shown: readonly SessionSummary[], page: SessionPage): void {
    const known = new Set(shown.map(({ conversationId }) => conversationId));
    const added = page.sessions.filter(
      ({ conversationId }) => !known.has(conversationId) && !this.#told.has(conversationId),
    );
    this.sessions.set([...shown, ...added].sort(inOrder));
  }
}

/** As the store lists them. */
function inOrder(a: SessionSummary, b: SessionSummary): number {
  if (a.isPinned !== b.isPinned) return a.isPinned ? -1 : 1;
  if (a.updatedAt !== b.updatedAt) return b.updatedAt - a.updatedAt;
  return a.conversationId < b.conversationId ? 1 : -1;
}
