import type { APIConnectionError, APIError } from "openai";
import { z } from "zod";
import type { ApiAnswer } from "../api-errors.ts";
import { firstOf, jsonIn } from "../json-in.ts";
import { ResponseFailure } from "./response-failure.ts";

export interface Errors {
  APIError: typeof APIError;
  APIConnectionError: typeof APIConnectionError;
}

const record = z.record(z.string(), z.unknown());

/**
 * What a refusal's body says of the error, as an object with a `message`; null where it says nothing. xAI has a sentence in its
 * place, Mistral what is in it at the top, FastAPI a `detail` or a list of them, and Google a list around it all.
 */
export function errorIn(body: unknown): Record<string, unknown> | null {
  const whole = record.safeParse(firstOf(body)).data;
  if (!whole) return null;
  const { error, errors, code, message, detail } = whole;
  if (typeof error === "string" && error !== "") {
    // Some name the status there, and say the rest beside it.
    const said = typeof message === "string" && message !== "" ? `${error}: ${message}` : error;
    return { code, message: said };
  }
  const inside = record.safeParse(error).data;
  if (inside) return inside;
  if (typeof message === "string" && message !== "") return whole;
  const said = wordsIn(message) || wordsIn(detail) || wordsIn(errors);
  return said === "" ? null : { message: said };
}

/** Sentences wherever they stand; of a list with what each is about. */
function wordsIn(value: unknown): string {
  if (typeof value === "string") return value;
  if (Array.isArray(value)) return value.map(wordsIn).filter(Boolean).join("; ");
  const told = record.safeParse(value).data;
  if (!told) return "";
  const { message, msg, detail, loc } = told;
  const said = wordsIn(message ?? msg ?? detail);
  return Array.isArray(loc) && said !== "" ? `${loc.join(".")}: ${said}` : said;
}

/** What OpenRouter tells of an error at whom it passes requests on to. */
const passedOn = z.object({ metadata: z.object({ raw: z.string().min(1) }) });
const inside = z.union([
  z.object({ error: z.object({ message: z.string() }) }).transform(({ error }) => error.message),
  z.object({ message: z.string() }).transform(({ message }) => message),
]);

/** Characters that are shown of what a server says: it may be a whole page. */
const mostShown = 500;

/** The server's words, with those of whom it passed the request on to. */
export function saidBy(error: APIError): string {
  const own = error.message.replace(/^\d{3} /, "").slice(0, mostShown);
  const raw = passedOn.safeParse(error.error).data?.metadata.raw;
  if (raw === undefined) return own;
  const words = inside.safeParse(firstOf(jsonIn(raw))).data ?? raw;
  return own.includes(words) ? own : `${own}: ${words.slice(0, mostShown)}`;
}

/** The same of any error; empty where the server said nothing. */
export const wordsOf = (error: unknown, { APIError }: Pick<Errors, "APIError">) =>
  error instanceof APIError ? `${String(error.code ?? "").slice(0, mostShown)} ${saidBy(error)}` : "";

/** Some give the status as the code, where the status itself says that all is well. */
export function statusIn({ code }: { code?: unknown }): number | undefined {
  const status = Number(code);
  return status >= 400 && status < 600 ? status : undefined;
}

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
  return {
    status: status ?? statusIn(error),
    types: [code, type].filter((name) => typeof name === "string"),
    said: saidBy(error),
    headers,
  };
}
