/** What servers that speak Chat Completions in their own way refuse, each in its own words. */

/** As much of a request as the rules need. */
interface Spoken {
  messages: readonly {
    role: string;
    content: unknown;
    tool_call_id?: string | undefined;
    tool_calls?: readonly { id: string }[] | undefined;
    reasoning_content?: string | undefined;
  }[];
  tools?: readonly unknown[] | undefined;
  max_tokens?: number | undefined;
  temperature?: number | undefined;
  stream_options?: unknown;
}

/** @returns why it is refused; null: it is not */
type Rule = (request: Spoken) => string | null;

const usesTools = ({ tools, messages }: Spoken) =>
  tools !== undefined || messages.some(({ role, tool_calls }) => role === "tool" || tool_calls !== undefined);

export const dialects = {
  /** Ollama with a model that has no template for tools. */
  "takes no tools": (request) => (usesTools(request) ? "llama2:7b does not support tools" : null),
  /** Mistral. */
  "wants an answer after each result, and short ids": ({ messages }) => {
    const ids = messages.flatMap(({ tool_calls = [] }) => tool_calls.map(({ id }) => id));
    const long = ids.find((id) => !/^[a-zA-Z0-9]{9}$/.test(id));
    if (long !== undefined) return `Tool call id was ${long} but must be a-z, A-Z, 0-9, with a length of 9.`;
    const after = messages.some(({ role }, place) => role === "user" && messages[place - 1]?.role === "tool");
    return after ? "Unexpected role 'user' after role 'tool'" : null;
  },
  /** Templates of Gemma's. */
  "takes no system prompt": ({ messages }) =>
    messages.some(({ role }) => role === "system") ? "System role not supported" : null,
  /** DeepSeek. */
  "wants its reasoning back": ({ messages }) =>
    messages.some(({ role, reasoning_content }) => role === "assistant" && reasoning_content === undefined)
      ? "The `reasoning_content` in the thinking mode must be passed back to the API."
      : null,
  /** llama.cpp. */
  "compiles schemas": ({ tools }) =>
    /"(?:pattern|format)":"|"(?:exclusive)?(?:Minimum|minimum|Maximum|maximum)":\d/.test(
      JSON.stringify(tools ?? []),
    )
      ? "failed to parse grammar"
      : null,
  /** Groq. */
  "gives short replies": ({ max_tokens = 0 }) =>
    max_tokens > 4096 ? "`max_tokens` must be less than or equal to `4096`" : null,
  /** Gateways that check strictly. */
  "knows few parameters": ({ temperature, stream_options }) => {
    if (temperature !== undefined) return "Unsupported parameter: temperature";
    return stream_options === undefined ? null : "Unrecognized request argument supplied: stream_options";
  },
} as const satisfies Record<string, Rule>;

export type DialectName = keyof typeof dialects;
