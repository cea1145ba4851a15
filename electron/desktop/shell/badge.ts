import { app } from "electron";

/** The number on the app's icon, where the system shows one: what waits for the user's word, and answers that nobody has seen. */
export class Badge {
  #waiting = 0;
  #unread = 0;

  waiting(count: number): void {
    this.#waiting = count;
    this.#show();
  }

  unread(count: number): void {
    this.#unread = count;
    this.#show();
  }

  #show(): void {
    app.setBadgeCount(this.#waiting + this.#unread);
  }
}
