// @vitest-environment happy-dom
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { AgentEventBody, QueuedInput } from "../../../../shared/conversation/events.ts";
import type { ConversationView, TranscriptItem } from "../../../../shared/conversation/transcript.ts";
import type { FormField } from "../../../../shared/servers/forms.ts";
import { act } from "./react-act.ts";
import { WindowRig } from "./window-rig.tsx";

let rig: WindowRig;
let view: Partial<ConversationView>;
beforeEach(() => {
  rig = new WindowRig();
});
afterEach(() => rig.dispose());

const open = async (what: Partial<ConversationView>) => {
  view = what;
  await rig.open(view);
};
const show = (conversationId: string, more: Partial<ConversationView> = {}) =>
  act(async () => {
    rig.state.show(conversationId);
    await rig.main.answer("conversation.attach", { ...rig.main.view(conversationId), ...more });
  });
/** Looks at another conversation, and comes back. */
const visitOther = async () => {
  await show("b");
  await show("a", view);
};
const one = (id: string) => rig.one(`[data-testid="${id}"]`);
const value = (id: string) => (one(id) as HTMLInputElement).value;

const question = (more: object = {}): TranscriptItem => ({
  ...{ kind: "question", key: "q1", question: "Which?", options: [], status: "waiting", answer: null, at: 0 },
  ...more,
});

describe("words that were begun are there again after a look at another conversation", () => {
  // Bug: a half-written answer was gone.
  it("an answer", async () => {
    await open({ items: [question()] });
    await rig.type(one("answer"), "The left");
    await visitOther();
    expect(value("answer")).toBe("The left");
  });

  // Bug: a half-filled form was empty again.
  it("a form, without what is a secret", async () => {
    const fields: FormField[] = [
      { name: "name", label: "Name", isRequired: true, kind: "text" },
      { name: "pin", label: "PIN", isRequired: true, kind: "text", isSecret: true },
      { name: "news", label: "News", isRequired: false, kind: "boolean", default: true },
    ];
    await open({ items: [question({ form: { server: "s", fields } })] });
    const inputs = () => rig.all('[data-testid="form"] input') as HTMLInputElement[];
    const [name, pin, news] = inputs();
    if (!name || !pin || !news) throw new Error("There is no form");
    await rig.type(name, "Ada");
    await rig.type(pin, "1234");
    await rig.click(news);
    await visitOther();
    expect(inputs().map(({ value, checked }) => [value, checked])).toMatchObject([
      ["Ada", false],
      ["", false],
      [expect.anything(), false],
    ]);
  });

  // Bug: the reason of a no was gone.
  it("why not", async () => {
    const approval: TranscriptItem = {
      ...{ kind: "approval", key: "p1", toolUseId: "t1", name: "shell", effect: "execute", detail: "reboot" },
      ...{ status: "waiting", reason: null, at: 0 },
    };
    await open({ items: [approval] });
    await rig.press(one("approval"), "r");
    await rig.type(one("deny-reason"), "Not on");
    await visitOther();
    await rig.press(one("approval"), "r");
    expect(value("deny-reason")).toBe("Not on");
  });

  // Bug: an earlier prompt that was being changed was as before, and its editor closed.
  it("another version of a prompt, until it is sent or dropped", async () => {
    const prompt: TranscriptItem = {
      ...{ kind: "user", key: "u1", text: "Do it", origin: "typed", source: null, at: 1 },
    };
    await open({ items: [prompt] });
    await rig.click(rig.button("Edit"));
    expect(document.activeElement).toBe(one("prompt-editor"));
    await rig.type(one("prompt-editor"), "Do that");
    await visitOther();
    expect(value("prompt-editor")).toBe("Do that");
    expect(document.activeElement).toBe(one("composer"));
    await rig.press(one("prompt-editor"), "Escape");
    expect(rig.all('[data-testid="prompt-editor"]')).toEqual([]);
    await visitOther();
    expect(rig.all('[data-testid="prompt-editor"]')).toEqual([]);
    await rig.click(rig.button("Edit"));
    expect(value("prompt-editor")).toBe("Do it");
  });

  // Bug: what was heard and corrected was as it was heard.
  it("what was heard and is being corrected", async () => {
    const heard = {
      inputId: "h",
      text: "wreck it",
      origin: "voice",
      source: "microphone",
      isHeld: true,
    } as const;
    await open({ queue: [heard] });
    const field = () => rig.one('[data-testid="review-item"] input') as HTMLInputElement;
    await rig.type(field(), "recognise it");
    await visitOther();
    expect(field().value).toBe("recognise it");
  });
});

describe("a prompt of the queue that is being changed", () => {
  const waiting: QueuedInput = { inputId: "q", text: "next", origin: "typed", source: null };
  const queued: AgentEventBody = { type: "input.queued", input: waiting };
  const started: AgentEventBody = { type: "run.started", runId: "r", inputId: "q" };
  const happen = (...bodies: AgentEventBody[]) =>
    act(async () =>
      rig.main.push({ type: "events", events: bodies.map((body) => rig.main.emit("a", body)) }),
    );
  const begin = async () => {
    await open({});
    await happen(queued);
    await rig.click(rig.button("Edit: next"));
    await rig.type(one("inline-edit"), "the one after");
  };

  // Bug: its turn began, the old words ran, and the new ones were gone.
  it("gives its new words to the text box when its turn begins", async () => {
    await begin();
    await happen(started);
    await act(() => rig.main.refuse("input.edit", "It was sent."));
    expect(value("composer")).toBe("the one after");
  });

  // Bug: the new words were gone when another conversation was shown from elsewhere.
  it("has its new words when another conversation is shown", async () => {
    await begin();
    await show("b");
    const input = { conversationId: "a", inputId: "q", text: "the one after" };
    expect(rig.main.take("input.edit").input).toEqual(input);
    expect(value("composer")).toBe("");
  });

  it("gives its new words to its own text box where another conversation is shown and its turn has begun", async () => {
    await begin();
    await show("b");
    await act(() => rig.main.refuse("input.edit", "It was sent."));
    expect(value("composer")).toBe("");
    await show("a");
    expect(value("composer")).toBe("the one after");
  });

  it("gives nothing where nothing was changed", async () => {
    await open({});
    await happen(queued);
    await rig.click(rig.button("Edit: next"));
    await happen(started);
    expect(() => rig.main.take("input.edit")).toThrow();
    expect(value("composer")).toBe("");
  });
});
