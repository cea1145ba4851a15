import type { RequestBody } from "./invariants.ts";
import type { Args, WireEvent } from "./scripts.ts";

/**
 * How an API words what the scripts say. Scripts are written once, as events of the Messages API; a protocol reads the
 * API's own requests into that shape, checks the API's own rules, and writes the events as the API would.
 */
export interface Protocol {
  accepts(method: string | undefined, path: string): boolean;
  /** Of a request, and what is answered to a larger one; absent: as many as anybody sends. */
  mostBytes?: number;
  tooLarge?: { code: number; type: string; message: string };
  /** Where its list of models is, and the list as the API gives it. */
  listing: { path: string; of(ids: readonly string[]): unknown };
  /**
   * @param beta what the request's header says of beta features
   * @throws z.ZodError for what the API would refuse as malformed; RefusedParameter; RefusedRequest
   */
  read(json: unknown, path: string, beta: string): ReadRequest;
  /** For one answer. */
  encoder(args: Args): Encoder;
  /** The body of an answer that is an error. */
  error(code: number, type: string, message: string): unknown;
}

export interface ReadRequest {
  body: RequestBody;
  /** Rules of this API that it breaks, beside those that hold for all. */
  breaches: string[];
}

export interface Encoder {
  /** What is written for the event, if anything. `raw` stands in place of its data. */
  encode(event: WireEvent, raw?: string): string;
}

/** A parameter that this server does not take: no fault of the client's, it cannot know. */
export class RefusedParameter extends Error {
  readonly param: string;

  constructor(
    param: string,
    message = `Unsupported parameter: '${param}' is not supported with this model.`,
  ) {
    super(message);
    this.param = param;
  }
}

/** A refusal as a server words it: a client can learn from it. */
export class Refusal extends Error {}

/** What the API refuses before it looks any further, in its words. */
export class RefusedRequest extends Error {
  readonly breaches: string[];

  constructor(breaches: string[]) {
    super(breaches.join("; "));
    this.breaches = breaches;
  }
}

/** One event of a stream. */
export const sse = (data: unknown) => `data: ${JSON.stringify(data)}\n\n`;
