import { withoutTagLines } from "../../../shared/conversation/data-marks.ts";
import { inlineMarkdown } from "../../../shared/conversation/inline-markdown.ts";
import { isAboutMeeting, type MeetingLine, type MeetingRange } from "../../../shared/conversation/meeting.ts";
import {
  type ContentBlock,
  type Message,
  type ToolResultBlock,
  textOf,
} from "../../../shared/conversation/messages.ts";
import { localDay, localTime, localZone } from "../../../shared/local-time.ts";
import type { SessionRecord } from "../../agent/ports/session-store.ts";

/** Of a long output the beginning is enough to read; the JSON export has all of it. UTF-16 units. */
const maxOutputChars = 4000;

/** The path that counts, to be read by people. @param messages oldest first @param lines of its meetings, oldest first */
export function sessionMarkdown(
  session: SessionRecord,
  messages: readonly Message[],
  lines: readonly MeetingLine[] = [],
): string {
  const results = new Map(
    messages.flatMap(({ content }) =>
      content.flatMap((block) => (block.type === "tool_result" ? [[block.tool_use_id, block] as const] : [])),
    ),
  );
  const { title, createdAt, model, workingFolder } = session;
  const about = `${dateOf(createdAt)} (${localZone(createdAt)}) · ${model} · \`${workingFolder}\``;
  const waiting = [...lines];
  const parts = messages.flatMap((message, place) => {
    const later = isPrompt(message) ? waiting.findIndex(({ at }) => at > message.createdAt) : 0;
    const heard = waiting.splice(0, later < 0 ? waiting.length : later);
    return [...meetingPart(heard), ...partsOf(message, messages[place - 1], results)];
  });
  return `${[`# ${inlineMarkdown(title)}`, about, ...parts, ...meetingPart(waiting)].join("\n\n")}\n`;
}

const isPrompt = ({ role, origin }: Message) => role === "user" && origin !== "tool" && origin !== "system";

/** The prompts about one meeting, and what came of them. @param messages oldest first */
export function aboutMeeting(messages: readonly Message[], range: MeetingRange): Message[] {
  let isAbout = false;
  return messages.filter((message) => {
    if (isPrompt(message)) {
      const brought = message.content.find((block) => block.type === "text" && block.meeting);
      const upTo = brought?.type === "text" ? brought.meeting?.at(-1)?.at : undefined;
      isAbout = isAboutMeeting({ at: message.createdAt, upTo }, range);
    }
    return isAbout;
  });
}

const whoSaid = { me: "Me", them: "Them", note: "Note" };

/** What was heard, with its times. */
function meetingPart(lines: readonly MeetingLine[]): string[] {
  if (lines.length === 0) return [];
  const said = lines.map(
    ({ who, text, at }) => `- ${dateOf(at)} **${whoSaid[who]}:** ${inlineMarkdown(text)}`,
  );
  return ["## Meeting", said.join("\n")];
}

function partsOf(
  message: Message,
  before: Message | undefined,
  results: ReadonlyMap<string, ToolResultBlock>,
): string[] {
  const text = textOf(message.content).trim();
  if (message.role === "assistant") {
    const calls = message.content.flatMap((block) => callOf(block, results));
    // The reply goes on after its calls under the same heading.
    const heading = before?.origin === "tool" || before?.role === "assistant" ? [] : ["## Parley"];
    const cut = message.interrupted ? ["*This reply is incomplete.*"] : [];
    return [...heading, ...(text === "" ? [] : [text]), ...cut, ...calls];
  }
  if (message.origin === "summary") return [folded("Summary of what came before", text)];
  if (message.origin === "tool" || message.origin === "system") return [];
  return [`## You${hearing(message)}`, text, ...firstHeard(message)];
}

/** Where a model mended what was heard. */
function firstHeard({ content }: Message): string[] {
  const heard = content.flatMap((block) => (block.type === "text" ? (block.repair?.heard ?? []) : []));
  return heard.map((words) => `*Heard: ${inlineMarkdown(words)}*`);
}

function hearing({ origin, source }: Message): string {
  if (origin === "steering") return ", meanwhile";
  if (origin !== "voice") return "";
  return source === "loopback" ? " (overheard)" : " (spoken)";
}

function callOf(block: ContentBlock, results: ReadonlyMap<string, ToolResultBlock>): string[] {
  if (block.type !== "tool_use") return [];
  const result = results.get(block.id);
  const input = fenced(JSON.stringify(block.input, null, 2) ?? "{}", "json");
  const output = result ? fenced(cut(withoutTagLines(result.content)), "") : "*Interrupted.*";
  return [folded(`${block.name}${result?.is_error ? " (failed)" : ""}`, `${input}\n\n${output}`)];
}

const folded = (summary: string, body: string) =>
  `<details><summary>${escaped(oneLine(summary))}</summary>\n\n${body}\n\n</details>`;

/** A fence is longer than any that the text has. */
function fenced(text: string, language: string): string {
  const longest = Math.max(0, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  const fence = "`".repeat(Math.max(3, longest + 1));
  return `${fence}${language}\n${text}\n${fence}`;
}

function cut(text: string): string {
  if (text.length <= maxOutputChars) return text;
  return `${text.slice(0, maxOutputChars)}\n[… ${text.length - maxOutputChars} more characters]`;
}

/** Within HTML. */
const escaped = (text: string) =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
const oneLine = (text: string) => text.replaceAll(/\s+/g, " ").trim();
/** By the clock of this computer, as the window shows it and the model is told it. */
const dateOf = (at: number) => `${localDay(at)} ${localTime(at)}`;
