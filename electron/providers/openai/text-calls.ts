import { z } from "zod";
import { jsonIn } from "../json-in.ts";
import type { ToolSchema } from "../tool-schema.ts";
import { openCode } from "./open-code.ts";
import { pythons, typedValue } from "./typed-value.ts";

/**
 * Calls that a model wrote as text, as small models do, or where a server does not know their form. The whole reply is one, or
 * the reply ends with it, or words follow what closes it. Sources: the chat templates of the models, and the parsers of vLLM and
 * llama.cpp.
 */
export interface TextCall {
  name: string;
  input: unknown;
}

/** By the names of the tools that were offered: what each takes. */
export type Offered = ReadonlyMap<string, ToolSchema>;

/** What stands around calls, each or all, at either end. */
const tags = [
  ...["tool_call", "tool_calls", "tools", "function_calls", "minimax:tool_call", "seed:tool_call"],
  ...["|DSML|function_calls", "|DSML|tool_calls"].flatMap(withOwnBars),
];
const openings = [
  ...tags.map((tag) => `<${tag}>`),
  ...["<|tool_call|>", "<|tool_call>", "<|tool_calls|>", "<|tool_call_start|>", "<|python_tag|>"],
  ...["<|tool_calls_section_begin|>", "<|tool_call_begin|>", "[TOOL_CALLS]"],
  ...["<|channel|>commentary to=", "<|start|>assistant<|channel|>commentary to="],
  ...["<|tool▁calls▁begin|>", "<|tool▁call▁begin|>"].flatMap(withOwnBars),
];
const closings = [
  ...tags.map((tag) => `</${tag}>`),
  ...["</function>", "</invoke>", ...withOwnBars("</|DSML|invoke>")],
  ...["<|/tool_call|>", "</|tool_call|>", "<tool_call|>", "<|/tool_calls|>", "<|tool_call_end|>"],
  ...["<|tool_calls_section_end|>", "<|call|>"],
  // Where the whole reply ends, of a server that leaves it there.
  ...["<|im_end|>", "<|eom_id|>", "<|eot_id|>", "<|end|>", "</s>"],
  ...["<|tool▁call▁end|>", "<|tool▁calls▁end|>"].flatMap(withOwnBars),
];
/** How a call that is no JSON begins. */
const heads = ["<function=", "<function name=", "<invoke name=", ...withOwnBars("<|DSML|invoke name=")];
/** All that calls begin with, but JSON. */
export const callMarks: readonly string[] = [...openings, ...heads];

/** DeepSeek's bars are wide ones; who writes of them, and some servers, make them plain. */
function withOwnBars(mark: string): string[] {
  return [mark, mark.replaceAll("|", "｜")];
}

export const anyOf = (marks: readonly string[]): string =>
  marks.map((mark) => mark.replaceAll(/[|[\]]/g, "\\$&")).join("|");

/** How the JSON of a call begins, without its spaces. */
const jsonHeads = [
  ...['{"name":', '{"function":', '{"type":"function"', '{"arguments":', '{"parameters":', '{"id":'],
  ...['{"index":', '{"tool_calls":', '{"role":"assistant"'],
];
const longestHead = Math.max(...jsonHeads.map(({ length }) => length));

/** So Phi marks its list. */
const listMark = "functools";

const firstMarks = new RegExp(`^(?:\\s|${anyOf(openings)})+`);
const namedHead = new RegExp(`^(?:${anyOf(heads)})"?`);

/** Whether calls may come of a text that begins so. Once it is not so it never is, whatever follows. */
export function mayBecomeCalls(text: string, offered: Offered): boolean {
  const start = text.trimStart();
  if (/^`{0,3}$|^```[\w-]*\s*$/.test(start)) return true;
  const unfenced = start.replace(/^```[\w-]*\s*/, "");
  const inside = unfenced.replace(firstMarks, "");
  if ([...callMarks, `${listMark}[`].some((mark) => mark.startsWith(inside))) return true;
  const named = inside.replace(namedHead, "");
  if (inside !== unfenced || named !== inside) return named === "" || mayBeCall(named, offered);
  return mayBeJson(inside.startsWith(`${listMark}[`) ? inside.slice(listMark.length) : inside, offered);
}

function mayBeCall(text: string, offered: Offered): boolean {
  const name = text.replace(functionMark, "").replace(/^functions\./, "");
  if (name === "") return true;
  const [begun] = /^[\w.-]*/.exec(name) ?? [""];
  if (begun === "") return mayBeJson(text, offered);
  return [...offered.keys(), "functions."].some((name) => name.startsWith(begun) || begun.startsWith(name));
}

/** So DeepSeek says what kind of call it is. */
const functionMark = /^function<[|｜]tool▁sep[|｜]>/;

function mayBeJson(text: string, offered: Offered): boolean {
  const [, called] = /^\[\s*([\w.-]+)/.exec(text) ?? [];
  if (called !== undefined) return mayBeCall(called, offered);
  const begun = text.slice(0, 200).replace(/\s/g, "").replace(/^\[/, "").slice(0, longestHead);
  return jsonHeads.some((head) => head.startsWith(begun) || begun.startsWith(head));
}

const args = z.union([
  z.record(z.string(), z.unknown()),
  z.string().transform(jsonIn).pipe(z.record(z.string(), z.unknown())),
]);
const about = {
  type: z.literal("function").optional(),
  id: z.string().optional(),
  index: z.number().optional(),
};
const plain = z.strictObject({
  ...about,
  name: z.string(),
  arguments: args.nullish(),
  parameters: args.nullish(),
  input: args.nullish(),
});
const wrapped = z.strictObject({ ...about, function: plain });
const written = z.union([plain, wrapped.transform(({ function: called }) => called)]);
/** A message as the API has it. */
const message = z.strictObject({
  role: z.literal("assistant").optional(),
  content: z.union([z.null(), z.literal("")]).optional(),
  tool_calls: z.array(z.unknown()),
});

export interface TextCalls {
  calls: TextCall[];
  /** What was said behind and between them. */
  words: string;
}

/**
 * @param mayGoOn words behind what closes a call are no sign that the text only speaks of it
 * @returns null where the text is none, or names a tool that was not offered
 */
export function callsInText(text: string, offered: Offered, mayGoOn: boolean): TextCalls | null {
  const begun = text.trim();
  const [fence = ""] = /^```[\w-]*\s*/.exec(begun) ?? [];
  const end = fence !== "" && begun.endsWith("```") ? -3 : undefined;
  const reader = new CallReader(begun.slice(fence.length, end), offered);
  return reader.read(mayGoOn && fence === "");
}

const openingAt = new RegExp(anyOf(openings), "y");
const closingAt = new RegExp(anyOf(closings), "y");
const markAfter = new RegExp(anyOf(callMarks), "g");
const dsml = "(?:[|｜]DSML[|｜])?";
const functionAt = new RegExp(`<${dsml}(?:function|invoke)(=| name=)"?([\\w.:-]{1,128})"?>`, "y");
const parameterAt = new RegExp(
  `<${dsml}parameter(=| name=)"?([^"<>\\n]{1,200})"?(?: string="(?:true|false)")?>`,
  "y",
);
/** A value may speak of the tag that ends it: what stands behind decides. */
const parameterEnd = new RegExp(
  `</${dsml}parameter>\\s*(?=<${dsml}parameter|</${dsml}(?:function|invoke)>)`,
  "g",
);
/** Behind a call: what ended a value stood within it, and there is more of it. */
const ofValue = new RegExp(`</(?:${dsml}(?:parameter|function|invoke)|arg_value|tool_call)>`);
const argEnd = /<\/arg_value>\s*(?=<arg_key>|<\/tool_call>)/g;
/** Between a name and its arguments. */
const betweenAt =
  /\s+|\[ARGS\]|\[CALL_ID\]\w{1,64}|<\|tool_call_argument_begin\|>|<[|｜]tool▁sep[|｜]>|```(?:json)?|<\|constrain\|>|json(?=<\|message\|>)|<\|message\|>/y;

const pythonToken =
  /([A-Za-z_]\w{0,127})\s?=|(True|False|None)\b|"[^"\\]*(?:\\[\s\S][^"\\]*)*"|'[^'\\]*(?:\\[\s\S][^'\\]*)*'|-?\d[\d.eE+-]{0,30}|\s+|[[\]{}(),:]/y;

/** A text of Python as one of JSON. */
const jsonText = (token: string): string =>
  `"${token.slice(1, -1).replaceAll(/["\n\t\r]|\\(?:x[\da-fA-F]{2}|[\s\S])/g, jsonSign)}"`;

function jsonSign(sign: string): string {
  if (sign.startsWith("\\x")) return sign.length === 4 ? `\\u00${sign.slice(2)}` : `\\${sign}`;
  // A backslash before what it does not change is one.
  return textSigns.get(sign) ?? (/^\\[^"\\bfnrtu]/.test(sign) ? `\\${sign}` : sign);
}

const textSigns: ReadonlyMap<string, string> = new Map([
  ["\\'", "'"],
  ["\\\n", ""],
  ['"', '\\"'],
  ["\n", "\\n"],
  ["\t", "\\t"],
  ["\r", "\\r"],
]);

/** Reads it once, from its beginning to its end. */
class CallReader {
  readonly #text: string;
  readonly #offered: Offered;
  #at = 0;

  constructor(text: string, offered: Offered) {
    this.#text = text;
    this.#offered = offered;
  }

  read(mayGoOn: boolean): TextCalls | null {
    const calls: TextCall[] = [];
    const words: string[] = [];
    let isMarked = false;
    let isClosed = false;
    while (this.#at < this.#text.length) {
      if (this.#take(isClosed ? /\s+/y : /[\s;,]+|```\w*/y)) continue;
      if (this.#take(openingAt)) {
        isMarked = true;
        isClosed = false;
      } else if (this.#take(closingAt)) {
        isMarked = false;
        isClosed = calls.length > 0;
      } else {
        const start = this.#at;
        const found =
          this.#tagged() ??
          (isClosed ? null : (this.#pythonic() ?? this.#json(isMarked))) ??
          (isMarked ? this.#named() : null);
        if (found) {
          calls.push(...found);
          isClosed = false;
        } else {
          this.#at = start;
          const said = isClosed && mayGoOn ? this.#words() : "";
          if (said === "") return null;
          words.push(said);
        }
      }
    }
    return calls.length > 0 ? { calls, words: words.join("\n\n") } : null;
  }

  #take(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text);
    if (found) this.#at += found[0].length;
    return found;
  }

  /** @returns what stands before the next of these, which is passed over; null where there is none */
  #until(pattern: RegExp): string | null {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text);
    if (!found) return null;
    const before = this.#text.slice(this.#at, found.index);
    this.#at = found.index + found[0].length;
    return before;
  }

  /** Up to what begins more calls; empty where it only speaks of them, or belongs to one. */
  #words(): string {
    markAfter.lastIndex = this.#at;
    const end = markAfter.exec(this.#text)?.index ?? this.#text.length;
    const said = this.#text.slice(this.#at, end);
    this.#at = end;
    const isSpokenOf = end < this.#text.length && !/\n\s*$/.test(said.slice(-100));
    return isSpokenOf || openCode(said) !== "" || ofValue.test(said) ? "" : said.trimEnd();
  }

  /** @param isMarked what names a tool is a call of it, though nothing is given */
  #json(isMarked: boolean): TextCall[] | null {
    if (this.#text.startsWith(`${listMark}[`, this.#at)) this.#at += listMark.length;
    const calls = [this.#value()].flat().flatMap((one) => message.safeParse(one).data?.tool_calls ?? [one]);
    const made = calls.flatMap((one): TextCall[] => {
      const call = written.safeParse(one).data;
      const input = call?.arguments ?? call?.parameters ?? call?.input ?? (isMarked ? {} : undefined);
      const name = this.#own(call?.name);
      return name !== undefined && input !== undefined ? [{ name, input }] : [];
    });
    return made.length > 0 && made.length === calls.length ? made : null;
  }

  /** `<function=name>` and what it takes, in tags or as JSON. */
  #tagged(): TextCall[] | null {
    const name = this.#own(this.#take(functionAt)?.[2]);
    if (name === undefined) return null;
    this.#take(/\s+/y);
    if (this.#text[this.#at] === "{") return callOf(name, this.#value());
    const input: [string, unknown][] = [];
    for (let given = this.#take(parameterAt); given; given = this.#take(parameterAt)) {
      const [, sign, key = ""] = given;
      const value = this.#until(parameterEnd);
      if (value === null) return null;
      // Qwen's stands in lines of its own.
      const own = sign === "=" ? value.replace(/^\n/, "").replace(/\n$/, "") : value;
      input.push([key, this.#typed(name, key, own)]);
    }
    closingAt.lastIndex = this.#at;
    return closingAt.test(this.#text) ? callOf(name, Object.fromEntries(input)) : null;
  }

  /** A name behind a mark, with JSON or GLM's keys and values. */
  #named(): TextCall[] | null {
    this.#take(/function(?=<[|｜]tool▁sep[|｜]>)/y);
    this.#take(/<[|｜]tool▁sep[|｜]>/y);
    const name = this.#own(this.#take(/([\w.-]{1,128})(?::\d+)?/y)?.[1]);
    if (name === undefined) return null;
    while (this.#take(betweenAt));
    if (this.#text[this.#at] === "{") return callOf(name, this.#value());
    const input: [string, unknown][] = [];
    while (this.#take(/<arg_key>/y)) {
      const key = this.#until(/<\/arg_key>\s*<arg_value>/g);
      const value = key === null ? null : this.#until(argEnd);
      if (key === null || value === null) return null;
      input.push([key.trim(), this.#typed(name, key.trim(), value)]);
    }
    return this.#text.startsWith("</tool_call>", this.#at) ? callOf(name, Object.fromEntries(input)) : null;
  }

  /** `[name(key="value"), …]`, as Llama 4 and LFM2 call. */
  #pythonic(): TextCall[] | null {
    const start = this.#at;
    const calls: TextCall[] = [];
    for (let next = this.#take(/\[\s*/y); next; next = this.#take(/\s*,\s*/y)) {
      const name = this.#own(this.#take(/([\w.-]{1,128})\(/y)?.[1]);
      const input = name === undefined ? undefined : jsonIn(`{${this.#keywords()}}`);
      const made = name === undefined ? null : callOf(name, input);
      if (!made) break;
      calls.push(...made);
    }
    if (calls.length > 0 && this.#take(/\s*\]/y)) return calls;
    this.#at = start;
    return null;
  }

  /** What stands up to the bracket that closes, as JSON; it is none where that is not reached. */
  #keywords(): string {
    const parts: string[] = [];
    for (let depth = 1; depth > 0; ) {
      const [token, key, word] = this.#take(pythonToken) ?? [];
      if (token === undefined) return "}";
      if (/[([{]/.test(token[0] ?? "")) depth++;
      if (/[)\]}]/.test(token[0] ?? "")) depth--;
      if (key !== undefined) parts.push(`${JSON.stringify(key)}:`);
      else if (word !== undefined) parts.push(JSON.stringify(pythons.get(word)));
      else if (/["']/.test(token[0] ?? "")) parts.push(jsonText(token));
      else if (depth > 0) parts.push(token);
    }
    return parts.join("");
  }

  /** The JSON that begins here; undefined: none does. */
  #value(): unknown {
    const end = jsonEnd(this.#text, this.#at);
    const json = jsonIn(this.#text.slice(this.#at, end));
    if (json !== undefined) this.#at = end;
    return json;
  }

  /** A tool's name as it was offered. */
  #own(name: string | undefined): string | undefined {
    if (name === undefined || this.#offered.has(name)) return name;
    const bare = name.replace(/^functions\./, "").replace(/:\d+$/, "");
    return this.#offered.has(bare) ? bare : undefined;
  }

  #typed(tool: string, key: string, value: string): unknown {
    const properties = this.#offered.get(tool)?.properties;
    const known = z.record(z.string(), z.unknown()).safeParse(properties).data ?? {};
    return typedValue(value, Object.hasOwn(known, key) ? known[key] : undefined);
  }
}

const callOf = (name: string, input: unknown): TextCall[] | null =>
  typeof input === "object" && input !== null ? [{ name, input }] : null;

/** Where a list or an object ends that begins at `start`; `start` itself where it does not. */
function jsonEnd(text: string, start: number): number {
  let depth = 0;
  let isText = false;
  for (let at = start; at < text.length; at++) {
    const sign = text[at];
    if (isText) {
      if (sign === "\\") at++;
      else if (sign === '"') isText = false;
    } else if (sign === '"') isText = true;
    else if (sign === "{" || sign === "[") depth++;
    else if (sign === "}" || sign === "]") depth--;
    if (depth <= 0) return depth === 0 && at > start ? at + 1 : start;
  }
  return start;
}
