import { expect, it, vi } from "vitest";
import type { Conversation } from "../../../../electron/agent/conversation/conversation.ts";
import { QuickConversation } from "../../../../electron/agent/conversation/quick-conversation.ts";
import { QuickPrompts } from "../../../../electron/desktop/quick/quick-prompts.ts";
import type { VoiceStart } from "../../../../electron/voice/session/voice-state.ts";
import type { IpcPush } from "../../../../shared/ipc/push.ts";

vi.mock("electron", () => ({ clipboard: {} }));

/** The quick prompt's part of main, over voice that does nothing but remember where it listens. */
function rig() {
  const conversations = new Map<string, Conversation>();
  const beside = () => {
    const made = { id: `c${conversations.size + 1}`, state: "idle" } as Conversation;
    conversations.set(made.id, made);
    return made;
  };
  const quick = new QuickConversation({ get: (id) => conversations.get(id), beside }, { now: () => 1 });
  let on: { id: string; start: VoiceStart } | null = null;
  let isStopping = false;
  const stops: (() => unknown)[] = [];
  const voice = {
    status: () =>
      ({
        state: isStopping ? "stopping" : on ? "listening" : "off",
        conversationId: on?.id ?? null,
        source: on?.start.source ?? null,
      }) as never,
    start: ({ id }: { id: string }, start: VoiceStart) => {
      if (on) throw new Error("Voice is on already.");
      on = { id, start };
    },
    listen: async (target: { id: string }, start: VoiceStart) => {
      if (!on) voice.start(target, start);
    },
    stop: async () => {
      isStopping = true;
      await Promise.all(stops.map((wait) => wait()));
      isStopping = false;
      on = null;
    },
    mute: async () => {},
    moveTo: ({ id }: { id: string }) => {
      if (on) on.id = id;
    },
    get isQuick() {
      return on?.start.isQuick ?? false;
    },
    setQuick: (isQuick: boolean) => {
      if (on) on.start = { ...on.start, isQuick };
    },
  };
  const told: IpcPush[] = [];
  const shown = { isOpen: true };
  const prompts = new QuickPrompts({
    ...{ quick, voice },
    isOpen: () => shown.isOpen,
    tell: (message) => told.push(message),
  });
  return { prompts, voice, shown, told, where: () => on?.id ?? null, stops };
}

// Bug: it looked whether voice was in its own conversation, and left it on in every other one.
it("closed, it ends what it began to listen to, whatever conversation that has come to", async () => {
  const { prompts, voice, where } = rig();
  await prompts.listen("start");
  voice.moveTo({ id: "elsewhere" });
  await prompts.hidden();
  expect(where()).toBeNull();
});

it("closed, it ends what it listens to also where the speech server cannot mute", async () => {
  const { prompts, voice, where } = rig();
  await prompts.listen("start");
  voice.mute = () => Promise.reject(new Error("This server cannot mute."));
  await prompts.hidden();
  expect(where()).toBeNull();
});

it("closed while the voice of another conversation ends, it does not begin to listen", async () => {
  const { prompts, voice, shown, where, stops } = rig();
  voice.start({ id: "main" }, { source: "microphone" });
  stops.push(() => {
    shown.isOpen = false;
  });
  await prompts.listen("start");
  expect(where()).toBeNull();
});

// Bug: while its last words came it counted as on, and a press did nothing.
it("presses while it is being stopped begin to listen again, once, when that has ended", async () => {
  const { prompts, where, stops } = rig();
  const id = await prompts.listen("start");
  let end = () => {};
  const over = new Promise<void>((resolve) => {
    end = resolve;
  });
  stops.push(() => over);
  const moves = [prompts.listen("stop"), prompts.listen("start"), prompts.listen("start")];
  end();
  await Promise.all(moves);
  expect(where()).toBe(id);
});

it("a new conversation by word goes on listening there, and only where it listens", async () => {
  const { prompts, told, where } = rig();
  const first = await prompts.listen("start");
  prompts.beginByWord();
  expect(where()).not.toBe(first);
  expect(prompts.shows(where() ?? "")).toBe(true);
  expect(told).toEqual([{ type: "quick-begun" }]);
  await prompts.hidden();
  prompts.beginByWord();
  expect(where()).toBeNull();
});

it("what the main window shows is its own: it goes on listening there", async () => {
  const { prompts, where, voice } = rig();
  await prompts.listen("start");
  prompts.handedOver();
  voice.moveTo({ id: "main" });
  await prompts.hidden();
  expect(where()).toBe("main");
});
