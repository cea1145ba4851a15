import { useEffect, useEffectEvent } from "react";

/** @returns false when nothing could be done about it here */
type Listener<T> = (value: T) => unknown;

/** Something that happens at a moment, such as a wish for the keyboard. */
export class Signal<T = void> {
  readonly #listeners = new Set<Listener<T>>();
  readonly #waits: boolean;
  #waiting: { value: T } | null = null;

  /** @param waits what no listener could do anything about is for the next one: its conversation may not be shown yet */
  constructor({ waits = false } = {}) {
    this.#waits = waits;
  }

  emit(value: T): void {
    const answers = [...this.#listeners].map((listener) => listener(value));
    const isTaken = answers.some((answer) => answer !== false);
    this.#waiting = this.#waits && !isTaken ? { value } : null;
  }

  /** @returns a function that ends the subscription */
  subscribe(listener: Listener<T>): () => void {
    this.#listeners.add(listener);
    const waiting = this.#waiting;
    this.#waiting = null;
    if (waiting && listener(waiting.value) === false) this.#waiting ??= waiting;
    return () => this.#listeners.delete(listener);
  }
}

/** Calls the listener of the last render, for as long as the component is there. */
export function useSignal<T>(signal: Signal<T> | undefined, listener: Listener<T>): void {
  const onSignal = useEffectEvent(listener);
  useEffect(() => signal?.subscribe((value) => onSignal(value)), [signal]);
}
