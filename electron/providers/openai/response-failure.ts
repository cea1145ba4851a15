/** The API said in mid-stream that it failed. */
export class ResponseFailure extends Error {
  /** Its own name for what happened. */
  readonly code: string;

  constructor({ code, message }: { code?: string | null | undefined; message?: string | null | undefined }) {
    super(message ?? "The model broke off.");
    this.code = code ?? "server_error";
  }
}
