import type { AttachmentChoice } from "../../../shared/conversation/attachments.ts";
import { isKeyLine } from "../../../shared/safety/secrets.ts";

/** How long typing rests before the draft is kept; leaving the box or the conversation keeps it at once. */
const restMs = 500;

/** A prompt that is being written: its text, and what is attached to it. */
export interface PromptDraft {
  get: () => string;
  set: (text: string) => void;
  attached: () => readonly AttachmentChoice[];
  attach: (attached: readonly AttachmentChoice[]) => void;
}

interface Draft {
  text: string;
  attached: readonly AttachmentChoice[];
}

const blank: Draft = { text: "", attached: [] };

/** Unsent prompts by conversation, kept in main so that they outlive the window. */
export class Drafts {
  readonly #drafts = new Map<string, Draft>();
  readonly #unsaved = new Map<string, ReturnType<typeof setTimeout>>();
  readonly #save: (conversationId: string, text: string, attached: readonly AttachmentChoice[]) => void;

  constructor(save: (conversationId: string, text: string, attached: readonly AttachmentChoice[]) => void) {
    this.#save = save;
  }

  /** What main has of it counts only where this window has not seen the conversation yet. */
  load(conversationId: string, text: string, attached: readonly AttachmentChoice[]): void {
    if (!this.#drafts.has(conversationId)) this.#drafts.set(conversationId, { text, attached });
  }

  get(conversationId: string): string {
    return this.#of(conversationId).text;
  }

  attached(conversationId: string): readonly AttachmentChoice[] {
    return this.#of(conversationId).attached;
  }

  set(conversationId: string, text: string): void {
    if (text === this.get(conversationId)) return;
    this.#change(conversationId, { text });
    // What was sent must not come back as a draft after a crash.
    if (text === "") this.flush(conversationId);
  }

  attach(conversationId: string, attached: readonly AttachmentChoice[]): void {
    this.#change(conversationId, { attached });
    this.flush(conversationId);
  }

  flush(conversationId: string): void {
    const timer = this.#unsaved.get(conversationId);
    if (timer === undefined) return;
    clearTimeout(timer);
    this.#unsaved.delete(conversationId);
    const { text, attached } = this.#of(conversationId);
    // A key that somebody types there by mistake must not be kept.
    this.#save(conversationId, isKeyLine(text) ? "" : text, attached);
  }

  flushAll(): void {
    for (const conversationId of [...this.#unsaved.keys()]) this.flush(conversationId);
  }

  #of(conversationId: string): Draft {
    return this.#drafts.get(conversationId) ?? blank;
  }

  #change(conversationId: string, change: Partial<Draft>): void {
    this.#drafts.set(conversationId, { ...this.#of(conversationId), ...change });
    clearTimeout(this.#unsaved.get(conversationId));
    this.#unsaved.set(
      conversationId,
      setTimeout(() => this.flush(conversationId), restMs),
    );
  }
}

/** One that nothing keeps. */
export function fleetingDraft(): PromptDraft {
  let draft = blank;
  return {
    get: () => draft.text,
    set: (text) => {
      draft = { ...draft, text };
    },
    attached: () => draft.attached,
    attach: (attached) => {
      draft = { ...draft, attached };
    },
  };
}
