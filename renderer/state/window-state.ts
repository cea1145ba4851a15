import type { UserError, VoiceStateName } from "../../shared/events.ts";
import type {
  AppInfo,
  ConversationSummary,
  IpcInput,
  IpcOutput,
  IpcPush,
  IpcRoute,
  ParleyBridge,
} from "../../shared/ipc.ts";
import type { ConversationView } from "../../shared/transcript.ts";
import { call } from "./call.ts";
import { ConversationFeed } from "./conversation-feed.ts";
import { Store } from "./store.ts";

export type VoiceSource = IpcInput<"voice.start">["source"];

/** Where voice is on, in whichever conversation; it is one for the whole app. */
export interface VoicePlace {
  conversationId: string | null;
  state: VoiceStateName;
}

/** All that a window shows, and what its controls do. Failures of actions end up in `failure`, none is lost. */
export class WindowState {
  readonly info = new Store<AppInfo | null>(null);
  readonly conversations = new Store<ConversationSummary[]>([]);
  readonly view = new Store<ConversationView | null>(null);
  readonly voice = new Store<VoicePlace>({ conversationId: null, state: "off" });
  /** The last action that failed, until it is dismissed or another one is tried. */
  readonly failure = new Store<UserError | null>(null);
  /** RMS 0–1. On its own, since it changes 15 times a second. */
  readonly level = new Store(0);
  /** Counts up whenever main asks for the composer to take the keyboard. */
  readonly focusRequests = new Store(0);
  /** Unsent text by conversation id. */
  readonly drafts = new Map<string, string>();

  readonly #bridge: ParleyBridge;
  readonly #feed: ConversationFeed;
  #listing = 0;

  constructor(bridge: ParleyBridge) {
    this.#bridge = bridge;
    this.#feed = new ConversationFeed(
      bridge,
      (view) => this.view.set(view),
      (error) => this.failure.set(error),
    );
  }

  /** Subscribes first and attaches then, so that nothing falls in between. @returns what ends the subscription */
  start(): () => void {
    const end = this.#bridge.onPush((push) => this.#receive(push));
    void this.#loadInfo();
    void this.#feed.open();
    void this.#list();
    return end;
  }

  show = (conversationId: string): void => {
    void this.#feed.open(conversationId);
  };

  newConversation = async (): Promise<void> => {
    const created = await this.#try("conversation.create", undefined);
    if (!created) return;
    await this.#feed.open(created.conversationId);
    this.focusRequests.set(this.focusRequests.get() + 1);
  };

  /** @returns false when the prompt was not taken and must not be lost */
  submit = async (text: string): Promise<boolean> => {
    const conversationId = this.view.get()?.conversationId;
    if (conversationId === undefined) return false;
    const taken = await this.#try("conversation.submit", { conversationId, text, origin: "typed" });
    if (!taken) return false;
    // A command such as `/new` may have moved on to another conversation.
    if (taken.conversationId !== this.view.get()?.conversationId) await this.#feed.open(taken.conversationId);
    return true;
  };

  retry = (): void => this.#act("conversation.retry");
  abort = (): void => this.#act("conversation.abort");

  /** @returns false when the words were not taken and must not be lost */
  steer = async (text: string): Promise<boolean> => {
    const conversationId = this.view.get()?.conversationId;
    if (conversationId === undefined || text.trim() === "") return false;
    return (await this.#try("conversation.steer", { conversationId, text })) !== null;
  };

  answerApproval = (approvalId: string, allowed: boolean, reason?: string): void => {
    const conversationId = this.view.get()?.conversationId;
    if (conversationId === undefined) return;
    void this.#try("approval.answer", { conversationId, approvalId, allowed, ...(reason ? { reason } : {}) });
  };

  answerQuestion = (questionId: string, answer: string): void => {
    const conversationId = this.view.get()?.conversationId;
    if (conversationId !== undefined)
      void this.#try("question.answer", { conversationId, questionId, answer });
  };

  sendAnyway = (droppedId: string): void => void this.#try("voice.sendAnyway", { droppedId });

  /** Answers the approval that has waited longest, if one waits. */
  answerOldestApproval = (allowed: boolean): void => {
    const waiting = this.view
      .get()
      ?.items.find((item) => item.kind === "approval" && item.status === "waiting");
    if (waiting) this.answerApproval(waiting.key, allowed);
  };

  drop = (inputId: string): void => {
    const conversationId = this.view.get()?.conversationId;
    if (conversationId !== undefined) void this.#try("input.drop", { conversationId, inputId });
  };

  /** Voice is one for the app: where it is on already, with another source or elsewhere, it ends there first. */
  startVoice = async (source: VoiceSource): Promise<void> => {
    const view = this.view.get();
    if (!view) return;
    if (isOn(this.voice.get().state) || isOn(view.voice.state)) await this.stopVoice();
    await this.#try("voice.start", { conversationId: view.conversationId, source });
  };

  stopVoice = async (): Promise<void> => {
    await this.#try("voice.stop", undefined);
  };

  /** Says Markdown aloud; blank text stops what is being said. */
  say = async (text: string, messageId?: string): Promise<void> => {
    const conversationId = this.view.get()?.conversationId;
    if (conversationId === undefined) return;
    await this.#try("speech.say", {
      conversationId,
      text,
      ...(messageId === undefined ? {} : { messageId }),
    });
  };

  openLink = (url: string): void => {
    void this.#try("link.open", { url });
  };

  #act(route: "conversation.retry" | "conversation.abort"): void {
    const conversationId = this.view.get()?.conversationId;
    if (conversationId !== undefined) void this.#try(route, { conversationId });
  }

  async #try<R extends IpcRoute>(route: R, input: IpcInput<R>): Promise<IpcOutput[R] | null> {
    this.failure.set(null);
    const result = await call(this.#bridge, route, input);
    if (result.ok) return result.value;
    this.failure.set(result.error);
    return null;
  }

  #receive(push: IpcPush): void {
    switch (push.type) {
      case "events":
        this.#feed.receive(push.events);
        break;
      case "conversations":
        void this.#list();
        break;
      case "show-conversation":
        this.show(push.conversationId);
        break;
      case "app":
        void this.#loadInfo();
        break;
      case "level":
        this.level.set(push.level);
        break;
      case "voice":
        if (!isOn(push.state)) this.level.set(0);
        this.voice.set({ conversationId: push.conversationId, state: push.state });
        break;
      case "focus-composer":
        this.focusRequests.set(this.focusRequests.get() + 1);
        break;
    }
  }

  async #loadInfo(): Promise<void> {
    const result = await call(this.#bridge, "app.info", undefined);
    if (result.ok) this.info.set(result.value);
    else this.failure.set(result.error);
  }

  async #list(): Promise<void> {
    const listing = ++this.#listing;
    const result = await call(this.#bridge, "conversation.list", undefined);
    // An older answer that arrives late must not undo a newer one.
    if (listing !== this.#listing) return;
    if (result.ok) this.conversations.set(result.value);
    else this.failure.set(result.error);
  }
}

/** Whether voice holds (or is about to hold) an audio source. */
export const isOn = (state: VoiceStateName): boolean => state !== "off" && state !== "failed";
