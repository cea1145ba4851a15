import Anthropic from "@anthropic-ai/sdk";
import { ModelError, type ModelErrorCode } from "../agent/ports.ts";
import { retryAfterMsOf } from "./retry.ts";

export interface ErrorFacts {
  /** As the user may know it: the address's host. */
  host: string;
  /** The variable that the credential came from. */
  credentialName: string;
  model: string;
  now: number;
}

/** What went wrong with a request, by status, by the error's type in mid-stream, or by the connection. */
export function toModelError(error: unknown, facts: ErrorFacts): ModelError {
  if (error instanceof ModelError) return error;
  if (error instanceof Anthropic.APIConnectionError) return unreachable(error, facts);
  if (error instanceof Anthropic.APIError) return answered(error, facts);
  if (error instanceof SyntaxError) {
    const message = `${facts.host} sent something that is not JSON.`;
    return new ModelError("server", message, baseUrlHint, { cause: error });
  }
  // What fetch throws when the connection breaks while the body is read.
  if (error instanceof TypeError) {
    const message = "The connection was cut in the middle of the reply.";
    return new ModelError("network", message, "Check the network and try again.", { cause: error });
  }
  const message = `The request failed: ${error instanceof Error ? error.message : String(error)}`;
  return new ModelError("invalid_request", message, "The log says more.", { cause: error });
}

const baseUrlHint = "Check the network, and anthropicBaseUrl or ANTHROPIC_BASE_URL if you set one.";

function unreachable(error: Error, { host }: ErrorFacts): ModelError {
  return new ModelError("network", `No connection to ${host}.`, baseUrlHint, { cause: error });
}

function answered(error: InstanceType<typeof Anthropic.APIError>, facts: ErrorFacts): ModelError {
  const code = codeOf(error.status, error.type);
  const said = error.apiMessage ?? error.message;
  const { message, hint } = words(code, said, error.status, facts);
  const retryAfterMs = retryAfterMsOf(error.headers, facts.now);
  return new ModelError(code, message, hint, { cause: error, retryAfterMs });
}

/** An error in mid-stream has a type but no status. */
function codeOf(status: number | undefined, type: string | null): ModelErrorCode {
  if (type === "overloaded_error" || status === 529) return "overloaded";
  if (type === "rate_limit_error" || status === 429) return "rate_limit";
  if (type === "authentication_error" || type === "permission_error") return "auth";
  if (status === 401 || status === 403) return "auth";
  if (type === "not_found_error" || status === 404) return "not_found";
  if (type === "timeout_error" || status === 408 || status === 504) return "timeout";
  if (type === "api_error" || (status !== undefined && status >= 500)) return "server";
  return "invalid_request";
}

function words(
  code: ModelErrorCode,
  said: string,
  status: number | undefined,
  { host, credentialName, model }: ErrorFacts,
): { message: string; hint: string } {
  switch (code) {
    case "auth":
      return status === 403
        ? { message: `Access was denied: ${said}`, hint: `Check what the key in ${credentialName} may use.` }
        : {
            message: "The API key was refused.",
            hint: `Check ${credentialName}: it is wrong or has expired.`,
          };
    case "not_found":
      return {
        message: `${host} does not know the model "${model}".`,
        hint: "Set `model` to opus, sonnet, haiku or a full model id. A wrong base URL answers like this, too.",
      };
    case "rate_limit":
      return { message: "The API's rate limit is reached.", hint: "Wait a moment, then try again." };
    case "overloaded":
      return { message: "The model is overloaded.", hint: "Wait a moment, then try again." };
    case "timeout":
      return { message: `${host} took too long.`, hint: "Try again." };
    case "server":
      return { message: `${host} had an error of its own: ${said}`, hint: "Try again in a moment." };
    default:
      return { message: `The request was refused: ${said}`, hint: "Trying the same again will not help." };
  }
}
