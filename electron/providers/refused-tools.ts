import { ModelError, type Tool } from "../agent/ports/ports.ts";

/** Tools that an API refuses, and with each of them every request. */
export class RefusedTools {
  readonly #refused = new WeakSet<Tool>();

  /** Those that may be sent. */
  without(tools: readonly Tool[]): readonly Tool[] {
    return tools.filter((tool) => !this.#refused.has(tool));
  }

  /**
   * From now on those that the API names are left out.
   * @param said its words @param tools in the order in which they were sent
   * @returns what the user is told; null: it names none of them
   */
  learn(said: string, tools: readonly Tool[]): string | null {
    const named = namedIn(said, tools);
    if (named.length === 0) return null;
    for (const tool of named) this.#refused.add(tool);
    const isOne = named.length === 1;
    return `The model's server refuses the ${isOne ? "schema of the tool" : "schemas of the tools"} ${namesOf(named)}, so it is asked without ${isOne ? "it" : "them"}.`;
  }
}

/** By address and model: what was learned lasts as long as the program, or the tool. */
const refused = new Map<string, RefusedTools>();

export function refusedTools(baseUrl: string, model: string): RefusedTools {
  const key = `${baseUrl} ${model}`;
  const known = refused.get(key) ?? new RefusedTools();
  refused.set(key, known);
  return known;
}

/** What an API says of a request that it refuses; empty for other errors. */
export const refusalIn = (error: unknown): string =>
  error instanceof ModelError && error.code === "invalid_request" ? error.message : "";

const mostNamed = 3;

export function namesOf(tools: readonly Tool[]): string {
  const names = tools.slice(0, mostNamed).map(({ name }) => name);
  return names.join(", ") + (tools.length > mostNamed ? ` and ${tools.length - mostNamed} more` : "");
}

/** Gemini's `tools[0].function_declarations[3].parameters`: all are in one list. */
const inDeclarations = /function_?declarations(?:\[|\.)(\d+)/gi;
/** Anthropic's `tools.20.custom.input_schema`, `tools[3].function` of OpenAI and Groq, FastAPI's `body.tools.3.function`. */
const inTools = /\btools(?:\[|\.)(\d+)/gi;

/** It is the model's own call that does not fit, not the tool. As Groq says it. */
export const isBadCall = (said: string): boolean =>
  /tool[ _]call validation failed|did not match schema|failed_generation/i.test(said);

function namedIn(said: string, tools: readonly Tool[]): Tool[] {
  if (isBadCall(said)) return [];
  const pattern = /function_?declarations/i.test(said) ? inDeclarations : inTools;
  const placed = new Set([...said.matchAll(pattern)].flatMap(([, place]) => tools[Number(place)] ?? []));
  if (placed.size > 0) return [...placed];
  // OpenAI: "Invalid schema for function 'notes__find': …"
  if (!/schema|parameters|function name/i.test(said)) return [];
  const words = [...said.matchAll(/\b(?:function|tool)s?:? ['"`“]?([\w-]+)/gi)].map(([, word]) => word);
  return tools.filter(({ name }) => words.includes(name));
}
