import { proxyRefusalIn } from "../../shared/safety/proxy-refusal.ts";
import { removed, withoutSecrets } from "../../shared/safety/redact.ts";
import { redirectRefusalIn } from "../../shared/safety/redirects.ts";
import { ModelError, type ModelErrorCode } from "../agent/ports/ports.ts";
import { nameOfHost } from "./addresses.ts";
import { retryAfterMsOf } from "./retry.ts";

/** Whom a request went to, for the words of its errors. */
export interface ErrorFacts {
  /** As the user may know it: the address's host. */
  host: string;
  /** The variable that the credential came from; undefined: none was sent. */
  credentialName: string | undefined;
  /** What was sent: an answer that repeats it is not passed on as it is. */
  credential: string | undefined;
  /** The settings that hold the address. */
  addressNames: string;
  /** What `model` may be set to. */
  modelHint: string;
  model: string;
  now: number;
}

/** What an API answered, whichever SDK says it. */
export interface ApiAnswer {
  /** An error in mid-stream has none. */
  status: number | undefined;
  /** The API's own names for the error. */
  types: readonly string[];
  said: string;
  headers: Headers | undefined;
  /** Where the answer's body says it. */
  retryAfterMs?: number | undefined;
}

/**
 * What went wrong with a request, by status, by the error's type in mid-stream, or by the connection.
 * @param seen the error as the provider's SDK tells it; undefined where it is none of the SDK's
 */
export function toModelError(
  error: unknown,
  seen: ApiAnswer | "unreachable" | undefined,
  facts: ErrorFacts,
): ModelError {
  if (error instanceof ModelError) return error;
  const refused = proxyRefusalIn(error);
  if (refused) return new ModelError("auth", refused.message, refused.hint, { cause: error });
  const redirected = redirectRefusalIn(error);
  if (redirected) {
    const hint = `If it has moved, and you trust the new address, set ${facts.addressNames} to it.`;
    return new ModelError("invalid_request", redirected.message, hint, { cause: error });
  }
  if (seen === "unreachable") {
    const hint = `Check the network, and ${facts.addressNames} if you set one.`;
    return new ModelError("network", `No connection to ${facts.host}.`, hint, { cause: error });
  }
  if (seen) return answered(error, { ...seen, said: withoutKey(seen.said, facts).slice(0, mostSaid) }, facts);
  if (error instanceof SyntaxError) {
    const hint = `Try again. If it keeps happening, check ${facts.addressNames}.`;
    return new ModelError("server", `${facts.host} sent something that is not JSON.`, hint, { cause: error });
  }
  // What fetch throws when the connection breaks while the body is read.
  if (error instanceof TypeError) return connectionCut(error);
  const said = withoutKey(error instanceof Error ? error.message : String(error), facts);
  const message = `The request failed: ${said}`;
  return new ModelError("invalid_request", message, "The log says more.", { cause: error });
}

function withoutKey(said: string, { credential }: ErrorFacts): string {
  // A shorter one, as local servers take them, is a word of the language.
  return withoutSecrets(credential && credential.length >= 6 ? said.replaceAll(credential, removed) : said);
}

/** Characters that are read and shown of what an API says. */
const mostSaid = 2000;

/** The stream ended before the reply was whole. */
export function connectionCut(cause?: unknown): ModelError {
  const message = "The connection broke off in the middle of the reply.";
  return new ModelError("network", message, "Check the network and try again.", { cause });
}

export const isPage = (text: string): boolean => /^\s*</.test(text);

/** An answer with status 200 that is none of the API's. */
export function noReply(text: string, host: string, hint: string): ModelError {
  const what = isPage(text) ? "a web page" : "something else than a reply";
  return new ModelError("invalid_request", `${host} answered with ${what}.`, hint);
}

function answered(error: unknown, answer: ApiAnswer, facts: ErrorFacts): ModelError {
  const seen = codeOf(answer);
  // Where none was sent, none was refused.
  const code = seen === "auth" && facts.credentialName === undefined ? "no_key" : seen;
  const { message, hint, keyVariable } = words(code, answer, facts);
  const retryAfterMs = retryAfterMsOf(answer.headers, facts.now) ?? answer.retryAfterMs;
  return new ModelError(code, message, hint, { cause: error, retryAfterMs, keyVariable });
}

/** How the APIs and the local servers word it; none of them has a status of its own for it. */
const tooLong =
  /prompt is too long|exceed context limit|context[ _](length|window|size)|maximum context|maximum prompt length|(?:model|prompt) token limit|input (?:is|was) too long|prompt exceeds max|range of input length|`inputs` must have less|too many (?:input )?tokens|reduce the length of|token count .*exceeds|request entity too large|payload too large/i;

export const isTooLong = (said: string): boolean => tooLong.test(said);

/** More tokens at once than an account's limit for a minute: to wait helps nobody. As Groq and OpenAI say it. */
function isOverLimit(said: string): boolean {
  const [, limit, requested] =
    /limit:? ([\d,]+),? (?:used:? [\d,]+,? )?requested:? ([\d,]+)/i.exec(said) ?? [];
  const [most, asked] = [limit, requested].map((digits) => Number(digits?.replaceAll(",", "")));
  return most !== undefined && asked !== undefined && asked > most;
}

/** As Ollama, OpenRouter, vLLM, llama.cpp and others say it. */
export const takesNoTools = (said: string): boolean =>
  /(?:does not|doesn't|do not|not) support (?:tools|tool[ _]use|tool[ _]call|function[ _]call)|support tool use|(?<!\bparallel )\b(?:tools?|functions?)(?:[ _](?:use|calls?|calling))?\W? (?:are|is) not (?:supported|enabled|available)|enable-auto-tool-choice|tools param requires|cannot use tools/i.test(
    said,
  );

/** An empty account, as the APIs word it. */
const noCredit =
  /credit balance|insufficient[_ ](quota|balance|credit|funds)|exceeded your current quota|payment required|out of credit/i;

const codes: Readonly<Record<string, ModelErrorCode>> = {
  context_length_exceeded: "context_length",
  exceed_context_size_error: "context_length",
  model_max_prompt_tokens_exceeded: "context_length",
  request_too_large: "context_length",
  // Passing is only what waiting helps against: an empty account is no rate limit.
  insufficient_quota: "no_credit",
  overloaded_error: "overloaded",
  server_is_overloaded: "overloaded",
  slow_down: "rate_limit",
  invalid_prompt: "invalid_request",
  UNAVAILABLE: "overloaded",
  rate_limit_error: "rate_limit",
  rate_limit_exceeded: "rate_limit",
  RESOURCE_EXHAUSTED: "rate_limit",
  authentication_error: "auth",
  permission_error: "auth",
  invalid_api_key: "auth",
  API_KEY_INVALID: "auth",
  UNAUTHENTICATED: "auth",
  PERMISSION_DENIED: "auth",
  not_found_error: "not_found",
  model_not_found: "not_found",
  NOT_FOUND: "not_found",
  timeout_error: "timeout",
  DEADLINE_EXCEEDED: "timeout",
  api_error: "server",
  server_error: "server",
  INTERNAL: "server",
};

function codeOf({ status, types, said }: ApiAnswer): ModelErrorCode {
  const isRefusal = status === undefined || isClientFault(status);
  if (isRefusal && takesNoTools(said)) return "invalid_request";
  if (status === 413 || isOverLimit(said) || (isRefusal && tooLong.test(said))) return "context_length";
  if (status === 402 || (isRefusal && noCredit.test(said))) return "no_credit";
  for (const type of types) {
    const code = codes[type];
    // Ollama calls every error an `api_error`.
    if (code && !(code === "server" && status !== undefined && status < 500)) return code;
  }
  // In mid-stream, after the request was accepted: the server's trouble, unless it says otherwise.
  if (status === undefined) return types.includes("invalid_request_error") ? "invalid_request" : "server";
  if (status === 529 || status === 503) return "overloaded";
  if (status === 429) return "rate_limit";
  if (status === 401 || status === 403) return "auth";
  if (status === 404) return "not_found";
  if (status === 408 || status === 504) return "timeout";
  return status >= 500 ? "server" : "invalid_request";
}

const isClientFault = (status: number) => status >= 400 && status < 500 && status !== 429;

function words(
  code: ModelErrorCode,
  { said, status }: ApiAnswer,
  { host, credentialName, addressNames, modelHint, model }: ErrorFacts,
): { message: string; hint: string; keyVariable?: string | undefined } {
  const who = nameOfHost(host);
  switch (code) {
    case "no_key":
      return {
        message: status === 403 ? `${who} denied access: ${said}` : `${who} wants a key: ${said}`,
        hint: "Type /key set openai to add one, or choose another model.",
        keyVariable: "OPENAI_API_KEY",
      };
    case "auth":
      return status === 403
        ? {
            message: `${who} denied access: ${said}`,
            hint: `Check what the key in ${credentialName} gives access to.`,
          }
        : {
            message: `${who} refused the key.`,
            hint: `Type /key set ${credentialName} to change it.`,
            keyVariable: credentialName,
          };
    case "no_credit":
      return {
        message: `Your account at ${who} has no credit: ${said}`,
        hint: "Add credit to it, or choose another model, then send the prompt again.",
      };
    case "not_found":
      return {
        message: `${who} does not know the model "${model}".`,
        hint: `Choose another model (${modelHint}), or check the address (${addressNames}).`,
      };
    case "rate_limit":
      return {
        message: `You have reached the rate limit of ${who}.`,
        hint: "Wait a moment, then try again.",
      };
    case "overloaded":
      return { message: `${who} is overloaded.`, hint: "Wait a moment, then try again." };
    case "timeout":
      return { message: `${who} took too long.`, hint: "Try again." };
    case "server":
      return { message: `${who} reported an internal error: ${said}`, hint: "Try again in a moment." };
    case "context_length":
      return {
        message: `The conversation is too long for the model: ${said}`,
        hint: "Start a new conversation, or choose a model with a larger context.",
      };
    default:
      if (takesNoTools(said)) {
        return {
          message: `${model} can't use tools, and Parley works with tools.`,
          hint: `Choose a model that can (${modelHint}).`,
        };
      }
      return {
        message: `The request was refused: ${said}`,
        hint: "Change the prompt, the model or the settings, then try again.",
      };
  }
}
