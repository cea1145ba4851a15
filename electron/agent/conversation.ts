import PQueue from "p-queue";
import type { AgentEvent, AgentEventBody, LifecycleState, QueuedInput } from "../../shared/events.ts";
import { type Message, type PromptOrigin, type SpeechSource, textOf } from "../../shared/messages.ts";
import { applyEvents, type ConversationView, emptyView } from "../../shared/transcript.ts";
import type { AgentParts } from "./agent-parts.ts";
import type { Budget } from "./budget.ts";
import { Context } from "./context.ts";
import { ConversationRecord } from "./conversation-record.ts";
import { Desk } from "./desk.ts";
import { EventFeed } from "./event-feed.ts";
import { ModelError, type StoredConversation, type StoredToolCall } from "./ports.ts";
import { type PreparedRun, prepareRun } from "./prepare-run.ts";
import { contentOf, type PromptWords } from "./prompt-content.ts";
import type { Resumed } from "./resume.ts";
import { runToEnd } from "./run.ts";
import { RunAttempts } from "./run-attempts.ts";
import type { RunOutcome } from "./run-parts.ts";
import { Steering } from "./steering.ts";
import { titleOf, untitled } from "./title.ts";
import { toUserError } from "./user-error.ts";

export interface Prompt extends PromptWords {
  origin: PromptOrigin;
  /** Where it was heard; null unless the origin is `voice`. */
  source: SpeechSource | null;
}

export interface Submission {
  /** null: there was nothing to do (blank text, nothing to retry). */
  inputId: string | null;
  /** The conversation's events from now on until this input's run has ended or the input was dropped. */
  events: AsyncIterable<AgentEvent>;
}

interface Running {
  inputId: string;
  controller: AbortController;
  attempts: RunAttempts<Prompt>;
  ended: Promise<void>;
}

interface Waiting {
  input: QueuedInput;
  /** A retry's prompt is in the history already. */
  isRetry: boolean;
}

/**
 * One conversation: its history, its queue (one run at a time) and its event stream. Typed, spoken and quick
 * prompts all come in through `submit`; everything observable goes out as events.
 */
export class Conversation {
  readonly id: string;
  readonly createdAt: number;
  readonly #parts: AgentParts;
  readonly #limiter: PQueue;
  readonly #queue = new PQueue({ concurrency: 1 });
  readonly #waiting = new Map<string, Waiting>();
  /** Prompts outside the queue. */
  readonly #held = new Map<string, QueuedInput>();
  readonly #context: Context;
  readonly #record: ConversationRecord;
  readonly #desk: Desk;
  readonly #steering: Steering;
  readonly #feeds = new Map<EventFeed, string>();
  /** Replaced, never changed: a listener may come or go while an event is being told. */
  #listeners: ReadonlySet<(event: AgentEvent) => void> = new Set();
  #lastEventId: number;
  #state: LifecycleState = "idle";
  #view: ConversationView;
  /** What happened since `#view`: every delta copies its items, and few of them are looked at. */
  #news: AgentEvent[] = [];
  #title: string;
  #updatedAt: number;
  /** What was used so far; null before the first run. */
  #budget: Budget | null = null;
  #running: Running | null = null;
  /** The input whose run failed last, until another run succeeds. */
  #failed: QueuedInput | null = null;
  #closing = false;
  /** Parley's own words for the model that wait for the next prompt. */
  readonly #notes: string[] = [];

  /**
   * @param limiter shared by all conversations: how many runs go on side by side
   * @param resumed goes on where it was left
   */
  constructor(id: string, parts: AgentParts, limiter: PQueue, resumed: Resumed | null = null) {
    const { store, newId, reportError } = parts;
    const emit = (body: AgentEventBody) => this.emit(body);
    this.id = id;
    this.#parts = parts;
    this.#limiter = limiter;
    this.createdAt = resumed?.stored.createdAt ?? parts.clock.now();
    this.#updatedAt = resumed?.stored.updatedAt ?? this.createdAt;
    this.#title = resumed?.stored.title ?? untitled;
    this.#view = resumed?.view ?? emptyView(id, untitled);
    this.#lastEventId = this.#view.lastEventId;
    this.#context = new Context(resumed?.messages);
    this.#record = new ConversationRecord(store, () => this.#stored(), reportError, resumed !== null);
    this.#steering = new Steering(newId, emit);
    this.#desk = new Desk(newId, emit, (waits) => this.#setState(waits ? "awaiting_input" : "processing"));
  }

  /** The first words of the first prompt; "New conversation" before. */
  get title(): string {
    return this.#title;
  }

  get state(): LifecycleState {
    return this.#state;
  }

  /** Milliseconds since the epoch of the last message. */
  get updatedAt(): number {
    return this.#updatedAt;
  }

  get history(): readonly Message[] {
    return this.#context.history;
  }

  /** What a window shows, as of the last event. */
  view(): ConversationView {
    if (this.#news.length > 0) this.#view = applyEvents(this.#view, this.#news.splice(0));
    // The title is the conversation's own: no event tells it.
    if (this.#view.title !== this.#title) this.#view = { ...this.#view, title: this.#title };
    return this.#view;
  }

  /**
   * Queues a prompt; its run starts when those before it have ended. Blank text is ignored.
   * @throws Error when the conversation is closed
   */
  submit(prompt: Prompt): Submission {
    this.#assertOpen();
    if (prompt.text.trim() === "") return nothing;
    return this.#enqueue({ input: this.#inputOf(prompt), isRetry: false });
  }

  /**
   * Keeps a prompt outside the queue until `sendInput`. Blank text is ignored.
   * @param sendsAt shown: when whoever holds it will send it @throws Error when the conversation is closed
   */
  hold(prompt: Prompt, sendsAt?: number): { inputId: string | null } {
    this.#assertOpen();
    if (prompt.text.trim() === "") return { inputId: null };
    const input = { ...this.#inputOf(prompt), isHeld: true, ...(sendsAt !== undefined && { sendsAt }) };
    this.#held.set(input.inputId, input);
    this.emit({ type: "input.queued", input });
    return { inputId: input.inputId };
  }

  /** Runs a prompt that was held. @throws Error when it is not held (any more), or the conversation is closed */
  sendInput(inputId: string): Submission {
    this.#assertOpen();
    const held = this.#held.get(inputId);
    if (!held) throw new Error("This prompt is not held any more: it was sent or dropped.");
    this.#held.delete(inputId);
    const { isHeld: _, sendsAt: __, ...input } = held;
    return this.#enqueue({ input, isRetry: false });
  }

  /** Other words for a prompt that has no run yet; a held one is sent no more by itself. @returns false when too late */
  editInput(inputId: string, text: string): boolean {
    return (
      text.trim() !== "" &&
      this.#reword(inputId, ({ heard: _, sendsAt: __, ...input }) => ({ ...input, text }))
    );
  }

  /** The speaker goes on: ends the request of this prompt's run. @returns false where something of it was seen */
  takeBack(inputId: string): boolean {
    return this.#running?.inputId === inputId && this.#running.attempts.takeBack();
  }

  /** Nothing came after `takeBack`: the run asks as it was. */
  letGo(inputId: string): void {
    if (this.#running?.inputId === inputId) this.#running.attempts.goOn(null);
  }

  /**
   * A prompt goes on with further words: one that waits is made longer; one whose run has shown nothing gets them into
   * the same turn. @returns false where it is too late: they are a prompt of their own
   */
  mergeInto(inputId: string, more: Prompt): boolean {
    const joined = (input: QueuedInput): QueuedInput => ({
      ...input,
      text: `${input.text} ${more.text}`,
      ...(more.heard && { heard: [...(input.heard ?? []), ...more.heard] }),
    });
    if (this.#reword(inputId, joined)) return true;
    return this.takeBack(inputId) && (this.#running?.attempts.goOn(more) ?? false);
  }

  /**
   * Runs again after a run that failed, on the same history: the prompt is not added twice.
   * @throws Error when the conversation is closed
   */
  retry(): Submission {
    this.#assertOpen();
    const input = this.#failed;
    if (!input) return nothing;
    this.#failed = null;
    return this.#enqueue({ input, isRetry: true });
  }

  /**
   * The user's word into the running turn: it enters before the next request, or starts one more round where the last
   * reply is being given. When nothing runs it goes before the next prompt. Blank text is ignored.
   * @returns the id of the message that it becomes; null for blank text
   * @throws Error when the conversation is closed
   */
  steer(text: string): { steeringId: string | null } {
    this.#assertOpen();
    return { steeringId: text.trim() === "" ? null : this.#steering.add(text) };
  }

  /** Parley's own words for the model: kept at once, or before the next prompt while a run goes on. They start no run. */
  note(text: string): void {
    this.#notes.push(text);
    if (this.#state === "idle" && !this.#closing) void this.#deliverNotes().catch(this.#parts.reportError);
  }

  /** @param reason the user's, for the model @throws Error when no such approval waits */
  answerApproval(approvalId: string, allowed: boolean, reason?: string): void {
    this.#desk.answerApproval(approvalId, { allowed, reason });
  }

  /** @throws Error when no such question waits */
  answerQuestion(questionId: string, answer: string): void {
    this.#desk.answerQuestion(questionId, answer);
  }

  /** Ends the running run, if any: what was said so far stays, waiting prompts go on. */
  abort(): void {
    this.#running?.controller.abort(new Error("Interrupted by the user."));
  }

  /** @returns false when the input is not waiting (any more) */
  dropInput(inputId: string): boolean {
    const waiting = this.#waiting.get(inputId);
    if (!waiting && !this.#held.delete(inputId)) return false;
    this.#waiting.delete(inputId);
    if (waiting?.isRetry) this.#failed = waiting.input;
    this.emit({ type: "input.dropped", inputId });
    return true;
  }

  /** The listener gets every event from now on, at once. @returns a function that ends the subscription */
  subscribe(listener: (event: AgentEvent) => void): () => void {
    this.#listeners = new Set(this.#listeners).add(listener);
    return () => {
      this.#listeners = new Set([...this.#listeners].filter((other) => other !== listener));
    };
  }

  /** Adds the answer of a local command to the stream. The model does not see it. */
  answerCommand(answer: { line: string; output: string; isError: boolean }): void {
    this.emit({ type: "command.answered", ...answer });
  }

  /** Stamps an event and gives it to everybody: also for what happens around the conversation, such as voice. */
  emit(body: AgentEventBody): void {
    const id = ++this.#lastEventId;
    const event: AgentEvent = { ...body, id, conversationId: this.id, at: this.#parts.clock.now() };
    if (event.type === "state.changed") this.#state = event.state;
    this.#running?.attempts.observe(event);
    this.#news.push(event);
    // A long run that nobody looks at must not pile them up.
    if (this.#news.length >= mostNews) this.view();
    this.#record.event(event);
    for (const [feed, inputId] of this.#feeds) {
      feed.push(event);
      if (event.type === "input.dropped" && event.inputId === inputId) feed.end();
    }
    this.#tell(this.#parts.onEvent, event);
    for (const listener of this.#listeners) this.#tell(listener, event);
  }

  /** Ends the run, drops what waits and closes the conversation. Resolves when its run has ended. */
  async dispose(): Promise<void> {
    if (this.#closing) return await this.#running?.ended;
    this.#closing = true;
    for (const inputId of [...this.#held.keys(), ...this.#waiting.keys()]) this.dropInput(inputId);
    this.abort();
    await this.#running?.ended;
    // Kept for when it is opened again: then they go in with the next prompt.
    await this.#deliverNotes().catch(this.#parts.reportError);
    if (this.#steering.waits) await this.#deliverSteering().catch(this.#parts.reportError);
    this.#setState("closed");
    for (const feed of [...this.#feeds.keys()]) feed.end();
  }

  #tell(listener: (event: AgentEvent) => void, event: AgentEvent): void {
    try {
      listener(event);
    } catch (error) {
      this.#parts.reportError(error);
    }
  }

  #enqueue(waiting: Waiting): Submission {
    const { input } = waiting;
    const feed = new EventFeed(() => this.#feeds.delete(feed));
    this.#feeds.set(feed, input.inputId);
    this.#waiting.set(input.inputId, waiting);
    this.emit({ type: "input.queued", input });
    const run = () => this.#limiter.add(() => this.#start(input.inputId));
    this.#queue.add(run).catch((error: unknown) => this.#parts.reportError(error));
    return { inputId: input.inputId, events: feed };
  }

  async #start(inputId: string): Promise<void> {
    const waiting = this.#waiting.get(inputId);
    // Dropped while it waited.
    if (!waiting) return;
    this.#waiting.delete(inputId);
    const controller = new AbortController();
    const attempts = new RunAttempts<Prompt>(controller.signal);
    const ended = this.#run(waiting, attempts);
    this.#running = { inputId, controller, attempts, ended };
    await ended.finally(() => {
      this.#running = null;
    });
  }

  async #run({ input, isRetry }: Waiting, attempts: RunAttempts<Prompt>): Promise<void> {
    // One turn of the event loop's microtasks later, so that `abort` in a listener finds the run.
    await Promise.resolve();
    const runId = this.#parts.newId();
    this.#setState("processing");
    this.emit({ type: "run.started", runId, inputId: input.inputId });
    const words: Prompt[] = isRetry ? [] : [input];
    const outcome = await attempts.run((signal, more) => {
      if (more) words.push(more);
      return this.#outcome(input, words, runId, signal);
    });
    this.#failed = outcome.stopReason === "error" ? input : null;
    this.emit({ type: "run.ended", runId, ...outcome });
    for (const [feed, inputId] of this.#feeds) if (inputId === input.inputId) feed.end();
    this.#setState("idle");
  }

  /** @param words what is not in the history yet: each leaves the list when it is */
  async #outcome(
    input: QueuedInput,
    words: Prompt[],
    runId: string,
    signal: AbortSignal,
  ): Promise<RunOutcome> {
    let prepared: PreparedRun | null = null;
    try {
      this.#record.save();
      // What the user said while nothing ran comes before what they ask now.
      if (words.length > 0) {
        await this.#deliverNotes();
        await this.#deliverSteering();
      }
      for (let next = words[0]; next; next = words[0]) {
        await this.#append(this.#userMessage(this.#parts.newId(), next));
        words.shift();
      }
      prepared = await prepareRun(
        this.#parts,
        {
          id: this.id,
          context: this.#context,
          desk: this.#desk,
          steering: this.#steering,
          append: (message, calls) => this.#append(message, calls),
          emit: (body) => this.emit(body),
        },
        { runId, source: input.source, signal },
        this.#budget,
      );
      this.#budget = prepared.run.budget;
      return await runToEnd(prepared.run);
    } catch (error) {
      if (!(error instanceof ModelError)) this.#parts.reportError(error);
      return { stopReason: "error", error: toUserError(error) };
    } finally {
      await prepared?.host.dispose();
    }
  }

  async #deliverNotes(): Promise<void> {
    const [origin, source] = ["system", null] as const;
    for (const text of this.#notes.splice(0)) {
      const [id, createdAt] = [this.#parts.newId(), this.#parts.clock.now()];
      await this.#append({ id, role: "user", origin, source, content: [{ type: "text", text }], createdAt });
    }
  }

  async #deliverSteering(): Promise<void> {
    await this.#steering.drain(({ id, text }) =>
      this.#append(this.#userMessage(id, { text, origin: "steering", source: null })),
    );
  }

  #userMessage(id: string, prompt: Omit<Prompt, "origin"> & { origin: PromptOrigin | "steering" }): Message {
    const { origin, source } = prompt;
    const createdAt = this.#parts.clock.now();
    return { id, role: "user", origin, source, content: contentOf(prompt), createdAt };
  }

  #inputOf({ text, origin, source, heard, meeting }: Prompt): QueuedInput {
    return {
      inputId: this.#parts.newId(),
      text,
      origin,
      source,
      ...(heard && heard.length > 0 && { heard: [...heard] }),
      ...(meeting && meeting.length > 0 && { meeting: [...meeting] }),
    };
  }

  /** @returns false when the prompt has a run already, or is gone */
  #reword(inputId: string, change: (input: QueuedInput) => QueuedInput): boolean {
    const held = this.#held.get(inputId);
    const waiting = this.#waiting.get(inputId);
    if (held) this.#held.set(inputId, change(held));
    else if (waiting && !waiting.isRetry) waiting.input = change(waiting.input);
    else return false;
    const input = this.#held.get(inputId) ?? waiting?.input;
    if (input) this.emit({ type: "input.queued", input });
    return true;
  }

  async #append(message: Message, calls?: readonly StoredToolCall[]): Promise<void> {
    // First there, then here: what could not be kept is not sent either.
    this.#record.message(message, calls);
    this.#context.append(message);
    this.#updatedAt = message.createdAt;
    const text = textOf(message.content);
    if (this.#title === untitled && message.role === "user" && text !== "") {
      this.#title = titleOf(text);
      this.#record.save();
    }
    this.emit({ type: "message.added", message });
  }

  #stored(): StoredConversation {
    const { environment, settings } = this.#parts;
    return {
      id: this.id,
      title: this.#title,
      workingFolder: environment.workingDirectory,
      model: settings().model,
      createdAt: this.createdAt,
      updatedAt: this.#updatedAt,
    };
  }

  #setState(state: LifecycleState): void {
    if (this.#state !== state) this.emit({ type: "state.changed", state });
  }

  #assertOpen(): void {
    if (this.#closing) throw new Error("This conversation is closed.");
  }
}

/** Some 20 rounds. */
const mostNews = 500;

const nothing: Submission = { inputId: null, events: { async *[Symbol.asyncIterator]() {} } };
