import PQueue from "p-queue";
import type { AgentEvent, AgentEventBody, LifecycleState } from "../../shared/events.ts";
import { type Message, type PromptOrigin, type SpeechSource, textOf } from "../../shared/messages.ts";
import type { AgentParts } from "./agent-parts.ts";
import type { Budget } from "./budget.ts";
import type { ConversationEvents } from "./conversation-events.ts";
import type { ConversationPath } from "./conversation-path.ts";
import type { ConversationRecord } from "./conversation-record.ts";
import type { TitleGiver } from "./conversation-title.ts";
import type { Desk } from "./desk.ts";
import type { Inbox, Waiting } from "./inbox.ts";
import { openFolder } from "./open-folder.ts";
import { type AppendedAlong, ModelError } from "./ports.ts";
import { type PreparedRun, prepareRun } from "./prepare-run.ts";
import { runToEnd } from "./run.ts";
import type { RunOutcome } from "./run-parts.ts";
import type { Steering } from "./steering.ts";
import { titleOf, untitled } from "./title.ts";
import { toUserError } from "./user-error.ts";

export interface Submission {
  /** null: there was nothing to do (blank text, nothing to retry). */
  inputId: string | null;
  /** The conversation's events from now on until this input's run has ended or the input was dropped. */
  events: AsyncIterable<AgentEvent>;
}

/** The parts of a conversation that its runs work with. */
export interface RunsParts {
  readonly id: string;
  readonly parts: AgentParts;
  /** Shared by all conversations: how many runs go on side by side. */
  readonly limiter: PQueue;
  readonly record: ConversationRecord;
  readonly inbox: Inbox;
  readonly events: ConversationEvents;
  readonly path: ConversationPath;
  readonly titles: TitleGiver;
  readonly desk: Desk;
  readonly steering: Steering;
  setState(state: LifecycleState): void;
  setFolder(folder: string): void;
}

/** The runs of one conversation, one after the other. */
export class ConversationRuns {
  readonly #own: RunsParts;
  readonly #queue = new PQueue({ concurrency: 1 });
  #running: { controller: AbortController; ended: Promise<void> } | null = null;
  #budget: Budget | null = null;
  /** The prompt whose run failed last, or whose turn was left in the middle, until another run succeeds. */
  failed: Waiting | null = null;

  constructor(own: RunsParts) {
    this.#own = own;
  }

  get isRunning(): boolean {
    return this.#running !== null;
  }

  /** What was used so far; null before the first run. */
  get budget(): Budget | null {
    return this.#budget;
  }

  enqueue(waiting: Waiting): Submission {
    const { inbox, events, limiter, parts } = this.#own;
    const { input } = waiting;
    const { inputId } = input;
    const feed = events.feed(inputId);
    inbox.add(waiting);
    this.#emit({ type: "input.queued", input });
    const run = () => limiter.add(() => this.#start(inputId));
    this.#queue.add(run).catch((error: unknown) => parts.reportError(error));
    return { inputId, events: feed };
  }

  /** Ends the running run, if any. */
  abort(): void {
    this.#running?.controller.abort(new Error("Interrupted by the user."));
  }

  /** Ends the running run; no other begins. Resolves when it has ended. */
  async dispose(): Promise<void> {
    const { inbox, titles, steering, parts } = this.#own;
    inbox.leave();
    this.abort();
    await Promise.all([this.#running?.ended, titles.dispose()]);
    // Kept for when it is opened again: then it goes in with the next prompt.
    if (steering.waits) await this.#deliverSteering().catch(parts.reportError);
  }

  async #start(inputId: string): Promise<void> {
    const waiting = this.#own.inbox.take(inputId);
    // Dropped while it waited.
    if (!waiting) return;
    const controller = new AbortController();
    const ended = this.#run(waiting, controller.signal);
    this.#running = { controller, ended };
    await ended;
  }

  async #run(waiting: Waiting, signal: AbortSignal): Promise<void> {
    // One turn of the event loop's microtasks later, so that `abort` in a listener finds the run.
    await Promise.resolve();
    const runId = this.#own.parts.newId();
    const { inputId } = waiting.input;
    this.#own.setState("processing");
    this.#emit({ type: "run.started", runId, inputId });
    const outcome = await this.#outcome(waiting, runId, signal);
    this.failed = outcome.stopReason === "error" ? waiting : null;
    // Whoever hears of the end may begin something that nothing else may run beside.
    this.#running = null;
    this.#emit({ type: "run.ended", runId, ...outcome });
    this.#own.events.endFeeds(inputId);
    this.#own.setState("idle");
  }

  async #outcome(waiting: Waiting, runId: string, signal: AbortSignal): Promise<RunOutcome> {
    const { input } = waiting;
    let prepared: PreparedRun | null = null;
    try {
      this.#own.record.save();
      const context = this.#own.path.context(this.#own.parts.settings());
      if (!waiting.isInHistory) {
        // What the user said while nothing ran comes before what they ask now.
        await this.#deliverSteering();
        await this.#append(this.#userMessage(this.#own.parts.newId(), input.text, input), {
          inputId: input.inputId,
        });
        waiting.isInHistory = true;
      }
      prepared = await prepareRun(
        this.#own.parts,
        {
          id: this.#own.id,
          context,
          environment: await openFolder(
            this.#own.parts,
            this.#own.record.session.workingFolder,
            (folder, problem) => {
              this.#emit({ type: "error", error: problem });
              this.#own.setFolder(folder);
            },
          ),
          desk: this.#own.desk,
          steering: this.#own.steering,
          append: (message, calls) => this.#append(message, { calls }),
          emit: (body) => this.#emit(body),
        },
        { runId, source: input.source, signal },
        this.#budget,
      );
      this.#budget = prepared.run.budget;
      const outcome = await runToEnd(prepared.run);
      if (outcome.stopReason === "end_turn") this.#own.titles.ask(prepared.run);
      return outcome;
    } catch (error) {
      if (!(error instanceof ModelError)) this.#own.parts.reportError(error);
      return { stopReason: "error", error: toUserError(error) };
    } finally {
      await prepared?.host.dispose();
    }
  }

  async #deliverSteering(): Promise<void> {
    await this.#own.steering.drain(({ id, text }) =>
      this.#append(this.#userMessage(id, text, { origin: "steering", source: null })),
    );
  }

  #userMessage(
    id: string,
    text: string,
    { origin, source }: { origin: PromptOrigin | "steering"; source: SpeechSource | null },
  ): Message {
    const createdAt = this.#own.parts.clock.now();
    return { id, role: "user", origin, source, content: [{ type: "text", text }], createdAt };
  }

  async #append(message: Message, { inputId, calls }: AppendedAlong = {}): Promise<void> {
    // The user's word into a turn waits under its own id.
    const waited = inputId ?? (message.origin === "steering" ? message.id : undefined);
    // First there, then here: what could not be kept is not sent either.
    this.#own.record.message(message, { inputId: waited, calls });
    const branches = this.#own.path.append(message);
    if (
      this.#own.record.session.title === untitled &&
      message.role === "user" &&
      textOf(message.content) !== ""
    ) {
      this.#own.record.changeQuietly({ title: titleOf(textOf(message.content)) });
    }
    this.#emit({ type: "message.added", message, ...(branches && { branches }) });
  }

  #emit(body: AgentEventBody): void {
    this.#own.events.emit(body);
  }
}
