import type {
  CreateMessageRequest,
  CreateMessageResult,
  ElicitRequest,
  ElicitResult,
} from "@modelcontextprotocol/sdk/types.js";
import { visibleText } from "../../../shared/safety/visible-text.ts";
import {
  type FormField,
  type FormValue,
  fieldValue,
  readFormAnswer,
  secretsIn,
} from "../../../shared/servers/forms.ts";
import type { ApiMessage, AssistantMessage, SideAnswer, ToolContext } from "../../agent/ports/ports.ts";
import type { Asker, Elicitation, Sampling } from "../ports.ts";
import type { OnCall } from "../tools/tool-proxy.ts";
import { formFields } from "./form-fields.ts";
import { GivenSecrets } from "./given-secrets.ts";

/** What a server wants to know of the model. */
export interface ModelQuestion {
  system: string;
  messages: ApiMessage[];
  maxTokens: number;
}

/** The model that servers ask. The settings say which. */
export interface ServerModel {
  complete(question: ModelQuestion, signal: AbortSignal): Promise<AssistantMessage>;
  /** What an answer may cost the user, as a sentence. @throws Error where there is no model to ask */
  costOf(question: ModelQuestion): Promise<string>;
}

export interface Asking {
  onCall: OnCall;
  sampling: Sampling;
  elicitation: Elicitation;
}

/**
 * Answers what a server asks during a call, through the run that made the call: the user sees each question there. What
 * is asked outside of any call, or during one that was heard from the computer's sound, is refused.
 * @param onSecret told what the user gave a server that is, or looks like, a secret
 */
export function askInRun(model: ServerModel, onSecret: (secret: string) => void = () => {}): Asking {
  const calls = new Map<Asker, ToolContext[]>();
  const given = new GivenSecrets();
  const contextOf = (server: Asker): ToolContext | undefined => {
    const context = calls.get(server)?.at(-1);
    return context?.source === "loopback" ? undefined : context;
  };
  return {
    onCall(server, context) {
      calls.set(server, [...(calls.get(server) ?? []), context]);
      return {
        end: () =>
          calls.set(
            server,
            (calls.get(server) ?? []).filter((other) => other !== context),
          ),
        clean: (text) => given.removedFrom(text, server),
      };
    },
    async sampling(server, request, signal) {
      const context = contextOf(server);
      if (!context) throw new Error("The user is not there to allow it.");
      const question = questionIn(request);
      const cost = await model.costOf(question);
      const { allowed } = await context.approve(
        {
          name: server.name,
          effect: "network",
          wish: { who: server.name, what: "to ask the model" },
          detail: textIn(request),
          why: `This is what will be sent. The answer goes to the server. ${cost}`,
        },
        notWanted(signal),
      );
      if (!allowed) throw new Error("The user did not allow it.");
      return answerOf(await model.complete(question, signal));
    },
    async elicitation(server, request, signal) {
      const context = contextOf(server);
      if (!context || signal.aborted) return { action: "cancel" };
      const keep = (secrets: readonly string[]) => {
        for (const secret of secrets) onSecret(secret);
        given.add(server, secrets);
      };
      return await fillIn({ server: server.name, request, context, signal, onSecrets: keep });
    },
  };
}

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
function questionIn(request: SamplingRequest): ModelQuestion {
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

/** The server has ended, or does not want to know any more: the card goes away. */
const notWanted = (signal: AbortSignal): Promise<SideAnswer> =>
  new Promise((resolve) => {
    const answer = () => resolve({ allowed: false, reason: "The server does not wait for it any more." });
    if (signal.aborted) answer();
    else signal.addEventListener("abort", answer, { once: true });
  });

interface AskedForm {
  server: string;
  request: ElicitRequest["params"];
  context: ToolContext;
  /** Aborted when the server does not wait any more. */
  signal: AbortSignal;
  onSecrets(secrets: readonly string[]): void;
}

/** Asks once more where an answer does not fit: the window sees to that, but it is not the only way to answer. */
async function fillIn({ server, request, context, signal, onSecrets }: AskedForm): Promise<ElicitResult> {
  if (!("requestedSchema" in request)) return { action: "decline" };
  const fields = formFields(request);
  for (;;) {
    const question = visibleText(request.message);
    const answer = await context.ask({ question, options: [], form: { server, fields } }, signal);
    const read = readFormAnswer(answer);
    if (read?.action !== "accept") return { action: read?.action ?? "cancel" };
    const content = contentOf(fields, read.content);
    if (!content) continue;
    onSecrets(secretsIn(fields, content));
    return { action: "accept", content };
  }
}

/** @returns null where a value does not fit */
function contentOf(
  fields: readonly FormField[],
  given: Readonly<Record<string, FormValue>>,
): Record<string, FormValue> | null {
  const content: Record<string, FormValue> = {};
  for (const field of fields) {
    const read = fieldValue(field, given[field.name]);
    if ("fault" in read) return null;
    if (read.value !== undefined) content[field.name] = read.value;
  }
  return content;
}
