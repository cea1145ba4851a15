/** A server over HTTP that could not be reached, or was not there behind its address: it may be, later. */
export class OutOfReach extends Error {
  override readonly name = "OutOfReach";

  /** @param cause what it failed with */
  constructor(cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
  }
}

/** Statuses of those that stand before a server that is away, and of one that has too much to do. */
const away: ReadonlySet<number> = new Set([429, 502, 503, 504]);

/** Notices whether the last request of a connection came to nothing. */
export class Reach {
  isOut = false;

  observing(base: typeof fetch): typeof fetch {
    return async (input, init) => {
      try {
        const response = await base(input, init);
        this.isOut = away.has(response.status);
        return response;
      } catch (error) {
        this.isOut = init?.signal?.aborted !== true;
        throw error;
      }
    };
  }
}
