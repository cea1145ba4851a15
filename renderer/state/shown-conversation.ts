import type { AttachmentChoice, OpenedAttachment } from "../../shared/conversation/attachments.ts";
import type { ConversationView } from "../../shared/conversation/transcript.ts";
import type { AgentSteps, ToolOutputWhole } from "../../shared/ipc/conversation-routes.ts";
import type { ParleyBridge } from "../../shared/ipc/ipc.ts";
import type { LevelName, PermissionRule } from "../../shared/safety/permissions.ts";
import { call } from "./call.ts";
import { Attaching } from "./composer/attaching.ts";
import { quoted } from "./composer/quote.ts";
import { BegunWords, Drafts } from "./conversation/drafts.ts";
import { PageState, waitingQuestion } from "./page-state.ts";
import { Signal } from "./signal.ts";

/** What of a reply, as it stands in the page, is before a place in it, and from there on. */
export interface ReplyPlace {
  messageId: string;
  before: string;
  after: string;
}

/** Text for the composer, and what is attached to it. */
export interface Inserted {
  text: string;
  attached: readonly AttachmentChoice[];
}

/** What is done with the conversation that is shown: its prompts, its run, its level, and what its composer gets. */
export abstract class ShownConversation extends PageState {
  /** The composer is to take the keyboard. */
  readonly focusWanted = new Signal();
  /** Unsent prompts by conversation id. */
  readonly drafts: Drafts;
  readonly begun = new BegunWords();
  /** Text for the composer that was not typed there. */
  readonly inserted = new Signal<Inserted>();
  /** The prompt that a rewind put into the composer stands in the conversation again. */
  readonly withdrawn = new Signal<string>();
  /** Prompts on their way to main, each as JSON: their text box may have been shown anew meanwhile. */
  readonly #onTheirWay = new Set<string>();
  /** Files for the composer. */
  readonly attaching = new Attaching({
    attempt: (route, input) => this.attempt(route, input),
    fail: (error) => this.failure.set(error),
  });

  /** The meeting, by when it began, that prompts ask about now; undefined: what was not asked about yet goes. */
  protected askedMeeting(_conversationId: string): number | undefined {
    return undefined;
  }

  constructor(bridge: ParleyBridge) {
    super(bridge);
    this.drafts = new Drafts((conversationId, draft, attached) =>
      call(bridge, "conversation.change", { conversationId, draft, draftAttached: [...attached] }),
    );
  }

  /** What a sub-agent of the conversation that is shown did so far; null where that cannot be had. */
  agentSteps = async (agentId: string): Promise<AgentSteps | null> => {
    const conversationId = this.shownId();
    if (conversationId === undefined) return null;
    const result = await this.ask("conversation.agent", { conversationId, agentId });
    return result.ok ? result.value : null;
  };

  /** All that a call of the conversation that is shown gave; null where that cannot be had. */
  toolOutput = async (key: string): Promise<ToolOutputWhole | null> => {
    const conversationId = this.shownId();
    if (conversationId === undefined) return null;
    const result = await this.ask("conversation.output", { conversationId, key });
    return result.ok ? result.value : null;
  };

  loadEarlier = (): Promise<void> => this.feed.earlier();

  pickFolder = (): void => {
    this.onShown((conversationId) => this.attempt("conversation.pickFolder", { conversationId }));
  };

  /** To one that was used before. */
  changeFolder = (folder: string): void => {
    this.onShown((conversationId) => this.attempt("conversation.setFolder", { conversationId, folder }));
  };

  /** Runs a prompt that is held; the words of one that waits go into the running turn. */
  sendNow = (inputId: string): void => {
    this.onShown((conversationId) => this.attempt("input.send", { conversationId, inputId }));
  };

  /**
   * Other words for a prompt that has no run yet; a held one is no longer sent by itself. Where they come too late they go into
   * the text box.
   * @param conversationId of the prompt; without it the one that is shown @returns false when too late
   */
  editInput = async (inputId: string, text: string, conversationId = this.shownId()): Promise<boolean> => {
    if (conversationId === undefined || text.trim() === "") return false;
    if ((await this.attempt("input.edit", { conversationId, inputId, text })) !== null) return true;
    const view = this.view.get();
    const isThere =
      view?.conversationId === conversationId && view.queue.some((input) => input.inputId === inputId);
    if (!isThere) this.#giveBack(conversationId, { text, attached: [] });
    return false;
  };

  /** Takes a prompt that waits out of the queue and puts it where it can be changed. */
  editHeld = async (inputId: string): Promise<void> => {
    const conversationId = this.shownId();
    if (conversationId === undefined) return;
    const taken = await this.attempt("input.takeBack", { conversationId, inputId });
    if (taken) this.#giveBack(conversationId, taken);
  };

  /** Puts it behind what stands in the text box of its conversation, whichever is shown by now. */
  #giveBack(conversationId: string, given: Inserted): void {
    if (conversationId === this.shownId()) this.inserted.emit(given);
    else this.drafts.add(conversationId, given.text, given.attached);
  }

  /** What stands beside a prompt that was sent. @param place among what is attached to it */
  openSent = async (messageId: string, place: number): Promise<OpenedAttachment | null> => {
    const conversationId = this.shownId();
    return conversationId === undefined
      ? null
      : await this.attaching.open({ conversationId, messageId, place });
  };

  /** Puts text into the composer, behind what stands there. */
  insert = (text: string): void => {
    this.inserted.emit({ text, attached: [] });
  };

  /** Words of the conversation for the composer, as a quotation. */
  quote = (words: string): void =>
    this.onShown((conversationId) => this.insert(quoted(words, this.drafts.get(conversationId))));

  /**
   * While a question waits, words answer it: a prompt would wait behind the very run that asks.
   * @param attached references, see `findAttachments` @returns false when it was not taken and must not be lost
   */
  submit = async (text: string, attached: readonly string[] = []): Promise<boolean> => {
    const view = this.view.get();
    const prompt = JSON.stringify([view?.conversationId, text, attached]);
    if (!view || this.#onTheirWay.has(prompt)) return false;
    this.#onTheirWay.add(prompt);
    try {
      return await this.#take(view, text, attached);
    } finally {
      this.#onTheirWay.delete(prompt);
    }
  };

  async #take(view: ConversationView, text: string, attached: readonly string[]): Promise<boolean> {
    const { conversationId } = view;
    const question = attached.length === 0 && !text.startsWith("/") && waitingQuestion(view.items);
    if (question) {
      const asked = { conversationId, questionId: question.key, answer: text.trim() };
      return (await this.attempt("question.answer", asked)) !== null;
    }
    const beside = attached.length > 0 && { attachments: [...attached] };
    const meeting = this.askedMeeting(conversationId);
    const taken = await this.attempt("conversation.submit", {
      conversationId,
      text,
      origin: "typed",
      ...beside,
      ...(meeting !== undefined && { meeting }),
    });
    if (!taken) return false;
    // A command such as `/new` may have moved on to another conversation.
    const hasMoved = taken.conversationId !== conversationId;
    if (hasMoved && this.shownId() === conversationId) await this.feed.open(taken.conversationId);
    return true;
  }

  retry = (): void => this.#act("conversation.retry");
  tryNow = (): void => this.#act("conversation.tryNow");
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

  /** What had the keyboard goes with it. */
  drop = (inputId: string): void => {
    this.onShown((conversationId) => this.attempt("input.drop", { conversationId, inputId }));
    this.focusWanted.emit();
  };

  pauseSpeech = (): void => void this.attempt("speech.pause", undefined);
  skipSentence = (): void => void this.attempt("speech.skip", undefined);
  /** A menu is about to come: it offers to read the reply from there. @param place null: no reply is there */
  offerReading = (place: ReplyPlace | null): void =>
    this.onShown((conversationId) => this.report("speech.here", place && { conversationId, ...place }));

  readAll = (): void => void this.attempt("speech.readAll", undefined);
  changePace = (rate: number): void => void this.attempt("speech.pace", { rate });

  /** What was paused is said from there on. */
  goOn = (): void => void this.attempt("speech.goOn", undefined);

  #act(route: "conversation.retry" | "conversation.tryNow" | "conversation.stop"): void {
    this.onShown((conversationId) => this.attempt(route, { conversationId }));
  }
}
