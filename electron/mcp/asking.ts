import type {
  CreateMessageRequest,
  CreateMessageResult,
  ElicitRequest,
  ElicitResult,
} from "@modelcontextprotocol/sdk/types.js";
import { z } from "zod";
import { visibleText } from "../../shared/visible-text.ts";
import type { ApiMessage, AssistantMessage, ToolContext } from "../agent/ports.ts";
import type { Elicitation, Sampling } from "./ports.ts";
import type { OnCall } from "./tool-proxy.ts";

/** Asks the model what a server wants to know. The settings say which. */
export type Complete = (
  request: { system: string; messages: ApiMessage[]; maxTokens: number },
  signal: AbortSignal,
) => Promise<AssistantMessage>;

export interface Asking {
  onCall: OnCall;
  sampling: Sampling;
  elicitation: Elicitation;
}

/**
 * Answers what a server asks during a call, through the run that made the call: the user sees each question there. What
 * is asked outside of any call, or during one that was heard from the computer's sound, is refused.
 */
export function askInRun(complete: Complete): Asking {
  const calls = new Map<string, ToolContext[]>();
  const contextOf = (server: string): ToolContext | undefined => {
    const context = calls.get(server)?.at(-1);
    return context?.source === "loopback" ? undefined : context;
  };
  return {
    onCall(server, context) {
      calls.set(server, [...(calls.get(server) ?? []), context]);
      return () =>
        calls.set(
          server,
          (calls.get(server) ?? []).filter((other) => other !== context),
        );
    },
    async sampling(server, request, signal) {
      const context = contextOf(server);
      if (!context) throw new Error("The user is not there to allow it.");
      const asked = textIn(request);
      const answer = await context.ask({
        question: visibleText(`The MCP server ${server} wants to ask the model:\n\n${asked}`),
        options: [{ label: allow }, { label: "Deny" }],
      });
      if (answer !== allow) throw new Error("The user did not allow it.");
      return answerOf(await complete(toRequest(request), signal));
    },
    async elicitation(server, request, signal) {
      const context = contextOf(server);
      if (!context || signal.aborted) return { action: "cancel" };
      return await fillIn(server, request, context);
    },
  };
}

const allow = "Allow once";

type SamplingRequest = CreateMessageRequest["params"];

const blocksOf = ({ content }: SamplingRequest["messages"][number]) =>
  Array.isArray(content) ? content : [content];

function textIn({ systemPrompt, messages }: SamplingRequest): string {
  const said = messages.map((message) => {
    const parts = blocksOf(message).map((block) => (block.type === "text" ? block.text : `[${block.type}]`));
    return `${message.role}: ${parts.join("\n")}`;
  });
  return [systemPrompt === undefined ? [] : [`system: ${systemPrompt}`], said].flat().join("\n\n");
}

/** Only text: what else a server may send, the user cannot have seen. */
function toRequest(request: SamplingRequest): Parameters<Complete>[0] {
  const messages = request.messages.map((message): ApiMessage => {
    const content = blocksOf(message).flatMap((block) =>
      block.type === "text" ? [{ type: "text" as const, text: block.text }] : [],
    );
    return { role: message.role, content };
  });
  return { system: request.systemPrompt ?? "", messages, maxTokens: request.maxTokens };
}

function answerOf({ content, model, stopReason }: AssistantMessage): CreateMessageResult {
  const text = content.flatMap((block) => (block.type === "text" ? [block.text] : [])).join("\n\n");
  return {
    role: "assistant",
    content: { type: "text", text },
    model,
    stopReason: stopReason === "max_tokens" ? "maxTokens" : "endTurn",
  };
}

const field = z.looseObject({
  type: z.string().optional(),
  title: z.string().optional(),
  description: z.string().optional(),
  enum: z.array(z.string()).optional(),
  oneOf: z.array(z.object({ const: z.string(), title: z.string() })).optional(),
  default: z.unknown().optional(),
});
type Field = z.infer<typeof field>;

const decline = "Decline";
const skip = "Leave empty";

/** One question a field. */
async function fillIn(
  server: string,
  request: ElicitRequest["params"],
  context: ToolContext,
): Promise<ElicitResult> {
  if (!("requestedSchema" in request)) return { action: "decline" };
  const { properties, required = [] } = request.requestedSchema;
  const content: Record<string, string | number | boolean | string[]> = {};
  for (const [name, schema] of Object.entries(properties)) {
    const wanted = field.parse(schema);
    const isRequired = required.includes(name);
    const choices = choicesOf(wanted);
    for (let fault = ""; ; ) {
      const what = [wanted.title ?? name, wanted.description].filter((text) => text !== undefined).join(": ");
      const answer = await context.ask({
        question: visibleText(`The MCP server ${server} asks: ${request.message}\n\n${what}${fault}`),
        options: [
          ...choices,
          ...(wanted.default === undefined ? [] : [String(wanted.default)]).filter(
            (text) => !choices.includes(text),
          ),
          ...(isRequired ? [] : [skip]),
          decline,
        ].map((label) => ({ label })),
      });
      if (answer === decline) return { action: "decline" };
      if (answer === skip && !isRequired) break;
      const value = fieldValue(answer, wanted);
      if (value !== undefined) {
        content[name] = value;
        break;
      }
      fault = `\n\n“${answer}” does not fit.`;
    }
  }
  return { action: "accept", content };
}

const titled = ({ oneOf }: Field) => oneOf ?? [];

function choicesOf(wanted: Field): string[] {
  if (wanted.type === "boolean") return ["yes", "no"];
  return wanted.enum ?? titled(wanted).map(({ title }) => title);
}

/** @returns undefined for an answer that does not fit */
function fieldValue(answer: string, wanted: Field): string | number | boolean | undefined {
  const text = answer.trim();
  switch (wanted.type) {
    case "boolean":
      return /^(yes|true)$/i.test(text) ? true : /^(no|false)$/i.test(text) ? false : undefined;
    case "integer":
      return text !== "" && Number.isInteger(Number(text)) ? Number(text) : undefined;
    case "number":
      return text !== "" && Number.isFinite(Number(text)) ? Number(text) : undefined;
    default: {
      const named = titled(wanted).find(({ const: value, title }) => value === text || title === text);
      if (wanted.oneOf) return named?.const;
      return wanted.enum && !wanted.enum.includes(text) ? undefined : answer;
    }
  }
}
