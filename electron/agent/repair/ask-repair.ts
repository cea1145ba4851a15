import { type Price, usdOf } from "../../../shared/conversation/cost.ts";
import { type Repair, textOf } from "../../../shared/conversation/messages.ts";
import type { TranscriptItem } from "../../../shared/conversation/transcript.ts";
import type { Settings } from "../../../shared/settings.ts";
import { leastEffort } from "../context/side-request.ts";
import { priceOf } from "../loop/budget.ts";
import { soundReply } from "../loop/sound-reply.ts";
import type { AssistantMessage, ExecutionEnvironment, Provider } from "../ports/ports.ts";
import { checkedRepair } from "./check-repair.ts";
import { fileNames, knownLimits, lastWords, namedFiles, ownWords, wordsIn } from "./known-words.ts";
import { repairModel } from "./may-repair.ts";
import { repairRequest } from "./repair-request.ts";

/** Words that were heard, and what else all of them may be. */
export interface Heard {
  text: string;
  readings?: readonly string[] | undefined;
}

export interface AskRepairOptions {
  provider: Provider;
  settings: Settings;
  /** What the conversation shows. */
  items: readonly TranscriptItem[];
  /** The working folder; null: its names are not told. */
  folder: Pick<ExecutionEnvironment, "listDirectory"> | null;
  /** Names that rules keep back. */
  hides(name: string): boolean;
}

/** What came of a request. */
export interface RepairAnswer {
  /** The words; null where the answer said anything else than what was heard. */
  text: string | null;
  spent: Omit<Repair, "heard">;
  price: Price | undefined;
}

/** @throws as `Provider.complete` */
export async function askRepair(
  { text, readings = [] }: Heard,
  { provider, settings, items, folder, hides }: AskRepairOptions,
  signal: AbortSignal,
): Promise<RepairAnswer> {
  const conversation = lastWords(items);
  const files = folder === null ? [] : (await fileNames(folder)).filter((name) => !hides(name));
  signal.throwIfAborted();
  const words = settings["voice.words"].map(({ word }) => word);
  const model = repairModel(settings, provider);
  const given = await provider.complete(
    {
      ...repairRequest(model, {
        readings: [text, ...readings],
        ownWords: words.slice(-knownLimits.ownWords),
        fileNames: files,
        conversation,
      }),
      effort: leastEffort(provider, model),
    },
    signal,
  );
  const answer = soundReply(given, provider.resolveModel(model));
  const price = priceOf(answer.model, { ...settings, model }, provider);
  const spent = {
    model: answer.model,
    usage: answer.usage,
    usd: price ? usdOf(answer.usage, price) : null,
  };
  const known = [...wordsIn(conversation), ...namedFiles(files), ...ownWords(words)];
  return { text: checkedRepair(wordsOf(answer), { text, readings, known }), spent, price };
}

/** A reply that is anything but a finished text says nothing. */
function wordsOf({ content, stopReason }: AssistantMessage): string {
  const isText = content.every(
    ({ type }) => type === "text" || type === "thinking" || type === "redacted_thinking",
  );
  return stopReason === "end_turn" && isText ? textOf(content) : "";
}
