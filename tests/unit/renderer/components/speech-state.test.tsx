// @vitest-environment happy-dom
import { Profiler } from "react";
import { createRoot } from "react-dom/client";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { RowActionsContext } from "../../../../renderer/components/sessions/row-actions.ts";
import { AssistantMessage } from "../../../../renderer/components/transcript/messages/AssistantMessage.tsx";
import { WindowProvider } from "../../../../renderer/components/window/window-context.ts";
import { AnswerGuard } from "../../../../renderer/state/conversation/answer-guard.ts";
import type { SpokenReply } from "../../../../shared/voice/voice-snapshot.ts";
import { voiceSnapshot } from "../voice-snapshot.ts";
import { act } from "./react-act.ts";
import { WindowRig } from "./window-rig.tsx";

let rig: WindowRig;
beforeEach(() => {
  rig = new WindowRig();
});
afterEach(async () => {
  await rig.dispose();
  vi.unstubAllGlobals();
});

async function show(state: SpokenReply["state"]): Promise<HTMLElement> {
  await rig.open({});
  const sentence = { messageId: "m", text: "It is here.", number: 2, count: 4 };
  const speech = { conversationId: "a", messageId: "m", state, sentence };
  await act(() => rig.main.answer("voice.snapshot", { ...voiceSnapshot, speech }));
  return rig.one('[data-testid="speech-state"]');
}

it("a reply that was stopped goes on by a click", async () => {
  const chip = await show("stopped");
  expect(chip.textContent).toBe("StoppedGo on");
  await rig.click(rig.button("Go on", chip));
  rig.main.take("speech.goOn");
});

it("or the rest of it is not said", async () => {
  const chip = await show("stopped");
  const dismiss = chip.querySelector<HTMLButtonElement>('[aria-label="Dismiss"]');
  if (!dismiss) throw new Error("It cannot be dismissed.");
  await rig.click(dismiss);
  expect(rig.main.take("speech.say").input).toMatchObject({ text: "" });
});

it.each<[SpokenReply["state"], string]>([
  ["speaking", "Next sentence"],
  ["paused", "Paused while someone speaks."],
])("one that is %s can be stopped beside the text box", async (state, words) => {
  const shown = await show(state);
  expect(shown.textContent).toContain(words);
  expect(rig.all('[data-testid="go-on"]')).toEqual([]);
  await rig.click(rig.button("Stop", rig.one('[data-testid="dock"]')));
  expect(rig.main.take("speech.say").input).toMatchObject({ text: "" });
});

it("what was stopped offers no second way to stop", async () => {
  await show("stopped");
  expect(rig.all('[data-testid="silence"]')).toEqual([]);
});

const reply = (key: string, text: string) =>
  ({ kind: "assistant", key, text, streaming: false, interrupted: false, at: 1 }) as const;
const saying = { conversationId: "a", messageId: "m", state: "speaking" } as const;

it("it stands below its reply; what is said of no reply stands above the text box", async () => {
  await rig.open({ items: [reply("m", "It is here."), reply("n", "And there.")] });
  const speech = { ...saying, sentence: null };
  await act(() => rig.main.answer("voice.snapshot", { ...voiceSnapshot, speech }));
  const shown = rig.all('[data-testid="speech-state"]');
  expect(shown.map((one) => one.closest("[data-row]")?.textContent)).toEqual([
    expect.stringContaining("It is here."),
  ]);
  await act(async () =>
    rig.main.push({ type: "voice", voice: { ...voiceSnapshot, speech: { ...speech, messageId: "" } } }),
  );
  expect(rig.all('[data-testid="speech-state"]')).toHaveLength(1);
  expect(rig.one('[data-testid="dock"]').contains(rig.one('[data-testid="speech-state"]'))).toBe(true);
});

// Bug: with every word of a reply each reply of the conversation was rendered again.
it("a reply that is not said is not rendered again while another one is written", async () => {
  await rig.open({ items: [reply("m", "It is here.")] });
  const renders = vi.fn();
  const place = document.createElement("div");
  const root = createRoot(place);
  const actions = {
    answerApproval: vi.fn(),
    answerQuestion: vi.fn(),
    guard: new AnswerGuard(),
    sendAnyway: vi.fn(),
    sayRest: vi.fn(),
    history: rig.state.history,
  };
  await act(async () =>
    root.render(
      <WindowProvider value={rig.state}>
        <RowActionsContext value={actions}>
          <Profiler id="reply" onRender={renders}>
            <AssistantMessage item={reply("m", "It is here.")} replyText="It is here." isNewest={false} />
          </Profiler>
        </RowActionsContext>
      </WindowProvider>,
    ),
  );
  renders.mockClear();
  const delta = rig.main.emit("a", { type: "text.delta", messageId: "n", text: "And more." });
  await act(async () => rig.main.push({ type: "events", events: [delta] }));
  expect(rig.place.textContent).toContain("And more.");
  expect(renders).not.toHaveBeenCalled();
  await act(() =>
    rig.main.answer("voice.snapshot", { ...voiceSnapshot, speech: { ...saying, sentence: null } }),
  );
  expect(renders).toHaveBeenCalled();
  await act(async () => root.unmount());
});

it("marks the sentence that is said and what is not said yet, and nothing once it is over", async () => {
  const highlights = new Map<string, Range[]>();
  vi.stubGlobal("CSS", { escape: (text: string) => text, highlights });
  vi.stubGlobal("Highlight", Array);
  await rig.open({ items: [reply("m", "It is here. It is there. It is gone.")] });
  const sentence = { messageId: "m", text: "It is there.", number: 2, count: 3 };
  await act(() => rig.main.answer("voice.snapshot", { ...voiceSnapshot, speech: { ...saying, sentence } }));
  const marked = (name: string) => highlights.get(name)?.map((range) => `${range}`.trim());
  expect(marked("spoken")).toEqual(["It is there."]);
  expect(marked("unsaid")).toEqual(["It is gone."]);
  await act(async () => rig.main.push({ type: "voice", voice: voiceSnapshot }));
  expect(highlights.size).toBe(0);
});

// Bug: Esc did nothing while a reply was said to its end.
it("Esc ends it", async () => {
  await show("speaking");
  await rig.press(document.body, "Escape");
  expect(rig.main.take("speech.say").input).toMatchObject({ text: "" });
});

it("what is being said tells its sentence; it pauses, goes to the next one and takes another pace", async () => {
  const shown = await show("speaking");
  expect(shown.textContent).toContain("Sentence 2 of 4");
  await rig.click(rig.button("Pause", shown));
  rig.main.take("speech.pause");
  await rig.click(rig.button("Next sentence", shown));
  rig.main.take("speech.skip");
  const pace = rig.one('[data-testid="speech-pace"]') as HTMLSelectElement;
  expect(pace.selectedOptions[0]?.textContent).toBe("Pace 1.0×");
  await act(async () => {
    pace.value = "1.25";
    pace.dispatchEvent(new Event("change", { bubbles: true }));
  });
  expect(rig.main.take("speech.pace").input).toEqual({ rate: 1.25 });
});

it("under a reply that was interrupted stands how much was heard, and the rest is said from there", async () => {
  const text = "One is here. Two is there.";
  const items = [
    { kind: "assistant", key: "m", text, streaming: false, interrupted: false, at: 1 },
    {
      kind: "note",
      key: "note-1",
      text: "You heard it up to “…here.”",
      at: 2,
      rest: { messageId: "m", heard: "One is here." },
    },
  ] as const;
  await rig.open({ items: [...items] });
  await rig.click(rig.one('[data-testid="say-rest"]'));
  expect(rig.main.take("speech.say").input).toMatchObject({ text, messageId: "m", heard: "One is here." });
});
