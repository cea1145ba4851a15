import { z } from "zod";
import { noReply } from "../api-errors.ts";
import { jsonIn } from "../json-in.ts";
import type { ServerSentEvent } from "../server-sent-events.ts";
import type { Line } from "../watched-attempt.ts";
import { errorIn, statusIn } from "./chat-errors.ts";

/** What a server gives in another form than was agreed is as if it were not there: no field makes a chunk useless. */
const loose = <T extends z.ZodType>(shape: T) => shape.nullish().catch(undefined);

const callDelta = z.looseObject({
  index: loose(z.union([z.number(), z.string().regex(/^\d+$/).transform(Number)])),
  id: loose(z.string()),
  function: loose(
    z.object({
      name: loose(z.string()),
      // Some give the object itself.
      arguments: loose(z.union([z.string(), z.record(z.string(), z.unknown())])),
    }),
  ),
});
export type CallDelta = z.infer<typeof callDelta>;

const content = z.union([z.string(), z.array(z.unknown()), z.looseObject({ type: z.string() })]);
export type Content = z.infer<typeof content> | null | undefined;

const delta = z.object({
  content: loose(content),
  refusal: loose(z.string()),
  reasoning_content: loose(z.string()),
  reasoning: loose(z.string()),
  reasoning_details: loose(z.array(z.unknown())),
  // By whose it is. What else Google says there, that a text is thinking, must not come back with the answer.
  extra_content: loose(z.record(z.string(), z.object({ thought_signature: z.string() }))),
  tool_calls: loose(z.array(callDelta.nullable().catch(null))),
});

const count = loose(z.number().nonnegative());
const chunkShape = z.object({
  model: loose(z.string()),
  choices: loose(z.array(z.object({ delta: loose(delta), finish_reason: loose(z.string()) }))),
  usage: loose(
    z.object({
      prompt_tokens: count,
      completion_tokens: count,
      prompt_tokens_details: loose(z.object({ cached_tokens: count })),
    }),
  ),
});
export type Chunk = z.infer<typeof chunkShape>;

/** The reply as one chunk, where a server does not stream although it was asked to. */
const wholeReply = z.looseObject({
  choices: z.array(z.looseObject({ message: delta.loose(), finish_reason: loose(z.string()) })).min(1),
});

/** The server's word that its reply ends here. */
export const ended = Symbol("[DONE]");
export type ChatEvent = Chunk | typeof ended;

export interface ChatSource {
  /** As the user may know it. */
  host: string;
  /** The settings that hold the address. */
  addressNames: string;
  /** The error for what the server says of one. @param status of an answer that is an error whole, whatever its own status */
  toFailure(error: object, status?: number): Error;
}

/**
 * What comes of an answer, whatever its form: a stream of events, or all at once.
 * @throws what `toFailure` gives where the server says in it that something failed; SyntaxError for an event that is not JSON;
 *   ModelError for what is no reply at all
 */
export async function* chatEvents(
  response: Response,
  line: Line,
  source: ChatSource,
): AsyncGenerator<readonly ChatEvent[]> {
  // What it is called tells little: some call a stream JSON, and some a whole reply a stream.
  yield* line.events<ChatEvent>(response, (event) => readEvent(event, source), {
    isLast: (event) => event === ended,
    readWhole: (text) => [wholeIn(text, source), ended],
  });
}

function readEvent({ event, data }: ServerSentEvent, { toFailure }: ChatSource): ChatEvent | null {
  const text = data.trim();
  if (event === "error")
    throw toFailure(errorIn(jsonIn(text)) ?? { message: text || "The model broke off." });
  if (text === "") return null;
  if (text.startsWith("[DONE]")) return ended;
  const json: unknown = JSON.parse(text);
  const failure = failureIn(json);
  if (failure) throw toFailure(failure);
  return chunkShape.safeParse(json).data ?? null;
}

function wholeIn(text: string, { host, addressNames, toFailure }: ChatSource): Chunk {
  const json = jsonIn(text);
  const failure = failureIn(json);
  // To ask again is no use, unless it says otherwise.
  if (failure) throw toFailure(failure, statusIn(failure) ?? 400);
  const reply = wholeReply.safeParse(json).data;
  if (reply) {
    const choices = reply.choices.map(({ message, finish_reason }) => ({ delta: message, finish_reason }));
    return chunkShape.parse({ ...reply, choices });
  }
  throw noReply(text, host, `Check ${addressNames}: most servers want an address that ends in /v1.`);
}

/** @returns what a server says of an error in place of a chunk; null where it is none */
function failureIn(json: unknown): object | null {
  const said = errorIn(json);
  const isChunk = typeof json === "object" && json !== null && ("choices" in json || "usage" in json);
  const isNamed = typeof json === "object" && json !== null && "error" in json && Boolean(json.error);
  return isNamed || !isChunk ? said : null;
}
