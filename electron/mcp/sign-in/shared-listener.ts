import { type Redirect, RedirectListener } from "./redirect-listener.ts";

type Take = (redirect: Redirect) => boolean;

/** The listener of all who sign in to one address at the same time: its port is the one that they are registered with. */
export class SharedListener {
  readonly #takers = new Set<Take>();
  #opening: Promise<RedirectListener> | null = null;

  /** `leave` follows. @param port the one that the server knows from before */
  async join(port: number | undefined, take: Take): Promise<RedirectListener> {
    this.#takers.add(take);
    this.#opening ??= RedirectListener.open(port, (redirect) =>
      [...this.#takers].some((taker) => taker(redirect)),
    );
    return await this.#opening;
  }

  /** It ends with the last. */
  leave(take: Take): void {
    this.#takers.delete(take);
    if (this.#takers.size > 0) return;
    this.#opening?.then(
      (listener) => listener.close(),
      () => {},
    );
    this.#opening = null;
  }
}
