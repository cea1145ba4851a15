import type { SearchHit } from "../../shared/conversation/sessions.ts";
import type { ConversationView } from "../../shared/conversation/transcript.ts";
import type { AgentSteps, IpcInput, IpcPush, ParleyBridge } from "../../shared/ipc.ts";
import type { LevelName, PermissionRule } from "../../shared/safety/permissions.ts";
import type { KeyRequest } from "../../shared/safety/secrets.ts";
import { type VoiceView, voiceIn } from "../../shared/voice/voice-snapshot.ts";
import { call } from "./call.ts";
import { Drafts } from "./conversation/drafts.ts";
import { placeOf } from "./conversation/find-message.ts";
import { History } from "./conversation/history.ts";
import { Models } from "./models.ts";
import { PageState, waitingQuestion } from "./page-state.ts";
import { Servers } from "./servers.ts";
import { Library } from "./sessions/library.ts";
import { Signal } from "./signal.ts";
import { Store } from "./store.ts";
import { VoicePanelState } from "./voice/voice-panel-state.ts";

export type VoiceSource = IpcInput<"voice.start">["source"];

/** A form for a key; each has a number of its own, also where the same key is asked for again. */
export type AskedKey = KeyRequest & { id: number };

/** All that a window shows, and what its controls do. Failures of actions end up in `failure`, none is lost. */
export class WindowState extends PageState {
  /** The conversations that are kept. */
  readonly library: Library;
  /** Ways back and sideways in the conversation that is shown. */
  readonly history: History;
  readonly voicePanel: VoicePanelState;
  /** The composer is to take the keyboard. */
  readonly focusWanted = new Signal();
  /** The user wants to answer what waits. */
  readonly approvalsWanted = new Signal({ waits: true });
  /** The user wants to choose what runs without asking. */
  readonly levelsWanted = new Signal({ waits: true });
  /** Unsent prompts by conversation id. */
  readonly drafts: Drafts;
  /** Text for the composer that was not typed there. */
  readonly inserted = new Signal<string>();
  /** The item to bring into sight; whoever did it says so by null. */
  readonly revealed = new Store<{ key: string } | null>(null);
  /** The key that the user is asked for. */
  readonly keyRequest = new Store<AskedKey | null>(null);
  #keysAsked = 0;

  readonly models = new Models(
    (route, input) => this.ask(route, input),
    (error) => this.failure.set(error),
  );
  readonly servers = new Servers((route, input) => this.ask(route, input));

  constructor(bridge: ParleyBridge) {
    super(bridge);
    this.library = new Library((route, input) =>
      // Asked by the window itself: it takes away nothing that the user has not read.
      route === "conversation.list" || route === "conversation.search"
        ? this.report(route, input)
        : this.attempt(route, input),
    );
    this.history = new History({
      ask: (route, input) => this.ask(route, input),
      attempt: (route, input) => this.attempt(route, input),
      shownId: this.shownId,
      show: this.show,
    });
    this.voicePanel = new VoicePanelState({
      ask: (route, input) => this.ask(route, input),
      attempt: (route, input) => this.attempt(route, input),
      onFailure: (error) => this.failure.set(error),
      shownId: this.shownId,
    });
    this.voicePanel.snapshot.subscribe(() => this.#showVoice());
    this.drafts = new Drafts((conversationId, draft, attached) => {
      void call(bridge, "conversation.change", { conversationId, draft, draftAttached: [...attached] });
    });
  }

  protected override onView(view: ConversationView): void {
    this.#takeDraft(view);
    super.onView(view);
    this.servers.showFor(view.conversationId, view.workingFolder);
    this.models.showFor(view);
  }

  /**
   * Subscribes first and attaches then, so that nothing falls in between.
   * @returns what ends the subscription, and a promise of the first picture: the list and the conversation
   */
  start(): { end: () => void; isReady: Promise<unknown> } {
    const end = this.bridge.onPush((push) => this.receive(push));
    const isReady = Promise.all([this.loadInfo(), this.feed.open(), this.library.list.load()]);
    void this.voicePanel.load();
    return { end, isReady };
  }

  show = (conversationId: string): void => {
    this.drafts.flushAll();
    void this.feed.open(conversationId);
  };

  /** Opens the conversation of a hit, at its message: on another branch, that branch is shown. */
  showHit = async (hit: SearchHit): Promise<void> => {
    const { conversationId, messageId } = hit;
    await this.feed.open(conversationId);
    for (let hasLooked = false; ; ) {
      const view = this.view.get();
      if (view?.conversationId !== conversationId) return;
      const place = placeOf(view, hit);
      if (typeof place === "object") return this.revealed.set(place);
      if (place === "earlier") {
        await this.feed.earlier();
        if (this.view.get() === view) return;
      } else if (place === "elsewhere" && !hasLooked) {
        hasLooked = true;
        if ((await this.attempt("conversation.branch", { conversationId, messageId })) === null) return;
        await this.feed.open(conversationId);
      } else return;
    }
  };

  /** What a sub-agent of the conversation that is shown did so far; null where that cannot be had. */
  agentSteps = async (agentId: string): Promise<AgentSteps | null> => {
    const conversationId = this.shownId();
    if (conversationId === undefined) return null;
    const result = await this.ask("conversation.agent", { conversationId, agentId });
    return result.ok ? result.value : null;
  };

  loadEarlier = (): Promise<void> => this.feed.earlier();

  newConversation = async (): Promise<void> => {
    this.drafts.flushAll();
    const created = await this.attempt("conversation.create", undefined);
    if (!created) return;
    await this.feed.open(created.conversationId);
    this.focusWanted.emit();
  };

  pickFolder = (): void => {
    this.onShown((conversationId) => this.attempt("conversation.pickFolder", { conversationId }));
  };

  /** Another form may have been asked for since: that one stays. */
  closeKeyForm = (request: AskedKey): void => {
    if (this.keyRequest.get() === request) this.keyRequest.set(null);
  };

  /** Shows the form for a key. */
  changeKey = (variable: string): void => {
    void this.attempt("key.ask", { variable });
  };

  setKey = (variable: string, key: string, isWeakAccepted: boolean) =>
    this.ask("key.set", { variable, key, isWeakAccepted });

  answerModelServer = (id: string, isAgreed: boolean): void => {
    void this.attempt("model.server", { id, isAgreed });
  };

  answerKeyAddress = (id: string, isAgreed: boolean): void => {
    void this.attempt("key.address", { id, isAgreed });
  };

  /** Runs a prompt that is held; the words of one that waits go into the running turn. */
  sendNow = (inputId: string): void => {
    this.onShown((conversationId) => this.attempt("input.send", { conversationId, inputId }));
  };

  /** Other words for a prompt that has no run yet; a held one is no longer sent by itself. @returns false when too late */
  editInput = async (inputId: string, text: string): Promise<boolean> => {
    const conversationId = this.shownId();
    if (conversationId === undefined || text.trim() === "") return false;
    return (await this.attempt("input.edit", { conversationId, inputId, text })) !== null;
  };

  /** Takes a prompt that waits out of the queue and puts it where it can be changed. */
  editHeld = async (inputId: string, text: string): Promise<void> => {
    const conversationId = this.shownId();
    if (conversationId === undefined) return;
    if ((await this.attempt("input.drop", { conversationId, inputId })) !== null) this.insert(text);
  };

  /** Puts text into the composer, behind what stands there. */
  insert = (text: string): void => {
    this.inserted.emit(text);
  };

  /** @param attached references, see `findAttachments` @returns false when it was not taken and must not be lost */
  /** While a question waits, words answer it: a prompt would wait behind the very run that asks. */
  submit = async (text: string, attached: readonly string[] = []): Promise<boolean> => {
    const view = this.view.get();
    if (!view) return false;
    const { conversationId } = view;
    const question = attached.length === 0 && !text.startsWith("/") && waitingQuestion(view.items);
    if (question) {
      const asked = { conversationId, questionId: question.key, answer: text.trim() };
      return (await this.attempt("question.answer", asked)) !== null;
    }
    const beside = attached.length > 0 && { attachments: [...attached] };
    const taken = await this.attempt("conversation.submit", {
      conversationId,
      text,
      origin: "typed",
      ...beside,
    });
    if (!taken) return false;
    // A command such as `/new` may have moved on to another conversation.
    if (taken.conversationId !== this.view.get()?.conversationId) await this.feed.open(taken.conversationId);
    return true;
  };

  retry = (): void => this.#act("conversation.retry");
  stop = (): void => this.#act("conversation.stop");

  /** @returns false when the words were not taken and must not be lost */
  steer = async (text: string): Promise<boolean> => {
    const conversationId = this.view.get()?.conversationId;
    if (conversationId === undefined || text.trim() === "") return false;
    return (await this.attempt("conversation.steer", { conversationId, text })) !== null;
  };

  setLevel = (mode: LevelName): void => {
    this.onShown((conversationId) => this.attempt("permission.mode", { conversationId, mode }));
  };

  /** What becomes of an `auto` of an earlier version. */
  confirmLevel = (level: "ask" | "work"): void => {
    this.onShown((conversationId) => this.attempt("permission.confirm", { conversationId, level }));
  };

  /** What becomes of a rule of an earlier version. */
  reviewRule = (rule: PermissionRule, answer: "exact" | "more" | "remove"): void =>
    void this.attempt("permission.review", { rule, answer });

  checkFence = (): void => void this.attempt("fence.check", undefined);

  /** The user vouches for what was heard from the computer's sound so far. */
  liftOverheard = (): void => {
    this.onShown((conversationId) => this.attempt("overheard.lift", { conversationId }));
  };

  /** The keyboard goes to what waits for the user's word. */
  showApprovals = (): void => this.approvalsWanted.emit();
  showLevels = (): void => this.levelsWanted.emit();

  drop = (inputId: string): void => {
    this.onShown((conversationId) => this.attempt("input.drop", { conversationId, inputId }));
  };

  /** In the conversation that is shown; wherever else voice is on, it ends. */
  startVoice = async (source: VoiceSource): Promise<void> => {
    const conversationId = this.shownId();
    if (conversationId !== undefined) await this.voicePanel.step({ type: "listen", conversationId, source });
  };

  /** Ends voice in the conversation that is shown, or starts it there. */
  toggleVoice = (source: VoiceSource): void => {
    this.onShown((conversationId) => this.voicePanel.step({ type: "toggle", conversationId, source }));
  };

  stopVoice = async (): Promise<void> => {
    await this.attempt("voice.stop", undefined);
  };

  /** Says Markdown aloud; blank text stops what is being said. */
  say = async (text: string, messageId?: string): Promise<void> => {
    const conversationId = this.view.get()?.conversationId;
    if (conversationId === undefined) return;
    await this.attempt("speech.say", {
      conversationId,
      text,
      ...(messageId === undefined ? {} : { messageId }),
    });
  };

  #act(route: "conversation.retry" | "conversation.stop"): void {
    this.onShown((conversationId) => this.attempt(route, { conversationId }));
  }

  /** A draft that main has and the box has not: of a new window, or the prompt that a rewind went back before. */
  #takeDraft({ conversationId, draft, draftAttached }: ConversationView): void {
    const shown = this.view.get();
    if (shown?.conversationId !== conversationId) this.drafts.load(conversationId, draft, draftAttached);
    else if (draft !== shown.draft && this.drafts.get(conversationId).trim() === "") this.insert(draft);
  }

  /** What was dictated for a conversation that is not shown any more waits in its text box. */
  #takeDictated(conversationId: string, text: string): void {
    if (conversationId === this.shownId()) {
      this.voicePanel.dictated.emit(text);
      return;
    }
    const before = this.drafts.get(conversationId);
    this.drafts.set(conversationId, before.trim() === "" ? text : `${before} ${text}`);
  }

  protected override receive(push: IpcPush): void {
    super.receive(push);
    switch (push.type) {
      case "session":
      case "session-gone":
        this.library.receive(push);
        break;
      case "show-conversation":
        this.show(push.conversationId);
        break;
      case "app":
        void this.models.load();
        break;
      case "mcp":
        void this.servers.load();
        break;
      case "ask-key":
        this.keyRequest.set({ ...push, id: ++this.#keysAsked });
        break;
      case "level":
        void this.voicePanel.step(push);
        break;
      case "voice":
        void this.voicePanel.step({ type: "told", voice: push.voice });
        break;
      case "dictated":
        this.#takeDictated(push.conversationId, push.text);
        break;
      case "learned":
        this.voicePanel.learned.set(push.words);
        break;
      case "show-approvals":
        this.showApprovals();
        break;
      case "focus-composer":
        this.focusWanted.emit();
        break;
    }
  }

  protected override voiceOf(conversationId: string): VoiceView {
    return voiceIn(this.voicePanel.snapshot.get(), conversationId);
  }

  /** Main tells all of voice whenever something of it changed: most of that is not in sight. */
  #showVoice(): void {
    const view = this.view.get();
    if (!view) return;
    const voice = this.voiceOf(view.conversationId);
    if (JSON.stringify(voice) !== JSON.stringify(view.voice)) this.view.set({ ...view, voice });
  }
}
