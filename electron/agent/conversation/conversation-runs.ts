import PQueue from "p-queue";
import type {
  AgentEvent,
  AgentEventBody,
  LifecycleState,
  QueuedInput,
} from "../../../shared/conversation/events.ts";
import { type Message, textOf } from "../../../shared/conversation/messages.ts";
import type { RunPart } from "../../../shared/ipc/conversation-routes.ts";
import { spokenLevel } from "../../../shared/safety/permissions.ts";
import { GitSnapshots } from "../context/git-snapshot.ts";
import { attachmentsOf, contentOf, sourceOfPrompt } from "../context/prompt-content.ts";
import type { Budget } from "../loop/budget.ts";
import { type PreparedRun, prepareRun } from "../loop/prepare-run.ts";
import type { RunContext, RunOutcome } from "../loop/run-context.ts";
import type { Steering } from "../loop/steering.ts";
import { runWithAgents, type SubagentHost } from "../loop/subagents/subagents.ts";
import { CallStops } from "../loop/tools/call-stops.ts";
import { toUserError } from "../loop/user-error.ts";
import type { AgentOptions } from "../ports/agent-options.ts";
import { type AppendedAlong, type ExecutionEnvironment, ModelError } from "../ports/ports.ts";
import type { SessionRecord } from "../ports/session-store.ts";
import type { PromptRepairs } from "../repair/prompt-repairs.ts";
import type { ConversationEvents } from "./conversation-events.ts";
import type { ConversationRecord } from "./conversation-record.ts";
import type { ForOneRun, Inbox, UserInput, Waiting } from "./inbox.ts";
import { openFolder } from "./open-folder.ts";
import type { PendingRequests } from "./pending-requests.ts";
import { noRetry, type RetryState, type RetryStep, stepRetry } from "./retry.ts";
import { RunAttempts } from "./run-attempts.ts";
import type { TitleGenerator } from "./sessions/conversation-title.ts";
import { titleOf, untitled } from "./sessions/title.ts";
import type { ConversationPath } from "./tree/conversation-path.ts";

export interface Submission {
  /** null: there was nothing to do (blank text, nothing to retry). */
  inputId: string | null;
  /** The conversation's events from now on until this input's run has ended or the input was dropped. */
  events: AsyncIterable<AgentEvent>;
}

/** What the runs of a conversation work with. */
export interface ConversationRunsOptions {
  readonly id: string;
  readonly agent: AgentOptions;
  /** Shared by all conversations: how many runs go on side by side. */
  readonly limiter: PQueue;
  readonly record: ConversationRecord;
  readonly inbox: Inbox;
  readonly events: ConversationEvents;
  readonly path: ConversationPath;
  readonly titles: TitleGenerator;
  readonly requests: PendingRequests;
  readonly steering: Steering;
  readonly repairs: Pick<PromptRepairs, "settled">;
  setState(state: LifecycleState): void;
  setFolder(folder: string): void;
  /** Until the next call, this stands before what the conversation has. */
  countForOneRun(session: Partial<Pick<SessionRecord, "permissionMode" | "workingFolder">>): void;
}

interface Running {
  inputId: string;
  controller: AbortController;
  attempts: RunAttempts<UserInput>;
  ended: Promise<void>;
}

/** One request of a run to its end, or until it is taken back. */
interface Attempt {
  runId: string;
  signal: AbortSignal;
  settled: RunContext["settled"];
}

/** The runs of one conversation, one after the other. */
export class ConversationRuns {
  readonly #options: ConversationRunsOptions;
  readonly #queue = new PQueue({ concurrency: 1 });
  #running: Running | null = null;
  #budget: Budget | null = null;
  #isClosing = false;
  readonly #reportedFolders = new Set<string>();
  readonly #gitSnapshots = new GitSnapshots();
  readonly #acceptedToolFiles = new Map<string, string>();
  readonly #callStops = new CallStops();
  /** Ends the wait before a request is tried again. */
  #skipWait: (() => void) | null = null;
  /** The sub-agents of the running run. */
  #agents: SubagentHost | null = null;
  /** Parley's own words for the model that wait for the next prompt. */
  readonly #notes: Pick<QueuedInput, "inputId" | "text">[];
  #retry = noRetry;
  /** What was kept of the running run's last reply, where that was cut. */
  #partialId: string | null = null;
  /** Resolves when what no run may go on beside is over. */
  #alone: Promise<unknown> | null = null;

  constructor(options: ConversationRunsOptions) {
    this.#options = options;
    this.#notes = [...options.inbox.leftNotes];
  }

  get isRunning(): boolean {
    return this.#running !== null;
  }

  /** Something goes on that no run may go on beside. */
  get isAlone(): boolean {
    return this.#alone !== null;
  }

  /** What a retry would ask for. */
  get retryable(): RetryState {
    return this.#retry;
  }

  /** What was used so far; null before the first run. */
  get budget(): Budget | null {
    return this.#budget;
  }

  enqueue(waiting: Waiting): Submission {
    const { inbox, events, limiter, agent } = this.#options;
    const { input } = waiting;
    const { inputId } = input;
    const feed = events.feed(inputId);
    inbox.add(waiting);
    this.#emit({ type: "input.queued", input });
    if (this.isRunning || this.isAlone || inbox.waiting > 1)
      this.#emit({ type: "followup.received", inputId });
    const run = () => limiter.add(() => this.#start(inputId));
    this.#queue.add(run).catch((error: unknown) => agent.reportError(error));
    return { inputId, events: feed };
  }

  /**
   * Takes a turn in the queue for what no run may go on beside: prompts that come meanwhile run after it.
   * @throws what `work` throws
   */
  async alone<Result>(work: () => Promise<Result>): Promise<Result> {
    const turn = this.#queue.add(work);
    this.#alone = turn;
    try {
      return await turn;
    } finally {
      this.#alone = null;
    }
  }

  /** Runs again what a retry would ask for. @returns null where that is not a run of the same prompt */
  retry(asked = this.#retry): Submission | null {
    if (asked.kind !== "failed" && asked.kind !== "unfinished") return null;
    this.stepRetry({ type: "retried" });
    if (asked.kind === "failed") return this.enqueue(asked.waiting);
    return this.enqueue({ input: asked.input, isInHistory: true, forOneRun: asked.forOneRun });
  }

  stepRetry(step: RetryStep): void {
    const before = this.#retry;
    this.#retry = stepRetry(before, step);
    const isGone = before.kind === "failed" && step.type !== "retried" && this.#retry !== before;
    if (isGone) this.#holdUnkept(before.waiting);
  }

  /** What a person sees of a run, or is asked: from then on it cannot be taken back. */
  show(body: AgentEventBody): void {
    this.#running?.attempts.markSeen();
    this.#emit(body);
  }

  /** Ends the request of this prompt's run until `resumeWith`. @returns false where something of it was seen */
  suspend(inputId: string): boolean {
    return this.#running?.inputId === inputId && this.#running.attempts.suspend();
  }

  /** @param more null: nothing more was said @returns false where nothing was taken back, or the run has ended */
  resumeWith(inputId: string, more: UserInput | null): boolean {
    return (
      this.#running?.inputId === inputId &&
      this.#running.attempts.resumeWith(more, more ? (more.settlesAt ?? 0) : undefined)
    );
  }

  /** Parley's own words for the model: kept at once, or before the next prompt while a run or a rewind goes on. */
  note(text: string): void {
    const inputId = this.#options.agent.newId();
    this.#notes.push({ inputId, text });
    const isBusy = this.isRunning || this.isAlone;
    // A crash of this run takes it as little as a prompt.
    if (isBusy) this.#options.inbox.keep({ inputId, text, origin: "typed", source: null, isNote: true });
    if (!isBusy && !this.#isClosing) {
      void this.#deliverNotes().catch(this.#options.agent.reportError);
    }
  }

  /** Ends one sub-agent or one command of the running run. @returns false where it has ended */
  stopPart(part: RunPart): boolean {
    return "agentId" in part
      ? (this.#agents?.stop(part.agentId) ?? false)
      : this.#callStops.stop(part.toolUseId);
  }

  /** A request that waits to be tried again goes out at once. */
  tryNow(): void {
    this.#skipWait?.();
    this.#skipWait = null;
  }

  /** Ends the running run, if any. */
  abort(): void {
    this.#running?.controller.abort(new Error("Interrupted by the user."));
  }

  /** As `abort`, and nothing that waits runs by itself any more: prompts are held, a retry is dropped. */
  stop(): void {
    const { held, dropped } = this.#options.inbox.holdWaiting(this.#running?.inputId);
    this.abort();
    for (const input of held) this.#emit({ type: "input.queued", input });
    for (const waiting of dropped) {
      this.stepRetry({ type: "dropped", waiting });
      this.#emit({ type: "input.dropped", inputId: waiting.input.inputId });
      this.#holdUnkept(waiting);
    }
  }

  /** Ends the running run; no other begins. Resolves when it has ended. */
  async dispose(): Promise<void> {
    const { inbox, titles, steering, agent } = this.#options;
    this.#isClosing = true;
    inbox.leave();
    this.abort();
    // Whoever asked for it hears of its failure.
    await Promise.all([this.#running?.ended, this.#alone?.catch(() => {}), titles.dispose()]);
    // Kept for when it is opened again: then they go in with the next prompt.
    await this.#deliverNotes().catch(agent.reportError);
    if (steering.waits) await this.#deliverSteering().catch(agent.reportError);
  }

  async #start(inputId: string): Promise<void> {
    const controller = new AbortController();
    const attempts = new RunAttempts<UserInput>(controller.signal, this.#options.agent.clock);
    const ended = this.#run(inputId, attempts, controller.signal);
    this.#running = { inputId, controller, attempts, ended };
    await ended;
  }

  async #run(inputId: string, attempts: RunAttempts<UserInput>, stopped: AbortSignal): Promise<void> {
    // At least one turn of the event loop's microtasks later, so that `abort` in a listener finds the run.
    await this.#options.repairs.settled(inputId, stopped);
    const waiting = this.#options.inbox.take(inputId);
    if (!waiting) {
      // Dropped while it waited.
      this.#running = null;
      return;
    }
    attempts.settleAt(waiting.settlesAt);
    const runId = this.#options.agent.newId();
    this.#options.setState("processing");
    this.stepRetry({ type: "runStarted" });
    this.#partialId = null;
    this.#emit({ type: "run.started", runId, inputId });
    const outcome = await attempts.run((signal, next) => {
      waiting.more = [...(waiting.more ?? []), ...next];
      return this.#outcome(waiting, { runId, signal, settled: () => attempts.settled(signal) });
    });
    const isFailed = outcome.stopReason === "error";
    this.#options.countForOneRun({});
    this.stepRetry({ type: "runEnded", waiting, isFailed, partialId: this.#partialId });
    // Whoever hears of the end may begin something that nothing else may run beside.
    this.#running = null;
    this.#emit({ type: "run.ended", runId, ...outcome });
    this.#options.events.endFeeds(inputId);
    this.#options.setState("idle");
  }

  /** What could not be kept of a prompt, and what a retry no longer asks for: it is offered as a prompt. */
  #holdUnkept(waiting: Waiting): void {
    const { inbox, agent } = this.#options;
    const { input, isInHistory, forOneRun, more: [first, ...more] = [] } = waiting;
    const { origin, source } = input;
    const left = first && {
      input: { inputId: agent.newId(), text: first.text, origin, source },
      more,
      forOneRun,
    };
    const whole = isInHistory ? left && { ...left, isInHistory } : waiting;
    if (whole) this.#emit({ type: "input.queued", input: inbox.holdWhole(whole) });
  }

  async #outcome(waiting: Waiting, attempt: Attempt): Promise<RunOutcome> {
    const { input } = waiting;
    const { runId, signal, settled } = attempt;
    let prepared: PreparedRun | null = null;
    try {
      this.#options.record.save();
      const context = await this.#options.path.context(this.#options.agent.settings());
      // Something else was asked and answered behind a prompt that waited to be retried: no request ends with a reply.
      if (waiting.isInHistory && context.endsWithReply) waiting.isInHistory = false;
      if (!waiting.isInHistory) {
        // What the user said while nothing ran comes before what they ask now.
        await this.#deliverNotes();
        await this.#deliverSteering();
        await this.#append(this.#userMessage(this.#options.agent.newId(), input), { inputId: input.inputId });
        waiting.isInHistory = true;
      }
      for (let next = waiting.more?.[0]; next; next = waiting.more?.[0]) {
        await this.#append(this.#userMessage(this.#options.agent.newId(), { ...next, continues: true }));
        waiting.more?.shift();
      }
      const environment = await this.#environment(waiting.forOneRun);
      prepared = await prepareRun(
        this.#options.agent,
        {
          id: this.#options.id,
          modelChoice: this.#options.record.modelChoice,
          context,
          environment,
          requests: this.#options.requests,
          steering: this.#options.steering,
          tasks: {
            list: () => this.#options.path.tasks,
            update: (tasks) => {
              this.#options.path.tasks = tasks;
              this.#emit({ type: "tasks.changed", tasks: [...tasks] });
            },
          },
          reportedFolders: this.#reportedFolders,
          gitSnapshots: this.#gitSnapshots,
          acceptedToolFiles: this.#acceptedToolFiles,
          callStops: this.#callStops,
          onRetryWait: (skip) => {
            this.#skipWait = skip;
          },
          isOverheard: () => this.#options.record.isOverheard,
          append: (message, calls) => this.#append(message, { calls }),
          emit: (body) => this.#emit(body),
          show: (body) => this.show(body),
          settled,
        },
        { runId, source: sourceOfPrompt(input), signal },
        this.#budget,
      );
      this.#budget = prepared.run.budget;
      this.#agents = prepared.host;
      this.#skipWait = null;
      const outcome = await runWithAgents(prepared.run, prepared.host);
      if (outcome.stopReason === "end_turn") this.#options.titles.ask(prepared.run);
      return outcome;
    } catch (error) {
      if (!(error instanceof ModelError)) this.#options.agent.reportError(error);
      return { stopReason: "error", error: toUserError(error) };
    } finally {
      this.#agents = null;
      await prepared?.host.dispose();
    }
  }

  /** Where a run works; from here on what counts for it alone does. @throws EnvironmentError */
  async #environment({ level, folder }: ForOneRun = {}): Promise<ExecutionEnvironment> {
    const { agent, record, countForOneRun, setFolder } = this.#options;
    const environment =
      folder === undefined
        ? await openFolder(agent, record.session.workingFolder, (fallback, problem) => {
            this.#emit({ type: "error", error: problem });
            setFolder(fallback);
          })
        : await agent.openEnvironment(folder);
    countForOneRun({
      ...(level !== undefined && { permissionMode: spokenLevel(level) }),
      ...(folder !== undefined && { workingFolder: environment.workingDirectory }),
    });
    return environment;
  }

  async #deliverSteering(): Promise<void> {
    await this.#options.steering.drain(({ id, words }) =>
      this.#append(this.#userMessage(id, { ...words, origin: "steering" })),
    );
  }

  async #deliverNotes(): Promise<void> {
    const { newId, clock } = this.#options.agent;
    for (let note = this.#notes.shift(); note; note = this.#notes.shift()) {
      const content = contentOf({ text: note.text });
      const message: Message = {
        id: newId(),
        role: "user",
        origin: "system",
        source: null,
        content,
        createdAt: clock.now(),
      };
      await this.#append(message, { inputId: note.inputId }).catch((error: unknown) => {
        this.#notes.unshift(note);
        throw error;
      });
    }
  }

  #userMessage(id: string, words: UserInput): Message {
    const { origin, source } = words;
    const createdAt = this.#options.agent.clock.now();
    const spent = words.repair && { model: words.repair.model, usage: words.repair.usage };
    const isSpoken = origin === "voice" || (origin === "steering" && source !== null);
    const isAnswered = isSpoken && source !== "loopback" && !words.continues;
    const { "voice.speak": speaks, "voice.spokenLength": length } = this.#options.agent.settings();
    const isReadAloud = isAnswered && speaks !== "never" && length === "short";
    const content = contentOf({ ...words, isReadAloud });
    return { id, role: "user", origin, source, content, createdAt, ...spent };
  }

  async #append(message: Message, { inputId, calls }: AppendedAlong = {}): Promise<void> {
    // The user's word into a turn waits under its own id.
    const waited = inputId ?? (message.origin === "steering" ? message.id : undefined);
    // First there, then here: what could not be kept is not sent either.
    this.#options.record.message(message, { inputId: waited, calls });
    const branches = this.#options.path.append(message);
    this.#partialId = message.interrupted ? message.id : null;
    if (
      this.#options.record.session.title === untitled &&
      message.role === "user" &&
      message.origin !== "system" &&
      titleWords(message) !== ""
    ) {
      this.#options.record.changeQuietly({ title: titleOf(titleWords(message)) });
    }
    this.#emit({ type: "message.added", message, ...(branches && { branches }) });
  }

  #emit(body: AgentEventBody): void {
    this.#options.events.emit(body);
  }
}

/** What it says; of one that only brings something, what that is. */
function titleWords({ content }: Message): string {
  const [first] = attachmentsOf(content);
  return textOf(content).trim() || (first?.choice?.label ?? first?.from ?? "");
}
