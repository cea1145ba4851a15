import PQueue from "p-queue";
import type { AgentEvent, AgentEventBody, LifecycleState, QueuedInput } from "../../shared/events.ts";
import type { Message, PromptOrigin, SpeechSource } from "../../shared/messages.ts";
import type { Settings } from "../../shared/settings.ts";
import { applyEvent, type ConversationView, emptyView } from "../../shared/transcript.ts";
import { EventFeed } from "./event-feed.ts";
import { type Clock, type ExecutionEnvironment, ModelError, type Provider, type Tool } from "./ports.ts";
import { type RunOutcome, runToEnd, toUserError } from "./run.ts";

/** What a conversation is made of, passed in by `main.ts`. */
export interface AgentParts {
  clock: Clock;
  /** A new unique id. */
  newId(): string;
  /** Read once at the start of every run: a change applies from the next run on. */
  settings(): Settings;
  /** Called once a run. @throws ModelError where the chosen provider cannot be had */
  createProvider(settings: Settings): Provider;
  /** Called once a run. */
  tools(): readonly Tool[];
  environment: ExecutionEnvironment;
  /** Gets every event of every conversation: the log's way in. */
  onEvent(event: AgentEvent): void;
  /** Gets what a listener threw: events inform, so a faulty reader must not end a run. */
  reportError(error: unknown): void;
}

export interface Prompt {
  text: string;
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

interface Waiting {
  input: QueuedInput;
  /** A retry's prompt is in the history already. */
  isRetry: boolean;
}

const untitled = "New conversation";

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
  readonly #history: Message[] = [];
  readonly #listeners = new Set<(event: AgentEvent) => void>();
  readonly #feeds = new Map<EventFeed, string>();
  #view: ConversationView;
  #title = untitled;
  #updatedAt: number;
  #running: { controller: AbortController; ended: Promise<void> } | null = null;
  /** The input whose run failed last, until another run succeeds. */
  #failed: QueuedInput | null = null;
  #closing = false;

  /** @param limiter shared by all conversations: how many runs go on side by side */
  constructor(id: string, parts: AgentParts, limiter: PQueue) {
    this.id = id;
    this.#parts = parts;
    this.#limiter = limiter;
    this.createdAt = parts.clock.now();
    this.#updatedAt = this.createdAt;
    this.#view = emptyView(id, untitled);
  }

  /** The first words of the first prompt; "New conversation" before. */
  get title(): string {
    return this.#title;
  }

  get state(): LifecycleState {
    return this.#view.state;
  }

  /** Milliseconds since the epoch of the last message. */
  get updatedAt(): number {
    return this.#updatedAt;
  }

  get history(): readonly Message[] {
    return this.#history;
  }

  /** What a window shows, as of the last event. */
  view(): ConversationView {
    return this.#view;
  }

  /**
   * Queues a prompt; its run starts when those before it have ended. Blank text is ignored.
   * @throws Error when the conversation is closed
   */
  submit(prompt: Prompt): Submission {
    this.#assertOpen();
    if (prompt.text.trim() === "") return nothing;
    const input: QueuedInput = { inputId: this.#parts.newId(), ...prompt };
    return this.#enqueue({ input, isRetry: false });
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

  /** Ends the running run, if any: what was said so far stays, waiting prompts go on. */
  abort(): void {
    this.#running?.controller.abort(new Error("Interrupted by the user."));
  }

  /** @returns false when the input is not waiting (any more) */
  dropInput(inputId: string): boolean {
    const waiting = this.#waiting.get(inputId);
    if (!waiting) return false;
    this.#waiting.delete(inputId);
    if (waiting.isRetry) this.#failed = waiting.input;
    this.emit({ type: "input.dropped", inputId });
    return true;
  }

  /** The listener gets every event from now on, at once. @returns a function that ends the subscription */
  subscribe(listener: (event: AgentEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Adds the answer of a local command to the stream. The model does not see it. */
  answerCommand(answer: { line: string; output: string; isError: boolean }): void {
    this.emit({ type: "command.answered", ...answer });
  }

  /** Stamps an event and gives it to everybody: also for what happens around the conversation, such as voice. */
  emit(body: AgentEventBody): void {
    const stamp = { id: this.#view.lastEventId + 1, conversationId: this.id, at: this.#parts.clock.now() };
    const event: AgentEvent = { ...body, ...stamp };
    this.#view = applyEvent(this.#view, event);
    for (const [feed, inputId] of [...this.#feeds]) {
      feed.push(event);
      if (event.type === "input.dropped" && event.inputId === inputId) feed.end();
    }
    for (const listener of [this.#parts.onEvent, ...this.#listeners]) {
      try {
        listener(event);
      } catch (error) {
        this.#parts.reportError(error);
      }
    }
  }

  /** Ends the run, drops what waits and closes the conversation. Resolves when its run has ended. */
  async dispose(): Promise<void> {
    if (this.#closing) return await this.#running?.ended;
    this.#closing = true;
    for (const inputId of [...this.#waiting.keys()]) this.dropInput(inputId);
    this.abort();
    await this.#running?.ended;
    this.emit({ type: "state.changed", state: "closed" });
    for (const feed of [...this.#feeds.keys()]) feed.end();
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
    const ended = this.#run(waiting, controller.signal);
    this.#running = { controller, ended };
    await ended.finally(() => {
      this.#running = null;
    });
  }

  async #run({ input, isRetry }: Waiting, signal: AbortSignal): Promise<void> {
    // One turn of the event loop's microtasks later, so that `abort` in a listener finds the run.
    await Promise.resolve();
    const runId = this.#parts.newId();
    this.emit({ type: "state.changed", state: "processing" });
    this.emit({ type: "run.started", runId, inputId: input.inputId });
    const outcome = await this.#outcome(input, isRetry, runId, signal);
    this.#failed = outcome.stopReason === "error" ? input : null;
    this.emit({ type: "run.ended", runId, ...outcome });
    for (const [feed, inputId] of [...this.#feeds]) if (inputId === input.inputId) feed.end();
    this.emit({ type: "state.changed", state: "idle" });
  }

  async #outcome(
    input: QueuedInput,
    isRetry: boolean,
    runId: string,
    signal: AbortSignal,
  ): Promise<RunOutcome> {
    const { clock, newId, createProvider, tools, environment, reportError } = this.#parts;
    try {
      if (!isRetry) await this.#append(this.#promptMessage(input));
      const settings = Object.freeze({ ...this.#parts.settings() });
      return await runToEnd({
        runId,
        conversationId: this.id,
        source: input.source,
        settings,
        provider: createProvider(settings),
        tools: tools(),
        environment,
        clock,
        signal,
        newId,
        history: () => this.#history,
        append: (message) => this.#append(message),
        emit: (body) => this.emit(body),
        reportError,
      });
    } catch (error) {
      if (!(error instanceof ModelError)) reportError(error);
      return { stopReason: "error", error: toUserError(error) };
    }
  }

  #promptMessage({ text, origin, source }: QueuedInput): Message {
    const createdAt = this.#parts.clock.now();
    return {
      id: this.#parts.newId(),
      role: "user",
      origin,
      source,
      content: [{ type: "text", text }],
      createdAt,
    };
  }

  async #append(message: Message): Promise<void> {
    this.#history.push(message);
    this.#updatedAt = message.createdAt;
    const [first] = message.content;
    if (this.#title === untitled && message.role === "user" && first?.type === "text") {
      this.#title = titleOf(first.text);
      this.#view = { ...this.#view, title: this.#title };
    }
    this.emit({ type: "message.added", message });
  }

  #assertOpen(): void {
    if (this.#closing) throw new Error("This conversation is closed.");
  }
}

const nothing: Submission = { inputId: null, events: { async *[Symbol.asyncIterator]() {} } };

/** Whole words of the first line, at most 48 characters. */
function titleOf(text: string): string {
  const [line = ""] = text.trim().split("\n");
  const words = line.trim().replaceAll(/\s+/g, " ");
  if (words.length <= 48) return words;
  const cut = words.slice(0, 48);
  return `${cut.slice(0, cut.lastIndexOf(" ") > 20 ? cut.lastIndexOf(" ") : 47)}…`;
}
