import { toExpression } from "./spoken-arithmetic.ts";

/** One thing that the offline assistant can do. */
export type OfflineRequest =
  | { kind: "tool"; tool: string; input: Record<string, string> }
  | { kind: "help" }
  | { kind: "greeting" };

export interface Understood {
  requests: OfflineRequest[];
  /** The parts of the prompt that were not understood. */
  rest: string[];
}

/**
 * What a prompt asks for, typed or spoken, several requests in one included: "what time is it and list the files in
 * docs". Deterministic: patterns, no model.
 */
export function understand(prompt: string): Understood {
  const understood: Understood = { requests: [], rest: [] };
  const parts = splitAtJoints(prompt);
  for (let from = 0; from < parts.length; ) {
    // The longest stretch that makes sense as one: "one hundred and five times two" holds an "and", too.
    let to = Math.min(parts.length, from + 8);
    let request: OfflineRequest | null = null;
    for (; to > from; to--) {
      request = recognise(stretch(prompt, parts, from, to));
      if (request) break;
    }
    if (request) understood.requests.push(request);
    else {
      to = from + 1;
      const part = stretch(prompt, parts, from, to).trim();
      if (withoutPoliteness(part) !== "") understood.rest.push(part);
    }
    from = to;
  }
  return understood;
}

interface Part {
  start: number;
  end: number;
}

const joint = /\s*(?:[.;!?]+(?=\s|$)|\n+|,?\s+(?:and then|and also|and|then|also)(?=\s)|,(?=\s))\s*/gi;

function splitAtJoints(text: string): Part[] {
  const parts: Part[] = [];
  let start = 0;
  for (const match of text.matchAll(joint)) {
    parts.push({ start, end: match.index });
    start = match.index + match[0].length;
  }
  parts.push({ start, end: text.length });
  return parts.filter((part) => part.end > part.start);
}

function stretch(text: string, parts: readonly Part[], from: number, to: number): string {
  return text.slice(parts[from]?.start, parts[to - 1]?.end);
}

function recognise(stretchOfText: string): OfflineRequest | null {
  const text = withoutPoliteness(stretchOfText);
  const plain = text.toLowerCase().replaceAll("’", "'");
  for (const { pattern, request } of fixed) if (pattern.test(plain)) return request;
  return (
    recogniseCommand(text) ??
    recogniseSearch(text) ??
    recogniseSum(plain) ??
    recogniseList(text) ??
    recogniseRead(text)
  );
}

const tool = (name: string, input: Record<string, string> = {}): OfflineRequest => ({
  kind: "tool",
  tool: name,
  input,
});

const now = "(?: right now| now| today| please)*";
const day = "(?:current )?(?:time|date|day|weekday)(?: of day)?(?: (?:and|or) (?:the )?(?:time|date|day))?";
const fixed: readonly { pattern: RegExp; request: OfflineRequest }[] = [
  {
    pattern: new RegExp(
      `^(?:(?:what(?:'s|s| is)? )?(?:the |today's )?${day}(?: is it| it is| is today)?|what is today|what's today)${now}$`,
    ),
    request: tool("current_time"),
  },
  {
    pattern:
      /^(?:(?:start|open|begin|create|make)(?: me)? )?(?:a )?(?:new|fresh) (?:session|conversation|chat)$/,
    request: tool("new_session"),
  },
  {
    pattern:
      /^(?:(?:stop|quit|end) listening(?: to me)?(?: now)?|(?:turn|switch) (?:off the mic(?:rophone)?|the mic(?:rophone)? off))$/,
    request: tool("stop_listening"),
  },
  {
    pattern:
      /^(?:help(?: me)?|what can (?:you|i) (?:do|say|ask)(?: for me| you)?|what (?:do you|can you) understand|(?:who|what) are you)$/,
    request: { kind: "help" },
  },
  {
    pattern: /^(?:hello|hi|hey|good (?:morning|afternoon|evening)|thank you|thanks)(?: there| parley)?$/,
    request: { kind: "greeting" },
  },
];

function recogniseSum(plain: string): OfflineRequest | null {
  const asked = plain.replace(
    /^(?:what(?:'s|s| is| are)|how much (?:is|are)|calculate|compute|work out|evaluate) /,
    "",
  );
  const expression = toExpression(asked);
  return expression ? tool("calculate", { expression }) : null;
}

/** Only what stands in quotes or backticks is run: a sentence is no command. */
function recogniseCommand(text: string): OfflineRequest | null {
  const match = /^(?:run|execute)(?: the)?(?: command)? ["'`“‘](?<command>[^"'`“”‘’]+|[^`]+)["'`”’]$/i.exec(
    text,
  );
  const command = match?.groups?.command?.trim();
  return command ? tool("shell", { command }) : null;
}

const searching =
  /^(?:search|look|grep) (?:for )?(?<words>.+?) (?:in|inside|through) (?:all |the |my |these )*(?:files?|folders?|working folder|(?:folder|directory) (?<folder>\S+)|(?<path>\S*[./\\]\S*))$/i;
const finding =
  /^(?:find|show(?: me)?|list)(?: all)?(?: the)? files (?:named|called|like|matching) (?<pattern>\S+)$/i;

/** "search for TODO in the files", "find files named *.md". */
function recogniseSearch(text: string): OfflineRequest | null {
  const found = finding.exec(text);
  const name = unquoted(found?.groups?.pattern ?? "");
  // A name alone is meant wherever it is.
  if (name) return tool("glob", { pattern: /[/\\]/.test(name) ? name : `**/${name}` });
  const { words = "", folder, path = folder } = searching.exec(text)?.groups ?? {};
  const wanted = unquoted(words);
  if (wanted === "") return null;
  // Said as words, not as a regular expression.
  const pattern = wanted.replaceAll(/[\\^$.*+?()[\]{}|]/g, "\\$&");
  return tool("grep", { pattern, ...(path && { path }) });
}

const unquoted = (words: string) => words.trim().replace(/^["'`“‘](.*)["'`”’]$/, "$1");

const listing =
  /^(?:(?:list|show(?: me)?|display)(?: all)?(?: of)?(?: the| my)? (?:files|folders|contents?|directory|folder|directories)(?: and (?:the )?(?:files|folders|directories))?|what are the files|(?:what|which) files (?:are|do you see)(?: there)?|what(?:'s| is)(?= (?:in|inside) (?:the |my |this )?(?:\S+ )?(?:folder|directory)$)|ls|dir)(?: (?:in|of|inside|from|under|at))?(?: (?<path>.+))?$/i;

function recogniseList(text: string): OfflineRequest | null {
  const match = listing.exec(text);
  if (!match) return null;
  const words = (match.groups?.path ?? "").replace(/^(?:in|inside) /i, "");
  const path = pathOf(
    words
      .replace(/^(?:the |my |this )*(?:(?:folder|directory) )?/i, "")
      .replace(/ ?(?:folder|directory)$/i, ""),
  );
  return path === null ? null : tool("list_directory", { path: here.test(path) ? "." : path });
}

const here = /^(?:\.?|here|there|current|working|this|the|folder|directory)$/i;

const reading =
  /^(?:(?:read|open|cat)(?: me)?(?: out)?(?: the)?(?: (?<file>file))?|(?:show(?: me)?|display|print|what(?:'s| is) in)(?: the)?(?: (?<shown>file))?) (?<path>.+?)(?: (?:out|aloud|to me|for me))?(?: file)?$/i;

function recogniseRead(text: string): OfflineRequest | null {
  // A recogniser hears README as two words.
  const match = reading.exec(text.replace(/^(?:read )?read me (?=dot )/i, "read readme "));
  const path = pathOf(match?.groups?.path ?? "");
  if (!match || !path) return null;
  // "show me the way" is no file: these verbs need a name that looks like one.
  const sure = /^(?:read|cat)\b/i.test(text) || match.groups?.file || match.groups?.shown;
  return sure || /[./\\]\w/.test(path) ? tool("read_file", { path }) : null;
}

/** Also as it is spoken: "notes dot t x t", "docs slash plan dot md". @returns null where it is several things */
function pathOf(words: string): string | null {
  const quoted = /^["'`“‘](?<path>[^"'`”’]+)["'`”’]$/.exec(words.trim());
  if (quoted?.groups?.path) return quoted.groups.path;
  if (/["`“”]|\b(?:and|then|also)\b/i.test(words)) return null;
  if (!/ (?:dot|slash|underscore|dash|hyphen) /i.test(` ${words} `)) return words.trim();
  return ` ${words} `
    .replaceAll(
      / ?\b(dot|slash|underscore|dash|hyphen)\b ?/gi,
      (_, word: string) => spokenSigns[word.toLowerCase()] ?? "",
    )
    .trim()
    .replace(/\.((?:\w )+\w)$/, (_, letters: string) => `.${letters.replaceAll(" ", "")}`);
}

const spokenSigns: Readonly<Record<string, string>> = {
  dot: ".",
  slash: "/",
  underscore: "_",
  dash: "-",
  hyphen: "-",
};

function withoutPoliteness(text: string): string {
  return text
    .trim()
    .replace(/[.?!,;\s]+$/, (end) =>
      end.trim() === "." && /(?:^|\s)\.?$/.test(text.trim().slice(0, -1)) ? end : "",
    )
    .replace(politeStart, "")
    .replace(/ (?:please|for me|thanks|thank you)$/i, "")
    .trim();
}

const politeStart =
  /^(?:(?:hey|okay|ok|so|well|now|parley|please|and|then|also|just|tell me|let me know|(?:can|could|would|will) you(?! do| understand)|i want you to|i would like you to)[, ]+)+/i;
