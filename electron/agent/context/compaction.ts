import { warnShare } from "../../../shared/conversation/context-facts.ts";
import type { AgentEventBody } from "../../../shared/conversation/events.ts";
import { type Message, textOf } from "../../../shared/conversation/messages.ts";
import type { Task } from "../../../shared/conversation/tasks.ts";
import { grouped } from "../../../shared/grouped.ts";
import type { Settings } from "../../../shared/settings.ts";
import type { Budget } from "../loop/budget.ts";
import { priceOf } from "../loop/budget.ts";
import { soundReply } from "../loop/sound-reply.ts";
import type { Clock, Provider } from "../ports/ports.ts";
import type { Context, Summarisable } from "./context.ts";
import { summaryInput, summaryInstructions } from "./summary-input.ts";
import { tasksNote } from "./tasks-note.ts";

/** What a summary begins with, for the model and for whoever reads the history. */
export const summaryMark = "[COMPACTION SUMMARY]";

const maxSummaryTokens = 4096;
/** What a request for a summary carries beside the messages, with something to spare. */
const instructionTokens = 500;
/**
 * A summary must be worth its request: this share of the context at least. Where the first prompt and the tail fill the
 * context alone, a summary of the little between them would be made again in every round, for nothing.
 */
const leastShare = 0.1;
/** After a failure the oldest half is left out instead. */
const fallbackShare = 0.5;
/** Nor is a summary of fewer messages, where it is their number that is too large. */
const fewestMessages = 4;
/** Where the user was warned, until there was room again. */
const warned = new WeakSet<Context>();

const toldCut = new WeakSet<Context>();

/** Our estimate is rough: less than half, and by so many tokens, is no matter of counting. */
const leastCutTokens = 2000;
const isFarLess = (counted: number, estimate: number) =>
  counted * 2 < estimate && estimate - counted >= leastCutTokens;

const cutNotice = (counted: number, estimate: number) =>
  `The model's server counted ${grouped(counted)} of about ${grouped(estimate)} tokens: it leaves the beginning of the conversation out. Give the model a larger context there (Ollama: OLLAMA_CONTEXT_LENGTH).`;

export interface CompactorOptions {
  context: Context;
  settings: Settings;
  provider: Provider;
  budget: Budget;
  clock: Clock;
  signal: AbortSignal;
  /** The conversation's list; null: there is none to keep. */
  tasks: { list(): readonly Task[] } | null;
  newId(): string;
  append(message: Message): Promise<void>;
  emit(body: AgentEventBody): void;
}

/** Keeps a run's context within the model's window: earlier messages give way to a summary of them. */
export class Compactor {
  readonly #options: CompactorOptions;
  /** It failed in this run: another try would fail the same way. */
  #failed = false;

  constructor(options: CompactorOptions) {
    this.#options = options;
  }

  /**
   * Before a request: a summary where one is due, by tokens or by the number of messages. Only without summaries, or when
   * one failed, the oldest messages are left out instead.
   * @throws the signal's reason when aborted, and what `append` throws
   */
  async ifDue(): Promise<void> {
    const { context, settings, emit } = this.#options;
    if (this.#summarises) {
      const part = this.#due();
      if (part) await this.#compact(part);
    } else this.warnIfFull();
    // It may have failed just now.
    if (this.#summarises) return;
    const dropped = context.trim(settings.maxConversationMessages);
    if (dropped > 0) emit({ type: "history.trimmed", dropped });
  }

  /** Tells the user once that the context is nearly full, where nothing will make room. */
  warnIfFull(): void {
    const { context, settings, emit } = this.#options;
    const usedTokens = context.counted ?? context.estimate;
    const contextWindow = this.#window();
    if (usedTokens <= warnShare * contextWindow) warned.delete(context);
    else if (settings.compactionStrategy === "none" && !warned.has(context)) {
      warned.add(context);
      emit({ type: "context.warning", usedTokens, contextWindow });
    }
  }

  /** Tells the user once that a server here leaves the beginning out: it counts far less than it was sent. */
  warnIfCut(): void {
    const { context, provider, emit } = this.#options;
    const { counted, estimate } = context;
    if (!provider.isLocal || counted === null || !isFarLess(counted, estimate) || toldCut.has(context))
      return;
    toldCut.add(context);
    emit({ type: "model.notice", message: cutNotice(counted, estimate) });
  }

  /**
   * After the model said that the prompt is too long.
   * @returns whether it is shorter now
   * @throws as `ifDue`
   */
  async makeRoom(): Promise<boolean> {
    const { context, settings } = this.#options;
    const part = this.#summarises ? context.summarisable(settings.protectedTailMessages) : null;
    const before = context.estimate;
    if (part && part.savedTokens > 0) await this.#compact(part);
    else this.#trim();
    return context.estimate < before;
  }

  get #summarises(): boolean {
    return this.#options.settings.compactionStrategy === "summarize" && !this.#failed;
  }

  /** @returns what gives way to a summary now; null: nothing has to, or nothing worth it can */
  #due(): Summarisable | null {
    const { context, settings } = this.#options;
    const { protectedTailMessages: tail, maxConversationMessages: most } = settings;
    if (this.#isTooLong()) {
      const part = context.summarisable(tail);
      if (part && part.savedTokens >= context.estimate * leastShare) return part;
    }
    if (most === 0 || context.sentCount <= most) return null;
    // With the first prompt and the summary about half of them stay, so that the next summary is not due at once.
    const part = context.summarisable(Math.min(tail, Math.max(1, Math.floor(most / 2) - 2)));
    return part && part.messages.length >= fewestMessages ? part : null;
  }

  /** By the limit in tokens, or by the model's window: whichever comes first. */
  #isTooLong(): boolean {
    const { context, settings } = this.#options;
    const { counted, estimate } = context;
    if ((counted ?? estimate) >= settings.compactionThresholdTokens) return true;
    // A server that leaves the beginning out counts the rest.
    const used = counted !== null && isFarLess(counted, estimate) ? estimate : counted;
    return used !== null && used > settings.compactionRatio * this.#window();
  }

  /** Tokens. */
  #window(): number {
    const { settings, provider } = this.#options;
    return settings.contextWindow ?? provider.modelFacts(provider.resolveModel(settings.model)).contextWindow;
  }

  async #compact(part: Summarisable): Promise<void> {
    const { context, emit, append } = this.#options;
    const tokensBefore = context.counted ?? context.estimate;
    emit({ type: "compaction.started", messages: part.messages.length, tokens: tokensBefore });
    const summary = await this.#summarise(part);
    if (typeof summary === "string") {
      this.#failed = true;
      this.#trim();
      emit({ type: "compaction.ended", tokensBefore, tokensAfter: context.estimate, error: summary });
      return;
    }
    await append(summary);
    emit({ type: "compaction.ended", tokensBefore, tokensAfter: context.estimate });
  }

  /** @returns the summary, or why there is none */
  async #summarise({ messages, first, covers }: Summarisable): Promise<Message | string> {
    const { settings, provider, budget, clock, signal, tasks, newId } = this.#options;
    const startedAt = clock.now();
    const text = summaryInput(messages, first, this.#window() - maxSummaryTokens - instructionTokens);
    try {
      const answer = await provider.complete(
        {
          model: settings.model,
          system: summaryInstructions,
          messages: [{ role: "user", content: [{ type: "text", text }] }],
          tools: [],
          maxTokens: maxSummaryTokens,
          temperature: 0,
        },
        signal,
      );
      const reply = soundReply(answer, provider.resolveModel(settings.model));
      budget.add(reply.usage, priceOf(reply.model, settings, provider));
      const summary = textOf(reply.content).trim();
      if (summary === "" || reply.stopReason === "refusal") return "the model gave no summary";
      // Word for word: a summary of a list forgets what its steps were called.
      const list = tasksNote(tasks?.list() ?? []);
      return {
        id: newId(),
        role: "user",
        origin: "summary",
        source: null,
        content: [{ type: "text", text: `${summaryMark}\n${summary}${list === null ? "" : `\n\n${list}`}` }],
        createdAt: clock.now(),
        model: reply.model,
        usage: reply.usage,
        latencyMs: Math.max(0, clock.now() - startedAt),
        covers,
      };
    } catch (error) {
      signal.throwIfAborted();
      return error instanceof Error ? error.message : String(error);
    }
  }

  #trim(): void {
    const { context, emit } = this.#options;
    const dropped = context.trimToTokens(Math.floor(context.estimate * fallbackShare));
    if (dropped > 0) emit({ type: "history.trimmed", dropped });
  }
}
