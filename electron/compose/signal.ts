/** Tells those who asked to hear. It stands before whoever tells and whoever hears, so that neither needs the other. */
export class Signal<News extends unknown[] = []> {
  readonly #listeners: ((...news: News) => void)[] = [];

  /** Everybody hears it, whatever others make of it. @throws what the first of them threw */
  tell = (...news: News): void => {
    const errors: unknown[] = [];
    for (const listener of this.#listeners) {
      try {
        listener(...news);
      } catch (error) {
        errors.push(error);
      }
    }
    if (errors.length > 0) throw errors[0];
  };

  on(listener: (...news: News) => void): void {
    this.#listeners.push(listener);
  }
}
