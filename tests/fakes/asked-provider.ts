import type { ApiMessage, ModelRequest, Provider } from "../../electron/agent/ports/ports.ts";
import { createProvider } from "../../electron/providers/create-provider.ts";
import { defaultSettings, type Settings } from "../../shared/settings.ts";
import { InstantClock } from "./clock.ts";

/** What a server answers: an error or a list as JSON, the chunks of a stream, or a body as it is. */
export type Answer =
  | { status?: number; json: unknown }
  | { chunks: readonly unknown[] }
  | { body: ConstructorParameters<typeof Response>[0]; type?: string; status?: number };

interface Asked {
  provider: Provider;
  /** The bodies that were sent, in their order. */
  bodies: Record<string, unknown>[];
  clock: InstantClock;
}

let ids = 0;

/** A provider whose server gives these answers, the last of them again and again. */
export function askedProvider(
  env: Record<string, string>,
  answers: readonly Answer[],
  settings: Partial<Settings> = {},
): Asked {
  const bodies: Record<string, unknown>[] = [];
  const clock = new InstantClock();
  const fetch: typeof globalThis.fetch = async (url, init) => {
    const request = url instanceof Request ? url : new Request(url, init);
    const sent = await request.text();
    bodies.push(sent === "" ? {} : JSON.parse(sent));
    const answer = answers[Math.min(bodies.length, answers.length) - 1];
    if (!answer) throw new Error("There is no answer.");
    if ("json" in answer) return Response.json(answer.json, { status: answer.status ?? 200 });
    if ("body" in answer) {
      const { body, type = "text/event-stream", status = 200 } = answer;
      return new Response(body, { status, headers: { "content-type": type } });
    }
    const events = answer.chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`).join("");
    return new Response(events, { headers: { "content-type": "text/event-stream" } });
  };
  // The watchdog is off: a clock whose sleeps end at once would fire it.
  const limits = { requestTimeoutMs: 0, streamIdleMs: 0 };
  const provider = createProvider(
    { ...defaultSettings, ...limits, ...settings },
    { clock, newId: () => `n${++ids}`, env, fetch },
  );
  return { provider, bodies, clock };
}

/** The reply of a Chat Completions server: these deltas, then its end. */
export const chatReply = (...deltas: readonly object[]): Answer => ({
  chunks: [
    ...deltas.map((delta) => ({ choices: [{ index: 0, delta }] })),
    { choices: [{ index: 0, delta: {}, finish_reason: "stop" }] },
  ],
});

export const asks = (text: string): ApiMessage => ({ role: "user", content: [{ type: "text", text }] });

export const requestFor = (
  model: string,
  messages: ApiMessage[],
  more: Partial<ModelRequest> = {},
): ModelRequest => ({ model, system: "", messages, tools: [], maxTokens: 8192, temperature: 1, ...more });
