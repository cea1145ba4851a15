import type { AttachmentChoice } from "../../shared/conversation/attachments.ts";
import type { ConversationView, TranscriptItem } from "../../shared/conversation/transcript.ts";
import type { IpcInput, ParleyBridge } from "../../shared/ipc/ipc.ts";
import type { IpcPush } from "../../shared/ipc/push.ts";
import {
  isOn,
  type VoiceOn,
  type VoiceSnapshot,
  type VoiceView,
  voiceIn,
} from "../../shared/voice/voice-snapshot.ts";
import { Attaching } from "./composer/attaching.ts";
import { fleetingDraft } from "./conversation/drafts.ts";
import { Models } from "./models.ts";
import { obeyInQuick, type ScrollWish } from "./obey.ts";
import { PageState } from "./page-state.ts";
import { Signal } from "./signal.ts";
import { Store } from "./store.ts";

/** The prompt that was asked last from this window, typed or spoken. */
export interface Asked {
  conversationId: string;
  /** null for a command, which is answered without a run. Of a prompt that has its message, that message's key. */
  inputId: string | null;
  text: string;
}

/** What main told when the window came into sight. */
export type QuickOpened = Omit<Extract<IpcPush, { type: "quick-opened" }>, "type" | "draft">;

/** The quick window: a prompt, its answer, follow-ups, and a way into the main window. */
export class QuickState extends PageState {
  readonly asked = new Store<Asked | null>(null);
  readonly opening = new Store<QuickOpened | null>(null);
  /** Voice, where it listens for this window. */
  readonly listening = new Store<VoiceOn | null>(null);
  /** What main says of voice; null before it was asked. */
  readonly voice = new Store<VoiceSnapshot | null>(null);
  /** RMS 0–1. */
  readonly level = new Store(0);
  /** What is newer in this conversation was asked for here, typed or spoken. Milliseconds since the epoch; null: nothing was. */
  readonly newsSince = new Store<{ conversationId: string; at: number } | null>(null);
  /** What was asked from here, oldest first. */
  readonly earlier = new Store<readonly string[]>([]);
  /** The window came into sight: the text box has the keyboard then. */
  readonly opened = new Signal();
  /** Each utterance for the text box, once it is finished. */
  readonly dictated = new Signal<string>();
  /** Somebody says how the answer is to scroll. */
  readonly scrollWanted = new Signal<ScrollWish>();
  /** Somebody says that what stands in the text box is to be sent. */
  readonly sendWanted = new Signal();
  /** Words for the text box. */
  readonly filledIn = new Signal<string>();
  readonly attaching: Attaching;
  /** Who answers here. */
  readonly models = new Models(
    (route, input) => this.ask(route, input),
    (error) => this.failure.set(error),
  );
  /** Nothing is typed or attached. */
  readonly isBlank = new Store(true);
  /** The list of them is open. */
  readonly isChoosingModel = new Store(false);
  /** What is typed and not sent outlives that the window is closed. */
  readonly draft = fleetingDraft();
  #lastSpoken: string | null = null;
  /** The conversation that is being opened since it is listened to there. */
  #following: string | null = null;

  constructor(bridge: ParleyBridge) {
    super(bridge);
    this.attaching = new Attaching({
      attempt: (route, input) => this.attempt(route, input),
      fail: (error) => this.failure.set(error),
    });
  }

  /** @returns what ends the subscription */
  start(): () => void {
    void this.loadInfo();
    void this.report("voice.snapshot", undefined).then((voice) => voice && this.#hear(voice));
    return this.bridge.onPush((push) => this.receive(push));
  }

  /** @param attached references, see `findAttachments` @returns false when it was not taken and must not be lost */
  submit = async (text: string, attached: readonly string[] = []): Promise<boolean> => {
    if (text.trim() === "/new") return await this.newPrompt();
    const beside = attached.length > 0 && { attachments: [...attached] };
    const at = Date.now();
    const taken = await this.attempt("conversation.submit", { text, origin: "quick", ...beside });
    if (!taken) return false;
    this.newsSince.set({ conversationId: taken.conversationId, at });
    this.asked.set({ ...taken, text });
    this.earlier.set([...this.earlier.get().filter((one) => one !== text), text]);
    if (this.shownId() !== taken.conversationId) await this.#show(taken.conversationId);
    return true;
  };

  /** The next prompt begins another conversation. */
  newPrompt = async (): Promise<boolean> => {
    const isDone = (await this.attempt("quick.new", undefined)) !== null;
    this.#clear();
    return isDone;
  };

  /** The next prompt goes to the conversation that was used last, however long ago. */
  goOn = async (): Promise<void> => {
    const going = await this.attempt("quick.goOn", undefined);
    if (going) await this.#showLast(going.conversationId);
    this.opened.emit();
  };

  /** Shows who could answer, in the conversation that the next prompt goes to. */
  chooseModel = async (): Promise<void> => {
    const taken = await this.attempt("quick.take", undefined);
    if (!taken) return;
    const { conversationId } = taken;
    const view = this.view.get();
    this.models.showFor(
      view?.conversationId === conversationId
        ? view
        : { conversationId, chosenModel: null, chosenEffort: null },
    );
    this.isChoosingModel.set(true);
    await this.models.open();
  };

  /** @param model who answers from now on; without it nothing is changed */
  endChoice = (model?: string): void => {
    this.isChoosingModel.set(false);
    this.models.close();
    if (model !== undefined) void this.models.choose({ model });
  };

  openInWindow = (): void => {
    const conversationId = this.asked.get()?.conversationId ?? this.listening.get()?.conversationId;
    void this.attempt("window.open", conversationId === undefined ? {} : { conversationId });
  };

  /** `stop` asks what was being said, `drop` does not. */
  listen = async (move: IpcInput<"quick.listen">["move"]): Promise<void> => {
    await this.attempt("quick.listen", { move });
  };

  mute = (isMuted: boolean): void => void this.attempt("voice.mute", { isMuted });

  /** What is selected in another program, as something beside the prompt. */
  attachSelection = (text: string): Promise<AttachmentChoice | null> => this.attaching.selection(text);

  /** A picture of the display that the window is on; null where the user chose nothing, or it failed. */
  takePicture = async (): Promise<AttachmentChoice | null> =>
    (await this.attempt("quick.picture", undefined))?.attached ?? null;

  stop = (): void => this.onShown((conversationId) => this.attempt("conversation.stop", { conversationId }));

  /** @param heightPx of what is shown, in CSS pixels */
  fit = (heightPx: number): void => void this.report("quick.resize", { heightPx: Math.ceil(heightPx) });

  close = (): void => void this.attempt("quick.close", undefined);

  protected override receive(push: IpcPush): void {
    super.receive(push);
    switch (push.type) {
      case "quick-opened":
        this.#open(push);
        break;
      case "app":
        void this.models.load();
        break;
      case "quick-room": {
        const opening = this.opening.get();
        if (opening) this.opening.set({ ...opening, maxHeightPx: push.maxHeightPx });
        break;
      }
      case "quick-begun":
        this.#clear();
        break;
      case "voice":
        this.#hear(push.voice);
        break;
      case "dictated":
        if (!push.isTrial) this.dictated.emit(push.text);
        break;
      case "spoken-command":
        obeyInQuick(this, push.name);
        break;
      case "level":
        if (this.listening.get()) this.level.set(push.level);
        break;
    }
  }

  protected override onView(view: ConversationView): void {
    super.onView(view);
    // What still comes of a conversation that was left says nothing of the next one's model.
    if (this.asked.get()?.conversationId === view.conversationId) this.models.showFor(view);
    const spoken = view.items.findLast((item) => item.kind === "user" && item.origin === "voice");
    if (spoken?.kind !== "user" || spoken.key === this.#lastSpoken) return;
    this.#lastSpoken = spoken.key;
    this.asked.set({ conversationId: view.conversationId, inputId: spoken.key, text: spoken.text });
    this.models.showFor(view);
  }

  #open({ type: _, draft, ...opening }: Extract<IpcPush, { type: "quick-opened" }>): void {
    this.opening.set(opening);
    this.failure.set(null);
    const { conversation } = opening;
    const shown = this.asked.get()?.conversationId;
    if (!conversation?.isGoingOn) this.#clear();
    else if (shown !== conversation.conversationId) void this.#showLast(conversation.conversationId);
    this.opened.emit();
    if (draft !== undefined) this.filledIn.emit(draft);
  }

  #clear(): void {
    this.asked.set(null);
    this.isChoosingModel.set(false);
    this.models.forget();
  }

  /** What is said now is shown, wherever it began to listen. */
  async #follow(conversationId: string): Promise<void> {
    if (this.#following === conversationId) return;
    this.#following = conversationId;
    await this.#show(conversationId);
    this.#following = null;
  }

  /** What was spoken there before is no news. */
  async #show(conversationId: string): Promise<void> {
    const asked = this.asked.get();
    await this.feed.open(conversationId);
    if (asked) this.asked.set(asked);
  }

  /** The conversation's last prompt, wherever that was asked, and its answer. */
  async #showLast(conversationId: string): Promise<void> {
    // What came there meanwhile was not asked for here.
    this.newsSince.set(null);
    await this.feed.open(conversationId);
    const view = this.view.get();
    const last = view?.items.findLast((item) => item.kind === "user" && item.origin !== "steering");
    if (view?.conversationId !== conversationId || last?.kind !== "user") return;
    this.asked.set({ conversationId, inputId: last.key, text: last.text });
    this.models.showFor(view);
  }

  #hear(voice: VoiceSnapshot): void {
    this.voice.set(voice);
    const { now } = voice;
    const listening = isOn(now) && now.isQuick && now.state !== "stopping" ? now : null;
    if (listening && listening.conversationId !== this.listening.get()?.conversationId) {
      this.newsSince.set({ conversationId: listening.conversationId, at: Date.now() });
    }
    this.listening.set(listening);
    if (!listening) this.level.set(0);
    const view = this.view.get();
    if (listening && listening.conversationId !== view?.conversationId) {
      void this.#follow(listening.conversationId);
    } else if (view) {
      const here = this.voiceOf(view.conversationId);
      if (JSON.stringify(here) !== JSON.stringify(view.voice)) this.view.set({ ...view, voice: here });
    }
  }

  protected override voiceOf(conversationId: string): VoiceView {
    return voiceIn(this.voice.get(), conversationId);
  }
}

/**
 * The part of a conversation that answers the quick prompt: what follows its message, up to the next prompt.
 * null while the prompt still waits for its turn.
 */
export function answerTo(asked: Asked, view: ConversationView): TranscriptItem[] | null {
  if (asked.conversationId !== view.conversationId) return null;
  if (view.queue.some((input) => input.inputId === asked.inputId)) return null;
  if (asked.inputId === null) {
    const answer = view.items.findLast((item) => item.kind === "command" && item.line === asked.text.trim());
    return answer ? [answer] : [];
  }
  const start = view.items.findLastIndex(
    (item) =>
      item.kind === "user" &&
      (item.key === asked.inputId || (item.origin !== "steering" && item.text.trim() === asked.text.trim())),
  );
  if (start < 0) return [];
  const after = view.items.slice(start + 1);
  const next = after.findIndex((item) => item.kind === "user" && item.origin !== "steering");
  return next < 0 ? after : after.slice(0, next);
}
