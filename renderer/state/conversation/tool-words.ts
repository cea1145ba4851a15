import { withoutTagLines } from "../../../shared/conversation/data-marks.ts";
import { taskTool } from "../../../shared/conversation/tasks.ts";
import type { ApprovalItem, ToolItem } from "../../../shared/conversation/transcript-items.ts";
import { grouped } from "../../../shared/grouped.ts";
import type { IconName } from "../../components/ui/Icon.tsx";
import { texts } from "../../texts/texts.ts";
import { oneLine, toolSummary } from "./tool-summary.ts";

const t = texts.transcript.tool;

/** A call as its line says it: what happened, to which thing, with which result. */
interface ToolWords {
  icon: IconName;
  said: string;
  thing: string;
  /** null where there is nothing to say of it. */
  result: string | null;
}

/** @param approvals what the user was asked about it: a server's tool has its own name there */
export function toolWords(item: ToolItem, approvals: readonly ApprovalItem[] = []): ToolWords {
  const { name, input, status } = item;
  const isRunning = status === "running";
  const icon = icons[name] ?? (isServers(name) ? "plug" : "terminal");
  const thing = wordless.has(name) ? "" : toolSummary(input);
  const result = isRunning ? null : resultOf(item);
  const pair = saidOf(name);
  if (pair) return { icon, said: pair[isRunning ? 0 : 1], thing, result };
  const wish = approvals.find((one) => one.wish?.tool !== undefined)?.wish;
  const [server, tool] = wish?.tool === undefined ? parts(name) : [wish.who, wish.tool];
  if (server === null) return { icon, said: isRunning ? t.usingTool(tool) : t.usedTool(tool), thing, result };
  return { icon, said: isRunning ? t.using(tool, server) : t.used(tool, server), thing, result };
}

const saidTable: Readonly<Record<string, readonly string[]>> = t.said;
function saidOf(name: string): readonly [string, string] | null {
  const [doing, done] = Object.hasOwn(saidTable, name) ? (saidTable[name] ?? []) : [];
  return doing === undefined || done === undefined ? null : [doing, done];
}

/** `server__tool`, as a server's tool is called for the model; other names are their own. */
function parts(name: string): [server: string | null, tool: string] {
  const at = name.indexOf("__");
  return at < 1 ? [null, name] : [name.slice(0, at), name.slice(at + 2)];
}
const isServers = (name: string) => parts(name)[0] !== null;

/** Their input says nothing to people. */
const wordless: ReadonlySet<string> = new Set(["current_time", "read_tool_output", "stop_listening"]);

const icons: Readonly<Record<string, IconName>> = {
  read_file: "file",
  read_many_files: "file",
  read_tool_output: "file",
  list_directory: "list",
  glob: "search",
  grep: "search",
  shell: "terminal",
  edit_file: "pencil",
  write_file: "fileNew",
  apply_patch: "pencil",
  web_fetch: "globe",
  ask_user: "chat",
  spawn_agent: "agent",
  wait: "agent",
  send_input: "agent",
  close_agent: "agent",
  update_tasks: "tasks",
};

type Counted = (count: string, isOne: boolean) => string;

/** What is counted in the output of those that answer with a list. */
const countedIn: Readonly<Record<string, Counted>> = {
  read_file: t.lines,
  read_many_files: t.lines,
  list_directory: t.entries,
  glob: t.files,
  grep: t.matches,
};

/** What those answer that have found nothing. */
const nothingIn: Readonly<Record<string, readonly [answer: RegExp, said: string]>> = {
  read_file: [/ is empty\.$/, t.empty],
  list_directory: [/ is empty\.$/, t.empty],
  glob: [/^No files match\.$/, t.noFiles],
  grep: [/^No matches\.$/, t.noMatches],
};

/** Ends a list that says something of itself, such as that there is more. */
const listNote = /^\((?:(only the) |lines |[\d,]+ more ).*\)$/;

function resultOf({ name, input, status, output, cut }: ToolItem): string | null {
  const text = withoutTagLines(output).trimEnd();
  if (name === "shell") return resultOfCommand(text);
  if (status === "failed") return reasonOf(name, text);
  if (cut) return t.cut(grouped(cut.shownChars), grouped(cut.totalChars));
  if (name === "web_fetch") return inWords(t.words, text.split(/\s+/).filter(Boolean).length);
  if (name === "write_file") return /\(([\d,]+ lines?)\)/.exec(text)?.[1] ?? null;
  if (name === "ask_user") return t.answer(oneLine(text));
  if (name === "calculate") return text.length <= maxResultChars ? text : null;
  const counted = countedIn[name];
  return counted && text !== "" ? resultOfList(name, input, text, counted) : null;
}

function resultOfList(name: string, input: unknown, text: string, counted: Counted): string {
  const [answer, said] = nothingIn[name] ?? [];
  if (said !== undefined && answer?.test(text)) return said;
  const lines = text.split("\n");
  const note = listNote.exec(lines.at(-1) ?? "");
  const found = note ? lines.slice(0, -1) : lines;
  const isCut = note?.[1] !== undefined;
  const mode = name === "grep" && typeof input === "object" && input !== null && Reflect.get(input, "mode");
  if (mode === "files") return inWords(t.files, found.length, isCut);
  if (mode !== "count") return inWords(counted, found.length, isCut);
  const matches = found.reduce((sum, line) => sum + Number(/:(\d+)$/.exec(line)?.[1] ?? 0), 0);
  return t.matchesIn(inWords(t.matches, matches, isCut), inWords(t.files, found.length, isCut));
}

/** Why it failed, in its first line; the line says already which call it was. */
const reasonOf = (name: string, text: string): string | null =>
  text.replace(`${name} failed: `, "").split("\n", 1)[0] || null;

/** Longest result that stands in the line itself, in UTF-16 units. */
const maxResultChars = 40;

/** @param isCut there are more */
const inWords = (counted: Counted, count: number, isCut = false): string =>
  counted(`${grouped(count)}${isCut ? "+" : ""}`, count === 1 && !isCut);

/** The last line of a command's output is how it ended. */
function resultOfCommand(text: string): string | null {
  const lines = text.split("\n");
  const code = /^\[exit code (\d+)/.exec(lines.at(-1) ?? "")?.[1];
  if (code === undefined) return null;
  if (code !== "0") return t.exit(code);
  const count = lines.length - 1;
  return count === 0 ? null : inWords(t.lines, count);
}

type Kind = keyof typeof texts.transcript.group.counts;

const kinds: Readonly<Record<string, Kind>> = {
  read_file: "files",
  read_many_files: "files",
  read_tool_output: "steps",
  list_directory: "folders",
  glob: "searches",
  grep: "searches",
  shell: "commands",
  web_fetch: "pages",
  [taskTool]: "tasks",
};

/** What several calls did, counted by kind, in the order in which each kind first came: “Read 3 files, ran 2 commands”. */
export function groupWords(items: readonly ToolItem[]): string {
  const counts = new Map<Kind, number>();
  for (const { name, input } of items) {
    const kind = kinds[name] ?? (isServers(name) ? "tools" : "steps");
    counts.set(kind, (counts.get(kind) ?? 0) + (name === "read_many_files" ? pathsIn(input) : 1));
  }
  const said = [...counts].map(([kind, count]) => texts.transcript.group.counts[kind](count)).join(", ");
  return said.charAt(0).toUpperCase() + said.slice(1);
}

function pathsIn(input: unknown): number {
  const paths = typeof input === "object" && input !== null ? Reflect.get(input, "paths") : null;
  return Array.isArray(paths) ? Math.max(1, paths.length) : 1;
}
