import type { ToolResultBlock, ToolUseBlock } from "../../../shared/conversation/messages.ts";
import type { WhyOffline } from "../../../shared/ipc/model-routes.ts";

/** What the offline assistant says. Everything here is plain about what it is: patterns, not a model. */

export const helpText = (
  why: WhyOffline,
): string => `I am Parley's offline assistant: a few fixed patterns, not a language model. Typed or spoken, I understand:

- “What time is it?”, “what is the date?”
- Arithmetic: “what is twelve times nine”, “calculate (3 + 4) * 5”
- “List the files in docs”, “read README.md”
- “Search for TODO in the files”, “find files named *.md”
- “Run \`date\`”, typed with the backticks: what changes something asks you first
- “New conversation”, “stop listening”
- “What can you do?”

Several at once work, too: “what time is it and list the files”.

${whatToAdd[why]}`;

export const greetingText = `Hello. I am Parley's offline assistant, not a language model. Ask “what can you do?” for what I understand.`;

/** @param rest the parts that were not understood; never empty */
export function notUnderstood(rest: readonly string[], why: WhyOffline): string {
  return `I did not understand ${rest.map((part) => `“${shortened(part)}”`).join(" or ")}. I am an offline assistant, not a language model, and know only a few fixed requests; “what can you do?” lists them.

${whatToAdd[why]}`;
}

export function notOffered(tools: readonly string[]): string {
  return `Not available for this prompt: ${tools.map((name) => `\`${name}\``).join(", ")}.`;
}

const whatToAdd: Readonly<Record<WhyOffline, string>> = {
  no_key:
    "**No model is configured.** Type `/key set anthropic` (or `openai`, `gemini`) and paste your API key into the form that opens: the model answers your next prompt. Or start a local model server, such as Ollama: Parley finds it and asks whether to use it.",
  chosen:
    "**The settings want no model:** `provider` is offline. Set it to auto, or choose a model in the menu above the conversation; if you have given no key yet, type `/key set anthropic` (or `openai`, `gemini`).",
  locked:
    "**The key of your model cannot be opened.** The system's key store is locked, or differs from what sealed it. Unlock it and start Parley again, or type `/key set anthropic` (or `openai`, `gemini`) and paste the key once more.",
};

/** One tool's result, as a sentence or a block of Markdown. */
export function answerTo(call: ToolUseBlock, result: ToolResultBlock): string {
  const text = result.content;
  if (result.is_error) return `That did not work: ${text}`;
  switch (call.name) {
    case "current_time":
      return `It is ${text}.`;
    case "calculate":
      return `${text.replaceAll("*", "×").replaceAll("/", "÷")}.`;
    case "list_directory":
      return listed(pathIn(call.input), text);
    case "read_file":
      return quoted(pathIn(call.input), text);
    case "grep":
    case "glob":
    case "shell":
      return fenced(text);
    default:
      return text;
  }
}

function listed(path: string, text: string): string {
  const where = path === "." ? "the working folder" : `\`${path}\``;
  if (text.endsWith(" is empty.")) return `${path === "." ? "The working folder" : where} is empty.`;
  const items = text.split("\n").map((line) => {
    const [, name = line, size = ""] = /^(.*?)( \((?:[\d,]+ bytes|link)\))?$/.exec(line) ?? [];
    return line.startsWith("(") || line === "..." || line.startsWith("[") ? line : `- \`${name}\`${size}`;
  });
  return `In ${where}:\n\n${items.join("\n")}`;
}

function quoted(path: string, text: string): string {
  if (text.endsWith(" is empty.")) return `\`${path}\` is empty.`;
  const lines = text.split("\n").map((line) => line.replace(/^ *\d+→/, ""));
  return `\`${path}\`:\n\n${fenced(lines.join("\n"))}`;
}

/** As it is, whatever it holds: longer than any fence in it, so that it cannot end the block. */
function fenced(text: string): string {
  const longest = Math.max(2, ...(text.match(/`{3,}/g) ?? []).map((fence) => fence.length));
  const fence = "`".repeat(longest + 1);
  return `${fence}\n${text}\n${fence}`;
}

function pathIn(input: unknown): string {
  return typeof input === "object" && input !== null && "path" in input ? String(input.path) : ".";
}

function shortened(text: string): string {
  const line = text.replaceAll(/\s+/g, " ");
  return line.length <= 80 ? line : `${line.slice(0, 79)}…`;
}
