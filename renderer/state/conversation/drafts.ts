import type { AttachmentChoice } from "../../../shared/conversation/attachments.ts";
import { isKeyLine } from "../../../shared/safety/secrets.ts";
import { Signal } from "../signal.ts";

/** How long typing rests before the draft is kept; leaving the box or the conversation keeps it at once. */
const restMs = 500;

/** A prompt that is being written: its text, and what is attached to it. */
export interface PromptDraft {
  get: () => string;
  set: (text: string) => void;
  attached: () => readonly AttachmentChoice[];
  attach: (attached: readonly AttachmentChoice[]) => void;
  /** It may have become another by what began in an earlier field of its conversation, such as a prompt on its way. */
  changed?: Signal;
}

interface Draft {
  text: string;
  attached: readonly AttachmentChoice[];
}

/** @returns a promise of main's answer, which never rejects */
type SaveDraft = (
  conversationId: string,
  text: string,
  attached: readonly AttachmentChoice[],
) => Promise<unknown>;

const blank: Draft = { text: "", attached: [] };

/** Unsent prompts by conversation, kept in main so that they outlive the window. */
export class Drafts {
  /** One of them changed, whoever did it. */
  readonly changed = new Signal();
  readonly #drafts = new Map<string, Draft>();
  readonly #unsaved = new Map<string, ReturnType<typeof setTimeout>>();
  /** The last save of each that main has not answered yet. */
  readonly #saving = new Map<string, Promise<unknown>>();
  readonly #save: SaveDraft;

  constructor(save: SaveDraft) {
    this.#save = save;
  }

  /** What main has of it, such as what a rewind gave back, counts only where this window has nothing that main may not know. */
  load(conversationId: string, text: string, attached: readonly AttachmentChoice[]): void {
    const here = this.#of(conversationId);
    const isBlank = here.text.trim() === "" && here.attached.length === 0;
    const isKept = !this.#unsaved.has(conversationId) && !this.#saving.has(conversationId);
    if (isBlank && isKept) this.#drafts.set(conversationId, { text, attached });
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

  /** Puts more behind what stands there. @param between it and the new text */
  add(
    conversationId: string,
    text: string,
    attached: readonly AttachmentChoice[] = [],
    between = "\n",
  ): void {
    const before = this.get(conversationId);
    this.set(conversationId, before.trim() === "" ? text : `${before}${between}${text}`);
    const isNew = ({ reference }: AttachmentChoice) =>
      this.attached(conversationId).every((one) => one.reference !== reference);
    const more = attached.filter(isNew);
    if (more.length > 0) this.attach(conversationId, [...this.attached(conversationId), ...more]);
  }

  flush(conversationId: string): void {
    const timer = this.#unsaved.get(conversationId);
    if (timer === undefined) return;
    clearTimeout(timer);
    this.#unsaved.delete(conversationId);
    const { text, attached } = this.#of(conversationId);
    // A key that somebody types there by mistake must not be kept.
    const saved = this.#save(conversationId, isKeyLine(text) ? "" : text, attached);
    this.#saving.set(conversationId, saved);
    void saved.finally(() => {
      if (this.#saving.get(conversationId) === saved) this.#saving.delete(conversationId);
    });
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
    this.changed.emit();
  }
}

/** Words that were begun outside of the text boxes, by conversation and what they are for, for as long as the window is there. */
export class BegunWords {
  readonly #words = new Map<string, string>();

  /** @returns null where nothing is begun */
  get(conversationId: string, place: string): string | null {
    return this.#words.get(`${conversationId}\n${place}`) ?? null;
  }

  set(conversationId: string, place: string, words: string | null): void {
    if (words === null) this.#words.delete(`${conversationId}\n${place}`);
    else this.#words.set(`${conversationId}\n${place}`, words);
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
