import { isKeyLine } from "../../shared/secrets.ts";

/** How long typing rests before the draft is kept; leaving the box or the conversation keeps it at once. */
const restMs = 500;

/** Unsent text by conversation, kept in main so that it outlives the window. */
export class Drafts {
  readonly #texts = new Map<string, string>();
  readonly #unsaved = new Map<string, ReturnType<typeof setTimeout>>();
  readonly #save: (conversationId: string, draft: string) => void;

  constructor(save: (conversationId: string, draft: string) => void) {
    this.#save = save;
  }

  /** What main has of it counts only where this window has not seen the conversation yet. */
  load(conversationId: string, draft: string): void {
    if (!this.#texts.has(conversationId)) this.#texts.set(conversationId, draft);
  }

  get(conversationId: string): string {
    return this.#texts.get(conversationId) ?? "";
  }

  set(conversationId: string, text: string): void {
    if (text === this.get(conversationId)) return;
    this.#texts.set(conversationId, text);
    clearTimeout(this.#unsaved.get(conversationId));
    this.#unsaved.set(
      conversationId,
      setTimeout(() => this.flush(conversationId), restMs),
    );
    // What was sent must not come back as a draft after a crash.
    if (text === "") this.flush(conversationId);
  }

  flush(conversationId: string): void {
    const timer = this.#unsaved.get(conversationId);
    if (timer === undefined) return;
    clearTimeout(timer);
    this.#unsaved.delete(conversationId);
    const text = this.get(conversationId);
    // A key that somebody types there by mistake must not be kept.
    this.#save(conversationId, isKeyLine(text) ? "" : text);
  }

  flushAll(): void {
    for (const conversationId of [...this.#unsaved.keys()]) this.flush(conversationId);
  }
}
