import { z } from "zod";
import { summaryInput, summaryInstructions } from "../../../electron/agent/context/summary-input.ts";
import {
  type ApiMessage,
  type AssistantMessage,
  ModelError,
  type ModelRequest,
  type ModelStreamEvent,
  type Provider,
  type Tool,
} from "../../../electron/agent/ports/ports.ts";
import type { ContentBlock, Message, ToolUseBlock } from "../../../shared/conversation/messages.ts";
import { textOf } from "../../../shared/conversation/messages.ts";
import { png } from "../../../tests/fixtures/images.ts";
import type { CheckName, CheckResult } from "./tried-page.ts";

/** What a check gets. */
export interface CheckContext {
  provider: Provider;
  /** The same, with a key that nobody has. */
  withWrongKey(): Provider;
  /** As in the settings. */
  model: string;
  /** Unlike that of any other run: a cache must not know it from one before. */
  nonce: string;
  signal: AbortSignal;
}

type Check = (context: CheckContext) => Promise<CheckResult>;

const ok = (said: string): CheckResult => ({ outcome: "ok", said });
const failed = (said: string): CheckResult => ({ outcome: "failed", said });
const untried = (said: string): CheckResult => ({ outcome: "untried", said });

/** Each asks a model with Parley's own provider code. They throw what the provider throws. */
export const providerChecks: Readonly<Record<CheckName, Check>> = {
  async stream(context) {
    const startedAt = performance.now();
    const reply = await ask(context, [
      prompt("Write the numbers from 1 to 40 as digits, separated by commas."),
    ]);
    const { texts, shown, message } = reply;
    if (shown !== textOf(message.content)) return failed("what streamed is not what the message holds");
    if (!/\b40\b/.test(shown)) return failed(`it answered “${head(shown)}”`);
    if (texts < 2) return failed("it came in one piece");
    return ok(`${texts} pieces, the first after ${((reply.firstAt - startedAt) / 1000).toFixed(1)} s`);
  },

  async tools(context) {
    const asked = [prompt("How warm is it in Paris, and how warm in Rome? Ask for both at once.")];
    const { message } = await ask(context, asked, { tools: [warmth] });
    const calls = callsOf(message);
    const cities = new Set(calls.map(({ input }) => warmthInput.safeParse(input).data?.city.toLowerCase()));
    if (!cities.has("paris") || !cities.has("rome"))
      return failed(`${calls.length} calls in its reply: ${JSON.stringify(calls.map(({ input }) => input))}`);
    const results = calls.map(({ id, input }) => result(id, warmthInput.parse(input).city));
    const next = await ask(context, [...asked, said(message), { role: "user", content: results }], {
      tools: [warmth],
    });
    const hasBoth = next.shown.includes("17") && next.shown.includes("26");
    return hasBoth
      ? ok(`${calls.length} calls, both results in the answer`)
      : failed(`after the results it says “${head(next.shown)}”`);
  },

  async thinking(context) {
    const { provider, model } = context;
    const { taken, why } = provider.efforts(provider.resolveModel(model));
    const effort = taken.findLast((level) => level !== "off");
    if (effort === undefined) return untried(why ?? "the model takes no effort");
    const asked = [
      prompt("I have three boxes with two, three and five apples and give away four. How many are left?"),
    ];
    const first = await ask(context, asked, { effort });
    const kept = first.message.content.filter(({ type }) => /thinking/.test(type)).length;
    const next = await ask(context, [...asked, said(first.message), prompt("And if I give away one more?")], {
      effort,
    });
    if (!/\b(5|five)\b/i.test(next.shown)) return failed(`it answered “${head(next.shown)}”`);
    if (first.thoughts === 0 && provider.id !== "openai")
      return failed(`no thoughts arrived at the effort ${effort}`);
    return ok(
      first.thoughts === 0
        ? `takes the effort ${effort}; this API shows no thoughts`
        : `thoughts stream, ${kept} of them kept and sent again`,
    );
  },

  async image(context) {
    const { provider, model } = context;
    if (!provider.takesImages(provider.resolveModel(model))) return untried("the model sees no images");
    const data = png(200, 150).toString("base64");
    const image: ContentBlock = { type: "image", source: { type: "base64", media_type: "image/png", data } };
    const words = "Which colour fills this image? Answer with one word.";
    const { shown } = await ask(context, [{ role: "user", content: [image, { type: "text", text: words }] }]);
    return /\b(red|crimson|brick|coral)/i.test(shown)
      ? ok("names its colour")
      : failed(`a red one is “${head(shown)}”`);
  },

  async cache(context) {
    const system = `Run ${context.nonce}. Answer with one word. Words to know:\n${bulk}`;
    const asked = [prompt("Say yes.")];
    const first = await ask(context, asked, { system });
    let history = [...asked, said(first.message)];
    for (let round = 1; round <= cacheRounds; round++) {
      history = [...history, prompt("Again.")];
      const { message } = await ask(context, history, { system });
      const { cacheReadTokens, inputTokens, cacheWriteTokens } = message.usage;
      if (cacheReadTokens > 0)
        return ok(
          `${cacheReadTokens} of ${cacheReadTokens + inputTokens + cacheWriteTokens} tokens, in request ${round + 1}`,
        );
      history = [...history, said(message)];
    }
    return failed(`nothing was read from it in ${cacheRounds} further requests`);
  },

  async stop({ provider, model, signal }) {
    const stop = new AbortController();
    const request = requestOf(model, [
      prompt("Write the numbers from 1 to 500, one on each line, without a pause."),
    ]);
    let stoppedAt = 0;
    try {
      for await (const event of provider.stream(request, AbortSignal.any([stop.signal, signal]))) {
        if (event.type === "message" && stoppedAt === 0)
          return failed("it was whole before it could be stopped");
        if (event.type !== "text" || stoppedAt > 0) continue;
        stoppedAt = performance.now();
        stop.abort(new Error("stopped"));
      }
    } catch (error) {
      if (!stop.signal.aborted || error !== stop.signal.reason) throw error;
      return ok(`${Math.round(performance.now() - stoppedAt)} ms after the word`);
    }
    return failed("it went on to its end");
  },

  async refused(context) {
    try {
      await ask({ ...context, provider: context.withWrongKey() }, [prompt("Say yes.")]);
    } catch (error) {
      if (!(error instanceof ModelError)) throw error;
      return error.code === "auth"
        ? ok(`“${error.message}”`)
        : failed(`it is taken for ${error.code}: ${error.message}`);
    }
    return failed("it answered all the same");
  },

  async limit(context) {
    const answers = await Promise.allSettled(
      Array.from({ length: atOnce }, async () => {
        const { retries } = await ask(context, [prompt("Say yes.")]);
        return retries.some((reason) => /rate limit/.test(reason));
      }),
    );
    const isLimit = (error: unknown) => error instanceof ModelError && error.code === "rate_limit";
    const broken = answers.find((one) => one.status === "rejected" && !isLimit(one.reason));
    if (broken?.status === "rejected") throw broken.reason;
    const waited = answers.filter((one) => one.status === "fulfilled" && one.value).length;
    const given = answers.filter(({ status }) => status === "rejected").length;
    if (waited + given === 0) return untried(`it did not come with ${atOnce} requests at once`);
    return ok(`of ${atOnce} at once ${waited} waited and were answered, ${given} ended with the reason`);
  },

  async long(context) {
    const words = `Write the numbers from 1 to ${longest}, each on a line of its own, nothing else. Leave none out.`;
    const { shown, message } = await ask(context, [prompt(words)], { maxTokens: 16_000 });
    const numbers = shown.match(/\d+/g)?.map(Number) ?? [];
    const missing = numbers.findIndex((number, index) => number !== index + 1);
    if (message.stopReason !== "end_turn")
      return failed(`it ended with ${message.stopReason} after ${numbers.length} lines`);
    if (missing >= 0 || numbers.length !== longest)
      return failed(`line ${missing < 0 ? numbers.length + 1 : missing + 1} is not what it should be`);
    return ok(`${longest} lines, ${message.usage.outputTokens} tokens`);
  },

  async summary({ provider, model, signal }) {
    const request: ModelRequest = {
      ...requestOf(model, [prompt(summaryInput(conversation, null))]),
      system: summaryInstructions,
      maxTokens: 4096,
      temperature: 0,
    };
    const text = textOf((await provider.complete(request, signal)).content);
    const lost = facts.filter((fact) => !text.includes(fact));
    return lost.length === 0
      ? ok(`${text.length} characters, with all that mattered`)
      : failed(`it lost ${lost.join(", ")}`);
  },
};

const cacheRounds = 4;
const atOnce = 20;
const longest = 400;

/** More than the least that any of the caches takes (4,096 tokens), alike in every request. */
const bulk = Array.from({ length: 1500 }, (_, index) => `word${index} is entry ${index * 7}.`).join(" ");

const warmthInput = z.object({ city: z.string().describe("The city's English name.") });
const warmth: Tool<z.infer<typeof warmthInput>> = {
  name: "warmth",
  description: "How warm it is in one city now, in degrees Celsius.",
  input: warmthInput,
  effect: "read",
  run: async ({ city }) => ({ text: degrees(city) }),
};
const degrees = (city: string) => `${/paris/i.test(city) ? 17 : 26} °C`;

const facts = ["/srv/reports/q3.csv", "4711", "Halifax"];
const conversation: Message[] = [
  message(
    "user",
    "Our Halifax office needs the third quarter: use /srv/reports/q3.csv, and only rows with the code 4711.",
  ),
  message("assistant", "I read /srv/reports/q3.csv. 38 of its rows have the code 4711."),
  message("user", "Good. Next come the totals by month."),
];

function message(role: "user" | "assistant", text: string): Message {
  const origin = role === "user" ? "typed" : null;
  return {
    id: text.slice(0, 8),
    role,
    origin,
    source: null,
    content: [{ type: "text", text }],
    createdAt: 0,
  };
}

const prompt = (text: string): ApiMessage => ({ role: "user", content: [{ type: "text", text }] });
const said = ({ content }: AssistantMessage): ApiMessage => ({ role: "assistant", content });
const result = (id: string, city: string): ContentBlock => ({
  type: "tool_result",
  tool_use_id: id,
  content: degrees(city),
});
const callsOf = ({ content }: AssistantMessage): ToolUseBlock[] =>
  content.filter((block) => block.type === "tool_use");
const head = (text: string) => (text.length > 60 ? `${text.slice(0, 60)}…` : text);

function requestOf(model: string, messages: ApiMessage[], more: Partial<ModelRequest> = {}): ModelRequest {
  const common = { model, system: "Answer exactly what is asked, without an introduction.", tools: [] };
  return { ...common, messages, maxTokens: 8192, temperature: 1, ...more };
}

interface Reply {
  message: AssistantMessage;
  /** What a reader has seen at the end: nothing that was reset. */
  shown: string;
  texts: number;
  thoughts: number;
  /** When the first words came, as performance.now(). */
  firstAt: number;
  retries: string[];
}

/** @throws what the provider throws, or Error when there is not exactly one message, at the end */
async function ask(
  { provider, model, signal }: CheckContext,
  messages: ApiMessage[],
  more: Partial<ModelRequest> = {},
): Promise<Reply> {
  const reply = { shown: "", texts: 0, thoughts: 0, firstAt: 0, retries: [] as string[] };
  let last: ModelStreamEvent | undefined;
  for await (const event of provider.stream(requestOf(model, messages, more), signal)) {
    if (last?.type === "message") throw new Error("Something came after the message.");
    last = event;
    if (event.type === "retry") reply.retries.push(event.reason);
    if (event.type === "reset") reply.shown = "";
    if (event.type === "thinking") reply.thoughts++;
    if (event.type !== "text") continue;
    reply.firstAt ||= performance.now();
    reply.shown += event.text;
    reply.texts++;
  }
  if (last?.type !== "message") throw new Error("The stream ended without a message.");
  return { ...reply, message: last.message };
}
