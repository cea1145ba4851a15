import { afterEach, describe, expect, test } from "vitest";
import type { Prompt } from "../../../electron/agent/conversation/conversation.ts";
import type { AgentEvent } from "../../../shared/conversation/events.ts";
import { textOf } from "../../../shared/conversation/messages.ts";
import { FakeClock } from "../../fakes/clock.ts";
import { createRig, eventsOf, expectSoundStream, nextEvent, ofType, type Rig, typed } from "./agent-rig.ts";

let rig: Rig;
afterEach(async () => await rig.close());

const spoken = (text: string): Prompt => ({ text, origin: "voice", source: "microphone" });
/** A reply whose first word waits for `gate`. */
const unseen = (gate: string) => spoken(`[[script:text {"words":2,"hold":"${gate}","at":0}]]`);
const seen = (gate: string) => spoken(`[[script:text {"words":2,"hold":"${gate}","at":1}]]`);

async function start(prompt: Prompt, clock?: FakeClock) {
  rig = await createRig(clock ? { clock } : {});
  const conversation = rig.conversations.create();
  const all: AgentEvent[] = [];
  conversation.subscribe((event) => all.push(event));
  const submission = conversation.submit(prompt);
  const { inputId } = submission;
  if (inputId === null) throw new Error("A prompt was ignored.");
  const prompts = () =>
    conversation.history.flatMap(({ role, content }) => (role === "user" ? [textOf(content)] : []));
  return { conversation, submission, inputId, all, prompts };
}

describe("a prompt that its speaker goes on with", () => {
  test("is taken back before anything was shown, and asked once with all its words", async () => {
    const { conversation, submission, inputId, all, prompts } = await start(unseen("first"));
    await rig.server.held("first");
    expect(conversation.suspend(inputId)).toBe(true);
    expect(conversation.mergeInto(inputId, spoken("and tomorrow"))).toBe(true);
    await eventsOf(submission);
    expect(prompts()).toEqual([unseen("first").text, "and tomorrow"]);
    expect(ofType(all, "run.started")).toHaveLength(1);
    expect(ofType(all, "run.ended").map(({ stopReason }) => stopReason)).toEqual(["end_turn"]);
    const last = rig.server.requests.at(-1)?.body.messages ?? [];
    expect(last.map(({ role }) => role)).toEqual(["user"]);
    expect(conversation.history.filter(({ role }) => role === "assistant")).toHaveLength(1);
    expectSoundStream(all);
    const whole = `${unseen("first").text} and tomorrow`;
    const { items } = conversation.view();
    expect(items.filter(({ kind }) => kind === "user")).toMatchObject([{ text: whole }]);
    const target = { messageId: items[0]?.key ?? "" };
    await conversation.rewind(target, { part: "both", overwrite: false });
    expect(conversation.view().draft).toBe(whole);
  });

  test("is not taken back once a word of the reply was shown", async () => {
    const { conversation, submission, inputId } = await start(seen("first"));
    await nextEvent(conversation, ({ type }) => type === "text.delta");
    expect(conversation.suspend(inputId)).toBe(false);
    expect(conversation.mergeInto(inputId, spoken("and tomorrow"))).toBe(false);
    rig.server.release("first");
    await eventsOf(submission);
  });

  test("is not taken back once a tool has run for it", async () => {
    const calls = '[[script:tools {"calls":[{"name":"list_directory","input":{"path":"."}}]}]]';
    const { conversation, submission, inputId } = await start(spoken(calls));
    const answers: boolean[] = [];
    conversation.subscribe(({ type }) => {
      if (type === "tool.ended") answers.push(conversation.suspend(inputId));
    });
    await eventsOf(submission);
    expect(answers).toEqual([false]);
  });

  test("asks as it was when nothing followed", async () => {
    const { conversation, submission, inputId, prompts } = await start(unseen("first"));
    await rig.server.held("first");
    expect(conversation.suspend(inputId)).toBe(true);
    conversation.resume(inputId);
    rig.server.release("first");
    const events = await eventsOf(submission);
    expect(ofType(events, "run.ended")[0]?.stopReason).toBe("end_turn");
    expect(prompts()).toEqual([unseen("first").text]);
  });

  test("can be stopped while it is being gone on with", async () => {
    const { conversation, submission, inputId, prompts } = await start(unseen("first"));
    await rig.server.held("first");
    conversation.suspend(inputId);
    conversation.abort();
    const events = await eventsOf(submission);
    expect(ofType(events, "run.ended")[0]?.stopReason).toBe("interrupted");
    expect(conversation.mergeInto(inputId, spoken("too late"))).toBe(false);
    expect(prompts()).toEqual([unseen("first").text]);
  });

  describe("and that is not settled yet", () => {
    const heldMs = 1100;

    /** A fast model has begun to answer, and the clock stands still. */
    async function answered(text: string) {
      const clock = new FakeClock();
      const begun = await start({ ...spoken(text), settlesAt: clock.now() + heldMs }, clock);
      await clock.sleeping(heldMs);
      return { ...begun, clock };
    }

    test("shows nothing of its reply before it is", async () => {
      const { submission, all, clock } = await answered('[[script:text {"words":2}]]');
      expect(ofType(all, "text.delta")).toEqual([]);
      clock.advance(heldMs);
      await eventsOf(submission);
      expect(
        ofType(all, "text.delta")
          .map(({ text }) => text)
          .join(""),
      ).not.toBe("");
      expectSoundStream(all);
    });

    test("takes the rest in, however fast the reply came, and the model is asked with all of it", async () => {
      const { conversation, submission, inputId, all, prompts } = await answered(
        '[[script:text {"words":2}]]',
      );
      expect(conversation.suspend(inputId)).toBe(true);
      expect(conversation.mergeInto(inputId, spoken("and tomorrow"))).toBe(true);
      await eventsOf(submission);
      expect(prompts().at(-1)).toBe("and tomorrow");
      expect(conversation.history.filter(({ role }) => role === "assistant")).toHaveLength(1);
      expect(ofType(all, "run.started")).toHaveLength(1);
      expectSoundStream(all);
    });

    test("runs no tool before it is, and forgets a call that the rest made void", async () => {
      const calls = '[[script:tools {"calls":[{"name":"list_directory","input":{"path":"."}}]}]]';
      const { conversation, submission, inputId, all, clock } = await answered(calls);
      expect(ofType(all, "tool.started")).toEqual([]);
      expect(
        conversation.mergeInto(inputId, { ...spoken("and tomorrow"), settlesAt: clock.now() + heldMs }),
      ).toBe(true);
      await nextEvent(conversation, ({ type }) => type === "model.requested");
      await clock.sleeping(heldMs);
      expect(conversation.history.map(({ role }) => role)).toEqual(["user", "user"]);
      clock.advance(heldMs);
      await eventsOf(submission);
      expect(ofType(all, "tool.started").length).toBeLessThanOrEqual(1);
    });
  });

  test("is made longer while it waits for its turn", async () => {
    const { conversation, submission, prompts } = await start(seen("first"));
    await rig.server.held("first");
    const second = conversation.submit({ ...spoken("turn on"), readings: ["turnon", "torn on"] });
    const third = conversation.submit(typed("third"));
    expect(
      conversation.mergeInto(second.inputId ?? "", { ...spoken("the lamp"), readings: ["the lump"] }),
    ).toBe(true);
    expect(conversation.view().queue[0]?.readings).toEqual([
      "turnon the lamp",
      "torn on the lamp",
      "turn on the lump",
    ]);
    expect(conversation.view().queue.map(({ text }) => text)).toEqual(["turn on the lamp", "third"]);
    rig.server.release("first");
    await Promise.all([submission, second, third].map(eventsOf));
    expect(prompts()).toEqual([seen("first").text, "turn on the lamp", "third"]);
  });
});

describe("a prompt that is held", () => {
  test("is shown outside the queue and runs when it is sent", async () => {
    const { conversation, submission, prompts } = await start(typed("first"));
    const { inputId } = conversation.hold(spoken("second"), 5000);
    await eventsOf(submission);
    expect(conversation.view().queue).toMatchObject([{ text: "second", isHeld: true, sendsAt: 5000 }]);
    expect(conversation.state).toBe("idle");
    await eventsOf(conversation.sendInput(inputId ?? ""));
    expect(prompts()).toEqual(["first", "second"]);
    expect(conversation.view().queue).toEqual([]);
    expect(() => conversation.sendInput(inputId ?? "")).toThrow("no longer held");
  });

  // Bug: what was said before “stop” was sent after it.
  test("for review is no longer sent by itself once the user has said to stop", async () => {
    const { conversation, submission } = await start(typed("first"));
    conversation.hold(spoken("delete it"), 5000);
    conversation.stop();
    await eventsOf(submission);
    const [held] = conversation.view().queue;
    expect(held).toMatchObject({ text: "delete it", isHeld: true });
    expect(held?.sendsAt).toBeUndefined();
  });

  test("is corrected, is then sent no more by itself, and can be dropped", async () => {
    const { conversation, submission } = await start(typed("first"));
    await eventsOf(submission);
    const { inputId } = conversation.hold(
      { ...spoken("recognise beach"), readings: ["wreck a nice beach"] },
      5000,
    );
    expect(conversation.editInput(inputId ?? "", "recognise speech")).toBe(true);
    const [shown] = conversation.view().queue;
    expect(shown).toMatchObject({ text: "recognise speech", isHeld: true });
    expect(shown?.sendsAt).toBeUndefined();
    expect(shown?.readings).toBeUndefined();
    expect(conversation.dropInput(inputId ?? "")).toBe(true);
    expect(conversation.editInput(inputId ?? "", "more")).toBe(false);
    expect(conversation.view().queue).toEqual([]);
  });
});

test("a prompt keeps what was said around it, and its title is its own words", async () => {
  const meeting = [{ who: "them", text: "we ship on friday" }] as const;
  const { conversation, submission } = await start({ ...typed("when do we ship"), meeting });
  const added = nextEvent(conversation, ({ type }) => type === "run.ended");
  await Promise.all([added, eventsOf(submission)]);
  expect(conversation.title).toBe("when do we ship");
  expect(JSON.stringify(rig.server.requests[0]?.body.messages)).toContain("them: we ship on friday");
  expect(conversation.view().items[0]).toMatchObject({ kind: "user", text: "when do we ship" });
});

describe("a prompt that the recogniser hears better", () => {
  test("has the better words while it waits, also as a part of what was joined; once sent, it keeps its own", async () => {
    const { conversation, submission, inputId, prompts } = await start(seen("first"));
    await nextEvent(conversation, ({ type }) => type === "text.delta");
    expect(conversation.correctHeard(inputId, "script", spoken("other"))).toBe(false);
    const doubts = [{ word: "file", confidence: 0.4, alternatives: [] }];
    const waits = conversation.submit({ ...spoken("open a file"), heard: doubts, readings: ["open a pile"] });
    const better = { ...spoken("open the file"), readings: ["open the pile"] };
    expect(conversation.correctHeard(waits.inputId ?? "", "open a file", better)).toBe(true);
    const [input] = conversation.view().queue;
    expect(input).toMatchObject({ text: "open the file", readings: ["open the pile"] });
    expect(input).not.toHaveProperty("heard");
    conversation.mergeInto(waits.inputId ?? "", spoken("and a page"));
    expect(conversation.correctHeard(waits.inputId ?? "", "and a page", spoken("and the page"))).toBe(true);
    expect(conversation.correctHeard(waits.inputId ?? "", "open a file", better)).toBe(false);
    // Not within another word.
    expect(conversation.correctHeard(waits.inputId ?? "", "a", better)).toBe(false);
    rig.server.release("first");
    await Promise.all([eventsOf(submission), eventsOf(waits)]);
    expect(prompts().at(-1)).toBe("open the file and the page");
  });
});
