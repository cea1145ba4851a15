// @vitest-environment happy-dom
import { createRoot, type Root } from "react-dom/client";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { QuickPrompt } from "../../../../renderer/components/quick/QuickPrompt.tsx";
import { QuickState } from "../../../../renderer/state/quick-state.ts";
import type { AgentEventBody } from "../../../../shared/conversation/events.ts";
import { ScriptedMain } from "../state/scripted-main.ts";
import { voiceOn, voiceSnapshot } from "../voice-snapshot.ts";
import { layOut } from "./no-layout.ts";
import { act } from "./react-act.ts";

let main: ScriptedMain;
let state: QuickState;
let root: Root;
let end: () => void;
const place = document.createElement("div");

/** Milliseconds since the epoch. */
const now = 1000;

beforeEach(async () => {
  vi.useFakeTimers({ now, toFake: ["Date", "setTimeout", "clearTimeout"] });
  layOut();
  main = new ScriptedMain();
  state = new QuickState(main.bridge);
  end = state.start();
  document.body.append(place);
  root = createRoot(place);
  await act(async () => root.render(<QuickPrompt state={state} />));
});
afterEach(async () => {
  end();
  await act(async () => root.unmount());
  place.remove();
  vi.useRealTimers();
});

const happen = (...bodies: AgentEventBody[]) =>
  act(async () => main.push({ type: "events", events: bodies.map((body) => main.emit("a", body)) }));
const find = (id: string) => place.querySelector<HTMLElement>(`[data-testid="${id}"]`);
const routes = () => main.calls.map(({ route }) => route);
/** On what has the keyboard. */
const press = (key: string) =>
  act(async () => {
    const target = document.activeElement ?? document.body;
    target.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
  });

const prompted = (id: string, text: string): AgentEventBody => ({
  type: "message.added",
  message: {
    id,
    role: "user",
    origin: "quick",
    source: null,
    content: [{ type: "text", text }],
    createdAt: 1,
  },
});

/** A prompt that its run answers. */
async function ask(): Promise<void> {
  const taken = state.submit("Do it");
  await act(() => main.answer("conversation.submit", { conversationId: "a", inputId: "i" }));
  main.emit("a", prompted("i", "Do it"));
  main.emit("a", { type: "state.changed", state: "processing" });
  await act(() => main.answer("conversation.attach", main.view("a")));
  await taken;
}

const asks: AgentEventBody = {
  ...{ type: "approval.requested", approvalId: "p1", toolUseId: "t1", name: "shell", effect: "execute" },
  detail: "reboot",
};

// Bug: once what had the keyboard was gone, the window took no key any more, not even Esc.
// Bug: it asked the user to speak while the microphone was still being opened: the first words were lost.
it("asks to speak once it listens, and not before", async () => {
  const tell = (state: "starting" | "listening") =>
    act(async () =>
      main.push({ type: "voice", voice: { ...voiceSnapshot, now: voiceOn({ state, isQuick: true }) } }),
    );
  await tell("starting");
  expect(place.textContent).toContain("Opening the microphone…");
  expect(place.textContent).not.toContain("Speak, or type.");
  await tell("listening");
  expect(place.textContent).toContain("Speak, or type.");
});

// Bug: it stood there for everybody in sight to read.
it("hides a key in what is selected elsewhere, says so, and sends it as it is", async () => {
  const selection = "export GITHUB=ghp_0123456789abcdefghijABCDEFGHIJ012345 here";
  await act(async () => main.push({ type: "quick-opened", selection, conversation: null, maxHeightPx: 420 }));
  const [offer] = place.querySelectorAll<HTMLElement>('[data-testid="quick-offer"]');
  expect(offer?.textContent).toBe(
    "Ask about what is selected“export GITHUB=•••••• here”Key hidden here, sent as it is",
  );
  const attached = vi.spyOn(state, "attachSelection");
  await act(async () => offer?.click());
  expect(attached).toHaveBeenCalledWith(selection);
});

describe("the keyboard of the quick window", () => {
  const wait = () => act(async () => vi.advanceTimersByTime(1));

  it("goes back into the text box when the card that had it is answered", async () => {
    await ask();
    await happen(asks);
    find("approval")?.focus();
    await happen({ type: "approval.resolved", approvalId: "p1", allowed: true });
    await wait();
    expect(document.activeElement).toBe(find("composer"));
  });

  it("goes back into the text box when a pressed button is gone", async () => {
    await ask();
    find("stop")?.focus();
    await happen({ type: "state.changed", state: "idle" });
    await wait();
    expect(find("stop")).toBeNull();
    expect(document.activeElement).toBe(find("composer"));
  });

  it("is heard though nothing has it: after a click on plain text", async () => {
    find("composer")?.blur();
    expect(document.activeElement).toBe(document.body);
    await press("Escape");
    expect(routes()).toContain("quick.close");
    await press("x");
    expect(document.activeElement).toBe(find("composer"));
  });
});

describe("Stop", () => {
  // Bug: a run could not be stopped from the quick window while it waited for a yes.
  it("is there while the run waits for the user", async () => {
    await ask();
    await happen(asks, { type: "state.changed", state: "awaiting_input" });
    await act(async () => find("stop")?.click());
    expect(main.take("conversation.stop").input).toEqual({ conversationId: "a" });
  });
});

describe("a screen reader", () => {
  const told = () => find("announcer")?.textContent;
  /** A prompt and its reply, which is as old as it says. @returns their events */
  const replied = (id: string, at = 1) => {
    const bodies: AgentEventBody[] = [
      prompted(`u${id}`, `Prompt ${id}`),
      { type: "text.delta", messageId: id, text: `Reply ${id}. And` },
    ];
    return bodies.map((body) => ({ ...main.emit("a", body), at }));
  };
  /** The conversation, all of it as old as it says. */
  const viewOf = (at: number) => {
    const view = main.view("a");
    return { ...view, items: view.items.map((item) => ({ ...item, at })) };
  };
  const goOn = async (at = 1) => {
    void state.goOn();
    await act(() => main.answer("quick.goOn", { conversationId: "a" }));
    await act(() => main.answer("conversation.attach", viewOf(at)));
  };

  // Bug: whoever went on with a conversation had its old replies read out once more.
  it("reads nothing again of a conversation that is picked up, and then what is new", async () => {
    replied("old");
    await goOn();
    expect(find("asked")?.textContent).toBe("Prompt old");
    expect(told()).toBe("");
    await act(async () => main.push({ type: "events", events: replied("new", now) }));
    expect(told()).toBe("Reply new.");
  });

  // Bug: what had been read in the main window meanwhile was read out when the quick prompt went on there.
  it("reads nothing that came while the quick prompt was put away", async () => {
    await ask();
    await act(async () => main.push({ type: "quick-begun" }));
    await act(async () => main.push({ type: "events", events: replied("meanwhile", now) }));
    const before = told();
    await goOn(now);
    expect(find("asked")?.textContent).toBe("Prompt meanwhile");
    expect(told()).toBe(before);
  });

  it("reads a reply that was there before its conversation was", async () => {
    const taken = state.submit("Prompt quick");
    await act(() => main.answer("conversation.submit", { conversationId: "a", inputId: "i" }));
    replied("quick");
    await act(() => main.answer("conversation.attach", viewOf(now)));
    await taken;
    expect(told()).toBe("Reply quick.");
  });

  // Bug: who spoke into a conversation had its old replies read out once more.
  it("reads nothing again of a conversation that is spoken into, and then what is new", async () => {
    replied("old");
    const settings = { ...voiceSnapshot.settings, "voice.speak": "never" } as const;
    const voice = { ...voiceSnapshot, settings, now: voiceOn({ isQuick: true }) };
    await act(async () => main.push({ type: "voice", voice }));
    await act(() => main.answer("conversation.attach", main.view("a")));
    expect(told()).not.toContain("Reply");
    await act(async () => main.push({ type: "events", events: replied("new", now) }));
    expect(told()).toContain("Reply new.");
    expect(told()).not.toContain("old");
  });
});
