import type { AgentEventBody } from "../../../shared/conversation/events.ts";
import { type Message, textOf } from "../../../shared/conversation/messages.ts";
import type { Settings } from "../../../shared/settings.ts";
import type { Budget } from "../loop/budget.ts";
import { priceOf } from "../loop/budget.ts";
import type { Clock, Provider } from "../ports/ports.ts";
import type { Context, Summarisable } from "./context.ts";
import { summaryInput, summaryInstructions } from "./summary-input.ts";

/** What a summary begins with, for the model and for whoever reads the history. */
export const summaryMark = "[COMPACTION SUMMARY]";

const maxSummaryTokens = 4096;
/**
 * A summary must be worth its request: this share of the context at least. Where the first prompt and the tail fill the
 * context alone, a summary of the little between them would be made again in every round, for nothing.
 */
const leastShare = 0.1;
/** After a failure the oldest half is left out instead. */
const fallbackShare = 0.5;

export interface CompactionParts {
  context: Context;
  settings: Settings;
  provider: Provider;
  budget: Budget;
  clock: Clock;
  signal: AbortSignal;
  newId(): string;
  append(message: Message): Promise<void>;
  emit(body: AgentEventBody): void;
}

/** Keeps a run's context within the model's window: earlier messages give way to a summary of them. */
export class Compactor {
  readonly #parts: CompactionParts;
  /** It failed in this run: another try would fail the same way. */
  #failed = false;

  constructor(parts: CompactionParts) {
    this.#parts = parts;
  }

  /** Before a request. @throws the signal's reason when aborted, and what `append` throws */
  async ifDue(): Promise<void> {
    const { context, settings } = this.#parts;
    if (this.#failed || settings.compactionStrategy === "none" || !this.#isDue()) return;
    const part = context.summarisable(settings.protectedTailMessages);
    if (!part || part.savedTokens < context.estimate * leastShare) return;
    await this.#compact(part);
  }

  /**
   * After the model said that the prompt is too long.
   * @returns whether it is shorter now
   * @throws as `ifDue`
   */
  async makeRoom(): Promise<boolean> {
    const { context, settings } = this.#parts;
    const canSummarise = settings.compactionStrategy === "summarize" && !this.#failed;
    const part = canSummarise ? context.summarisable(settings.protectedTailMessages) : null;
    const before = context.estimate;
    if (part && part.savedTokens > 0) await this.#compact(part);
    else this.#trim();
    return context.estimate < before;
  }

  #isDue(): boolean {
    const { context, settings, provider } = this.#parts;
    const { counted } = context;
    if (counted === null) return context.estimate >= settings.compactionThresholdTokens;
    const model = provider.resolveModel(settings.model);
    const window = settings.contextWindow ?? provider.modelFacts(model).contextWindow;
    return counted > settings.compactionRatio * window;
  }

  async #compact(part: Summarisable): Promise<void> {
    const { context, emit, append } = this.#parts;
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
    const { settings, provider, budget, clock, signal, newId } = this.#parts;
    const startedAt = clock.now();
    try {
      const reply = await provider.complete(
        {
          model: settings.model,
          system: summaryInstructions,
          messages: [{ role: "user", content: [{ type: "text", text: summaryInput(messages, first) }] }],
          tools: [],
          maxTokens: maxSummaryTokens,
          temperature: 0,
        },
        signal,
      );
      budget.add(reply.usage, priceOf(reply.model, settings, provider));
      const text = textOf(reply.content).trim();
      if (text === "" || reply.stopReason === "refusal") return "the model gave no summary";
      return {
        id: newId(),
        role: "user",
        origin: "summary",
        source: null,
        content: [{ type: "text", text: `${summaryMark}\n${text}` }],
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
    const { context, emit } = this.#parts;
    const dropped = context.trimToTokens(Math.floor(context.estimate * fallbackShare));
    if (dropped > 0) emit({ type: "history.trimmed", dropped });
  }
}
