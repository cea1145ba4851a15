import { Store } from "../../state/store.ts";

/** Where screen readers are told what happens: a dialog that is open takes everything around it out of their sight. */
class AnnouncerPlaces {
  /** Inside of the dialog that is open on top; null: none is. */
  readonly top = new Store<HTMLElement | null>(null);
  #open: readonly HTMLElement[] = [];

  /** @returns what ends it */
  open(place: HTMLElement): () => void {
    this.#change([...this.#open, place]);
    return () => this.#change(this.#open.filter((one) => one !== place));
  }

  #change(open: readonly HTMLElement[]): void {
    this.#open = open;
    this.top.set(open.at(-1) ?? null);
  }
}

/** Of this page. */
export const announcerPlaces = new AnnouncerPlaces();
