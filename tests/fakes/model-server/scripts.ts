import { z } from "zod";
import type { RequestBlock, RequestBody } from "./invariants.ts";

/**
 * What the fake server can answer. Arguments are JSON after the name: `[[script:tools {"calls":[…]}]]`; the text may
 * not hold `]]` before its end. Arguments of every script:
 *
 * - `hold`, `at`: wait at the gate `hold` before piece `at` of the text (default 1: after the first); a fault in
 *   mid-stream waits there before it strikes, so that the client surely has the text.
 * - `usage`: `{input, output, cacheRead, cacheWrite}`, the tokens that the answer counts; all of a conversation's later
 *   rounds of the same prompt count the same.
 * - `cutAt`: the stream of the first attempt ends after so many bytes.
 * - `quirks`: ways of servers that only speak alike, see the protocols.
 * - `times`: for faults, how many attempts fail before one works (default 1; -1 = all).
 *
 * | Script | Arguments | Answer |
 * |---|---|---|
 * | `echo` | | the prompt, without its marker |
 * | `text` | `words` (10) or `text` | `word-1 word-2 …`, or the text; a delta a word |
 * | `tools` | `calls`: `[{name, input}]`, `say` | the calls at once, JSON in split deltas; then `Results: …` |
 * | `loop` | `rounds` (2), `calls` | the calls again in every round, then `Done after N rounds.` |
 * | `steps` | `steps`: `[{say, calls}]` | one after the other, each when the calls of the one before are answered |
 * | `delegate` | `text` | a sub-agent started on `text`, then waited for, then `Results: …` |
 * | `thinking` | `calls` | signed thinking, then the calls, or text |
 * | `status` | `code`, `type`, `retryAfter`, `message` | an HTTP error, then the echo |
 * | `overloaded` | `after` (2) | an `overloaded_error` in mid-stream, then the whole text |
 * | `cut` | `after` (2), `clean` | the connection breaks in mid-stream (`clean`: it just ends) |
 * | `malformed` | | an event that is not JSON, then the whole text |
 * | `blocks` | | two text blocks |
 * | `max_tokens`, `refusal` | | a reply that ends like that |
 * | `cut_call` | | `max_tokens` in the middle of a tool's input |
 * | `pings` | | pings, unknown events, blocks and deltas between the text |
 * | `too_long` | `times` | `prompt is too long`, as often as `times` says for this prompt, then the echo |
 * | `obey` | `calls` | the calls, then every order that stands anywhere in the request (see `orderTo`), then `Results: …` |
 * | `empty` | | a reply without any content |
 */
export const scripts: Readonly<Record<string, Script>> = {
  echo: ({ prompt, args }) => plainReply(words(prompt), args),
  text: ({ args }) => plainReply(wordsOf(args), args),
  tools: (turn) => (isAfterTools(turn) ? resultsReply(turn) : callReply(turn, [])),
  loop: (turn) => {
    const done = roundsSoFar(turn);
    return done < (turn.args.rounds ?? 2) ? callReply(turn, []) : plainReply([`Done after ${done} rounds.`]);
  },
  steps: (turn) => {
    const step = turn.args.steps?.[roundsSoFar(turn)] ?? {};
    const args = { ...turn.args, ...step };
    return step.calls ? callReply({ ...turn, args }, []) : plainReply(words(step.say ?? ""), args);
  },
  delegate: (turn) => {
    const [last] = turn.body.messages.at(-1)?.content ?? [];
    const started = /^Started (\S+)\./.exec(typeof last?.content === "string" ? last.content : "")?.[1];
    const call = (name: string, input: object) =>
      callReply({ ...turn, args: { ...turn.args, calls: [{ name, input }] } }, []);
    if (started) return call("wait", { agent_id: started });
    return isAfterTools(turn) ? resultsReply(turn) : call("spawn_agent", { task: turn.args.text });
  },
  thinking: (turn) => {
    if (isAfterTools(turn)) return resultsReply(turn);
    const calls = turn.args.calls ?? [];
    return calls.length > 0
      ? callReply(turn, thought)
      : message([thought, textBlock(wordsOf(turn.args), turn.args)], "end_turn");
  },
  status: (turn) => {
    if (!fails(turn)) return plainReply(words(turn.prompt), turn.args);
    const {
      code = 500,
      type = typeByCode[code] ?? "api_error",
      message: said = "Scripted error.",
      retryAfter,
    } = turn.args;
    return [
      {
        kind: "status",
        code,
        type,
        message: said,
        headers: retryAfter === undefined ? {} : { "retry-after": retryAfter },
      },
    ];
  },
  overloaded: (turn) =>
    broken(turn, [
      event({ type: "error", error: { type: "overloaded_error", message: "Overloaded" } }),
      { kind: "end" },
    ]),
  cut: (turn) => broken(turn, [{ kind: turn.args.clean ? "end" : "cut" }]),
  malformed: (turn) =>
    broken(turn, [
      { kind: "event", event: { type: "content_block_delta" }, raw: '{"type":' },
      { kind: "end" },
    ]),
  blocks: () => message([textBlock(["First ", "block."]), textBlock(["Second ", "block."])], "end_turn"),
  max_tokens: ({ args }) => message([textBlock(wordsOf(args), args)], "max_tokens"),
  refusal: () => message([textBlock(["I ", "cannot ", "help ", "with ", "that."])], "refusal"),
  cut_call: () =>
    message(
      [textBlock(["Looking."]), [toolStart("toolu_cut", "read_file"), jsonDelta('{"path":"half')]],
      "max_tokens",
    ),
  pings: ({ args }) => {
    const noise = [
      event({ type: "ping" }),
      event({ type: "brand_new_event", index: 0 }),
      event({ type: "content_block_delta", index: 0, delta: { type: "brand_new_delta", text: "no" } }),
    ];
    const text = textBlock(wordsOf(args), args).flatMap((step) => [step, ...noise]);
    const unknown = [
      event({ type: "content_block_start", index: 0, content_block: { type: "brand_new_block" } }),
    ];
    return message([unknown, text], "end_turn");
  },
  too_long: ({ args: { times = 1, ...args }, prompt, promptAttempt }) => {
    if (times >= 0 && promptAttempt > times) return plainReply(words(prompt), args);
    const message = "prompt is too long: 210000 tokens > 200000 maximum";
    return [{ kind: "status", code: 400, type: "invalid_request_error", message, headers: {} }];
  },
  obey: (turn) => {
    if (turn.args.calls && !isAfterTools(turn)) return callReply(turn, []);
    const calls = ordersIn(turn.body);
    return calls.length > 0 ? callReply({ ...turn, args: { calls } }, []) : resultsReply(turn);
  },
  empty: () => message([], "end_turn"),
};

/** Words that make the script `obey` call a tool, wherever it reads them: plain letters, that nothing on the way changes. */
export const orderTo = (call: Call): string =>
  `OBEY:${Buffer.from(JSON.stringify({ name: call.name, input: call.input })).toString("hex")}`;

/** What was ordered and not done yet in this conversation. */
function ordersIn(body: RequestBody): Call[] {
  const blocks = body.messages.flatMap(({ content }) => content);
  const done = new Set(blocks.map(({ name, input }) => JSON.stringify({ name, input })));
  const ordered = [...JSON.stringify(body).matchAll(/OBEY:([0-9a-f]+)/g)].map(([, hex = ""]) =>
    Buffer.from(hex, "hex").toString(),
  );
  return [...new Set(ordered)]
    .filter((order) => !done.has(order))
    .map((order) => callShape.parse(JSON.parse(order)));
}

export type Script = (turn: Turn) => Iterable<Step>;

export interface Turn {
  body: RequestBody;
  args: Args;
  /** The newest prompt without its marker. */
  prompt: string;
  /** Which try with these very messages this is, from 1. */
  attempt: number;
  /** Which request for this prompt this is, from 1, whatever became of the history before it. */
  promptAttempt: number;
}

/** One thing the server does. `raw` is sent in place of the event's JSON. */
export type Step =
  | { kind: "event"; event: WireEvent; raw?: string }
  | { kind: "hold"; gate: string }
  | { kind: "status"; code: number; type: string; message: string; headers: Readonly<Record<string, string>> }
  | { kind: "cut" }
  | { kind: "end" };

export interface WireEvent {
  type: string;
  index?: number;
  message?: object;
  content_block?: { type: string; id?: string; [key: string]: unknown };
  delta?: { thinking?: string; [key: string]: unknown };
  [key: string]: unknown;
}

const callShape = z.object({ name: z.string(), input: z.unknown().optional() });
type Call = z.infer<typeof callShape>;

const argsShape = z.object({
  steps: z.array(z.object({ say: z.string().optional(), calls: z.array(callShape).optional() })).optional(),
  hold: z.string().optional(),
  at: z.number().optional(),
  times: z.number().optional(),
  words: z.number().optional(),
  text: z.string().optional(),
  say: z.string().optional(),
  calls: z.array(callShape).optional(),
  rounds: z.number().optional(),
  code: z.number().optional(),
  type: z.string().optional(),
  message: z.string().optional(),
  retryAfter: z.string().optional(),
  after: z.number().optional(),
  clean: z.boolean().optional(),
  usage: z
    .object({
      input: z.number().optional(),
      output: z.number().optional(),
      cacheRead: z.number().optional(),
      cacheWrite: z.number().optional(),
    })
    .optional(),
  cutAt: z.number().optional(),
  quirks: z.array(z.string()).optional(),
});
export type Args = z.infer<typeof argsShape>;

const markerPattern = /\[\[script:(\w+)\s*([\s\S]*?)\]\]/;

/**
 * The marker of the newest prompt; tool results are no prompts.
 * @param unmarked the marker where it has none @throws Error for arguments that no script has
 */
export function parseMarker(
  { messages }: RequestBody,
  unmarked = "",
): { name: string; args: Args; prompt: string } {
  const texts = messages
    .filter(({ role }) => role === "user")
    .flatMap(({ content }) => content.flatMap((block) => (isPrompt(block) ? [block.text] : [])));
  const prompt = texts.at(-1) ?? "";
  const [marker = "", name = "echo", json = ""] =
    markerPattern.exec(prompt) ?? markerPattern.exec(unmarked) ?? [];
  const args = argsShape.strict().parse(json.trim() === "" ? {} : JSON.parse(json));
  return { name, args, prompt: prompt.replace(marker, "").trim() };
}

/** What the agent itself tells the model in the user's place is no prompt: the script goes on. */
const ownWords = /^\[(LOOP DETECTED|REPLY CUT|EMPTY REPLY|COMPACTION SUMMARY)\]/;

function isPrompt(block: RequestBlock): block is RequestBlock & { text: string } {
  return block.type === "text" && Boolean(block.text) && !ownWords.test(block.text ?? "");
}

export function plainReply(pieces: readonly string[], args: Args = {}): Step[] {
  return message([textBlock(pieces, args)], "end_turn");
}

/** The counts that the marker asks for, in place of the usual ones. */
export function withUsage(steps: Iterable<Step>, { usage }: Args): Step[] {
  if (!usage) return [...steps];
  const counted = {
    ...(usage.input !== undefined && { input_tokens: usage.input }),
    ...(usage.output !== undefined && { output_tokens: usage.output }),
    ...(usage.cacheRead !== undefined && { cache_read_input_tokens: usage.cacheRead }),
    ...(usage.cacheWrite !== undefined && { cache_creation_input_tokens: usage.cacheWrite }),
  };
  return [...steps].map((step): Step => {
    if (step.kind !== "event" || step.event.type !== "message_delta") return step;
    return { ...step, event: { ...step.event, usage: { ...Object(step.event.usage), ...counted } } };
  });
}

/** Each answer says which model gave it. */
export const saidBy = (steps: readonly Step[], model: string): Step[] =>
  steps.map((step) =>
    step.kind === "event" && step.event.type === "message_start"
      ? { ...step, event: { ...step.event, message: { ...Object(step.event.message), model } } }
      : step,
  );

const event = (wire: WireEvent): Step => ({ kind: "event", event: wire });

/** Blocks get their index by their place. */
function message(blocks: readonly (readonly Step[])[], stopReason: string): Step[] {
  const inBlocks = blocks.flatMap((steps, index) => [
    ...steps.map((step) => (step.kind === "event" && "index" in step.event ? withIndex(step, index) : step)),
    event({ type: "content_block_stop", index }),
  ]);
  return [
    ...start(),
    ...inBlocks,
    event({
      type: "message_delta",
      delta: { stop_reason: stopReason, stop_sequence: null },
      usage: { output_tokens: 12 },
    }),
    event({ type: "message_stop" }),
  ];
}

function withIndex(step: Extract<Step, { kind: "event" }>, index: number): Step {
  return { ...step, event: { ...step.event, index } };
}

const start = (): Step[] => [
  event({
    type: "message_start",
    message: {
      id: "msg_scripted",
      type: "message",
      role: "assistant",
      content: [],
      model: "claude-scripted",
      stop_reason: null,
      stop_sequence: null,
      usage: {
        input_tokens: 25,
        output_tokens: 1,
        cache_read_input_tokens: 3,
        cache_creation_input_tokens: 2,
      },
    },
  }),
];

function textBlock(pieces: readonly string[], { hold, at = 1 }: Args = {}): Step[] {
  const deltas = pieces.flatMap((text, place): Step[] => {
    const delta = event({ type: "content_block_delta", index: 0, delta: { type: "text_delta", text } });
    return hold !== undefined && place === at ? [{ kind: "hold", gate: hold }, delta] : [delta];
  });
  return [
    event({ type: "content_block_start", index: 0, content_block: { type: "text", text: "" } }),
    ...deltas,
  ];
}

const thought: Step[] = [
  event({
    type: "content_block_start",
    index: 0,
    content_block: { type: "thinking", thinking: "", signature: "" },
  }),
  ...["Let me ", "think ", "about it."].map((thinking) =>
    event({ type: "content_block_delta", index: 0, delta: { type: "thinking_delta", thinking } }),
  ),
  event({
    type: "content_block_delta",
    index: 0,
    delta: { type: "signature_delta", signature: "signed-by-the-model" },
  }),
];

const toolStart = (id: string, name: string) =>
  event({ type: "content_block_start", index: 0, content_block: { type: "tool_use", id, name, input: {} } });
const jsonDelta = (partial_json: string) =>
  event({ type: "content_block_delta", index: 0, delta: { type: "input_json_delta", partial_json } });

/** Calls whose JSON comes in pieces of three characters, as it never would be convenient. */
function callReply(turn: Turn, before: readonly Step[]): Step[] {
  const round = turn.body.messages.length;
  const calls = (turn.args.calls ?? []).map(({ name, input }, index) => [
    toolStart(`toolu_${round}_${index}`, name),
    ...(JSON.stringify(input ?? {}).match(/[\s\S]{1,3}/g) ?? []).map(jsonDelta),
  ]);
  const say = turn.args.say === undefined ? [] : [textBlock(words(turn.args.say), turn.args)];
  return message([...(before.length > 0 ? [before] : []), ...say, ...calls], "tool_use");
}

/** The results as they arrived, so that tests can see what the model saw. */
function resultsReply({ body, args }: Turn): Step[] {
  const results = body.messages.at(-1)?.content.filter(({ type }) => type === "tool_result") ?? [];
  const said = results.map(
    ({ content, is_error }: RequestBlock) => `${is_error ? "error: " : ""}${String(content)}`,
  );
  return plainReply(words(`Results: ${said.join(" | ")}`), args.say === undefined ? args : {});
}

function isAfterTools({ body }: Turn): boolean {
  return body.messages.at(-1)?.content.every((block) => !isPrompt(block)) ?? false;
}

/** Messages with tool results since the newest prompt. */
function roundsSoFar({ body }: Turn): number {
  const lastPrompt = body.messages.findLastIndex(
    ({ role, content }) => role === "user" && content.some(isPrompt),
  );
  return body.messages.slice(lastPrompt + 1).filter(({ role }) => role === "user").length;
}

function fails({ args: { times = 1 }, attempt }: Turn): boolean {
  return times < 0 || attempt <= times;
}

/** Some words of a text, then the fault; the whole text once it works. */
function broken(turn: Turn, fault: readonly Step[]): Step[] {
  const pieces = wordsOf(turn.args);
  if (!fails(turn)) return plainReply(pieces, turn.args);
  const { after = 2, hold } = turn.args;
  const gate: Step[] = hold === undefined ? [] : [{ kind: "hold", gate: hold }];
  return [...start(), ...textBlock(pieces.slice(0, after)), ...gate, ...fault];
}

const words = (text: string) => text.match(/\s*\S+/g) ?? [];

function wordsOf({ text, words: count = 10 }: Args): string[] {
  if (text !== undefined) return words(text);
  return Array.from({ length: count }, (_, index) => `${index === 0 ? "" : " "}word-${index + 1}`);
}

const typeByCode: Readonly<Record<number, string>> = {
  400: "invalid_request_error",
  401: "authentication_error",
  403: "permission_error",
  404: "not_found_error",
  413: "request_too_large",
  429: "rate_limit_error",
  500: "api_error",
  529: "overloaded_error",
};
