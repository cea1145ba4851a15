import type PQueue from "p-queue";
import type { AttachmentChoice } from "../../../shared/conversation/attachments.ts";
import type {
  RewindOutcome,
  RewindPart,
  RewindPlan,
  RewindTarget,
} from "../../../shared/conversation/checkpoints.ts";
import type { ContextFacts } from "../../../shared/conversation/context-facts.ts";
import type {
  AgentEvent,
  AgentEventBody,
  LifecycleState,
  QueuedInput,
} from "../../../shared/conversation/events.ts";
import type { FoundItem } from "../../../shared/conversation/find-text.ts";
import {
  type Meeting,
  type MeetingLine,
  type MeetingQuestion,
  meetingPrompts,
} from "../../../shared/conversation/meeting.ts";
import {
  type Message,
  type PromptOrigin,
  promptOrigin,
  type SpeechSource,
} from "../../../shared/conversation/messages.ts";
import { type ModelChoice, settingsFor } from "../../../shared/conversation/model-choice.ts";
import type { SessionKind } from "../../../shared/conversation/sessions.ts";
import type { Task } from "../../../shared/conversation/tasks.ts";
import type { ConversationView } from "../../../shared/conversation/transcript.ts";
import type {
  AgentSteps,
  EarlierItems,
  RunPart,
  ToolOutputWhole,
} from "../../../shared/ipc/conversation-routes.ts";
import { type ApprovalScope, type LevelName, spokenLevel } from "../../../shared/safety/permissions.ts";
import { contextFacts } from "../context/context-facts.ts";
import {
  heardIn,
  joinedReadings,
  type PromptInput,
  queuedOf,
  readingsOf,
} from "../context/prompt-content.ts";
import type { Steering, SteeringWords } from "../loop/steering.ts";
import type { AgentOptions } from "../ports/agent-options.ts";
import type { SessionRecord } from "../ports/session-store.ts";
import type { PromptRepairs } from "../repair/prompt-repairs.ts";
import { asFirstHeard, costOf, longerRepair, otherReadings } from "../repair/repaired-input.ts";
import type { ConversationEvents } from "./conversation-events.ts";
import type { ConversationMoves } from "./conversation-moves.ts";
import { conversationParts } from "./conversation-parts.ts";
import type { ConversationRecord } from "./conversation-record.ts";
import type { ConversationRuns, Submission } from "./conversation-runs.ts";
import { type ForOneRun, type Inbox, wholeInput } from "./inbox.ts";
import type { MeetingNotes } from "./meeting-notes.ts";
import type { PendingRequests } from "./pending-requests.ts";
import { draftAttachedOf } from "./sessions/draft-attached.ts";
import { agentSteps } from "./sessions/kept-agents.ts";
import { keptOutput } from "./sessions/kept-output.ts";
import type { OpenedSession } from "./sessions/open-session.ts";
import { changesOf, type SessionEdit } from "./sessions/session-edit.ts";
import { anyProvider, spentSoFar } from "./sessions/spent-so-far.ts";
import type { ConversationPath } from "./tree/conversation-path.ts";

export interface Prompt extends PromptInput {
  origin: PromptOrigin;
  /** Where it was heard; null unless the origin is `voice`. */
  source: SpeechSource | null;
  /** The recogniser was unsure of it: a model may be asked what was said before it is sent. */
  isUnclear?: boolean | undefined;
  /** Milliseconds since the epoch: before then its speaker may go on, and nothing of its run is shown or done. */
  settlesAt?: number | undefined;
  /** Counts for its run, and for nothing after it. */
  forOneRun?: ForOneRun | undefined;
}

/**
 * One conversation: a tree of messages of which one path counts, its queue (one run at a time) and its event stream.
 * Typed, spoken and quick prompts all come in through `submit`; everything observable goes out as events.
 */
export class Conversation {
  readonly id: string;
  readonly #options: AgentOptions;
  readonly #record: ConversationRecord;
  readonly #inbox: Inbox;
  readonly #events: ConversationEvents;
  readonly #path: ConversationPath;
  readonly #runs: ConversationRuns;
  readonly #requests: PendingRequests;
  readonly #steering: Steering;
  readonly #moves: ConversationMoves;
  readonly #meeting: MeetingNotes;
  readonly #repairs: PromptRepairs;
  #state: LifecycleState = "idle";
  #isClosing = false;

  /**
   * @param limiter shared by all conversations: how many runs go on side by side
   * @param opened goes on where it was left
   */
  constructor(id: string, options: AgentOptions, limiter: PQueue, opened: OpenedSession | null = null) {
    this.id = id;
    this.#options = options;
    const parts = conversationParts(id, options, limiter, opened, {
      emit: (body) => this.emit(body),
      setState: (state) => this.#setState(state),
      setFolder: (folder) => this.#setFolder(folder),
      countForOneRun: (session) => this.#countForOneRun(session),
      change: (edit) => this.change(edit),
      reword: (inputId, change) => this.#reword(inputId, change),
    });
    this.#record = parts.record;
    this.#inbox = parts.inbox;
    this.#events = parts.events;
    this.#path = parts.path;
    this.#runs = parts.runs;
    this.#requests = parts.requests;
    this.#steering = parts.steering;
    this.#moves = parts.moves;
    this.#meeting = parts.meeting;
    this.#repairs = parts.repairs;
    if (opened) this.#moves.showPath({ isRunNext: false, cutShortId: opened.cutShortId });
  }

  /** What is known of it beside its messages. */
  get session(): Readonly<SessionRecord> {
    return { ...this.#record.session, heldInputs: this.heldInputs };
  }

  /** How many prompts wait for the user's word. */
  get heldInputs(): number {
    return this.#inbox.held;
  }

  /** Whether it is in the store: one that was only looked at is not. */
  get isKept(): boolean {
    return this.#record.isKept;
  }

  /** Keeps it, and the prompts that wait, in a store that has lost them. @throws StoreError */
  keepAgain(): void {
    if (!this.isKept) return;
    this.#record.keepAgain();
    this.#inbox.keepAgain();
  }

  /** The user's, the model's, or the first words of the first prompt; "New conversation" before. */
  get title(): string {
    return this.#record.session.title;
  }

  get createdAt(): number {
    return this.#record.session.createdAt;
  }

  /** Milliseconds since the epoch of the last message. */
  get updatedAt(): number {
    return this.#record.session.updatedAt;
  }

  get workingFolder(): string {
    return this.#record.session.workingFolder;
  }

  /** What it is other than a talk in the window: since it was opened it may have become that. */
  get kind(): SessionKind | null {
    const { kind } = this.#record.session;
    if (kind !== null) return kind;
    if (this.#meeting.state === "going") return "meeting";
    const { items } = this.view();
    if (items.some((item) => item.kind === "said")) return "meeting";
    const first = items.find((item) => item.kind === "user");
    return first?.kind === "user" && first.origin === "quick" ? "quick" : null;
  }

  /** Nobody has used it yet, nor chosen anything for it; a meeting is use also before its first word. */
  get isUnused(): boolean {
    const { model, effort } = this.modelChoice;
    return (
      !this.isKept &&
      this.state === "idle" &&
      this.view().items.length === 0 &&
      [this.permissionMode, model, effort].every((one) => one === null) &&
      this.#meeting.state === "none"
    );
  }

  /** There was a meeting in which nothing was said or noted, and nothing else has come of it. */
  get isEmptyMeeting(): boolean {
    return this.#meeting.state === "over" && !this.isKept && !this.isBusy;
  }

  /** Whether a call waits for the user's approval. */
  get needsApproval(): boolean {
    return this.#requests.hasApproval;
  }

  /** Whether its last run failed, and nothing was asked since. */
  get hasFailed(): boolean {
    return this.#runs.retryable.kind === "failed";
  }

  /** What the model works through, on the path that counts. @throws StoreError */
  get tasks(): readonly Task[] {
    return this.#path.tasks;
  }

  /** Its level; null: the user chose none for it, that of the settings counts. */
  get permissionMode(): LevelName | null {
    return this.#record.session.permissionMode;
  }

  /** Its model and how much that thinks; null each: the user chose none for it. */
  get modelChoice(): ModelChoice {
    return this.#record.modelChoice;
  }

  get state(): LifecycleState {
    return this.#state;
  }

  /** All messages of the path. @throws StoreError */
  get history(): readonly Message[] {
    return this.#record.isKept ? this.#options.store.loadMessages(this.id) : [];
  }

  /** What it has used so far, on all branches. `usd` null: the price of a model is not known. @throws StoreError */
  async used(): Promise<{ tokens: number; usd: number | null }> {
    const { usedTokens, usedUsd, hasUnknownPrice } =
      this.#runs.budget ?? (await spentSoFar(this.#options, this.id));
    return { tokens: usedTokens, usd: hasUnknownPrice ? null : usedUsd };
  }

  /** How full its context is, and what it has cost; null before the first reply. @throws StoreError */
  async contextFacts(): Promise<ContextFacts | null> {
    if (!this.isKept) return null;
    const settings = settingsFor(this.#options.settings(), this.modelChoice);
    const [context, provider, { usd }] = await Promise.all([
      this.#path.peekContext(settings),
      anyProvider(this.#options, settings),
      this.used(),
    ]);
    return contextFacts({ context, settings, provider, usd });
  }

  /** What a window shows, as of the last event: the newest page of the path and what came since. */
  view(): ConversationView {
    const { title, workingFolder, draft, draftAttached } = this.#record.session;
    const { view } = this.#events;
    const isSameDraft = view.draft === draft && view.draftAttached === draftAttached;
    // No event tells of the first words that become the title, nor of every letter of a draft.
    if (view.title !== title || view.workingFolder !== workingFolder || !isSameDraft) {
      this.#events.changeView({ title, workingFolder, draft, draftAttached });
    }
    return this.#events.view;
  }

  /** Items before the first one of a page. @throws Error where no page begins with it @throws StoreError */
  earlier(before: string): EarlierItems {
    return this.#path.earlier(before);
  }

  /** Items with a text before the one of this key, oldest first; a new question ends the last one. @throws as `earlier` */
  find(query: { text: string; before: string }): Promise<FoundItem[]> {
    return this.#path.find(query);
  }

  /** What a sub-agent did and said so far. @throws Error where there is no such agent @throws StoreError */
  agentSteps(agentId: string): AgentSteps {
    const { agents = [] } = this.#events.view;
    const isRunning = agents.some((agent) => agent.agentId === agentId && agent.status === "running");
    return agentSteps(this.#options.store, { conversationId: this.id, agentId, isRunning });
  }

  /** All that a call of the path gave, by the key of its line. @throws Error where it is not kept @throws StoreError */
  toolOutput(key: string): ToolOutputWhole {
    return keptOutput(this.#options.store, this.id, key);
  }

  /**
   * Queues a prompt; its run starts when those before it have ended. The store has it before this returns, unless that
   * fails: then its run says so. Blank text with nothing attached is ignored.
   * @throws Error when the conversation is closed
   */
  submit(prompt: Prompt): Submission {
    this.#assertOpen();
    if (prompt.text.trim() === "" && (prompt.attachments ?? []).length === 0) return nothing;
    const { settlesAt, isUnclear, forOneRun } = prompt;
    const input = this.#inputOf(prompt);
    if (isUnclear) this.#repairs.begin(input.inputId, input);
    return this.#runs.enqueue({ input, isInHistory: false, settlesAt, forOneRun });
  }

  /**
   * Keeps a prompt outside the queue until `sendInput`. Blank text is ignored.
   * @param sendsAt shown: when whoever holds it will send it @throws Error when the conversation is closed
   */
  hold(prompt: Prompt, sendsAt?: number): { inputId: string | null } {
    this.#assertOpen();
    if (prompt.text.trim() === "") return { inputId: null };
    const input = this.#inbox.hold(this.#inputOf(prompt), { sendsAt });
    this.emit({ type: "input.queued", input });
    if (prompt.isUnclear) this.#repairs.begin(input.inputId, input);
    return { inputId: input.inputId };
  }

  /** Of one that is held until `sendsAt`: another time. @returns false where it is not */
  extendReview(inputId: string, sendsAt: number): boolean {
    const held = this.#inbox.list().find((input) => input.inputId === inputId);
    if (!held?.isHeld || held.sendsAt === undefined) return false;
    return this.#reword(inputId, (input) => ({ ...input, sendsAt }));
  }

  /**
   * What was heard of a spoken prompt that waits (by its input's id) or was answered (by its message's).
   * @returns null: it is none, or was not the user's @throws StoreError
   */
  heardOf(id: string): { text: string; readings: readonly string[] } | null {
    const input = this.#inbox.list().find(({ inputId }) => inputId === id);
    if (input) return input.origin === "voice" && input.source !== "loopback" ? readingsOf(input) : null;
    return heardIn(this.#path.promptAt(id).message);
  }

  /** Other words for a prompt that has no run yet; a held one is sent no more by itself. @returns false when too late */
  editInput(inputId: string, text: string): boolean {
    if (text.trim() === "") return false;
    this.#repairs.cancel(inputId);
    return this.#reword(inputId, ({ sendsAt: _, ...input }) => {
      if (text === input.text) return input;
      const { heard: __, readings: ___, repair, ...corrected } = input;
      return { ...corrected, text, ...(repair && { repair: costOf(repair) }) };
    });
  }

  /**
   * A prompt that a model mended, as it was first heard: one that waits is changed, of one that was sent there is another
   * version, and its run. @throws Error where nothing was mended, and as `editPrompt` @throws StoreError
   */
  takeBackRepair(id: string): void {
    if (this.#reword(id, asFirstHeard)) return;
    this.#assertIdle();
    const prompt = this.#path.promptAt(id);
    const { origin, source, content } = prompt.message;
    const words = content.find((block) => block.type === "text" && block.repair?.heard !== undefined);
    const before = words?.type === "text" ? words : undefined;
    // What went on with it is one with it where it is shown.
    const shown = this.#events.view.items.find((item) => item.kind === "user" && item.key === id);
    const text = (shown?.kind === "user" ? shown.repair?.heard : undefined) ?? before?.repair?.heard;
    if (text === undefined) throw new Error("This prompt is already as it was heard.");
    const readings = before && otherReadings(before, text);
    const asBefore = { text, readings, origin: promptOrigin.parse(origin), source };
    this.submit({ ...asBefore, ...this.#moves.toBefore(prompt) });
  }

  /**
   * The recogniser has heard some words of a prompt better.
   * @param before as they were heard first @returns false where the prompt has a run, or has other words by now
   */
  correctHeard(inputId: string, before: string, better: Prompt): boolean {
    const input = this.#inbox.list().find((one) => one.inputId === inputId);
    if (!input) return false;
    // Words that were joined have a space between them; what was heard last is most likely what is heard better.
    const at = ` ${input.text} `.lastIndexOf(` ${before} `);
    if (at < 0) return false;
    this.#repairs.cancel(inputId);
    const isWhole = input.text === before;
    const isDone = this.#reword(inputId, ({ heard, readings, repair, ...rest }) => ({
      ...rest,
      text: `${rest.text.slice(0, at)}${better.text}${rest.text.slice(at + before.length)}`,
      // Of words that were joined nobody can tell any more which part they doubt.
      ...(isWhole && better.heard && { heard: [...better.heard] }),
      ...(isWhole && better.readings && { readings: [...better.readings] }),
      ...(repair && { repair: costOf(repair) }),
    }));
    if (isDone && isWhole && better.isUnclear) this.#repairs.begin(inputId, better);
    return isDone;
  }

  /** The speaker goes on: ends the request of this prompt's run. @returns false where something of it was seen */
  suspend(inputId: string): boolean {
    return this.#runs.suspend(inputId);
  }

  /** Nothing came after `suspend`: the run asks as it was. */
  resume(inputId: string): void {
    this.#runs.resumeWith(inputId, null);
  }

  /**
   * A prompt goes on with further words: one that waits is made longer; one whose run has shown nothing gets them into
   * the same turn. @returns false where it is too late: they are a prompt of their own
   */
  mergeInto(inputId: string, more: Prompt): boolean {
    const joined = (input: QueuedInput): QueuedInput => {
      const readings = joinedReadings(input, more);
      return {
        ...input,
        text: `${input.text} ${more.text}`,
        ...(more.heard && { heard: [...(input.heard ?? []), ...more.heard] }),
        ...(readings.length > 0 && { readings }),
        ...(input.repair && { repair: longerRepair(input.repair, more.text) }),
      };
    };
    const isUnclear = more.isUnclear || this.#repairs.isPending(inputId);
    if (this.#reword(inputId, joined)) {
      this.#inbox.settleAt(inputId, more.settlesAt);
      const longer = isUnclear && this.#inbox.list().find((input) => input.inputId === inputId);
      if (longer) this.#repairs.begin(inputId, longer);
      // Its run had begun, and waits for what was being said.
      this.#runs.resumeWith(inputId, null);
      return true;
    }
    return this.#runs.suspend(inputId) && this.#runs.resumeWith(inputId, more);
  }

  /**
   * Runs again after a run that failed or was cut short by the end of Parley: the prompt is not added twice.
   * @throws Error when the conversation is closed
   */
  retry(): Submission {
    this.#assertOpen();
    // The prompt may be about to leave the path.
    if (this.#runs.isAlone) throw new Error(rewindGoesOn);
    const { retryable } = this.#runs;
    if (retryable.kind === "cutShort") return this.regenerate(retryable.replyId);
    const partialId = retryable.kind === "failed" && !this.isBusy && retryable.partialId;
    if (partialId) this.#moves.toBeforeReply(partialId);
    return this.#runs.retry(retryable) ?? nothing;
  }

  /**
   * Another version of a prompt beside the old one, and its run. Blank text is ignored.
   * @throws Error while something runs or waits, and for what is no prompt @throws StoreError
   */
  editPrompt(messageId: string, text: string): Submission {
    this.#assertIdle();
    const prompt = this.#path.promptAt(messageId);
    if (text.trim() === "") return nothing;
    return this.submit({ text, origin: "typed", source: null, ...this.#moves.toBefore(prompt) });
  }

  /**
   * Another version of the reply that this message is part of: its prompt runs again.
   * @param model answers, and does so from then on; without it who answered last
   * @throws Error while something runs or waits @throws StoreError
   */
  regenerate(messageId: string, model?: string): Submission {
    this.#assertIdle();
    if (model !== undefined) this.chooseModel({ model });
    return this.#runs.enqueue(this.#moves.toPromptOf(messageId));
  }

  /** Shows the newest path through a message. @throws Error while something runs or waits @throws StoreError */
  showBranch(messageId: string): void {
    this.#assertIdle();
    this.#moves.toBranch(messageId);
  }

  /** What a rewind would do. @throws StoreError, and Error with words for the user */
  async previewRewind(target: RewindTarget, part: RewindPart): Promise<RewindPlan> {
    return await this.#moves.previewRewind(target, part);
  }

  /**
   * Goes back to a checkpoint, or to before a prompt, whose text becomes the draft where there is none. Nothing of the
   * conversation is deleted. It has a turn in the queue of its own: prompts that come meanwhile run after it.
   * @param how.overwrite whether files that something else has changed since are overwritten, or skipped
   * @throws Error while something runs or waits, and for what is no prompt: then nothing was changed @throws StoreError
   */
  async rewind(target: RewindTarget, how: { part: RewindPart; overwrite: boolean }): Promise<RewindOutcome> {
    this.#assertIdle();
    return await this.#moves.rewind(target, how);
  }

  /**
   * Takes back the last rewind that was not taken back yet, in a turn of its own as `rewind`.
   * @param overwrite as in `rewind` @throws Error while something runs or waits, and where there is none @throws StoreError
   */
  async redo(overwrite = false): Promise<RewindOutcome> {
    this.#assertIdle();
    return await this.#moves.redo(overwrite);
  }

  /**
   * The user's word into the running turn: it enters before the next request, or starts one more round where the last
   * reply is being given. When nothing runs it goes before the next prompt. Blank text is ignored.
   * @returns the id of the message that it becomes; null for blank text
   * @throws Error when the conversation is closed
   */
  steer(words: SteeringWords): { steeringId: string | null } {
    this.#assertOpen();
    if (words.text.trim() === "") return { steeringId: null };
    const whole = words.source === "loopback" ? words : this.#meeting.joinedTo(words);
    const steeringId = this.#steering.add(whole);
    // After a crash it comes back as a prompt of its own.
    this.#inbox.keep(queuedOf({ ...whole, origin: words.source ? "voice" : "typed" }, steeringId));
    return { steeringId };
  }

  /**
   * As `steer`, of a prompt that waits: it leaves the queue with all that came with it, and stays in the store until its message
   * is there. @throws Error when it does not wait (any more), or must have a run of its own
   */
  steerInput(inputId: string): void {
    this.#assertOpen();
    const waiting = this.#inbox.forTurn(inputId);
    this.#repairs.cancel(inputId);
    this.#runs.stepRetry({ type: "dropped", waiting });
    this.emit({ type: "input.dropped", inputId });
    this.#steering.add(wholeInput(waiting), inputId);
  }

  /** Says how much runs without being asked for, from the next call on. @throws StoreError */
  changeMode(name: LevelName): void {
    const mode = spokenLevel(name);
    this.#record.changeQuietly({ permissionMode: mode });
    this.emit({ type: "permission.mode", mode });
  }

  /** Says who answers and how much it thinks, from the next run on; what is not given stays. @throws StoreError */
  chooseModel(changes: Partial<ModelChoice>): void {
    const { model, effort } = { ...this.modelChoice, ...changes };
    this.#record.changeQuietly({ chosenModel: model, chosenEffort: effort });
    this.emit({ type: "model.chosen", model, effort });
  }

  /** The user vouches for what was heard from the computer's sound so far: it makes nothing ask any more. @throws StoreError */
  liftOverheard(): void {
    if (!this.#record.isOverheard) return;
    this.emit({ type: "overheard.lifted", messages: this.#record.liftOverheard() });
  }

  /** A meeting is written down here from now on. @returns ends it @throws Error where it is closed @throws StoreError */
  beginMeeting(): () => void {
    this.#assertOpen();
    const end = this.#meeting.begin(this.#options.clock.now());
    this.#tellSession();
    return () => {
      if (this.#isClosing) return;
      end();
      this.#tellSession();
    };
  }

  /** What was heard in a meeting: it goes with the next prompt of the user's. @returns its id, when it is durable @throws Error where it is closed @throws StoreError */
  noteLine(said: Omit<MeetingLine, "id">): string {
    this.#assertOpen();
    return this.#meeting.note(said);
  }

  /** What the user types during a meeting: a line of it, as of now. @returns its id, when it is durable @throws StoreError */
  typeNote(text: string): string {
    this.#assertOpen();
    const at = this.#options.clock.now();
    const id = this.#meeting.note({ who: "note", text, at, endedAt: at });
    this.emit({ type: "meeting.noted", line: { id, text, at } });
    return id;
  }

  /** A line turned out to be an echo. @throws StoreError */
  forgetLine(lineId: string): void {
    this.#meeting.forget(lineId);
  }

  /** How many lines of meetings there are, how many of them no prompt has brought, and how many go with the next one, or with one about a meeting. @throws StoreError */
  meetingCounts(about?: number): ReturnType<MeetingNotes["counts"]> {
    return this.#meeting.counts(about);
  }

  /** A page of what was heard, oldest first: the newest lines before a time. @throws StoreError */
  meetingLines(page: { before: number | undefined; limit: number }): MeetingLine[] {
    return this.#meeting.lines(page);
  }

  /** The meetings, oldest first. @throws StoreError */
  meetings(): Meeting[] {
    return this.#meeting.meetings();
  }

  /**
   * Asks about the meeting.
   * @param about one by when it began; without it the last, or for `ask` what is left of earlier ones where nothing is of it
   * @throws Error where nothing was heard, or for `ask` nothing since the last prompt @throws StoreError
   */
  askMeeting(question: MeetingQuestion, about?: number): Submission {
    const last = this.#meeting.meetings().at(-1);
    if (!last) throw new Error("There has been no meeting in this conversation.");
    const isForNew = question === "ask" && about === undefined;
    if (isForNew && this.#meeting.counts().unasked === 0)
      throw new Error("Nothing has been said since you last asked.");
    const isOfLast = !isForNew || this.#meeting.counts(last.startedAt).goes > 0;
    const prompt = { text: meetingPrompts[question], origin: "typed", source: null } as const;
    return this.submit({ ...prompt, ...(isOfLast && { about: about ?? last.startedAt }) });
  }

  /** Parley's own words for the model: kept at once, or before the next prompt while a run goes on. They start no run. */
  note(text: string): void {
    this.#runs.note(text);
  }

  /** @param reason the user's, for the model @param outside a command runs outside of the fence, for once @throws Error when no such approval waits */
  answerApproval(
    approvalId: string,
    allowed: boolean,
    reason?: string,
    scope?: ApprovalScope,
    outside?: boolean,
  ): void {
    this.#requests.answerApproval(approvalId, { allowed, reason, scope, outside });
  }

  /** Ends one sub-agent, or one running command; the run goes on. @throws Error where it has ended */
  stopPart(part: RunPart): void {
    if (!this.#runs.stopPart(part)) throw new Error("It has ended already.");
  }

  /** A request that waits to be tried again goes out at once. */
  tryNow(): void {
    this.#runs.tryNow();
  }

  /** @throws Error when no such question waits */
  answerQuestion(questionId: string, answer: string): void {
    this.#requests.answerQuestion(questionId, answer);
  }

  /** Ends the running run, if any: what was said so far stays, waiting prompts go on. */
  abort(): void {
    this.#runs.abort();
  }

  /** The user's "stop": ends the running run, and what waits is held until the user sends it. */
  stop(): void {
    this.#runs.stop();
  }

  /** Runs a prompt that was held. @throws Error when it is not held (any more), or the conversation is closed */
  sendInput(inputId: string): Submission {
    this.#assertOpen();
    const waiting = this.#inbox.release(inputId);
    if (!waiting) throw new Error("This prompt is no longer held: it was sent or removed.");
    return this.#runs.enqueue(waiting);
  }

  /** @returns false when the input is not waiting (any more) @throws StoreError */
  dropInput(inputId: string): boolean {
    const dropped = this.#inbox.drop(inputId);
    if (!dropped) return false;
    this.#repairs.cancel(inputId);
    this.#runs.stepRetry({ type: "dropped", waiting: dropped });
    this.emit({ type: "input.dropped", inputId });
    return true;
  }

  /**
   * Drops a prompt that waits, to be written anew.
   * @returns its words, and what was attached to it @throws Error when it does not wait (any more) @throws StoreError
   */
  takeBackInput(inputId: string): { text: string; attached: AttachmentChoice[] } {
    const input = this.#inbox.list().find((one) => one.inputId === inputId);
    if (!input) throw new Error("This prompt is no longer waiting: it was sent or removed.");
    const attached = draftAttachedOf(input.attachments, this.#options.store);
    this.dropInput(inputId);
    return { text: input.text, attached };
  }

  /** Title, pin, group, archive, draft: what is not given stays. @throws StoreError */
  change(edit: SessionEdit): void {
    const { draft, draftAttached = [], ...told } = edit;
    // An empty draft is no reason to keep a conversation that was never used.
    const isEmpty = draft === "" && draftAttached.length === 0;
    if (isEmpty && Object.keys(told).length === 0 && !this.#record.isKept) return;
    this.#record.change(changesOf(edit, this.#options.clock.now()));
    if (Object.keys(told).length > 0) this.#tellSession();
  }

  /** @param folder absolute @throws Error while something runs or waits @throws EnvironmentError when it is not there */
  async changeFolder(folder: string): Promise<void> {
    this.#assertIdle();
    this.moveTo((await this.#options.openEnvironment(folder)).workingDirectory);
  }

  /** As `changeFolder`, at once. @param found as `Conversations.findFolder` gives it @throws Error while something runs or waits */
  moveTo(found: string): void {
    this.#assertIdle();
    this.#setFolder(found);
  }

  /** The listener gets every event from now on, at once. @returns a function that ends the subscription */
  subscribe(listener: (event: AgentEvent) => void): () => void {
    return this.#events.subscribe(listener);
  }

  /** Adds the answer of a local command to the stream. The model does not see it. */
  answerCommand(answer: { line: string; output: string; isError: boolean }): void {
    this.emit({ type: "command.answered", ...answer });
  }

  /** Stamps an event and gives it to everybody: also for what happens around the conversation, such as voice. */
  emit(body: AgentEventBody): void {
    this.#events.emit(body);
  }

  /** Ends the run and closes the conversation; what waits stays in the store. Resolves when its run has ended. */
  async dispose(): Promise<void> {
    this.#isClosing = true;
    this.#repairs.dispose();
    await this.#runs.dispose();
    this.#setState("closed");
    this.#events.endFeeds();
  }

  /** What the computer plays asks nothing about a meeting. */
  #inputOf(prompt: Prompt): QueuedInput {
    const { about, source } = prompt;
    if (about !== undefined) return queuedOf(this.#meeting.broughtTo(prompt, about), this.#options.newId());
    const whole = source === "loopback" ? prompt : this.#meeting.joinedTo(prompt);
    return queuedOf(whole, this.#options.newId());
  }

  /** @returns false when the prompt has a run already, or is gone */
  #reword(inputId: string, change: (input: QueuedInput) => QueuedInput): boolean {
    const input = this.#inbox.reword(inputId, change);
    if (!input) return false;
    this.emit({ type: "input.queued", input });
    return true;
  }

  #setFolder(workingFolder: string): void {
    this.#record.changeQuietly({ workingFolder });
    this.#tellSession();
  }

  /** Windows show what counts as long as it does. */
  #countForOneRun(session: Partial<Pick<SessionRecord, "permissionMode" | "workingFolder">>): void {
    const before = this.#record.session;
    this.#record.countForOneRun(session);
    const { permissionMode, workingFolder } = this.#record.session;
    if (permissionMode !== before.permissionMode)
      this.emit({ type: "permission.mode", mode: permissionMode });
    if (workingFolder !== before.workingFolder) this.#tellSession();
  }

  #tellSession(): void {
    const { title, workingFolder } = this.#record.session;
    this.emit({ type: "session.changed", title, workingFolder });
  }

  #setState(state: LifecycleState): void {
    if (this.#state === state) return;
    this.#state = state;
    this.emit({ type: "state.changed", state });
  }

  #assertOpen(): void {
    if (this.#isClosing) throw new Error("This conversation is closed.");
  }

  /** Something runs, or waits to run by itself. */
  get isBusy(): boolean {
    return this.#runs.isRunning || this.#state !== "idle" || this.#inbox.waiting > 0;
  }

  #assertIdle(): void {
    this.#assertOpen();
    if (this.#runs.isAlone) throw new Error(rewindGoesOn);
    if (this.#runs.isRunning || this.#state !== "idle")
      throw new Error("A run is in progress. Stop it first.");
    if (this.#inbox.waiting > 0) throw new Error("Prompts are waiting in the queue. Remove them first.");
  }
}

const rewindGoesOn = "A rewind is in progress. Wait until it is done.";
const nothing: Submission = { inputId: null, events: { async *[Symbol.asyncIterator]() {} } };
