import type { Effort, EffortLevel, EffortSupport } from "../../shared/conversation/effort.ts";
import { bareName } from "./models.ts";

/**
 * How each family of models is told how much to think: the one table to edit when one comes or goes. A model that is in
 * no row is sent nothing.
 */

/** Whole ids: what follows may only say which version it is, such as `-20251001` or `-preview`. */
const version = /^(?:-latest|-preview(?:-[\d-]+)?|-\d{3}|-\d{8}|-\d{4}-\d{2}-\d{2})?$/;

const all: readonly EffortLevel[] = ["off", "low", "medium", "high"];
const thinking: readonly EffortLevel[] = ["low", "medium", "high"];

interface Row {
  ids: readonly string[];
}

function rowOf<R extends Row>(rows: readonly R[], id: string): R | undefined {
  const name = bareName(id);
  return rows.find(({ ids }) =>
    ids.some((known) => name.startsWith(known) && version.test(name.slice(known.length))),
  );
}

/** Tokens that a reply may grow by where the model thinks: they count towards its limit. */
const thinkingTokens: Readonly<Record<EffortLevel, number>> = {
  off: 0,
  low: 4096,
  medium: 12_288,
  high: 32_000,
};

interface ClaudeRow extends Row {
  /** `adaptive`: by effort. `budget`: by a number of tokens. */
  thinks: "adaptive" | "budget";
  /** What it does when nothing is sent; null: it does not think. */
  byItself: "medium" | "high" | null;
  /** The type that switches thinking off; `none`: leaving it out does; null: nothing does. */
  off: "disabled" | "between_tools" | "none" | null;
  takesEffort: boolean;
  /** Its thinking holds only after exactly what stood before it: the request says that it may be dropped otherwise. */
  isBound?: boolean;
}

/** Sources: the pages “Effort”, “Thinking”, “Extended thinking”, “Prefix checks on thinking blocks” and the pages “What's new in …” of the Claude documentation. */
const claudeRows: readonly ClaudeRow[] = [
  // “Thinking can't be disabled”; effort defaults to high (models overview).
  {
    ids: ["claude-fable-5-1", "claude-fable-5-2", "claude-mythos-5-1", "claude-mythos-5-2"],
    thinks: "adaptive",
    byItself: "high",
    off: null,
    takesEffort: true,
    isBound: true,
  },
  {
    ids: ["claude-fable-5", "claude-mythos-5", "claude-mythos-preview"],
    thinks: "adaptive",
    byItself: "high",
    off: null,
    takesEffort: true,
  },
  // “What's new in Claude Opus 5.5”: always on, effort defaults to medium.
  {
    ids: ["claude-opus-5-5"],
    thinks: "adaptive",
    byItself: "medium",
    off: null,
    takesEffort: true,
    isBound: true,
  },
  // “What's new in Claude Sonnet 5.5”: `between_tools` in place of `disabled`, at high effort or below.
  {
    ids: ["claude-sonnet-5-5"],
    thinks: "adaptive",
    byItself: "high",
    off: "between_tools",
    takesEffort: true,
    isBound: true,
  },
  // “What's new in Claude Haiku 5.5”: adaptive by default, effort defaults to medium.
  {
    ids: ["claude-haiku-5-5"],
    thinks: "adaptive",
    byItself: "medium",
    off: "disabled",
    takesEffort: true,
    isBound: true,
  },
  // “What's new in Claude Opus 5” and “… Sonnet 5”: on by default, can be disabled at high effort or below.
  {
    ids: ["claude-opus-5", "claude-sonnet-5"],
    thinks: "adaptive",
    byItself: "high",
    off: "disabled",
    takesEffort: true,
  },
  // “Adaptive thinking”: off unless asked for; budgets are refused by 4.7 and 4.8, deprecated on 4.6.
  {
    ids: ["claude-opus-4-8", "claude-opus-4-7", "claude-opus-4-6", "claude-sonnet-4-6"],
    thinks: "adaptive",
    byItself: null,
    off: "none",
    takesEffort: true,
  },
  // “Extended thinking”: a budget. Of these only Opus 4.5 takes an effort (“Effort”).
  { ids: ["claude-opus-4-5"], thinks: "budget", byItself: null, off: "none", takesEffort: true },
  {
    ids: ["claude-sonnet-4-5", "claude-haiku-4-5"],
    thinks: "budget",
    byItself: null,
    off: "none",
    takesEffort: false,
  },
];

interface ClaudeThinking {
  /** What the request's `thinking` is; absent: nothing is sent. */
  thinking?:
    | { type: "adaptive"; display: "summarized" }
    | { type: "enabled"; budget_tokens: number; display: "summarized" }
    | { type: "disabled" | "between_tools" };
  effort?: "low" | "medium" | "high";
  /** Whether it thinks: then it takes no sampling parameters. */
  isThinking: boolean;
  maxTokens: number;
  isBound: boolean;
}

/**
 * @param maxTokens of the reply itself
 * @param most tokens that the model gives in one reply
 */
export function claudeThinking(id: string, chosen: Effort, maxTokens: number, most: number): ClaudeThinking {
  const row = rowOf(claudeRows, id);
  const plain = { isThinking: false, maxTokens: Math.min(maxTokens, most), isBound: row?.isBound ?? false };
  if (!row) return plain;
  const { byItself, off } = row;
  const effort = chosen === "off" && off === null ? "default" : chosen;
  if (effort === "off") {
    return off === "disabled" || off === "between_tools" ? { ...plain, thinking: { type: off } } : plain;
  }
  const depth = effort === "default" ? byItself : effort;
  if (depth === null) return plain;
  const wanted = Math.min(maxTokens + thinkingTokens[depth], most);
  const asked = effort !== "default" && row.takesEffort && { effort };
  if (row.thinks === "adaptive") {
    const shown = { type: "adaptive", display: "summarized" } as const;
    return { ...plain, thinking: shown, ...asked, isThinking: true, maxTokens: wanted };
  }
  // At least 1,024, and less than `max_tokens` (“Extended thinking”).
  const budget_tokens = Math.max(1024, wanted - maxTokens);
  const budget = { type: "enabled", budget_tokens, display: "summarized" } as const;
  return { ...plain, thinking: budget, ...asked, isThinking: true, maxTokens: wanted };
}

function claudeEfforts(id: string): EffortSupport {
  const row = rowOf(claudeRows, id);
  if (!row) return unknown;
  return row.off === null ? { taken: thinking, why: "It always thinks." } : { taken: all, why: null };
}

type ChatEffort = "none" | "minimal" | "low" | "medium" | "high";

interface ChatRow extends Row {
  /** What `off` is; null: it cannot stop. */
  off: "none" | "minimal" | null;
  /** OpenAI serves it itself: there it is asked over the Responses API. */
  isOpenAIs: boolean;
}

/** Sources: the reasoning guide and the model pages of the OpenAI documentation, the type `ReasoningEffort` of its SDK. */
const chatRows: readonly ChatRow[] = [
  { ids: ["gpt-5", "gpt-5-mini", "gpt-5-nano"], off: "minimal", isOpenAIs: true },
  {
    ids: ["gpt-5.1", "gpt-5.2", "gpt-5.4", "gpt-5.4-mini", "gpt-5.4-nano", "gpt-5.5"],
    off: "none",
    isOpenAIs: true,
  },
  { ids: ["gpt-5.6", "gpt-5.6-sol", "gpt-5.6-terra", "gpt-5.6-luna"], off: "none", isOpenAIs: true },
  { ids: ["gpt-6-sol", "gpt-6-luna", "gpt-6.1-terra"], off: "none", isOpenAIs: true },
  { ids: ["gpt-6-astra", "gpt-6.1-sol"], off: null, isOpenAIs: true },
  { ids: ["o1", "o3", "o3-mini", "o4-mini"], off: null, isOpenAIs: true },
  // The model card of gpt-oss: low, medium and high.
  {
    ids: ["gpt-oss-20b", "gpt-oss-120b", "gpt-oss:20b", "gpt-oss:120b", "gpt-oss"],
    off: null,
    isOpenAIs: false,
  },
];

/** They answer at once. */
const chatWithout = /^(?:gpt-4|gpt-3|chatgpt-4)/;

export interface ChatServer {
  /** OpenAI's own: it refuses combinations that other servers translate. */
  isOpenAI: boolean;
  /** What it has refused. */
  refused: ReadonlySet<string>;
}

/** Whether OpenAI is asked over its Responses API: only there do its newer models think beside tools. */
export function speaksResponses(id: string, { isOpenAI, refused }: ChatServer): boolean {
  return isOpenAI && (rowOf(chatRows, id)?.isOpenAIs === true || refused.has("reasoning with tools"));
}

/** @returns the effort that is sent; undefined: nothing is */
export function chatEffort(
  id: string,
  chosen: Effort,
  { isOpenAI, refused, hasTools }: ChatServer & { hasTools: boolean },
): ChatEffort | undefined {
  if (refused.has("reasoning_effort")) return undefined;
  const row = rowOf(chatRows, id);
  if (!isOpenAI && refused.has("reasoning with tools") && hasTools) return "none";
  if (chosen === "default" || (!row && (isOpenAI || chatWithout.test(bareName(id))))) return undefined;
  if (chosen !== "off") return chosen;
  // Servers that run models of many makers take `none`, as Ollama and OpenRouter do.
  return row ? (row.off ?? undefined) : "none";
}

/**
 * Tokens of one reply where those of its thinking count among them.
 * @param maxTokens of the reply itself
 * @param most tokens that the model gives in one reply
 */
export function responsesTokens(chosen: Effort, maxTokens: number, most: number): number {
  const depth = chosen === "default" ? "medium" : chosen;
  // The API takes no less.
  return Math.max(16, Math.min(maxTokens + thinkingTokens[depth], most));
}

function chatEfforts(id: string, { isOpenAI, refused }: ChatServer): EffortSupport {
  const row = rowOf(chatRows, id);
  if (refused.has("reasoning_effort")) return { taken: [], why: "Its server refused the setting." };
  if (!isOpenAI && refused.has("reasoning with tools")) return { taken: ["off"], why: onlyWithout };
  if (chatWithout.test(bareName(id))) return { taken: [], why: "It does not think before it answers." };
  if (!row) return isOpenAI ? unknown : { taken: all, why: null, isGuess: true };
  if (row.off === null) return { taken: thinking, why: "It always thinks." };
  return { taken: all, why: null, ...(row.off === "minimal" && { offIsLeast: true }) };
}

const onlyWithout = "Its server lets it use tools only when it does not think.";

interface GeminiRow extends Row {
  /** By a level, or by a number of tokens. */
  by: "level" | "budget";
  /** What `off` is; null: it cannot stop. */
  off: "MINIMAL" | 0 | null;
  hasMedium?: false;
}

/**
 * Sources: the pages “Gemini thinking” and “Gemini 3” of the Gemini documentation, the developer's guide of Gemini 3.8
 * Flash. Budgets are those that its OpenAI compatibility gives for the same words.
 */
const geminiRows: readonly GeminiRow[] = [
  { ids: ["gemini-3-pro"], by: "level", off: null, hasMedium: false },
  { ids: ["gemini-3.1-pro", "gemini-3.7-flash", "gemini-3.8-flash"], by: "level", off: null },
  {
    ids: [
      "gemini-3-flash",
      "gemini-3.1-flash-lite",
      "gemini-3.5-flash",
      "gemini-3.5-flash-lite",
      "gemini-3.6-flash",
    ],
    by: "level",
    off: "MINIMAL",
  },
  { ids: ["gemini-2.5-pro"], by: "budget", off: null },
  { ids: ["gemini-2.5-flash", "gemini-2.5-flash-lite"], by: "budget", off: 0 },
];

const geminiBudgets = { low: 1024, medium: 8192, high: 24_576 } as const;

interface GeminiThinking {
  includeThoughts?: true;
  thinkingLevel?: "MINIMAL" | "LOW" | "MEDIUM" | "HIGH";
  thinkingBudget?: number;
}

/** @returns `thinkingConfig`; undefined: nothing is sent */
export function geminiThinking(id: string, chosen: Effort): GeminiThinking | undefined {
  const row = rowOf(geminiRows, id);
  // Older models answer the wish for thoughts with an error.
  if (!row)
    return /^gemini-(?:2\.5|[3-9]|(?:pro|flash|flash-lite)-latest)/.test(bareName(id))
      ? { includeThoughts: true }
      : undefined;
  const effort = geminiEfforts(id).taken.find((taken) => taken === chosen);
  if (effort === undefined) return { includeThoughts: true };
  // There are no thoughts to ask for.
  if (effort === "off" && row.off === 0) return { thinkingBudget: 0 };
  if (row.by === "budget") {
    return effort === "off" ? undefined : { includeThoughts: true, thinkingBudget: geminiBudgets[effort] };
  }
  return { includeThoughts: true, thinkingLevel: geminiLevels[effort] };
}

/**
 * Tokens of one reply: `maxOutputTokens` covers what is thought and what is said.
 * @param maxTokens of the reply itself
 * @param most tokens that the model gives in one reply
 */
export function geminiTokens(id: string, chosen: Effort, maxTokens: number, most: number): number {
  const thinks = geminiThinking(id, chosen)?.includeThoughts === true;
  const asked = geminiEfforts(id).taken.find((taken) => taken === chosen);
  // By itself it thinks as much as the prompt needs, up to the most.
  const depth = thinks ? (asked ?? "high") : "off";
  return Math.min(maxTokens + thinkingTokens[depth], most);
}

const geminiLevels = { off: "MINIMAL", low: "LOW", medium: "MEDIUM", high: "HIGH" } as const;

function geminiEfforts(id: string): EffortSupport {
  const row = rowOf(geminiRows, id);
  if (!row) return unknown;
  const { off, hasMedium = true } = row;
  const taken = thinking.filter((level) => hasMedium || level !== "medium");
  if (off === null)
    return { taken, why: hasMedium ? "It always thinks." : "It always thinks, a little or a lot." };
  return { taken: all, why: null, ...(off === "MINIMAL" && { offIsLeast: true }) };
}

const unknown: EffortSupport = { taken: [], why: "Parley does not know how to set this for this model." };

/** What the models of a provider take. */
export const effortsOf = { anthropic: claudeEfforts, openai: chatEfforts, gemini: geminiEfforts } as const;
