import type { UserError } from "../../shared/conversation/events.ts";
import type { SearchHit, SessionSummary } from "../../shared/conversation/sessions.ts";
import type { ConversationView, TranscriptItem } from "../../shared/conversation/transcript.ts";
import type { IpcInput, ParleyBridge } from "../../shared/ipc/ipc.ts";
import type { IpcPush } from "../../shared/ipc/push.ts";
import { type KeyMaker, makerOf } from "../../shared/safety/key-test.ts";
import type { KeyRequest } from "../../shared/safety/secrets.ts";
import type { WindowCommand } from "../../shared/voice/spoken-commands.ts";
import { type VoiceView, voiceIn } from "../../shared/voice/voice-snapshot.ts";
import { Find } from "./conversation/find.ts";
import { placeOf } from "./conversation/find-message.ts";
import { History } from "./conversation/history.ts";
import { linesOf, OpenLines } from "./conversation/open-lines.ts";
import { DoctorState } from "./doctor-state.ts";
import { Folders } from "./folders.ts";
import type { WindowAction } from "./keys/window-keys.ts";
import { MeetingState } from "./meeting/meeting-state.ts";
import { Models } from "./models.ts";
import { obey, type ScrollWish } from "./obey.ts";
import { mayBeAllowedWithOthers, waitingApprovals, waitsForUser } from "./page-state.ts";
import { Palette } from "./palette/palette-state.ts";
import { PanelState } from "./panel/panel-state.ts";
import { RememberedState } from "./remembered.ts";
import { Servers } from "./servers.ts";
import { Library } from "./sessions/library.ts";
import { groupedRows } from "./sessions/session-rows.ts";
import { waitingIn } from "./sessions/waiting.ts";
import { SetUp } from "./set-up.ts";
import { SettingsPageState } from "./settings/settings-page.ts";
import { ShownConversation } from "./shown-conversation.ts";
import { Signal } from "./signal.ts";
import { Store } from "./store.ts";
import { VoicePanelState } from "./voice/voice-panel-state.ts";

export type VoiceSource = IpcInput<"voice.start">["source"];

/** A form for a key; each has a number of its own, also where the same key is asked for again. */
export type AskedKey = KeyRequest & { id: number };

/** What may show only a part of what it says. */
const foldable: ReadonlySet<TranscriptItem["kind"]> = new Set(["tool", "user", "command"]);

/** All that a window shows, and what its controls do. Failures of actions end up in `failure`, none is lost. */
export class WindowState extends ShownConversation {
  /** The conversations that are kept. */
  readonly library: Library;
  /** Ways back and sideways in the conversation that is shown. */
  readonly history: History;
  readonly voicePanel: VoicePanelState;
  /** The user wants to answer what waits. */
  readonly approvalsWanted = new Signal({ waits: true });
  /** The user wants to answer this one, by its key. */
  readonly cardWanted = new Signal<string>({ waits: true });
  /** The user wants to choose what runs without asking. */
  readonly levelsWanted = new Signal({ waits: true });
  /** The user wants to choose who answers. */
  readonly modelsWanted = new Signal();
  /** Somebody says how the conversation is to scroll. */
  readonly scrollWanted = new Signal<ScrollWish>();
  /** Somebody says that what stands in the composer is to be sent. */
  readonly sendWanted = new Signal();
  /** Somebody says what a key would do. */
  readonly actionWanted = new Signal<WindowAction>({ waits: true });
  /** Somebody says that the right panel is to be seen, or not. */
  readonly panelWanted = new Signal<boolean>({ waits: true });
  /** Somebody says that what is open on top is to be closed, or all dialogs. */
  readonly closeWanted = new Signal<"top" | "all">();
  /** Somebody says the name of what is to be pressed in what is open on top. */
  readonly pressWanted = new Signal<string>();
  /** Which lines of the transcripts are opened. */
  readonly openLines = new OpenLines();
  /** The item to bring into sight; whoever did it says so by null. */
  readonly revealed = new Store<{ key: string } | null>(null);
  /** The key that the user is asked for. */
  readonly keyRequest = new Store<AskedKey | null>(null);
  #keysAsked = 0;
  /** Done when the conversation is shown that was opened last. */
  #opened: Promise<unknown> = Promise.resolve();

  readonly find = new Find({
    view: () => this.view.get(),
    findEarlier: (query) => this.attempt("conversation.find", query),
    loadEarlier: () => this.feed.earlier(),
    reveal: (key) => {
      this.#unfold(key);
      this.revealed.set({ key });
    },
  });
  readonly models = new Models(
    (route, input) => this.ask(route, input),
    (error) => this.failure.set(error),
  );
  readonly folders = new Folders((route, input) => this.ask(route, input));
  readonly setUp = new SetUp((route, input) => this.ask(route, input));
  readonly doctor = new DoctorState((route, input) => this.ask(route, input));
  readonly meeting = new MeetingState((route, input) => this.report(route, input));
  readonly servers = new Servers((route, input) => this.ask(route, input));
  /** The sheet with every key. */
  readonly isKeysOpen = new Store(false);
  readonly remembered = new RememberedState((route, input) => this.ask(route, input));
  readonly panel = new PanelState({
    ask: (route, input) => this.ask(route, input),
    attempt: (route, input) => this.attempt(route, input),
    remembered: this.remembered,
    shownId: this.shownId,
  });
  readonly palette = new Palette({
    search: (words, limit) => this.report("conversation.search", { words, limit }),
    sessions: () => this.library.list.sessions.get(),
    waiting: () => this.#waitingHereAndElsewhere(),
    shownId: this.shownId,
    commands: () => this.info.get()?.commands ?? [],
    platform: () => this.info.get()?.platform,
    models: this.models,
    remembered: this.remembered,
    show: (conversationId) => {
      this.show(conversationId);
      this.focusWanted.emit();
    },
    showWaiting: (conversationId) => this.showWaiting(conversationId),
    showHit: (hit) => this.showHit(hit),
    openSetting: (words) => {
      this.settingsPage.open();
      this.settingsPage.words.set(words);
    },
    rewind: () => {
      const items = this.view.get()?.items ?? [];
      const prompts = items.flatMap((item) =>
        item.kind === "user" && item.origin !== "steering" ? [{ messageId: item.key, text: item.text }] : [],
      );
      this.history.rewindToOne(prompts.reverse());
    },
    send: (line) => this.submit(line),
    insert: (text) => {
      this.insert(text);
      this.focusWanted.emit();
    },
  });
  readonly settingsPage = new SettingsPageState((route, input) => this.ask(route, input));

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
  }

  protected override onView(view: ConversationView): void {
    this.#takeDraft(view);
    const isOther = view.conversationId !== this.shownId();
    super.onView(view);
    if (isOther) this.panel.showNext();
    this.servers.showFor(view.conversationId, view.workingFolder);
    this.models.showFor(view);
  }

  /**
   * Subscribes first and attaches then, so that nothing falls in between.
   * @returns what ends the subscription, and a promise of the first picture: the list and the conversation
   */
  start(): { end: () => void; isReady: Promise<unknown> } {
    const end = this.bridge.onPush((push) => this.receive(push));
    const knowsApp = this.loadInfo().then(() => this.info.get()?.isFirstRun && this.setUp.open());
    const isReady = Promise.all([
      this.remembered.load(),
      knowsApp,
      this.feed.open(),
      this.library.list.load(),
    ]);
    void this.voicePanel.load();
    return { end, isReady };
  }

  show = (conversationId: string): void => {
    this.drafts.flushAll();
    void this.#open(conversationId);
  };

  async #open(conversationId: string): Promise<void> {
    const isOpen = this.feed.open(conversationId);
    this.#opened = isOpen;
    await isOpen;
  }

  /** Goes on in the list. @param step 1: to the conversation below, -1: to the one above */
  showNeighbour = (step: 1 | -1): void => {
    const rows = groupedRows(this.library.list.sessions.get(), Date.now());
    const ids = rows.flatMap((row) => (row.kind === "session" ? [row.session.conversationId] : []));
    const at = ids.indexOf(this.shownId() ?? "");
    // One that is not kept yet stands before the list.
    const next = ids[at < 0 ? 0 : at + step];
    if (next !== undefined) this.show(next);
  };

  /** Lets the user decide how far to go back: before the last prompt. */
  rewindLast = (): void => {
    const items = this.view.get()?.items ?? [];
    const prompt = items.findLast((item) => item.kind === "user" && item.origin !== "steering");
    if (prompt) this.history.rewindTo(prompt.key);
  };

  /** Opens the conversation of a hit, at its message: on another branch, that branch is shown. */
  showHit = async (hit: SearchHit): Promise<void> => {
    this.meeting.close();
    const { conversationId, messageId } = hit;
    await this.#open(conversationId);
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

  /** A call, a long prompt and a closed answer show all that they say, and the line that a call is folded into its calls. */
  #unfold(key: string): void {
    const view = this.view.get();
    if (view?.items.some((item) => foldable.has(item.kind) && item.key === key)) {
      for (const line of linesOf(key, view.items)) this.openLines.of(view.conversationId, line).set(true);
    }
  }

  /** Tells main what can be pressed here by saying its name. */
  tellShown = (names: readonly string[]): void => void this.report("voice.shown", { names: [...names] });

  newConversation = async (): Promise<void> => {
    this.drafts.flushAll();
    const created = await this.attempt("conversation.create", undefined);
    if (!created) return;
    await this.feed.open(created.conversationId);
    this.focusWanted.emit();
  };

  /** Another form may have been asked for since: that one stays. */
  closeKeyForm = (request: AskedKey): void => {
    if (this.keyRequest.get() === request) this.keyRequest.set(null);
  };

  /** Shows the form for a key. */
  changeKey = (variable: string): void => {
    void this.attempt("key.ask", { variable });
  };

  /** @param isAgain it is asked the last prompt at once */
  chooseModel = async (model: string, isAgain: boolean): Promise<void> => {
    await this.models.choose({ model });
    if (isAgain) this.retry();
  };

  /** Tries a key with one small request, where it would be sent. @returns what is wrong with it, or null */
  testKey = async (maker: KeyMaker, key: string): Promise<UserError | null> => {
    const tested = await this.ask("key.test", { maker, key });
    if (!tested.ok) return tested.error;
    const { value } = tested;
    return value.ok ? null : { code: "key", message: value.message, hint: value.hint };
  };

  setKey = async (variable: string, key: string, isWeakAccepted: boolean) => {
    const result = await this.ask("key.set", { variable, key, isWeakAccepted });
    const maker = makerOf(variable);
    if (result.ok && maker && this.settingsPage.isOpen.get()) void this.settingsPage.test(maker);
    return result;
  };

  answerModelServer = (id: string, isAgreed: boolean): void => {
    void this.attempt("model.server", { id, isAgreed });
  };

  answerKeyAddress = (id: string, isAgreed: boolean): void => {
    void this.attempt("key.address", { id, isAgreed });
  };

  /** The keyboard goes to what waits for the user's word: here, or else in the conversation that has waited longest. */
  showApprovals = (): void => {
    const [other] = this.hasWaiting() ? [] : this.waitingElsewhere();
    const shownId = this.shownId();
    if (other) void this.showWaiting(other.conversationId);
    else if (shownId !== undefined && this.#areCardsAway()) void this.showWaiting(shownId);
    else this.approvalsWanted.emit();
  };

  /** Opens a conversation, and the keyboard goes to what waits in it. @param key of the one; without it the first */
  showWaiting = async (conversationId: string, key?: string): Promise<void> => {
    this.drafts.flushAll();
    // The page of its meeting stands in place of the cards.
    if (this.meeting.shownFor.get() === conversationId) this.closeMeeting();
    // The text box of a conversation takes the keyboard when it comes.
    await this.#open(conversationId);
    if (key === undefined) this.approvalsWanted.emit();
    else this.cardWanted.emit(key);
  };

  /** Other conversations that wait for the user, longest first. */
  waitingElsewhere = (): SessionSummary[] => waitingIn(this.library.list.sessions.get(), this.shownId());

  #waitingHereAndElsewhere(): SessionSummary[] {
    const shown = this.hasWaiting() ? this.library.find(this.shownId() ?? "") : undefined;
    return [...(shown ? [shown] : []), ...this.waitingElsewhere()];
  }

  /** Answers what waits here. What waits elsewhere, or behind the page of a meeting, is shown: nobody has read that yet. */
  override answerOldestApproval = (allowed: boolean): void => {
    const [waiting] = waitingApprovals(this.view.get()?.items ?? []);
    if (!waiting) {
      const [other] = this.waitingElsewhere();
      if (other) void this.showWaiting(other.conversationId);
    } else if (this.#areCardsAway()) this.showApprovals();
    else if (this.guard.takesKey(waiting.key)) this.answerApproval(waiting.key, allowed);
  };

  /** Answers all approvals that wait here and stood still; of those that would run without a fence only a no counts. */
  answerAll = (allowed: boolean): void => {
    for (const item of waitingApprovals(this.view.get()?.items ?? [])) {
      if (!this.guard.takes(item.key) || (allowed && !mayBeAllowedWithOthers(item))) continue;
      const holds = item.holdsInConversation && (item.rules ?? []).length > 0;
      this.answerApproval(item.key, allowed, undefined, { scope: allowed && holds ? "session" : "once" });
    }
  };

  protected hasWaiting = (): boolean => {
    return this.#hasCards() || this.trust.request.get() !== null;
  };

  #hasCards(): boolean {
    return this.view.get()?.items.some(waitsForUser) ?? false;
  }

  /** Cards wait here, and the page of the meeting stands in their place. */
  #areCardsAway(): boolean {
    return this.#hasCards() && this.meeting.shownFor.get() === this.shownId();
  }

  showLevels = (): void => this.levelsWanted.emit();

  protected override askedMeeting(conversationId: string): number | undefined {
    const { shownFor, chosen } = this.meeting;
    return shownFor.get() === conversationId ? (chosen.get() ?? undefined) : undefined;
  }

  /** Back to the conversation, with the focus where it was. @returns false where no meeting was shown */
  closeMeeting = (): boolean => {
    const { wasOpen, focus } = this.meeting.close();
    if (wasOpen && focus) focus.focus();
    else if (wasOpen) this.focusWanted.emit();
    return wasOpen;
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

  /** What is said goes into the text box from now on, or no more; the keyboard, too: it is corrected there. */
  dictate = (): void => {
    this.voicePanel.toggleDictation();
    this.focusWanted.emit();
  };

  stopVoice = async (): Promise<void> => {
    await this.attempt("voice.stop", undefined);
  };

  /** A draft that main has and the box has not: of a new window, or the prompt that a rewind went back before. */
  #takeDraft({ conversationId, draft, draftAttached }: ConversationView): void {
    const shown = this.view.get();
    if (shown?.conversationId !== conversationId) this.drafts.load(conversationId, draft, draftAttached);
    else if (draft === shown.draft) return;
    else if (draft === "") this.withdrawn.emit(shown.draft);
    else if (this.drafts.get(conversationId).trim() === "") {
      this.inserted.emit({ text: draft, attached: draftAttached });
    }
  }

  /** What was dictated for a conversation that is not shown any more waits in its text box. */
  #takeDictated(conversationId: string, text: string): void {
    if (conversationId === this.shownId()) {
      this.voicePanel.dictated.emit(text);
      return;
    }
    this.drafts.add(conversationId, text, [], " ");
  }

  protected override receive(push: IpcPush): void {
    super.receive(push);
    switch (push.type) {
      case "events":
        this.panel.hear(push.events);
        break;
      case "session":
      case "session-gone":
      case "unread":
        this.library.receive(push);
        break;
      case "sessions":
        void this.library.list.load();
        void this.library.archive.load();
        break;
      case "show-conversation":
        this.closeWanted.emit("all");
        this.show(push.conversationId);
        break;
      case "show-meeting":
        if (push.conversationId === this.shownId()) this.meeting.open(push.conversationId);
        break;
      case "app":
        void this.models.load();
        void this.settingsPage.load();
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
        if (push.isTrial) this.setUp.hear(push.text);
        else this.#takeDictated(push.conversationId, push.text);
        break;
      case "learned":
        this.voicePanel.learned.set(push.words);
        break;
      case "show-waiting":
        this.closeWanted.emit("all");
        void this.showWaiting(push.conversationId, push.key);
        break;
      case "show-doctor":
        this.doctor.open();
        break;
      case "show-set-up":
        this.setUp.open();
        break;
      case "show-settings":
        this.settingsPage.open();
        break;
      case "spoken-command":
        void this.#obey(push.name, push.about);
        break;
      case "focus-composer":
        this.focusWanted.emit();
        break;
    }
  }

  /** In the conversation that the user is about to see; where that leads to another one, what listens goes with them. */
  async #obey(command: WindowCommand, about: string): Promise<void> {
    await this.#opened;
    const before = this.shownId();
    obey(this, command, about);
    await this.#opened;
    const after = this.shownId();
    if (after !== undefined && after !== before)
      await this.attempt("voice.follow", { conversationId: after });
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
