import type { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { ErrorCode, McpError } from "@modelcontextprotocol/sdk/types.js";
import { z } from "zod";

/**
 * How a call failed: `refused` = the server said so itself; `malformed` = its answer cannot be read; `unreachable` = this
 * one call did not get through, the connection goes on; `closed` = the connection is gone; `timeout` = no answer came;
 * `late` = a session took too long to start; `unsupported` = it does not do what Parley cannot do without.
 */
export type SttFailure =
  | "refused"
  | "malformed"
  | "unreachable"
  | "closed"
  | "timeout"
  | "late"
  | "unsupported";

export class SttError extends Error {
  override readonly name = "SttError";
  readonly kind: SttFailure;

  constructor(kind: SttFailure, message: string, options?: ErrorOptions) {
    super(message, options);
    this.kind = kind;
  }
}

export const isSttError = (error: unknown, kind: SttFailure): boolean =>
  error instanceof SttError && error.kind === kind;

/** What went wrong with a call over this client. */
export function asSttError(error: unknown, { transport }: Pick<Client, "transport">): SttError {
  if (error instanceof SttError) return error;
  const message = error instanceof Error ? error.message : String(error);
  const cause = { cause: error };
  if (isTimeout(error)) return new SttError("timeout", "The speech server does not answer.", cause);
  if (transport === undefined) {
    return new SttError("closed", `The connection to the speech server was lost (${message}).`, cause);
  }
  if (error instanceof McpError) {
    return new SttError("refused", message.replace(/^MCP error -?\d+: /, ""), cause);
  }
  if (error instanceof z.core.$ZodError) {
    return new SttError(
      "malformed",
      `The speech server's answer cannot be read: ${z.prettifyError(error)}`,
      cause,
    );
  }
  return new SttError("unreachable", `The speech server cannot be reached (${message}).`, cause);
}

/** Of the client's own making: a server may use the same number for a fault of its own. */
function isTimeout(error: unknown): boolean {
  if (!(error instanceof McpError) || error.code !== ErrorCode.RequestTimeout) return false;
  const { data } = error;
  return typeof data === "object" && data !== null && "timeout" in data;
}
