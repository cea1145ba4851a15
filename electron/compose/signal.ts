/** Tells those who asked to hear. It stands before whoever tells and whoever hears, so that neither needs the other. */
export class Signal<News extends unknown[] = []> {
  readonly #listeners: ((...news: News) => void)[] = [];

  tell = (...news: News): void => {
    for (const listener of this.#listeners) listener(...news);
  };

  on(listener: (...news: News) => void): void {
    this.#listeners.push(listener);
  }
}
