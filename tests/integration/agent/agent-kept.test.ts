import { describe, expect, test } from "vitest";
import { ModelError, type ModelStreamEvent, type Provider } from "../../../electron/agent/ports/ports.ts";
import { textOf } from "../../../shared/conversation/messages.ts";
import { gatedTool } from "../../fakes/gated-tool.ts";
import { streaming } from "../../fakes/streaming-provider.ts";
import { conversationForEachTest, eventsOf, nextEvent, ofType, say, typed } from "./agent-rig.ts";

// What was said, and what was shown, is neither lost nor kept twice, whatever goes wrong at that moment.

const setUp = conversationForEachTest();

test("words that a speaker added are kept though the run is stopped at that moment", async () => {
  const { conversation, server } = await setUp();
  const prompt = typed('[[script:text {"words":2,"hold":"first","at":0}]]');
  const submission = conversation.submit(prompt);
  const inputId = submission.inputId ?? "";
  await server.held("first");
  expect(conversation.suspend(inputId)).toBe(true);
  expect(conversation.mergeInto(inputId, typed("and tomorrow"))).toBe(true);
  conversation.abort();
  await eventsOf(submission);
  const said = conversation.history.flatMap(({ role, content }) =>
    role === "user" ? [textOf(content)] : [],
  );
  expect(said).toEqual([prompt.text, "and tomorrow"]);
});

test("words that a speaker added and that could not be kept go in with the retry, once", async () => {
  const { conversation, server, store, rig } = await setUp();
  const append = store.appendMessage.bind(store);
  const submission = conversation.submit(typed('[[script:text {"words":2,"hold":"first","at":0}]]'));
  const inputId = submission.inputId ?? "";
  await server.held("first");
  store.appendMessage = () => {
    throw new Error("The disk is full.");
  };
  conversation.suspend(inputId);
  conversation.mergeInto(inputId, typed("and tomorrow"));
  expect(ofType(await eventsOf(submission), "run.ended")[0]?.stopReason).toBe("error");
  expect(rig.faults.splice(0)).toHaveLength(1);
  store.appendMessage = append;
  await eventsOf(conversation.retry());
  expect(conversation.history.map(({ content }) => textOf(content))).toEqual([
    expect.stringContaining("script:text"),
    "and tomorrow",
    expect.anything(),
  ]);
});

test("a reply that was cut at its length as the user stopped it is not asked to go on", async () => {
  const { conversation } = await setUp();
  conversation.subscribe((event) => {
    if (event.type === "message.added" && event.message.role === "assistant") conversation.abort();
  });
  await say(conversation, "[[script:max_tokens]]");
  expect(conversation.history.map(({ role }) => role)).toEqual(["user", "assistant"]);
});

test("the user's word into a run that could not be kept goes in with the next prompt, once", async () => {
  const slow = gatedTool("slow");
  const { conversation, store, rig } = await setUp({ tools: [slow] });
  const append = store.appendMessage.bind(store);
  const submission = conversation.submit(typed('[[script:tools {"calls":[{"name":"slow"}]}]]'));
  await slow.started;
  const { steeringId } = conversation.steer("Only the north side");
  store.appendMessage = (id, message, along) => {
    if (message.origin === "steering") throw new Error("The disk is full.");
    append(id, message, along);
  };
  slow.release();
  expect(ofType(await eventsOf(submission), "run.ended")[0]?.stopReason).toBe("error");
  expect(rig.faults.splice(0)).toHaveLength(1);
  expect(conversation.view().steering).toMatchObject([{ steeringId }]);
  store.appendMessage = append;
  await say(conversation, "Go on");
  expect(conversation.history.filter(({ id }) => id === steeringId)).toHaveLength(1);
});

test("a prompt that failed is not what a retry asks for once another one has succeeded", async () => {
  const { conversation, store, rig } = await setUp();
  const append = store.appendMessage.bind(store);
  store.appendMessage = () => {
    throw new Error("The disk is full.");
  };
  await say(conversation, "Lost");
  expect(rig.faults.splice(0)).toHaveLength(1);
  store.appendMessage = append;
  await say(conversation, "Hello");
  expect(conversation.retry().inputId).toBeNull();
});

test("of a reply that began anew and was then stopped only the new beginning is kept", async () => {
  async function* stream(signal: AbortSignal): AsyncGenerator<ModelStreamEvent> {
    yield { type: "text", text: "Void. " };
    yield { type: "reset" };
    yield { type: "text", text: "Kept." };
    await new Promise((_, reject) =>
      signal.addEventListener("abort", () => reject(signal.reason), { once: true }),
    );
  }
  const { conversation } = await setUp({ provider: (real) => streaming(real, stream) });
  const shown = nextEvent(conversation, (event) => event.type === "text.delta" && event.text === "Kept.");
  const submission = conversation.submit(typed("Hello"));
  await shown;
  conversation.abort();
  await eventsOf(submission);
  expect(conversation.history.at(-1)).toMatchObject({ interrupted: true });
  expect(textOf(conversation.history.at(-1)?.content ?? [])).toBe("Kept.");
});

describe("a reply that is cut, and cut again when it is asked for anew", () => {
  const settings = { retryMax: 1, retryBaseMs: 1 };
  const cut = typed('[[script:cut {"after":3,"times":2,"clean":true}]]');

  test("keeps what was read; a retry is another version of it", async () => {
    const { conversation, server } = await setUp({ settings });
    const events = await eventsOf(conversation.submit(cut));
    expect(ofType(events, "run.ended")[0]).toMatchObject({
      stopReason: "error",
      error: { message: "The connection was cut in the middle of the reply." },
    });
    const kept = conversation.history.at(-1);
    expect(kept).toMatchObject({ role: "assistant", interrupted: true });
    expect(textOf(kept?.content ?? [])).not.toBe("");
    const shown = conversation.view().items.find(({ key }) => key === kept?.id);
    expect(shown).toMatchObject({ text: textOf(kept?.content ?? []) });

    await eventsOf(conversation.retry());
    expect(server.requests.map(({ body }) => body.messages)).toEqual(
      server.requests.map(() => server.requests[0]?.body.messages),
    );
    expect(conversation.history).toHaveLength(2);
    expect(conversation.history[1]).not.toMatchObject({ interrupted: true });
    expect(conversation.view().items.at(-1)).toMatchObject({ branches: { index: 1 } });
  });

  test("is known to the model when the user goes on instead", async () => {
    const { conversation, server } = await setUp({ settings });
    await eventsOf(conversation.submit(cut));
    await say(conversation, "and six?");
    expect(server.requests.at(-1)?.body.messages.map(({ role }) => role)).toEqual([
      "user",
      "assistant",
      "user",
    ]);
    expect(conversation.retry().inputId).toBeNull();
  });

  test("a retry does not run its tools again", async () => {
    let requests = 0;
    let ran = 0;
    const count = gatedTool("count", { run: async () => ({ text: `${++ran}` }) });
    const provider = (real: Provider) =>
      streaming(real, async function* (signal, request) {
        requests += 1;
        if (requests === 2) {
          yield { type: "text", text: "It ran" };
          throw new ModelError("network", "No line.", "Try again.");
        }
        yield* real.stream(request, signal);
      });
    const { conversation } = await setUp({ tools: [count], provider });
    await eventsOf(conversation.submit(typed('[[script:tools {"calls":[{"name":"count"}]}]]')));
    expect(textOf(conversation.history.at(-1)?.content ?? [])).toBe("It ran");
    await eventsOf(conversation.retry());
    expect([ran, requests]).toEqual([1, 3]);
    expect(conversation.history.map(({ role }) => role)).toEqual(["user", "assistant", "user", "assistant"]);
    expect(textOf(conversation.history.at(-1)?.content ?? [])).toContain("Results: 1");
  });
});
