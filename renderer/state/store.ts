import { useSyncExternalStore } from "react";

/** What components can watch. */
export interface Readable<T> {
  get(): T;
  /** @returns a function that ends the subscription */
  subscribe(listener: () => void): () => void;
}

/** A value that components can watch. Listeners run synchronously, only when the value changed. */
export class Store<T> implements Readable<T> {
  #value: T;
  readonly #listeners = new Set<() => void>();

  constructor(value: T) {
    this.#value = value;
  }

  get = (): T => this.#value;

  set(value: T): void {
    if (Object.is(value, this.#value)) return;
    this.#value = value;
    for (const listener of this.#listeners) listener();
  }

  /** @returns a function that ends the subscription */
  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };
}

/** A part of a store's value. Listeners run only when that part changed. */
export function partOf<T, P>(store: Readable<T>, pick: (value: T) => P): Readable<P> {
  const get = () => pick(store.get());
  return {
    get,
    subscribe: (listener) => {
      let last = get();
      return store.subscribe(() => {
        const part = get();
        if (Object.is(part, last)) return;
        last = part;
        listener();
      });
    },
  };
}

/** The store's value; the component renders again when it changes. */
export function useStore<T>(store: Readable<T>): T {
  return useSyncExternalStore(store.subscribe, store.get, store.get);
}
