import { z } from "zod";
import type { ApiAnswer } from "../api-errors.ts";
import { firstOf, jsonIn } from "../json-in.ts";

/** An HTTP answer that is no success, with the headers that the SDK's own error leaves out. */
export class RefusedRequest extends Error {
  readonly status: number;
  readonly headers: Headers;
  readonly body: string;

  constructor(status: number, headers: Headers, body: string) {
    super(`HTTP ${status}`);
    this.status = status;
    this.headers = headers;
    this.body = body;
  }
}

/** No answer at all. */
export class NoConnection extends Error {}

const bodyShape = z.object({
  error: z.object({
    code: z.number().optional(),
    message: z.string().optional(),
    status: z.string().optional(),
    details: z
      .array(z.looseObject({ reason: z.unknown().optional(), retryDelay: z.unknown().optional() }))
      .optional(),
  }),
});

/** What Gemini answered, over HTTP or in mid-stream. */
export function geminiAnswer(error: unknown): ApiAnswer | "unreachable" | undefined {
  if (error instanceof NoConnection) return "unreachable";
  if (error instanceof RefusedRequest) return answer(error.body, error.status, error.headers);
  // The SDK's error for an error in mid-stream: its message ends in the JSON.
  if (error instanceof Error && error.name === "ApiError") {
    return answer(error.message.slice(error.message.indexOf("{")), undefined, undefined);
  }
  return undefined;
}

function answer(body: string, status: number | undefined, headers: Headers | undefined): ApiAnswer {
  const parsed = bodyShape.safeParse(firstOf(jsonIn(body)));
  if (!parsed.success) return { status, types: [], said: body.slice(0, 300) || "(no words)", headers };
  const { message, status: type, code, details = [] } = parsed.data.error;
  // The detail is more exact than the status: a wrong key is an INVALID_ARGUMENT otherwise.
  const types = [...details.map(({ reason }) => reason), type].filter((name) => typeof name === "string");
  const waits = details.map(({ retryDelay }) => Number.parseFloat(String(retryDelay)) * 1000);
  return {
    status: status ?? code,
    types,
    said: message ?? "(no words)",
    headers,
    retryAfterMs: waits.find((ms) => ms >= 0),
  };
}
