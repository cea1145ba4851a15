import { describe, expect, test } from "vitest";
import type { Conversation } from "../../../electron/agent/conversation/conversation.ts";
import { systemClock } from "../../../electron/agent/conversation/system-clock.ts";
import {
  ModelError,
  type ModelStreamEvent,
  type Provider,
  StoreError,
  type Subagents,
} from "../../../electron/agent/ports/ports.ts";
import { textOf } from "../../../shared/conversation/messages.ts";
import { gatedTool } from "../../fakes/gated-tool.ts";
import { streaming } from "../../fakes/streaming-provider.ts";
import { conversationForEachTest, eventsOf, nextEvent, ofType, replyIn, say, typed } from "./agent-rig.ts";

// What was said, and what was shown, is neither lost nor kept twice, whatever goes wrong at that moment.

const setUp = conversationForEachTest();
const textsOf = ({ history }: Conversation) => history.map(({ content }) => textOf(content));

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

describe("words that a speaker added and that could not be kept", () => {
  async function unkept() {
    const { conversation, server, store, rig } = await setUp();
    const append = store.appendMessage.bind(store);
    const submission = conversation.submit(typed('[[script:text {"words":2,"hold":"first","at":0}]]'));
    await server.held("first");
    store.appendMessage = () => {
      throw new Error("The disk is full.");
    };
    conversation.mergeInto(submission.inputId ?? "", typed("and tomorrow"));
    await eventsOf(submission);
    expect(rig.faults.splice(0)).toHaveLength(1);
    store.appendMessage = append;
    return { conversation, server };
  }
  const offered = [{ text: "and tomorrow", isHeld: true }];

  test("are offered once another prompt was asked", async () => {
    const { conversation } = await unkept();
    await say(conversation, "Hello");
    expect(conversation.view().queue).toMatchObject(offered);
  });

  test("are offered when their retry is stopped while it waits", async () => {
    const { conversation, server } = await unkept();
    const next = conversation.submit(typed('[[script:text {"words":2,"hold":"next","at":1}]]'));
    await server.held("next");
    conversation.retry();
    conversation.stop();
    await eventsOf(next);
    expect(conversation.view().queue).toMatchObject(offered);
  });
});

test("words that a speaker added while the model could not be had go in with the retry, once", async () => {
  const spoken = { text: "and tomorrow", origin: "voice", source: "microphone" } as const;
  let meanwhile = () => {};
  const provider = (real: Provider) => {
    meanwhile();
    return real;
  };
  const { conversation } = await setUp({ provider });
  const submission = conversation.submit({ ...spoken, text: "Remind me today" });
  meanwhile = () => {
    expect(conversation.mergeInto(submission.inputId ?? "", spoken)).toBe(true);
    meanwhile = () => {
      throw new ModelError("auth", "There is no key.", "");
    };
    meanwhile();
  };
  expect(ofType(await eventsOf(submission), "run.ended")[0]?.stopReason).toBe("error");
  meanwhile = () => {};
  await eventsOf(conversation.retry());
  expect(textsOf(conversation).slice(0, 2)).toEqual(["Remind me today", "and tomorrow"]);
  expect(conversation.history).toHaveLength(3);
});

test("words that a speaker added twice before the request had ended are all asked about", async () => {
  const spoken = { text: "and tomorrow", origin: "voice", source: "microphone" } as const;
  const { conversation, server } = await setUp();
  const submission = conversation.submit(typed('[[script:text {"words":2,"hold":"first","at":0}]]'));
  const inputId = submission.inputId ?? "";
  await server.held("first");
  expect(conversation.mergeInto(inputId, spoken)).toBe(true);
  expect(conversation.mergeInto(inputId, { ...spoken, text: "and on Friday" })).toBe(true);
  await eventsOf(submission);
  expect(textsOf(conversation).slice(1)).toEqual(["and tomorrow", "and on Friday", "and on Friday"]);
});

describe("a reply that only thought", () => {
  const thinksAlone = '[[script:thinking {"text":""}]]';

  // Bug: the API refused it, and with it every further prompt of the conversation.
  test("is left out when the user goes on", async () => {
    const { conversation } = await setUp();
    const events = await say(conversation, thinksAlone);
    expect(ofType(events, "run.ended")[0]).toMatchObject({ error: { code: "empty_reply" } });
    expect(replyIn(await say(conversation, "Next"))).toBe("Next");
  });

  test("is left out when it is asked for again", async () => {
    const { conversation, server } = await setUp();
    await say(conversation, thinksAlone);
    await eventsOf(conversation.retry());
    // Each of the two asks once more by itself.
    expect(server.requests.map(({ body }) => body.messages.map(({ role }) => role))).toEqual(
      Array.from({ length: 4 }, () => ["user"]),
    );
  });
});

// Bug: what a poor server had left out was kept like that, and the conversation could not be read any more.
test("a reply whose parts a server left out is kept so that it can be read, and the run goes on", async () => {
  const poor = {
    content: [
      { type: "thinking", thinking: "Hm." },
      { type: "tool_use", id: "", name: "" },
      { type: "tool_use", name: "current_time", input: null },
      { type: "unheard_of" },
    ],
    stopReason: "tool_use",
    usage: { inputTokens: 2.5, outputTokens: -1, cacheReadTokens: Number.NaN },
  };
  let requests = 0;
  const provider = (real: Provider) =>
    streaming(real, async function* (signal, request) {
      if (++requests === 1) yield { type: "message", message: Object(poor) };
      else yield* real.stream(request, signal);
    });
  const { conversation } = await setUp({ provider });
  await say(conversation, "Go on [[script:tools]]");
  const [, reply, results] = conversation.history;
  const usage = { inputTokens: 3, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0 };
  expect(reply).toMatchObject({ usage, model: "claude-opus-5-5" });
  expect(reply?.content.map((block) => (block.type === "tool_use" ? block.name : block.type))).toEqual([
    ...["thinking", "unknown", "current_time"],
  ]);
  expect(results?.content).toMatchObject([{ is_error: true }, { type: "tool_result" }]);
  expect(textsOf(conversation).at(-1)).toContain('There is no tool "unknown"');
  expect(replyIn(await say(conversation, "Next"))).toBe("Next");
});

describe("with a sub-agent", () => {
  const calls = (...names: string[]) =>
    `[[script:tools {"calls":${JSON.stringify(names.map((name) => ({ name })))} }]]`;
  /** Starts an agent for the task, then does the rest. */
  const delegating = (task: string, rest: (agents: Subagents, id: string) => Promise<unknown>) =>
    gatedTool("delegate", {
      run: async (_, { subagents }) => ({ text: `${await rest(subagents, subagents.spawn(task))}` }),
    });

  // Bug: nobody answered it before the next prompt.
  test("that is being ended: the user's word into the run is answered by it", async () => {
    const slow = gatedTool("slow");
    const delegate = delegating(calls("slow"), async () => await slow.started);
    const { conversation } = await setUp({ clock: systemClock, tools: [slow, delegate] });
    const submission = conversation.submit(typed(calls("delegate")));
    await nextEvent(conversation, ({ type }) => type === "model.responded");
    await nextEvent(conversation, ({ type }) => type === "model.responded");
    // The run waits for its agent by now.
    await new Promise((resolve) => setImmediate(resolve));
    conversation.steer({ text: "And in French", source: null });
    slow.release();
    const events = await eventsOf(submission);
    expect(replyIn(events)).toBe("And in French");
    expect(ofType(events, "run.started")).toHaveLength(1);
  });

  // Bug: nobody caught it, which ends Parley.
  test("whose call cannot be kept at once: a line of the log, and it comes with its message", async () => {
    const slow = gatedTool("slow");
    const quick = gatedTool("quick", { run: async () => ({ text: "quick" }) });
    const delegate = delegating(
      calls("quick", "slow"),
      async (agents, id) => (await agents.wait(id, 60_000)).output,
    );
    const { conversation, store, rig } = await setUp({ clock: systemClock, tools: [slow, quick, delegate] });
    store.saveToolCall = () => {
      setImmediate(slow.release);
      throw new StoreError("full", "The disk is full.", "");
    };
    expect(replyIn(await say(conversation, calls("delegate")))).toBe(
      "Results: Results: quick | slow is done",
    );
    expect(rig.faults.splice(0)).toHaveLength(1);
  });
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
  const { steeringId } = conversation.steer({ text: "Only the north side", source: null });
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

// Bug: those that came while nothing ran were in no request any more.
test("Parley's own words for the model that could not be kept go in with the next prompt, once", async () => {
  const { conversation, store, rig } = await setUp();
  await say(conversation, "Hello");
  const append = store.appendMessage.bind(store);
  const failed = new Promise<void>((done) => {
    store.appendMessage = () => {
      done();
      throw new StoreError("full", "The disk is full.", "");
    };
  });
  conversation.note("[The reply above was interrupted.]");
  await failed;
  expect(ofType(await say(conversation, "Go on"), "run.ended")[0]?.stopReason).toBe("error");
  expect(rig.faults.splice(0)).toHaveLength(2);
  store.appendMessage = append;
  await eventsOf(conversation.retry());
  expect(textsOf(conversation)).toEqual([
    ...["Hello", "Hello", "[The reply above was interrupted.]"],
    ...["Go on", expect.any(String)],
  ]);
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
  // Bug: it was seen nowhere any more before the next start.
  const [held] = conversation.view().queue;
  expect(held).toMatchObject({ text: "Lost", isHeld: true });
  expect(replyIn(await eventsOf(conversation.sendInput(held?.inputId ?? "")))).toBe("Lost");
  expect(conversation.view().queue).toEqual([]);
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
      error: { message: "The connection broke off in the middle of the reply." },
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

describe("what a model thinks before it speaks", () => {
  const thoughtful = async function* (signal: AbortSignal): AsyncGenerator<ModelStreamEvent> {
    yield { type: "thinking", text: "They want" };
    await new Promise((_, reject) =>
      signal.addEventListener("abort", () => reject(signal.reason), { once: true }),
    );
  };
  const items = (conversation: Conversation) => conversation.view().items.map(({ kind }) => kind);

  test("goes from the screen when its speaker goes on, and when the user stops", async () => {
    let requests = 0;
    const provider = (real: Provider) =>
      streaming(real, async function* (signal, request) {
        yield* ++requests === 2 ? real.stream(request, signal) : thoughtful(signal);
      });
    const { conversation } = await setUp({ provider });
    const thinking = () => nextEvent(conversation, ({ type }) => type === "thinking.delta");
    let shown = thinking();
    const spoken = { text: "Plan a trip", origin: "voice", source: "microphone" } as const;
    const submission = conversation.submit(spoken);
    await shown;
    expect(items(conversation)).toEqual(["user", "assistant"]);
    conversation.suspend(submission.inputId ?? "");
    conversation.mergeInto(submission.inputId ?? "", { ...spoken, text: "to Oslo" });
    await eventsOf(submission);
    expect(items(conversation)).toEqual(["user", "assistant"]);

    shown = thinking();
    const next = conversation.submit(typed("And then?"));
    await shown;
    conversation.abort();
    await eventsOf(next);
    expect(items(conversation)).toEqual(["user", "assistant", "user", "note"]);
  });
});

test("a prompt that is too long behind a cut reply is asked again with nothing behind it", async () => {
  const sent: string[][] = [];
  const provider = (real: Provider) =>
    streaming(real, async function* (signal, request) {
      sent.push(request.messages.map(({ role }) => role));
      if (sent.length === 3) {
        yield { type: "text", text: "Half a" };
        throw new ModelError("context_length", "Too long.", "");
      }
      yield* real.stream(request, signal);
    });
  const { conversation } = await setUp({ provider, settings: { contextWindow: 2000 } });
  await say(conversation, `one ${"word ".repeat(400)}`);
  await say(conversation, "two");
  await say(conversation, "three");
  for (const roles of sent) expect(roles.at(-1)).toBe("user");
  expect(conversation.history.some(({ interrupted }) => interrupted)).toBe(false);
});
