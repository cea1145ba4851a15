import type { APIError } from "openai";
import type { ContentBlock } from "../../../shared/conversation/messages.ts";
import { ModelError, type ModelRequest } from "../../agent/ports/ports.ts";
import { ownHosts } from "../addresses.ts";
import type { ChatServer } from "../efforts.ts";
import { type Errors, saidBy } from "./chat-errors.ts";

/** What servers differ on: parameters, each of which is sent the other way once a server has refused it, and what they want. */
type Difference =
  | "temperature"
  | "max_tokens"
  | "max_completion_tokens"
  | "stream_options"
  | "images"
  | "reasoning_effort"
  /** Beside tools, Chat Completions take `none` alone. */
  | "reasoning with tools"
  /** The Responses API gives summaries of reasoning to verified organisations only. */
  | "summary"
  /** Which of its messages was the answer, and which were said on the way. */
  | "phase"
  /** Each reply must have its `reasoning_content`, also one that there is none of. */
  | "wants reasoning_content"
  | "reasoning_content"
  /** Ids of calls have exactly nine letters or digits. */
  | "short ids";

export type Dialect = Set<Difference>;

/** By address and model: what was learned lasts as long as the program. */
const dialects = new Map<string, Dialect>();

/** What is known of whom a model is asked of, now. */
export const chatServer = (baseUrl: string, model: string): ChatServer => ({
  isOpenAI: new URL(baseUrl).host === ownHosts.openai,
  refused: dialectOf(baseUrl, model),
});

/** What a server has refused of a model; kept as long as the program runs. */
export function dialectOf(baseUrl: string, model: string): Dialect {
  const key = `${baseUrl} ${model}`;
  const dialect = dialects.get(key) ?? new Set();
  dialects.set(key, dialect);
  return dialect;
}

interface Refusal {
  said: string;
  /** As the server names it, where it does. */
  param: string | undefined;
  /** Whether the request said how much to think. */
  hasEffort: boolean;
}

interface Lesson {
  difference: Difference;
  isMeant(refusal: Refusal): boolean;
}

const named = (
  difference: "max_completion_tokens" | "max_tokens" | "temperature" | "stream_options",
): Lesson => ({
  difference,
  // "max_tokens is not supported, use max_completion_tokens": the first that is named is the one refused.
  isMeant: ({ said, param }) => (param ? param === difference : firstNamed(said) === difference),
});

/** In this order. Sources: the words of OpenAI, Ollama, Groq, xAI, DeepSeek, Moonshot and Mistral. */
const lessons: readonly Lesson[] = [
  // Not the setting itself: a value of it beside tools.
  { difference: "reasoning with tools", isMeant: ({ said }) => /tools with reasoning_effort/i.test(said) },
  { difference: "summary", isMeant: ({ param }) => param === "reasoning.summary" },
  { difference: "phase", isMeant: ({ param }) => /\bphase$/.test(param ?? "") },
  {
    difference: "reasoning_effort",
    isMeant: ({ said, param, hasEffort }) =>
      param === "reasoning.effort" ||
      param === "reasoning_effort" ||
      (hasEffort && /reasoning[_ ]?effort|does not support thinking|\bthink value\b/i.test(said)),
  },
  named("max_completion_tokens"),
  named("max_tokens"),
  named("temperature"),
  named("stream_options"),
  {
    difference: "reasoning_content",
    isMeant: ({ said }) => /reasoning_content/.test(said) && unsupported.test(said),
  },
  {
    difference: "wants reasoning_content",
    isMeant: ({ said }) => /reasoning_content/.test(said) && !unsupported.test(said),
  },
  { difference: "short ids", isMeant: ({ said }) => /tool call id .*length of 9/i.test(said) },
];

/** @returns whether the refusal names a difference that was not known yet */
export function learn(
  dialect: Dialect,
  error: unknown,
  hasEffort: boolean,
  { APIError }: Pick<Errors, "APIError">,
): boolean {
  if (!(error instanceof APIError) || (error.status !== 400 && error.status !== 422)) return false;
  const refusal = { said: saidBy(error), param: error.param ?? undefined, hasEffort };
  const lesson = lessons.find(({ difference, isMeant }) => !dialect.has(difference) && isMeant(refusal));
  if (lesson) dialect.add(lesson.difference);
  return lesson !== undefined;
}

/** There is neither a status nor a code for it: servers say it in words of their own. It is learned at once. */
export function refusesImages(
  error: unknown,
  request: ModelRequest,
  dialect: Dialect,
  { APIError }: Pick<Errors, "APIError">,
): boolean {
  if (!(error instanceof APIError) || dialect.has("images") || isAboutOneImage(error)) return false;
  const isRefusal = /\b(image|image_url|images|vision|multimodal|mmproj)\b/i.test(saidBy(error));
  if (!isRefusal || !request.messages.some(({ content }) => content.some(hasImage))) return false;
  dialect.add("images");
  return true;
}

/** Another image, or the same one later, may be taken. */
function isAboutOneImage(error: APIError): boolean {
  if (passing.has(error.status ?? 0)) return true;
  if (/^(?:invalid_image|image_parse|image_too|unsupported_image)/i.test(error.code ?? "")) return true;
  return /\bunsupported image\b|\bvalid image\b|\bimage (?:is |was )?too (?:large|small|big)|\b(?:process|decode|download|parse) (?:the )?image\b/i.test(
    saidBy(error),
  );
}

/** Limits and overload. */
const passing: ReadonlySet<number> = new Set([429, 503, 529]);

const hasImage = (block: ContentBlock) =>
  block.type === "image" || (block.type === "tool_result" && block.images !== undefined);

export const noImages = (model: string, cause: unknown) =>
  new ModelError(
    "invalid_request",
    `${model} can't take images.`,
    "Choose a model that can. If you ask this one again, it is told that there is an image but can't see it.",
    { cause },
  );

const unsupported =
  /\b(?:unsupported|unknown|unrecognized|not supported|not permitted|extra|unexpected|does not support)\b/i;

const firstNamed = (said: string) =>
  unsupported.test(said)
    ? /\b(?:reasoning_effort|max_completion_tokens|max_tokens|temperature|stream_options)\b/.exec(said)?.[0]
    : undefined;
