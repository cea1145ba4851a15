import { mendedMessage } from "../reading/read-message.ts";

/** `fetch` whose messages, in an answer or in a stream of events, are those that the protocol knows (`mendedMessage`). */
export function mendingFetch(base: typeof fetch): typeof fetch {
  return async (input, init) => {
    const response = await base(input, init);
    const { ok, status, statusText, headers, body } = response;
    const type = headers.get("content-type") ?? "";
    if (!ok || !body) return response;
    if (type.includes("text/event-stream")) {
      return new Response(mendedEvents(body), { status, statusText, headers });
    }
    if (!type.includes("application/json")) return response;
    return new Response(mendedText(await response.text()), { status, statusText, headers });
  };
}

/** Every line goes on when it is whole, as it came unless it holds a message that must be mended. */
function mendedEvents(body: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
  let parts: string[] = [];
  const lines = new TransformStream<string, string>({
    transform(text, controller) {
      for (const part of text.split(afterLineEnd)) {
        parts.push(part);
        if (!/[\r\n]$/.test(part)) continue;
        controller.enqueue(mendedLine(parts.join("")));
        parts = [];
      }
    },
    flush: (controller) => controller.enqueue(mendedLine(parts.join(""))),
  });
  // Its types say `BufferSource` of what it takes, which a stream of bytes is.
  const decoder: TransformStream<Uint8Array, string> = new TextDecoderStream();
  return body.pipeThrough(decoder).pipeThrough(lines).pipeThrough(new TextEncoderStream());
}

/** After each, also between CR and LF. */
const afterLineEnd = /(?<=[\r\n])/;

function mendedLine(line: string): string {
  const [, field = "", data = "", end = ""] = /^(data: ?)([^\r\n]*)([\r\n]?)$/.exec(line) ?? [];
  return field === "" ? line : field + mendedText(data) + end;
}

function mendedText(text: string): string {
  // Most have none, and large ones are read once.
  if (!text.includes("null") && !/"result"\s*:\s*[^\s{]/.test(text)) return text;
  try {
    const json: unknown = JSON.parse(text);
    return JSON.stringify(Array.isArray(json) ? json.map(mended) : mended(json));
  } catch {
    return text;
  }
}

const mended = (json: unknown) => mendedMessage(json) ?? json;
