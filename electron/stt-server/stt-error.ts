/**
 * A failure in words for whoever called the tool or reads the session's events: what happened, and what to do.
 * `kind` is for programs: `file_not_found`, `device_lost`, a DOMException's name, …
 */
export class SttError extends Error {
  override readonly name = "SttError";
  readonly kind: string;

  constructor(kind: string, message: string, options?: ErrorOptions) {
    super(message, options);
    this.kind = kind;
  }
}

/** Any failure as an SttError; one that nobody foresaw keeps its own words. */
export function toSttError(error: unknown): SttError {
  if (error instanceof SttError) return error;
  const message = error instanceof Error ? error.message : String(error);
  return new SttError("internal", `Speech recognition failed: ${message}`, { cause: error });
}
