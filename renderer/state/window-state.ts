import type { AttachmentChoice } from "../../shared/conversation/attachments.ts";
import type { UserError, VoiceStateName } from "../../shared/conversation/events.ts";
import type { SearchHit } from "../../shared/conversation/sessions.ts";
import type { ConversationView } from "../../shared/conversation/transcript.ts";
import type { AppInfo, IpcInput, IpcOutput, IpcPush, IpcRoute, ParleyBridge } from "../../shared/ipc.ts";
import type { ApprovalChoice, LevelName, PermissionRule } from "../../shared/safety/permissions.ts";
import type { KeyRequest } from "../../shared/safety/secrets.ts";
import { call } from "./call.ts";
import { ConversationFeed } from "./conversation/conversation-feed.ts";
import { Drafts } from "./conversation/drafts.ts";
import { placeOf } from "./conversation/find-message.ts";
import { History } from "./conversation/history.ts";
import { Servers } from "./servers.ts";
import { Library } from "./sessions/library.ts";
import { Store } from "./store.ts";
import { Trust } from "./trust.ts";
import { VoiceDesk } from "./voice/voice-desk.ts";

export type VoiceSource = IpcInput<"voice.start">["source"];

/** Where voice is on, in whichever conversation; it is one for the whole app. */
export interface VoicePlace {
  conversationId: string | null;
  state: VoiceStateName;
}

/** All that a window shows, and what its controls do. Failures of actions end up in `failure`, none is lost. */
export class WindowState {
  readonly info = new Store<AppInfo | null>(null);
  /** The conversations that are kept. */
  readonly library: Library;
  readonly view = new Store<ConversationView | null>(null);
  /** Ways back and sideways in the conversation that is shown. */
  readonly history: History;
  readonly desk: VoiceDesk;
  readonly voice = new Store<VoicePlace>({ conversationId: null, state: "off" });
  /** The last action that failed, until it is dismissed or another one is tried. */
  readonly failure = new Store<UserError | null>(null);
  /** RMS 0–1. On its own, since it changes 15 times a second. */
  readonly level = new Store(0);
  /** Counts up whenever main asks for the composer to take the keyboard. */
  readonly focusRequests = new Store(0);
  /** Counts up whenever the user wants to answer what waits. */
  readonly approvalRequests = new Store(0);
  /** Counts up whenever the user wants to choose what runs without asking. */
  readonly levelRequests = new Store(0);
  /** Unsent prompts by conversation id. */
  readonly drafts: Drafts;
  /** Text for the composer that was not typed there. `count` tells one wish from the next. */
  readonly insertion = new Store<{ text: string; count: number }>({ text: "", count: 0 });
  /** The item to bring into sight; whoever did it says so by null. */
  readonly revealed = new Store<{ key: string } | null>(null);
  /** The key that the user is asked for. */
  readonly keyRequest = new Store<KeyRequest | null>(null);

  readonly servers = new Servers((route, input) => this.#ask(route, input));
  readonly trust = new Trust(
    (route, input) => this.#ask(route, input),
    (error) => this.failure.set(error),
  );

  readonly #bridge: ParleyBridge;
  readonly #feed: ConversationFeed;

  constructor(bridge: ParleyBridge) {
    this.#bridge = bridge;
    this.library = new Library((route, input) => this.#try(route, input));
    this.history = new History({
      ask: (route, input) => this.#ask(route, input),
      attempt: (route, input) => this.#try(route, input),
      shownId: this.#shown,
      show: this.show,
    });
    this.desk = new VoiceDesk({
      ask: (route, input) => this.#ask(route, input),
      onFailure: (error) => this.failure.set(error),
      shownId: this.#shown,
    });
    this.drafts = new Drafts((conversationId, draft, attached) => {
      void call(bridge, "conversation.change", { conversationId, draft, draftAttached: [...attached] });
    });
    this.#feed = new ConversationFeed(
      bridge,
      (view) => {
        this.#takeDraft(view);
        this.view.set(view);
        this.servers.showFor(view.conversationId, view.workingFolder);
        this.trust.showFor(view.conversationId, view.workingFolder);
      },
      (error) => this.failure.set(error),
    );
  }

  /**
   * Subscribes first and attaches then, so that nothing falls in between.
   * @returns what ends the subscription, and a promise of the first picture: the list and the conversation
   */
  start(): { end: () => void; isReady: Promise<unknown> } {
    const end = this.#bridge.onPush((push) => this.#receive(push));
    const isReady = Promise.all([this.#loadInfo(), this.#feed.open(), this.library.list.load()]);
    void this.desk.load();
    return { end, isReady };
  }

  show = (conversationId: string): void => {
    this.drafts.flushAll();
    void this.#feed.open(conversationId);
  };

  /** Opens the conversation of a hit, at its message: on another branch, that branch is shown. */
  showHit = async (hit: SearchHit): Promise<void> => {
    const { conversationId, messageId } = hit;
    await this.#feed.open(conversationId);
    for (let hasLooked = false; ; ) {
      const view = this.view.get();
      if (view?.conversationId !== conversationId) return;
      const place = placeOf(view, hit);
      if (typeof place === "object") return this.revealed.set(place);
      if (place === "earlier") {
        await this.#feed.earlier();
        if (this.view.get() === view) return;
      } else if (place === "elsewhere" && !hasLooked) {
        hasLooked = true;
        if ((await this.#try("conversation.branch", { conversationId, messageId })) === null) return;
        await this.#feed.open(conversationId);
      } else return;
    }
  };

  loadEarlier = (): Promise<void> => this.#feed.earlier();

  newConversation = async (): Promise<void> => {
    this.drafts.flushAll();
    const created = await this.#try("conversation.create", undefined);
    if (!created) return;
    await this.#feed.open(created.conversationId);
    this.focusRequests.set(this.focusRequests.get() + 1);
  };

  pickFolder = (): void => {
    const conversationId = this.#shown();
    if (conversationId !== undefined) void this.#try("conversation.pickFolder", { conversationId });
  };

  setKey = (variable: string, key: string, isWeakAccepted: boolean) =>
    this.#ask("key.set", { variable, key, isWeakAccepted });

  answerModelServer = (id: string, isAgreed: boolean): void => {
    void this.#try("model.server", { id, isAgreed });
  };

  answerKeyAddress = (id: string, isAgreed: boolean): void => {
    void this.#try("key.address", { id, isAgreed });
  };

  /** Runs a prompt that is held; the words of one that waits go into the running turn. */
  sendNow = (inputId: string): void => {
    const conversationId = this.#shown();
    if (conversationId !== undefined) void this.#try("input.send", { conversationId, inputId });
  };

  /** Other words for a prompt that has no run yet; a held one is no longer sent by itself. @returns false when too late */
  editInput = async (inputId: string, text: string): Promise<boolean> => {
    const conversationId = this.#shown();
    if (conversationId === undefined || text.trim() === "") return false;
    return (await this.#try("input.edit", { conversationId, inputId, text })) !== null;
  };

  /** Takes a prompt that waits out of the queue and puts it where it can be changed. */
  editHeld = async (inputId: string, text: string): Promise<void> => {
    const conversationId = this.#shown();
    if (conversationId === undefined) return;
    if ((await this.#try("input.drop", { conversationId, inputId })) !== null) this.insert(text);
  };

  /** Puts text into the composer, behind what stands there. */
  insert = (text: string): void => {
    this.insertion.set({ text, count: this.insertion.get().count + 1 });
  };

  /** @param attached references, see `findAttachments` @returns false when it was not taken and must not be lost */
  submit = async (text: string, attached: readonly string[] = []): Promise<boolean> => {
    const conversationId = this.view.get()?.conversationId;
    if (conversationId === undefined) return false;
    const beside = attached.length > 0 && { attachments: [...attached] };
    const taken = await this.#try("conversation.submit", {
      conversationId,
      text,
      origin: "typed",
      ...beside,
    });
    if (!taken) return false;
    // A command such as `/new` may have moved on to another conversation.
    if (taken.conversationId !== this.view.get()?.conversationId) await this.#feed.open(taken.conversationId);
    return true;
  };

  /** What `@` and these letters may mean; nothing where that cannot be had. */
  findAttachments = async (words: string): Promise<readonly AttachmentChoice[]> => {
    const { conversationId } = this.view.get() ?? {};
    return (conversationId && (await this.#try("attachment.find", { conversationId, words }))) || [];
  };

  retry = (): void => this.#act("conversation.retry");
  abort = (): void => this.#act("conversation.abort");

  /** @returns false when the words were not taken and must not be lost */
  steer = async (text: string): Promise<boolean> => {
    const conversationId = this.view.get()?.conversationId;
    if (conversationId === undefined || text.trim() === "") return false;
    return (await this.#try("conversation.steer", { conversationId, text })) !== null;
  };

  answerApproval = (
    approvalId: string,
    allowed: boolean,
    reason?: string,
    { scope = "once", outside = false }: ApprovalChoice = {},
  ): void => {
    const conversationId = this.view.get()?.conversationId;
    if (conversationId === undefined) return;
    const beside = { ...(reason && { reason }), ...(outside && { outside }) };
    const answer = { conversationId, approvalId, allowed, scope, ...beside };
    void this.#try("approval.answer", answer);
  };

  setLevel = (mode: LevelName): void => {
    const conversationId = this.view.get()?.conversationId;
    if (conversationId !== undefined) void this.#try("permission.mode", { conversationId, mode });
  };

  /** What becomes of an `auto` of an earlier version. */
  confirmLevel = (level: "ask" | "work"): void => {
    const conversationId = this.view.get()?.conversationId;
    if (conversationId !== undefined) void this.#try("permission.confirm", { conversationId, level });
  };

  /** What becomes of a rule of an earlier version. */
  reviewRule = (rule: PermissionRule, answer: "exact" | "more" | "remove"): void =>
    void this.#try("permission.review", { rule, answer });

  checkFence = (): void => void this.#try("fence.check", undefined);

  /** The user vouches for what was heard from the computer's sound so far. */
  liftOverheard = (): void => {
    const conversationId = this.view.get()?.conversationId;
    if (conversationId !== undefined) void this.#try("overheard.lift", { conversationId });
  };

  /** The keyboard goes to what waits for the user's word. */
  showApprovals = (): void => this.approvalRequests.set(this.approvalRequests.get() + 1);
  showLevels = (): void => this.levelRequests.set(this.levelRequests.get() + 1);

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

  #shown = (): string | undefined => this.view.get()?.conversationId;

  /** A draft that main has and the box has not: of a new window, or the prompt that a rewind went back before. */
  #takeDraft({ conversationId, draft, draftAttached }: ConversationView): void {
    const shown = this.view.get();
    if (shown?.conversationId !== conversationId) this.drafts.load(conversationId, draft, draftAttached);
    else if (draft !== shown.draft && this.drafts.get(conversationId).trim() === "") this.insert(draft);
  }

  /** What was dictated for a conversation that is not shown any more waits in its text box. */
  #takeDictated(conversationId: string, text: string): void {
    if (conversationId === this.#shown()) {
      this.desk.takeDictated(text);
      return;
    }
    const before = this.drafts.get(conversationId);
    this.drafts.set(conversationId, before.trim() === "" ? text : `${before} ${text}`);
  }

  /** For what shows its failures itself. */
  #ask<R extends IpcRoute>(route: R, input: IpcInput<R>) {
    return call(this.#bridge, route, input);
  }

  async #try<R extends IpcRoute>(route: R, input: IpcInput<R>): Promise<IpcOutput[R] | null> {
    // What the window asks by itself must not take away what the user has not read yet.
    if (route !== "conversation.list" && route !== "conversation.search") this.failure.set(null);
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
      case "session":
      case "session-gone":
        this.library.receive(push);
        break;
      case "show-conversation":
        this.show(push.conversationId);
        break;
      case "mcp":
        void this.servers.load();
        break;
      case "trust":
        void this.trust.load();
        break;
      case "app":
        void this.#loadInfo();
        break;
      case "ask-key":
        this.keyRequest.set(push);
        break;
      case "level":
        this.level.set(push.level);
        break;
      case "voice":
        if (!isOn(push.state)) this.level.set(0);
        this.voice.set({ conversationId: push.conversationId, state: push.state });
        break;
      case "voice-panel":
        this.desk.panel.set(push.panel);
        break;
      case "dictated":
        this.#takeDictated(push.conversationId, push.text);
        break;
      case "show-approvals":
        this.showApprovals();
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
}

/** Whether voice holds (or is about to hold) an audio source. */
export const isOn = (state: VoiceStateName): boolean => state !== "off" && state !== "failed";
