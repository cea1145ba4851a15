import { checkMany, imageBlockRule } from "./image-rules.ts";
import { type RequestBlock, type RequestBody, requestBody } from "./invariants.ts";
import type { Protocol } from "./protocol.ts";
import { checkSchemas } from "./schema-rules.ts";
import { claudeBreaches } from "./thinking-rules.ts";
import { claudeRefusals } from "./wire-rules.ts";

/** The Messages API: what the scripts are written in. */
export function anthropicProtocol(): Protocol {
  /** What was sent for a tool use id: the same thinking must come back before it. */
  const sentThinking = new Map<string, string>();
  const sentIds = new Set<string>();
  return {
    accepts: (method, path) => method === "POST" && path.startsWith("/v1/messages"),
    mostBytes: 32 * 1024 * 1024,
    tooLarge: { code: 413, type: "request_too_large", message: "Request exceeds the maximum size" },
    listing: {
      path: "/v1/models",
      of: (ids) => ({
        data: ids.map((id) => ({
          type: "model",
          id,
          display_name: `Name of ${id}`,
          created_at: "2026-01-01T00:00:00Z",
        })),
        has_more: false,
        first_id: null,
        last_id: null,
      }),
    },
    read(json, _path, beta) {
      const body = requestBody.parse(json);
      return {
        body,
        breaches: [
          ...checkThinking(body, sentThinking),
          ...checkIds(body),
          ...checkImages(body),
          ...checkSchemas(body),
          ...checkMarks(json),
          ...claudeBreaches(json, beta),
          ...claudeRefusals(json),
        ],
      };
    },
    encoder() {
      let thinking = "";
      return {
        encode(event, raw) {
          thinking += event.delta?.thinking ?? "";
          const { content_block: block } = event;
          if (block?.type === "tool_use" && block.id) {
            // An id that stood before belongs to two calls: the client gives one of them another.
            if (sentIds.has(block.id)) sentThinking.delete(block.id);
            else if (thinking !== "") sentThinking.set(block.id, thinking);
            sentIds.add(block.id);
          }
          return `event: ${event.type}\ndata: ${raw ?? JSON.stringify(event)}\n\n`;
        },
      };
    },
    error: (_, type, message) => ({ type: "error", error: { type, message } }),
  };
}

function checkThinking({ messages }: RequestBody, sentThinking: ReadonlyMap<string, string>): string[] {
  return messages.flatMap(({ content }, index) => {
    const kept = content.find(({ type }) => type === "thinking");
    const last = content.at(-1)?.type ?? "";
    const endsWith = /thinking$/.test(last)
      ? [`the final block in an assistant message cannot be \`${last}\``]
      : [];
    const unsigned = content.some(({ type, signature }) => type === "thinking" && !isSigned(signature));
    const lost = content.flatMap(({ type, id = "" }) => {
      const sent = type === "tool_use" ? sentThinking.get(id) : undefined;
      if (sent === undefined || (kept?.thinking === sent && kept.signature)) return [];
      return [`messages.${index}: the thinking before ${id} did not come back as it was sent, signed`];
    });
    const foreign = unsigned ? ["thinking with a signature of somebody else"] : [];
    return [...lost, ...[...endsWith, ...foreign].map((breach) => `messages.${index}: ${breach}`)];
  });
}

/** What the scripts sign with. */
const isSigned = (signature: string | undefined) => signature === "signed-by-the-model";

function checkIds({ messages }: RequestBody): string[] {
  return messages.flatMap(({ content }, index) =>
    content.flatMap(({ id, tool_use_id }) => {
      const wrong = [id, tool_use_id].filter((name) => name !== undefined && !/^[a-zA-Z0-9_-]+$/.test(name));
      return wrong.map((name) => `messages.${index}: the id ${name} does not match ^[a-zA-Z0-9_-]+$`);
    }),
  );
}

/** Images are the user's, and of a kind that the API takes. */
function checkImages({ messages }: RequestBody): string[] {
  const taken = messages.flatMap(({ content }) =>
    imagesIn(content).flatMap((block) => imageBlockRule.safeParse(block).data ?? []),
  );
  const each = messages.flatMap(({ role, content }, index) =>
    imagesIn(content).flatMap((block) => {
      const at = `messages.${index}`;
      if (role !== "user") return [`${at}: an image of the model's`];
      return imageBlockRule.safeParse(block).success ? [] : [`${at}: an image that the API does not take`];
    }),
  );
  return [...each, ...checkMany(taken)];
}

/** Those of results, too. */
const imagesIn = (content: readonly RequestBlock[]): unknown[] =>
  content.flatMap((block) => {
    if (block.type === "image") return [block];
    return Array.isArray(block.content) ? block.content.filter(({ type }) => type === "image") : [];
  });

/** At most four cache marks a request, and none on thinking. */
function checkMarks(json: unknown): string[] {
  const text = JSON.stringify(json);
  const marks = text.split('"cache_control":').length - 1;
  return marks > 4 ? [`${marks} cache marks`] : [];
}
