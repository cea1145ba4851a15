import type { APIConnectionError, APIError } from "openai";
import { z } from "zod";
import type { ApiAnswer } from "../api-errors.ts";
import { firstOf, jsonIn } from "../json-in.ts";
import { ResponseFailure } from "./response-failure.ts";

export interface Errors {
  APIError: typeof APIError;
  APIConnectionError: typeof APIConnectionError;
}

const bodyShape = z.record(z.string(), z.unknown()).catch({});

/**
 * A refusal's body with an `error` object, which alone the SDK reads. xAI has a sentence in its place, Mistral what is in it
 * at the top, FastAPI a `detail`, and Google a list around it all.
 */
export function withErrorObject(body: unknown): object {
  const whole = bodyShape.parse(firstOf(body));
  const { error, code, message, detail } = whole;
  if (typeof error === "string") return { error: { code, message: error } };
  if (error) return whole;
  if (message) return { error: whole };
  return detail ? { error: { message: detail } } : whole;
}

/** What OpenRouter tells of an error at whom it passes requests on to. */
const passedOn = z.object({ metadata: z.object({ raw: z.string().min(1) }) });
const inside = z.union([
  z.object({ error: z.object({ message: z.string() }) }).transform(({ error }) => error.message),
  z.object({ message: z.string() }).transform(({ message }) => message),
]);

/** Characters of it that are shown: it may be a whole page. */
const mostPassedOn = 500;

/** The server's words, with those of whom it passed the request on to. */
export function saidBy(error: APIError): string {
  const own = error.message.replace(/^\d{3} /, "");
  const raw = passedOn.safeParse(error.error).data?.metadata.raw;
  if (raw === undefined) return own;
  const words = inside.safeParse(firstOf(jsonIn(raw))).data ?? raw;
  return own.includes(words) ? own : `${own}: ${words.slice(0, mostPassedOn)}`;
}

/** The same of any error; empty where the server said nothing. */
export const wordsOf = (error: unknown, { APIError }: Pick<Errors, "APIError">) =>
  error instanceof APIError ? `${error.code ?? ""} ${saidBy(error)}` : "";

/** What a server answered; undefined where the error is none of the SDK's. */
export function chatAnswer(
  error: unknown,
  { APIError, APIConnectionError }: Errors,
): ApiAnswer | "unreachable" | undefined {
  if (error instanceof APIConnectionError) return "unreachable";
  if (error instanceof ResponseFailure)
    return { status: undefined, types: [error.code], said: error.message, headers: undefined };
  if (!(error instanceof APIError)) return undefined;
  const { status, code, type, headers } = error;
  // In mid-stream some give the status as the code.
  const inStream = Number(code);
  return {
    status: status ?? (inStream >= 400 && inStream < 600 ? inStream : undefined),
    types: [code, type].filter((name) => typeof name === "string"),
    said: saidBy(error),
    headers,
  };
}
