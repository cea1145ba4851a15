import type { AttachmentChoice } from "../../../shared/conversation/attachments.ts";

/** A draft at one moment. `caret` in UTF-16 units. */
export interface Written {
  text: string;
  caret: number;
  attached: readonly AttachmentChoice[];
}

/** A letter more, or one less: what may be one step with the same before it. */
type Typing = "more" | "less";

/** Steps that can be taken back. */
const maxSteps = 200;

/**
 * The way back through a draft, whoever changed it: the user, a completion, dictation, an attachment. What a browser keeps
 * knows of typing only, and is lost with each text that is set. Typing is taken back word by word, and deleting apart from
 * it: what was deleted comes back as it stood.
 */
export class EditHistory {
  #now: Written;
  #before: Written[] = [];
  #after: Written[] = [];
  /** What the last step is, as long as more of it may follow; null: it is done. */
  #typing: Typing | null = null;

  constructor(now: Written) {
    this.#now = now;
  }

  /** @param isTyped it may be one step with the typing before it */
  note(next: Written, isTyped: boolean): void {
    const { text, attached } = this.#now;
    if (next.text === text && next.attached === attached) {
      this.#now = next;
      return;
    }
    const typing = isTyped ? typingOf(text, next.text) : null;
    const goesOn = typing !== null && typing === this.#typing && !beginsWord(text, next.text);
    if (!goesOn) this.#before = [...this.#before.slice(1 - maxSteps), this.#now];
    this.#now = next;
    this.#after = [];
    this.#typing = typing;
  }

  /** @returns the draft as it was; null where nothing is left to take back */
  undo(): Written | null {
    return this.#go(this.#before, this.#after);
  }

  /** @returns the draft as it was before the last `undo`; null where there was none */
  redo(): Written | null {
    return this.#go(this.#after, this.#before);
  }

  /** The draft was sent: it comes back by no key. */
  forget(now: Written): void {
    this.#now = now;
    this.#before = [];
    this.#after = [];
    this.#typing = null;
  }

  #go(from: Written[], to: Written[]): Written | null {
    const next = from.pop();
    if (!next) return null;
    to.push(this.#now);
    this.#now = next;
    this.#typing = null;
    return next;
  }
}

/** @returns null: another kind of change */
function typingOf(before: string, after: string): Typing | null {
  const change = after.length - before.length;
  if (change === 1) return "more";
  return change === -1 ? "less" : null;
}

/** Whether what came is the first letter of a word. */
function beginsWord(before: string, after: string): boolean {
  if (after.length < before.length) return false;
  const at = [...before].findIndex((_, index) => before[index] !== after[index]);
  const place = at < 0 ? before.length : at;
  return /\s/.test(after[place - 1] ?? "") && !/\s/.test(after[place] ?? "");
}
