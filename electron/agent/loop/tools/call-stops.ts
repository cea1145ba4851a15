/** Lets the user end one running call, while its run goes on. */
export class CallStops {
  readonly #running = new Map<string, AbortController>();

  /**
   * For a call that begins; `end` follows.
   * @param signal of the run
   * @returns a signal that aborts with the run, or when the call alone is stopped
   */
  begin(toolUseId: string, signal: AbortSignal): AbortSignal {
    const controller = new AbortController();
    this.#running.set(toolUseId, controller);
    return AbortSignal.any([signal, controller.signal]);
  }

  end(toolUseId: string): void {
    this.#running.delete(toolUseId);
  }

  /** @returns false where no such call is running */
  stop(toolUseId: string): boolean {
    const controller = this.#running.get(toolUseId);
    controller?.abort(new Error("Stopped by the user."));
    return controller !== undefined;
  }
}
