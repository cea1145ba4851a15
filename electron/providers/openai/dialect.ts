import type { APIError } from "openai";
import type { ContentBlock } from "../../../shared/conversation/messages.ts";
import { ModelError, type ModelRequest, type Tool } from "../../agent/ports/ports.ts";
import { ownHosts } from "../addresses.ts";
import { isTooLong, takesNoTools } from "../api-errors.ts";
import type { ChatServer } from "../efforts.ts";
import { isBadCall } from "../refused-tools.ts";
import { type Errors, saidBy, statusIn } from "./chat-errors.ts";

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
  | "short ids"
  /** It takes no tools, nor what the history holds of them. */
  | "tools"
  /** It makes grammars of schemas, and knows few of their keywords. */
  | "schema keywords"
  /** It cannot do anything with the schemas of MCP servers, however plain. */
  | "server tools"
  /** What the system says goes with the first prompt. */
  | "system"
  /** A prompt cannot follow a tool's result: the model has to have said something. */
  | "user after tool"
  /** What it said beside calls, or its text, it does not take back. */
  | "call fields"
  /** Its replies begin with thinking of which only the end is marked. Seen, not refused. */
  | "thinks first";

/** What is sent to a server in another way than to most. */
export class Dialect extends Set<Difference> {
  /** Tokens of one reply that it gives at most, where it said so. */
  maxTokens = Number.POSITIVE_INFINITY;
  /** Images that it takes in one request. */
  maxImages = Number.POSITIVE_INFINITY;
  /** Tokens of prompt and reply together, where it told. */
  window: number | undefined = undefined;
  readonly #told = new Set<string>();

  /** What was left out did not help. */
  unlearn(lesson: Lesson): void {
    if (lesson !== "maxTokens" && lesson !== "maxImages") this.delete(lesson);
  }

  /** Whether the user was not told of it yet; from now on they were. */
  isNew(what: "window" | "cut"): boolean {
    const isNew = !this.#told.has(what);
    this.#told.add(what);
    return isNew;
  }
}

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
  const dialect = dialects.get(key) ?? new Dialect();
  dialects.set(key, dialect);
  return dialect;
}

interface Refusal {
  said: string;
  /** Fields of the request, or what lies in them, that the server calls unknown. */
  unknown: string[];
  /** As the server names it, where it does. */
  param: string | undefined;
  /** Whether the request said how much to think. */
  hasEffort: boolean;
  hasTools: boolean;
  /** Some of them are of MCP servers. */
  hasServerTools: boolean;
}

interface Teaching {
  difference: Difference;
  isMeant(refusal: Refusal): boolean;
}

const named = (
  difference: "max_completion_tokens" | "max_tokens" | "temperature" | "stream_options",
): Teaching => ({
  difference,
  isMeant: ({ said, param, unknown }) => {
    if (param) return wholeField(param) === difference;
    // "max_tokens is not supported, use max_completion_tokens": the first that is named is the one refused.
    return unknown.length > 0
      ? unknown.map(wholeField).includes(difference)
      : firstNamed(said) === difference;
  },
});

/** In this order. Sources: the words of OpenAI, Ollama, Groq, xAI, DeepSeek, Moonshot and Mistral. */
const lessons: readonly Teaching[] = [
  // Not the setting itself: a value of it beside tools.
  { difference: "reasoning with tools", isMeant: ({ said }) => /tools with reasoning_effort/i.test(said) },
  { difference: "summary", isMeant: ({ param }) => param === "reasoning.summary" },
  { difference: "phase", isMeant: ({ param }) => /\bphase$/.test(param ?? "") },
  {
    difference: "reasoning_effort",
    isMeant: ({ said, param, unknown, hasEffort }) =>
      param === "reasoning.effort" ||
      param === "reasoning_effort" ||
      (hasEffort &&
        (unknown.length === 0 || unknown.some((field) => /^reasoning/i.test(field))) &&
        /reasoning[_ ]?effort|does not support thinking|\bthink value\b/i.test(said)),
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
  { difference: "short ids", isMeant: ({ said }) => /tool[ _]call[ _]ids? .*length (?:of )?9/i.test(said) },
  {
    difference: "user after tool",
    isMeant: ({ said }) => /role \W?user\W? after role \W?tool|except for tool calls/i.test(said),
  },
  {
    difference: "system",
    isMeant: ({ said }) =>
      !alternatesWithTools.test(said) &&
      /system\W? (?:role|messages?|prompts?)\b.*(?:\bnot|n't) (?:supported|allowed)|not support (?:the )?\W?system|(?:unexpected|unsupported|unknown|invalid) role:? \W?system|developer instruction is not|only user and assistant roles|roles must alternate/i.test(
        said,
      ),
  },
  {
    difference: "tools",
    isMeant: ({ said, unknown, hasTools }) =>
      hasTools &&
      !alternatesWithTools.test(said) &&
      (takesNoTools(said) || refusesToolFields(said, unknown) || /roles must alternate/i.test(said)),
  },
  {
    difference: "call fields",
    isMeant: ({ said }) => /tool_calls?\b|extra_content/.test(said) && unsupported.test(said),
  },
  { difference: "schema keywords", isMeant: ({ said, hasTools }) => hasTools && aboutSchemas(said) },
  {
    difference: "server tools",
    isMeant: ({ said, hasServerTools }) => hasServerTools && aboutSchemas(said),
  },
];

/** Such templates know the system's part and tools: what they miss is a word of the model's behind a result. */
const alternatesWithTools = /roles must alternate.*except for tool calls/i;

/** As llama.cpp, Ollama, OpenAI and vLLM say it. */
const aboutSchemas = (said: string): boolean =>
  /\bgrammar\b|\bschema\b|json[_ ]schema/i.test(said) && !isBadCall(said);

/** Some call it an error of their own. */
const statuses: ReadonlySet<number> = new Set([400, 404, 415, 422, 500, 501]);

/** Whether it says of the request itself that the server does not take it. */
const isRefusal = (error: APIError): boolean => statuses.has(error.status ?? statusIn(error) ?? 400);

export interface Sent {
  tools: readonly Tool[];
  hasEffort: boolean;
  /** Tokens of the reply, at most. */
  maxTokens: number;
  images: number;
}

/** What was learned: a parameter to send otherwise, how many tokens a reply may have, or a request images. */
export type Lesson = Difference | "maxTokens" | "maxImages";

/** @returns what the refusal taught; null: nothing that was not known yet */
export function learn(
  dialect: Dialect,
  error: unknown,
  { tools, hasEffort, maxTokens, images }: Sent,
  { APIError }: Pick<Errors, "APIError">,
): Lesson | null {
  if (!(error instanceof APIError) || !isRefusal(error)) return null;
  const said = saidBy(error);
  const most = smallerLimit(said, maxTokens);
  if (most !== null) {
    dialect.maxTokens = most;
    return "maxTokens";
  }
  // Without a number fewer are tried, as long as there are more than one.
  const mostImages = imageLimit(said) ?? (tooManyImages.test(said) ? Math.floor(images / 2) : 0);
  if (mostImages > 0 && mostImages < dialect.maxImages) {
    dialect.maxImages = mostImages;
    return "maxImages";
  }
  const param = typeof error.param === "string" ? error.param : undefined;
  const isUnknown = /^(?:unknown|unsupported)_parameter$/.test(error.code ?? "");
  const refusal: Refusal = {
    said,
    unknown: [...unknownFields(said), ...(isUnknown && param ? [param] : [])],
    param,
    hasEffort,
    hasTools: tools.length > 0 && !dialect.has("tools"),
    hasServerTools: tools.some(isOfServer),
  };
  const lesson = lessons.find(({ difference, isMeant }) => !dialect.has(difference) && isMeant(refusal));
  if (lesson) dialect.add(lesson.difference);
  return lesson?.difference ?? null;
}

/** Its schema is another one's work. */
export const isOfServer = ({ inputSchema }: Tool): boolean => inputSchema !== undefined;

/** A reply of fewer tokens is none: then it is the prompt that is too long. */
const leastTokens = 1024;

/**
 * How many tokens a reply may have where the server says that those asked for are too many; null: it says something else. As
 * vLLM, OpenAI, Groq and Mistral say it: of the reply alone, or of prompt and reply together.
 */
export function smallerLimit(said: string, asked: number): number | null {
  if (
    !/max_(?:completion_|new_|output_)?tokens|maxOutputTokens|in the (?:completion|output)|(?:completion|output) tokens/i.test(
      said,
    )
  )
    return null;
  const number = (pattern: RegExp) => {
    const [, digits] = pattern.exec(said) ?? [];
    return digits === undefined ? null : Number(digits.replace(/[,_]/g, ""));
  };
  const window = number(
    /(?:(?:maximum )?context (?:length|window)|max_new_tokens` must be)\D{0,20}?([\d,_]+)/i,
  );
  const inPrompt = number(
    /([\d,_]+) (?:input tokens|`inputs`|(?:tokens )?in the (?:messages|prompt|input))/i,
  );
  const requested = number(/requested (?:about )?([\d,_]+) tokens/i);
  const inOutput = number(/([\d,_]+) in the output/i);
  const prompt = inPrompt ?? (requested !== null && inOutput !== null ? requested - inOutput : null);
  const own = number(
    /(?:at most|less than or equal to|up to|not exceed|<=|\[\d+,|\(inclusive\) to|limit \(|maximum(?: value| allowed)?(?: is| of|:)?|limit of|> )\D{0,3}([\d,_]+)/i,
  );
  const isBelow = /\(exclusive\)/i.test(said) ? 1 : 0;
  const most = window !== null && prompt !== null ? window - prompt : own === null ? null : own - isBelow;
  return most !== null && most >= leastTokens && most < asked ? most : null;
}

/** How many images a request may have, where the server says so; null: it says something else. As vLLM, Groq and Mistral say it. */
export function imageLimit(said: string): number | null {
  if (!/\bimages?\b/i.test(said)) return null;
  const [, digits] =
    /\b(?:at most|up to|more than|max(?:imum)?(?: number of images)?(?: allowed)?(?: of| is|:)?|limit(?: of| is|:)?)\s+\(?(\d{1,3})\b(?!\s*(?:px|pixels|x|[kmg]?i?b|bytes|tokens))/i.exec(
      said,
    ) ?? [];
  return digits === undefined || Number(digits) === 0 ? null : Number(digits);
}

/** There is neither a status nor a code for it: servers say it in words of their own. It is learned at once. */
export function refusesImages(
  error: unknown,
  request: ModelRequest,
  dialect: Dialect,
  { APIError }: Pick<Errors, "APIError">,
): boolean {
  if (!(error instanceof APIError) || dialect.has("images") || isAboutOneImage(error)) return false;
  if (imageLimit(saidBy(error)) !== null) return false;
  const said = saidBy(error).replaceAll(request.model, "");
  const isMeant = /\b(image|image_url|images|vision|multimodal|mmproj)\b/i.test(said);
  if (!isMeant || !request.messages.some(({ content }) => content.some(hasImage))) return false;
  dialect.add("images");
  return true;
}

/** Another image, or the same one later, may be taken. */
function isAboutOneImage(error: APIError): boolean {
  if (!isRefusal(error)) return true;
  if (/^(?:invalid_image|image_parse|image_too|unsupported_image)/i.test(error.code ?? "")) return true;
  if (isTooLong(saidBy(error))) return true;
  if (tooManyImages.test(saidBy(error))) return true;
  return /\bunsupported image\b|\bvalid image\b|\binvalid image (?:data|file|format)\b|\bimage(?: \w+){0,3}? (?:exceeds?|too (?:large|small|big))\b|\b(?:process|decode|download|parse|load|identify) (?:the )?image\b/i.test(
    saidBy(error),
  );
}

const tooManyImages = /\btoo many images\b|\bnumber of images\b.*\bexceed/i;

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
  /\b(?:unsupported|unknown|unrecognized|not supported|not permitted|not allowed|extra|unexpected|does not support|value_error\.extra|extra_forbidden|cannot find)\b/i;

/**
 * The fields of a request that a server says it does not know: not what it names behind them, as what it would take. As OpenAI,
 * llama.cpp, LM Studio, LiteLLM, Google and servers in Rust, Go, Java and Python say it.
 */
function unknownFields(said: string): string[] {
  const [, listed = ""] =
    /\b(?:unrecognized|unknown|unsupported|unexpected|extra|additional|not (?:support|supported|permitted|allowed))\b(?:[\s,]+(?:request|input|json|body|the|following|keyword)){0,3}[\s,]+(?:argument|param|parameter|field|key|propert(?:y|ie)|name|option)(?:s\b|\(s\)|\b)(?:\s+(?:supplied|provided|passed|found|received|in (?:the )?(?:object|request|body))){0,2}[\s:=[({"'`]+(?!(?:are|is|was|were|in|for|with|of|at|on|to|by|that)\b)([\w.[\]]+(?:["'`]*,\s*["'`]*[\w.[\]]+)*)/i.exec(
      said,
    ) ?? [];
  return listed.split(/[^\w.[\]]+/).filter((field) => field !== "");
}

/** What a request with tools has that another has not: some pass it on by other names. */
const toolFields = ["tools", "functions", "tool_choice", "function_call", "parallel_tool_calls"];
const toolField = `["'\`]?\\b(?:${toolFields.join("|")})\\b["'\`]?`;
/**
 * FastAPI's "body.tools: Extra inputs are not permitted", Groq's "property 'tools' is unsupported", vLLM's and Pydantic's own form
 * of an error, xAI's "Argument not supported on this model: tools". Of what lies in such a field it says nothing.
 */
const unknownToolField = [
  `(?:^|body\\.|[^\\w.])${toolField}[\\s:,[\\]"'\`]{0,4}(?:(?:argument|param|parameter|field|key|property|option) )?(?:extra (?:inputs?|fields?) (?:are )?not permitted|(?:(?:is|was) )?(?:unsupported|unknown|unrecognized|unexpected|not (?:supported|permitted|allowed|recognized|a valid))\\b)`,
  `extra[_ ](?:forbidden|fields).*["']loc["']:\\s*[([]\\s*(?:["']body["'],\\s*)?${toolField},?\\s*[)\\]]`,
  `["']loc["']:\\s*[([]\\s*(?:["']body["'],\\s*)?${toolField},?\\s*[)\\]],\\s*["']msg["']:\\s*["']extra (?:inputs|fields)`,
  `(?:arguments?|parameters?|fields?|properties|inputs?) (?:is |are )?not (?:supported|allowed|permitted)[\\w ]{0,40}[:(]\\s*${toolField}(?![\\w.[])`,
].map((form) => new RegExp(form, "is"));

const refusesToolFields = (said: string, unknown: readonly string[]): boolean =>
  unknown.some((field) => toolFields.includes(field)) || unknownToolField.some((form) => form.test(said));

/** Of what lies in it, the field itself. */
const wholeField = (field: string) => field.split(/[.[]/)[0];

const firstNamed = (said: string) =>
  unsupported.test(said)
    ? /\b(?:reasoning_effort|max_completion_tokens|max_tokens|temperature|stream_options)\b/.exec(said)?.[0]
    : undefined;
