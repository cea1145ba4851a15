// @vitest-environment happy-dom
import { createRoot, type Root } from "react-dom/client";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { MainWindow } from "../../../../../renderer/components/window/MainWindow.tsx";
import { WindowProvider } from "../../../../../renderer/components/window/window-context.ts";
import { WindowState } from "../../../../../renderer/state/window-state.ts";
import type { AgentEventBody } from "../../../../../shared/conversation/events.ts";
import { applyEvent } from "../../../../../shared/conversation/transcript.ts";
import type { VoiceOn } from "../../../../../shared/voice/voice-snapshot.ts";
import { ScriptedMain } from "../../state/scripted-main.ts";
import { summaryOf } from "../../state/summaries.ts";
import { voiceOn, voiceSnapshot } from "../../voice-snapshot.ts";
import { appInfo } from "../app-info.ts";
import { layOut } from "../no-layout.ts";
import { act } from "../react-act.ts";

let main: ScriptedMain;
let root: Root;
let place: HTMLElement;
let end: () => void;

beforeEach(async () => {
  layOut();
  main = new ScriptedMain();
  const state = new WindowState(main.bridge);
  ({ end } = state.start());
  place = document.createElement("div");
  document.body.append(place);
  root = createRoot(place);
  await act(async () =>
    root.render(
      <WindowProvider value={state}>
        <MainWindow />
      </WindowProvider>,
    ),
  );
  await act(() => main.answer("conversation.attach", main.view("a")));
});
afterEach(async () => {
  end();
  await act(async () => root.unmount());
  place.remove();
});

const happen = (...bodies: AgentEventBody[]) =>
  act(async () => main.push({ type: "events", events: bodies.map((body) => main.emit("a", body)) }));
/** What main says of voice, which is on in this conversation unless it says otherwise. */
const voiceIs = (more: Partial<VoiceOn>) =>
  act(async () =>
    main.push({
      type: "voice",
      voice: { ...voiceSnapshot, now: voiceOn(more) },
    }),
  );
const press = (key: string, options: KeyboardEventInit = {}) =>
  act(async () => {
    const target = place.querySelector("textarea") ?? document.body;
    target.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true, ...options }));
  });
const routes = () => main.calls.map((call) => call.route);
const find = (id: string) => place.querySelector(`[data-testid="${id}"]`);

describe("the keys of the main window", () => {
  it("Esc stops a run, and does nothing when there is none", async () => {
    await press("Escape");
    expect(routes()).not.toContain("conversation.stop");
    await happen({ type: "state.changed", state: "processing" });
    await press("Escape");
    expect(main.take("conversation.stop").input).toEqual({ conversationId: "a" });
  });

  // Bug: Esc that cancels a word in an input method also stopped the run.
  it("leave Esc to an input method that is composing", async () => {
    await happen({ type: "state.changed", state: "processing" });
    await press("Escape", { isComposing: true });
    expect(routes()).not.toContain("conversation.stop");
  });

  it("Ctrl+N begins a conversation and shows it", async () => {
    await press("n", { ctrlKey: true });
    await act(() => main.answer("conversation.create", { conversationId: "b" }));
    await act(() => main.answer("conversation.attach", main.view("b")));
    expect(document.activeElement).toBe(find("composer"));
  });

  it("Ctrl+Shift+M turns voice on here, and off again", async () => {
    await press("M", { ctrlKey: true, shiftKey: true });
    expect(main.take("voice.start").input).toEqual({ conversationId: "a", source: "microphone" });
    await voiceIs({ state: "listening" });
    expect(find("voice-state")?.getAttribute("data-state")).toBe("listening");
    expect(find("mic")?.getAttribute("aria-pressed")).toBe("true");
    await press("M", { ctrlKey: true, shiftKey: true });
    expect(routes()).toContain("voice.stop");
  });
});

describe("what waits for the user", () => {
  const asks: AgentEventBody = {
    type: "approval.requested",
    approvalId: "p1",
    toolUseId: "t1",
    name: "shell",
    effect: "execute",
    detail: "reboot",
  };

  beforeEach(() => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });
  const wait = (ms: number) => act(async () => vi.advanceTimersByTime(ms));

  it("stands where its call stands, is told to screen readers and in the title, and becomes a line", async () => {
    await happen(asks);
    expect(find("transcript")?.querySelectorAll('[data-testid="approval"]')).toHaveLength(1);
    expect(find("announcer")?.textContent).toContain("Needs approval: Run this command? reboot");
    expect(document.title).toContain("Needs approval");
    await press("A", { ctrlKey: true, shiftKey: true });
    expect(document.activeElement?.getAttribute("data-key")).toBe("p1");
    await press("y", { ctrlKey: true, shiftKey: true });
    expect(routes()).not.toContain("approval.answer");
    await wait(400);
    await press("y", { ctrlKey: true, shiftKey: true });
    expect(main.take("approval.answer").input).toEqual({
      conversationId: "a",
      approvalId: "p1",
      allowed: true,
      scope: "once",
    });
    await happen({ type: "approval.resolved", approvalId: "p1", allowed: true });
    expect(find("waits")).toBeNull();
    expect(find("approval")?.getAttribute("data-status")).toBe("allowed");
    expect(document.title).not.toContain("Needs approval");
  });

  // Bug: a second press of the key answered the next card, which nobody had read.
  it("one press of the key answers one card, also where the next has waited as long", async () => {
    await happen(asks, { ...asks, approvalId: "p2", toolUseId: "t2" });
    await wait(400);
    await press("y", { ctrlKey: true, shiftKey: true });
    expect(main.take("approval.answer").input).toMatchObject({ approvalId: "p1" });
    await happen({ type: "approval.resolved", approvalId: "p1", allowed: true });
    await press("y", { ctrlKey: true, shiftKey: true });
    expect(routes()).not.toContain("approval.answer");
    await wait(400);
    await press("x", { ctrlKey: true, shiftKey: true });
    expect(main.take("approval.answer").input).toMatchObject({ approvalId: "p2", allowed: false });
  });

  // Bug: the keys did nothing while another conversation waited.
  it("waits in another conversation: the keys go there first, and answer only then", async () => {
    const summary = summaryOf("b", { title: "Other", state: "awaiting_input", needsApproval: true });
    await act(async () => main.push({ type: "session", summary }));
    expect(find("waits-elsewhere")?.textContent).toContain("Needs approvalOther");
    await press("y", { ctrlKey: true, shiftKey: true });
    expect(routes()).not.toContain("approval.answer");
    const view = applyEvent(main.view("b"), main.emit("b", asks));
    await act(() => main.answer("conversation.attach", view));
    expect(document.activeElement?.getAttribute("data-key")).toBe("p1");
    expect(find("waits-elsewhere")).toBeNull();
  });

  // Bug: the keyboard was nowhere after the answer, and what was typed was lost.
  it("gives the keyboard back to where it was", async () => {
    const box = place.querySelector("textarea");
    box?.focus();
    await happen(asks);
    await press("A", { ctrlKey: true, shiftKey: true });
    expect(document.activeElement?.getAttribute("data-key")).toBe("p1");
    await happen({ type: "approval.resolved", approvalId: "p1", allowed: true });
    await wait(1);
    expect(document.activeElement).toBe(box);
  });

  const question: AgentEventBody = {
    type: "question.asked",
    questionId: "q1",
    question: "Which tag?",
    options: [],
  };

  // Bug: it went to what had waited longest in the conversation, whatever the notification was of.
  it("takes the keyboard when the user comes from its notification", async () => {
    await happen(asks, question);
    for (const key of ["q1", "p1"]) {
      await act(async () => main.push({ type: "show-waiting", conversationId: "a", key }));
      await act(() => main.answer("conversation.attach", main.view("a")));
      expect(document.activeElement?.getAttribute("data-key")).toBe(key);
    }
  });

  // Bug: the keyboard went to what waited in the conversation that was still shown, or to the text box.
  it("takes the keyboard from a notification of another conversation once that is shown", async () => {
    await happen(asks);
    await act(async () => main.push({ type: "show-waiting", conversationId: "b", key: "q1" }));
    expect(document.activeElement?.getAttribute("data-key")).not.toBe("p1");
    const view = applyEvent(main.view("b"), main.emit("b", question));
    await act(() => main.answer("conversation.attach", view));
    expect(document.activeElement?.getAttribute("data-key")).toBe("q1");
  });

  // Bug: the page of the meeting stayed in place of the card.
  it("takes the place of its conversation's meeting when the user comes from its notification", async () => {
    await happen(question);
    await act(async () => main.push({ type: "show-meeting", conversationId: "a" }));
    expect(find("question")).toBeNull();
    await act(async () => main.push({ type: "show-waiting", conversationId: "a", key: "q1" }));
    await act(() => main.answer("conversation.attach", main.view("a")));
    expect(document.activeElement?.getAttribute("data-key")).toBe("q1");
  });

  const showMeeting = () => act(async () => main.push({ type: "show-meeting", conversationId: "a" }));

  // Bug: on the page of a meeting nothing said that a question waited, and an approval could not be reached.
  it.each([
    ["q1", question, "Which tag?"],
    ["p1", asks, "reboot"],
  ])("is told of on the page of a meeting, and “Show” leads to it: %s", async (key, body, words) => {
    await showMeeting();
    await happen(body);
    expect(find("waits")?.textContent).toContain(words);
    await act(async () => place.querySelector<HTMLElement>('[data-testid="show-waiting"]')?.click());
    await act(() => main.answer("conversation.attach", main.view("a")));
    expect(document.activeElement?.getAttribute("data-key")).toBe(key);
  });

  // Bug: on the page of a meeting its keys did nothing.
  it.each(["A", "Y", "X"])(
    "Ctrl+Shift+%s leads from the page of a meeting to it, and answers nothing",
    async (key) => {
      await happen(asks);
      await showMeeting();
      await wait(400);
      await press(key, { ctrlKey: true, shiftKey: true });
      await act(() => main.answer("conversation.attach", main.view("a")));
      expect(document.activeElement?.getAttribute("data-key")).toBe("p1");
      expect(routes()).not.toContain("approval.answer");
    },
  );

  // Bug: the title told of approvals alone.
  it("a question is in the title, after an approval", async () => {
    await happen(question);
    expect(document.title).toMatch(/^Question for you · /);
    await happen(asks);
    expect(document.title).toMatch(/^Needs approval · /);
    await happen({ type: "approval.resolved", approvalId: "p1", allowed: true });
    await happen({ type: "question.answered", questionId: "q1", answer: null });
    expect(document.title).not.toMatch(/Question for you|Needs approval/);
  });

  it("has what the folder brings among it: the keyboard goes there once no run waits", async () => {
    const file = { path: "AGENTS.md", what: "", words: [], isCut: false, isChanged: false, refusal: null };
    const id = "f".repeat(64);
    await act(() => main.answer("trust.request", { request: { id, folder: "/w", files: [file] } }));
    await happen(asks);
    await press("A", { ctrlKey: true, shiftKey: true });
    expect(document.activeElement?.getAttribute("data-key")).toBe("p1");
    await happen({ type: "approval.resolved", approvalId: "p1", allowed: true });
    expect(document.activeElement).not.toBe(find("trust"));
    await press("A", { ctrlKey: true, shiftKey: true });
    expect(document.activeElement).toBe(find("trust"));
    expect(routes()).not.toContain("trust.answer");
  });
});

describe("how much runs without asking", () => {
  const know = (more: Parameters<typeof appInfo>[0] = {}) =>
    act(() => main.answer("app.info", appInfo(more)));
  const click = (id: string) =>
    act(async () => place.querySelector<HTMLElement>(`[data-testid="${id}"]`)?.click());
  const shown = () => find("level")?.getAttribute("data-level");
  const noFence = {
    setting: "on",
    isThere: false,
    why: "bwrap is missing.",
    mend: "apt install bwrap",
  } as const;

  it("is shown, has a key, and is changed for this conversation", async () => {
    await know();
    expect(shown()).toBe("ask");
    await happen({ type: "permission.mode", mode: "plan" });
    expect(shown()).toBe("look");
    await press("P", { ctrlKey: true, shiftKey: true });
    expect(document.activeElement).toBe(find("level-look"));
    const marks = ["look", "ask", "work"].map((id) => find(`level-${id}`)?.getAttribute("aria-checked"));
    expect(marks).toEqual(["true", "false", "false"]);
    await click("level-work");
    expect(main.take("permission.mode").input).toEqual({ conversationId: "a", mode: "work" });
    expect(find("level-menu")).toBeNull();
    expect(document.activeElement).toBe(find("level"));
    // The header says what counts, not what was pressed.
    expect(shown()).toBe("look");
    await happen({ type: "permission.mode", mode: "work" });
    expect(shown()).toBe("work");
  });

  it("is never Work here without a fence: that cannot be chosen, and what was chosen before asks first", async () => {
    await know({ fence: noFence });
    await happen({ type: "permission.mode", mode: "work" });
    expect(shown()).toBe("ask");
    await click("level");
    await click("level-work");
    expect(routes()).not.toContain("permission.mode");
    expect(find("fence-state")?.textContent).toContain("bwrap is missing.");
    expect(find("mend")?.textContent).toBe("apt install bwrap");
    await click("check-fence");
    main.take("fence.check");
    await click("ask-for-edits");
    expect(main.take("permission.mode").input).toEqual({ conversationId: "a", mode: "ask" });
  });

  it("says where the fence is switched off", async () => {
    await know();
    expect(find("no-fence")).toBeNull();
    await act(async () => main.push({ type: "app" }));
    await know({ fence: { ...noFence, setting: "off" } });
    expect(find("no-fence")?.textContent).toBe("No fence");
  });
});

describe("the main window", () => {
  it("shows the words while they are spoken: those that stood the same are sure", async () => {
    const partial = (text: string) => ({ partial: { utteranceId: "1", text } });
    await voiceIs({ state: "hearing", ...partial("turn the lie") });
    await voiceIs({ state: "hearing", ...partial("turn the light on") });
    expect(find("partial")?.textContent).toBe("turn the light on");
    expect(place.querySelector('[data-testid="sure"]')?.textContent).toBe("turn the");
  });

  it("keeps a draft with its conversation", async () => {
    const box = place.querySelector("textarea");
    const set = Object.getOwnPropertyDescriptor(HTMLTextAreaElement.prototype, "value")?.set;
    await act(async () => {
      set?.call(box, "for a only");
      box?.dispatchEvent(new Event("input", { bubbles: true }));
    });
    for (const [id, text] of [
      ["b", ""],
      ["a", "for a only"],
    ] as const) {
      await act(async () => main.push({ type: "show-conversation", conversationId: id }));
      await act(() => main.answer("conversation.attach", main.view(id)));
      expect(place.querySelector("textarea")?.value).toBe(text);
    }
  });

  // Bug: voice goes on in a conversation out of sight, and nothing says so.
  it("says when voice is on in another conversation, and leads there", async () => {
    await voiceIs({ conversationId: "b", state: "listening" });
    const notice = find("voice-elsewhere");
    expect(notice?.textContent).toContain("Listening in another conversation");
    await act(async () => notice?.querySelector("button")?.click());
    expect(main.take("conversation.attach").input).toEqual({ conversationId: "b" });
  });

  it("says when a prompt was refused", async () => {
    const state = main.calls.length;
    await act(async () => place.querySelector<HTMLButtonElement>('[data-starter="files"]')?.click());
    expect(main.calls.length).toBe(state + 1);
    await act(() => main.refuse("conversation.submit", "This conversation is closed."));
    expect(place.querySelector('[role="alert"]')?.textContent).toContain("This conversation is closed.");
  });
});
