import Anthropic from "@anthropic-ai/sdk";
import { earlierText, type LoopFigures, type LoopOrder, orderFromEnvironment } from "./loop-order.ts";

// The least that a tool loop can cost: the SDK's raw stream read by hand, an array for a history, nothing kept.
console.log(JSON.stringify(await runByHand(orderFromEnvironment())));

async function runByHand({ baseUrl, history }: LoopOrder): Promise<LoopFigures> {
  const client = new Anthropic({ apiKey: "bench", baseURL: baseUrl, logLevel: "off" });
  const messages: Anthropic.MessageParam[] = Array.from({ length: history }, (_, place) => ({
    role: place % 2 === 0 ? "user" : "assistant",
    content: [{ type: "text", text: earlierText(place) }],
  }));
  const tools: Anthropic.Tool[] = [
    {
      name: "echo",
      description: "Returns its input.",
      input_schema: { type: "object", properties: { text: { type: "string" } }, required: ["text"] },
    },
  ];
  const stepMs: number[] = [];
  let deltas = 0;
  const startedAt = performance.now();
  messages.push({ role: "user", content: [{ type: "text", text: "Use echo until you are done." }] });
  for (;;) {
    const stepAt = performance.now();
    const stream = await client.messages.create({
      model: "claude-opus-4-6",
      max_tokens: 8192,
      system: "You are a helpful assistant.",
      messages,
      tools,
      stream: true,
    });
    const blocks: (
      | { type: "text"; text: string }
      | { type: "tool_use"; id: string; name: string; json: string }
    )[] = [];
    let stopReason: string | null = null;
    for await (const event of stream) {
      if (event.type === "content_block_start") {
        const { content_block: block } = event;
        if (block.type === "text") blocks[event.index] = { type: "text", text: block.text };
        if (block.type === "tool_use") blocks[event.index] = { ...block, type: "tool_use", json: "" };
      } else if (event.type === "content_block_delta") {
        const block = blocks[event.index];
        if (event.delta.type === "text_delta" && block?.type === "text") {
          block.text += event.delta.text;
          deltas++;
        }
        if (event.delta.type === "input_json_delta" && block?.type === "tool_use") {
          block.json += event.delta.partial_json;
        }
      } else if (event.type === "message_delta") stopReason = event.delta.stop_reason;
    }
    const content = blocks.map((block) =>
      block.type === "text"
        ? block
        : { type: block.type, id: block.id, name: block.name, input: JSON.parse(block.json) },
    );
    messages.push({ role: "assistant", content });
    if (stopReason !== "tool_use") break;
    messages.push({
      role: "user",
      content: content.flatMap((block) =>
        block.type === "tool_use"
          ? [{ type: "tool_result", tool_use_id: block.id, content: JSON.stringify(block.input) }]
          : [],
      ),
    });
    stepMs.push(performance.now() - stepAt);
  }
  return { wallMs: performance.now() - startedAt, steps: stepMs.length, stepMs, deltas };
}
