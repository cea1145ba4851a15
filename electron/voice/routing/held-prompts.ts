import type { VoicePrompt, VoiceTarget } from "./voice-target.ts";

/** Spoken prompts beyond `voice.queueMax`, in the order in which they were said: they enter as the queue drains. */
export class HeldPrompts {
  readonly #limit: () => number;
  readonly #held = new Map<VoiceTarget, { ids: string[]; end: () => void }>();
  #isAdding = false;

  constructor(limit: () => number) {
    this.#limit = limit;
  }

  count(target: VoiceTarget): number {
    return this.#held.get(target)?.ids.length ?? 0;
  }

  add(target: VoiceTarget, prompt: VoicePrompt): string | null {
    const inputId = this.#hold(target, prompt);
    if (inputId === null) return null;
    const known = this.#held.get(target);
    if (known) known.ids.push(inputId);
    else this.#held.set(target, { ids: [inputId], end: this.#watch(target) });
    return inputId;
  }

  #hold(target: VoiceTarget, prompt: VoicePrompt): string | null {
    this.#isAdding = true;
    try {
      return target.hold(prompt).inputId;
    } finally {
      this.#isAdding = false;
    }
  }

  #watch(target: VoiceTarget): () => void {
    /** The user said to stop: what waited is held from now on. */
    let isStopped = false;
    return target.subscribe((event) => {
      const { type } = event;
      if (type === "input.queued" && target.view().state !== "idle" && !this.#isAdding) {
        const { inputId, isHeld, sendsAt } = event.input;
        // One that was held before has other words now.
        const isNew = isHeld === true && !this.#held.get(target)?.ids.includes(inputId);
        isStopped ||= isNew && sendsAt === undefined;
      }
      if (type === "run.started") isStopped = false;
      // These wait for the user, too, as what stands before them does.
      if (type === "run.ended" && isStopped) return this.#leave(target);
      if (type !== "run.started" && type !== "run.ended" && type !== "input.dropped") return;
      // Not in the middle of an event that others have not heard yet.
      queueMicrotask(() => this.#drain(target));
    });
  }

  #leave(target: VoiceTarget): void {
    this.#held.get(target)?.end();
    this.#held.delete(target);
  }

  #drain(target: VoiceTarget): void {
    const held = this.#held.get(target);
    if (!held) return;
    const { queue } = target.view();
    // Those that were sent or dropped by hand are held no more.
    held.ids = held.ids.filter((id) => queue.some(({ inputId, isHeld }) => inputId === id && isHeld));
    const room = this.#limit() - queue.filter(({ isHeld }) => !isHeld).length;
    for (const id of held.ids.splice(0, Math.max(0, room))) sendHeld(target, id);
    if (held.ids.length === 0) this.#leave(target);
  }
}

/** A conversation that closes in this moment keeps it for when it is opened again. */
export function sendHeld(target: VoiceTarget, inputId: string): void {
  try {
    target.sendInput(inputId);
  } catch {}
}
