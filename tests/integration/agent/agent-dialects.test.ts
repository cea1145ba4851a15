import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { AgentEvent } from "../../../shared/conversation/events.ts";
import { type DialectName, dialects } from "../../fakes/model-server/dialects.ts";
import { openaiProtocol } from "../../fakes/model-server/openai-protocol.ts";
import { images } from "../../fixtures/images.ts";
import { conversationForEachTest, eventsOf, nextEvent, ofType, replyIn, say, typed } from "./agent-rig.ts";

/** A conversation with all that happens in one, over servers of Chat Completions that refuse some of it in their own words. */

const setUp = conversationForEachTest();
const script = (name: string, args: object = {}) => `Please [[script:${name} ${JSON.stringify(args)}]]`;
const names = Object.keys(dialects).filter((name): name is DialectName => name in dialects);

/** A run ended as it should, and its reply was shown. */
function expectReply(events: readonly AgentEvent[], text: string | RegExp): void {
  expect(ofType(events, "run.ended")).toMatchObject([{ stopReason: "end_turn" }]);
  expect(replyIn(events)).toMatch(text);
}

describe.each(names)("a server that %s", (dialect) => {
  const takesTools = dialect !== "takes no tools";
  const quirks = dialect === "takes no system prompt" ? ["whole"] : [];

  test("answers ten prompts, with tools, steering, a stop, an image and another model", async () => {
    const { conversation, rig, server } = await setUp({
      chat: openaiProtocol({ dialect }),
      settings: { provider: "openai", model: "odd" },
    });
    await writeFile(join(rig.folder, "a.png"), images.png);
    // A history with calls is there from the first: another model made it.
    conversation.chooseModel({ model: "plain" });
    const look = { name: "list_directory", input: { path: "." } };
    expectReply(await say(conversation, script("tools", { calls: [look, look], quirks })), "Results");
    conversation.chooseModel({ model: "odd" });

    expectReply(await say(conversation, "Hello"), "Hello");
    if (takesTools) {
      expectReply(await say(conversation, script("tools", { calls: [look], quirks })), "Results");
      expectReply(await say(conversation, script("loop", { rounds: 2, calls: [look], quirks })), "Done");
      const calls = [{ name: "read_file", input: { path: "a.png" } }];
      expectReply(await say(conversation, script("tools", { calls, quirks })), "Results");
    } else {
      for (const word of ["one", "two", "three"]) expectReply(await say(conversation, word), word);
    }

    const steered = conversation.submit(typed(script("text", { words: 3, hold: "steered" })));
    await server.held("steered");
    conversation.steer({ text: "In French", source: null });
    server.release("steered");
    expectReply(await eventsOf(steered), "In French");

    const stopped = conversation.submit(typed(script("text", { words: 3, hold: "stopped" })));
    await nextEvent(conversation, ({ type }) => type === "text.delta");
    conversation.abort();
    expect(ofType(await eventsOf(stopped), "run.ended")).toMatchObject([{ stopReason: "interrupted" }]);
    expectReply(await say(conversation, "After the stop"), "After the stop");

    conversation.chooseModel({ model: "plain" });
    expectReply(await say(conversation, "Another"), "Another");
    conversation.chooseModel({ model: "odd" });
    expectReply(await say(conversation, "Back"), "Back");
    const told = ofType(rig.logged, "model.notice").filter(({ message }) => message.includes("no tools"));
    expect(told).toHaveLength(takesTools ? 0 : 1);
  });
});

test("a reply that says nothing is asked for once more; the second time the user is told", async () => {
  const { conversation, server } = await setUp();
  const events = await say(conversation, script("empty"));
  expect(ofType(events, "run.ended")).toMatchObject([
    { stopReason: "error", error: { code: "empty_reply" } },
  ]);
  expect(server.requests).toHaveLength(2);
});

test("a model with a small window gets short instructions and few tools, and the user is told once", async () => {
  const { conversation, rig, server } = await setUp({ settings: { contextWindow: 6000 } });
  await say(conversation, "One");
  await say(conversation, "Two");
  const { tools, system } = server.requests[0]?.body ?? {};
  expect(tools?.length).toBeLessThanOrEqual(8);
  expect(JSON.stringify(system).length).toBeLessThan(3000);
  expect(ofType(rig.logged, "model.notice")).toMatchObject([
    { message: expect.stringContaining("at most 8 tools") },
  ]);
});
