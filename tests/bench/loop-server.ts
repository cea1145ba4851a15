import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/**
 * The model's far side for the loop benchmark, in a process of its own and as lean as can be, so that what is measured
 * is the client: it neither parses the history nor waits. It says its address on stdout.
 *
 * POST /KEY/STEPS/PARALLEL/v1/messages: the first STEPS requests of a KEY are answered with 20 text deltas and
 * PARALLEL calls of `echo`, the next one with text alone. A request that does not bring the results of the calls
 * before is refused.
 */
const deltasPerReply = 20;
const rounds = new Map<string, number>();

const server = createServer((request, response) => {
  const chunks: Uint8Array[] = [];
  request.on("data", (chunk: Uint8Array) => chunks.push(chunk));
  request.on("end", () => {
    const [, key = "", steps, parallel] = request.url?.split("/") ?? [];
    const round = (rounds.get(key) ?? 0) + 1;
    rounds.set(key, round);
    const body = Buffer.concat(chunks);
    const missing = idsOf(round - 1, Number(parallel)).filter(
      (id) => !body.includes(`"tool_use_id":"${id}"`),
    );
    if (missing.length > 0) {
      response.writeHead(400, { "content-type": "application/json" });
      const message = `There is no result of ${missing.join(", ")}.`;
      response.end(JSON.stringify({ type: "error", error: { type: "invalid_request_error", message } }));
      return;
    }
    response.writeHead(200, { "content-type": "text/event-stream" });
    const calls = round <= Number(steps) ? idsOf(round, Number(parallel)) : [];
    for (const event of replyOf(calls)) {
      response.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
    }
    response.end();
  });
});
server.listen(0, "127.0.0.1", () => {
  const { port } = server.address() as AddressInfo;
  console.log(`http://127.0.0.1:${port}`);
});

function idsOf(round: number, parallel: number): string[] {
  return round === 0 ? [] : Array.from({ length: parallel }, (_, place) => `toolu_${round}_${place}`);
}

function* replyOf(calls: readonly string[]) {
  const usage = {
    input_tokens: 25,
    output_tokens: 1,
    cache_read_input_tokens: 0,
    cache_creation_input_tokens: 0,
  };
  const model = "claude-opus-4-6";
  const message = {
    id: "msg",
    type: "message",
    role: "assistant",
    content: [],
    model,
    stop_reason: null,
    usage,
  };
  yield { type: "message_start", message };
  yield { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } };
  for (let place = 1; place <= deltasPerReply; place++) {
    yield { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: ` word-${place}` } };
  }
  yield { type: "content_block_stop", index: 0 };
  for (const [place, id] of calls.entries()) {
    const index = place + 1;
    yield {
      type: "content_block_start",
      index,
      content_block: { type: "tool_use", id, name: "echo", input: {} },
    };
    for (const partial_json of ['{"text":', '"Say this', ` again: ${id}"}`]) {
      yield { type: "content_block_delta", index, delta: { type: "input_json_delta", partial_json } };
    }
    yield { type: "content_block_stop", index };
  }
  const stop_reason = calls.length > 0 ? "tool_use" : "end_turn";
  yield { type: "message_delta", delta: { stop_reason, stop_sequence: null }, usage: { output_tokens: 60 } };
  yield { type: "message_stop" };
}
