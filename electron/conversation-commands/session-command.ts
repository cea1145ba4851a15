import { homedir } from "node:os";
import { costText } from "../../shared/conversation/cost.ts";
import { shortId, snippetMarks } from "../../shared/conversation/sessions.ts";
import { localDay, localTime } from "../../shared/local-time.ts";
import { withTilde } from "../../shared/with-tilde.ts";
import type { SessionRecord, SessionStore } from "../agent/ports/session-store.ts";
import type { Command, CommandAnswer } from "../commands/registry.ts";
import { openNew, titleFrom } from "./new-command.ts";
import { treeText } from "./session-tree-text.ts";

/** What the command needs of the conversations of the app. */
export interface SessionActions {
  /** A new one; one that nobody has used yet does as well. */
  unused(): { id: string };
  open(conversationId: string): { id: string };
  fork(
    conversationId: string,
    messageId?: string | null,
  ): { id: string; answerCommand(answer: { line: string; output: string; isError: boolean }): void };
  change(conversationId: string, edit: { title?: string; isArchived?: boolean }): void;
  delete(conversationId: string): Promise<void>;
  /** Without an id the one that was deleted last. @returns its id */
  restore(conversationId?: string): string;
}

/** What the command says of the one it was typed in. */
export interface TypedIn {
  readonly session: Readonly<SessionRecord>;
  readonly workingFolder: string;
  used(): Promise<{ tokens: number; usd: number | null }>;
}

/** `srt`: the last meeting as subtitles. */
type FileFormat = "md" | "json" | "srt";

/** Conversations as files. */
export interface ConversationFiles {
  suggestedName(conversationId: string, format: FileFormat): string;
  /** @param how.mayReplace whether a file of that name gives way @throws Error with words for the user */
  write(
    conversationId: string,
    format: FileFormat,
    path: string,
    how: { mayReplace: boolean },
  ): Promise<void>;
  /** @returns the id of the new conversation @throws Error that says what is wrong with the file */
  read(path: string, workingFolder: string): Promise<string>;
}

export interface SessionCommandOptions {
  sessions: SessionActions;
  store: SessionStore;
  files: ConversationFiles;
  conversation(conversationId: string): TypedIn;
  /** Who answers there, as people call it. */
  nameOfModel(conversationId: string): string;
  /** Shows a conversation in the window. */
  show(conversationId: string): void;
  /** Whether conversations outlive Parley: not with `memoryEnabled` off. */
  isKept(): boolean;
  /** An absolute path from what was typed: relative ones start at `folder`, `~` is the home folder. */
  resolvePath(path: string, folder: string): string;
}

interface Asked extends SessionCommandOptions {
  conversationId: string;
  words: string[];
}

const usage =
  "/session · list [N] · new [TITLE] · name TITLE · resume ID | TITLE · fork [MESSAGE] · tree · search WORDS · export [md | json | srt] [PATH] · import PATH · archive · delete · restore";

const actions: Readonly<Record<string, (asked: Asked) => CommandAnswer | Promise<CommandAnswer>>> = {
  list,
  new: ({ words, ...options }) => openNew(options, words),
  name,
  resume,
  fork,
  tree,
  search,
  export: exportTo,
  import: importFrom,
  archive,
  delete: remove,
  restore,
};

/** `/session`: what conversation this is, and the way to all others. It answers at once, also while a run is going on. */
export function sessionCommand(options: SessionCommandOptions): Command {
  return {
    name: "session",
    usage,
    description: "List, rename, search, fork, export or delete conversations",
    run: async ([action, ...words], { conversationId }) => {
      const asked = { ...options, conversationId, words };
      if (action === undefined) return await current(asked);
      const run = Object.hasOwn(actions, action) ? actions[action] : undefined;
      return run ? await run(asked) : wrong(`\`/session ${[action, ...words].join(" ")}\` is not known.`);
    },
  };
}

async function current({ conversation, conversationId, nameOfModel, isKept }: Asked): Promise<CommandAnswer> {
  const { session, workingFolder, used } = pick(conversation(conversationId));
  const { tokens, usd } = await used();
  const lines = [
    `**${plain(session.title)}** · \`${shortId(conversationId)}\``,
    `- model: ${nameOfModel(conversationId)}`,
    `- used: ${costText(tokens, usd)}`,
    `- folder: \`${withTilde(workingFolder, homedir())}\``,
    ...(isKept() ? [] : ["- “Keep conversations” is off: nothing of it is kept when you quit Parley"]),
  ];
  return { output: lines.join("\n") };
}

const pick = (from: TypedIn) => ({
  session: from.session,
  workingFolder: from.workingFolder,
  used: () => from.used(),
});

function list({ store, conversationId, words: [word = "10", ...more] }: Asked): CommandAnswer {
  const limit = Number(word);
  if (!Number.isInteger(limit) || limit < 1 || limit > mostListed || more.length > 0) {
    return wrong(`\`${[word, ...more].join(" ")}\` is not a number from 1 to ${mostListed}.`);
  }
  const found = store.listSessions({ limit });
  if (found.length === 0) return { output: "There are no conversations yet." };
  return { output: found.map((session) => rowOf(session, session.id === conversationId)).join("\n") };
}

function rowOf({ id, title, updatedAt, isPinned, heldInputs }: SessionRecord, isCurrent = false): string {
  const notes = [
    isPinned ? "pinned" : "",
    heldInputs > 0 ? `${heldInputs} waiting` : "",
    isCurrent ? "this one" : "",
  ].filter((note) => note !== "");
  return [`- \`${shortId(id)}\` ${plain(title)}`, timeOf(updatedAt), ...notes].join(" · ");
}

function name({ sessions, conversationId, words }: Asked): CommandAnswer {
  const title = titleFrom(words);
  if (title === "") return wrong("The title is missing.");
  sessions.change(conversationId, { title });
  return { output: `This conversation is now called **${plain(title)}**.` };
}

function resume({ sessions, store, show, words }: Asked): CommandAnswer {
  const reference = words.join(" ").trim();
  if (reference === "")
    return wrong("Say which one: its id, the beginning or the end of that, or its title.");
  const found = store.findSessions(reference, mostCandidates);
  const [first, ...others] = found;
  if (!first) return { output: `There is no conversation “${plain(reference)}”.`, isError: true };
  if (others.length > 0)
    return several(
      `“${plain(reference)}” can mean several conversations`,
      found.map((one) => rowOf(one)),
    );
  show(sessions.open(first.id).id);
  return { output: `**${plain(first.title)}** is open.` };
}

function fork({ sessions, store, show, conversation, conversationId, words }: Asked): CommandAnswer {
  const reference = words.join(" ").trim().toLowerCase();
  const candidates =
    reference === ""
      ? []
      : store
          .loadTree(conversationId)
          .filter(({ id }) =>
            [id.startsWith, id.endsWith].some((fits) => fits.call(id.toLowerCase(), reference)),
          );
  const [message, ...others] = candidates;
  if (reference !== "" && !message) {
    return { output: `There is no message \`${reference}\`: \`/session tree\` lists them.`, isError: true };
  }
  if (others.length > 0) {
    return several(
      `\`${reference}\` can mean several messages`,
      candidates
        .slice(0, mostCandidates)
        .map(({ id, text }) => `- \`${shortId(id)}\` ${plain(text.slice(0, 80))}`),
    );
  }
  const { title } = conversation(conversationId).session;
  const copy = sessions.fork(conversationId, message?.id ?? null);
  const { draft } = conversation(copy.id).session;
  const end = draft === "" ? "" : ` It ends before “${plain(draft.slice(0, 80))}”, which is in the text box.`;
  copy.answerCommand({
    line: ["/session fork", ...words].join(" "),
    output: `This is a copy of **${plain(title)}**.${end} Nothing you say here changes that one.`,
    isError: false,
  });
  show(copy.id);
  return {
    output: `The copy is open: \`${shortId(copy.id)}\`.${end} Nothing you say there changes this one.`,
  };
}

function tree({ store, conversationId }: Asked): CommandAnswer {
  const head = store.loadSession(conversationId)?.headMessageId ?? null;
  const nodes = store.loadTree(conversationId);
  if (nodes.length === 0) return { output: "There are no messages here yet." };
  const parents = new Map(nodes.map(({ id, parentId }) => [id, parentId]));
  const path = new Set<string>();
  for (let at = head; at !== null; at = parents.get(at) ?? null) path.add(at);
  return { output: fenced(treeText(nodes, path)) };
}

async function search({ store, words }: Asked): Promise<CommandAnswer> {
  const wanted = words.join(" ").trim();
  if (wanted === "") return wrong("Say what to look for.");
  const hits = await store.search({ words: wanted, limit: mostHits });
  if (hits.length === 0) return { output: `Nothing found for “${plain(wanted)}”.` };
  return {
    output: hits
      .map(
        ({ conversationId, title, kind, snippet, at }) =>
          `- \`${shortId(conversationId)}\` ${plain(title)} · ${timeOf(at)} · ${kind}: ${marked(snippet)}`,
      )
      .join("\n"),
  };
}

async function exportTo({
  files,
  store,
  conversation,
  conversationId,
  resolvePath,
  words,
}: Asked): Promise<CommandAnswer> {
  if (!store.loadSession(conversationId)) return wrong("There are no messages here yet.");
  const [first = "", ...rest] = words;
  const named = formatOf(first);
  const typed = (named === null ? words : rest).join(" ").trim();
  const format = named ?? formatOf(/\.(\w+)$/.exec(typed)?.[1] ?? "") ?? "md";
  const path = resolvePath(
    typed || files.suggestedName(conversationId, format),
    conversation(conversationId).workingFolder,
  );
  await files.write(conversationId, format, path, { mayReplace: false });
  return { output: `Written to \`${path}\`.` };
}

const formatOf = (word: string): FileFormat | null => {
  const lower = word.toLowerCase();
  return lower === "md" || lower === "json" || lower === "srt" ? lower : null;
};

async function importFrom({
  files,
  sessions,
  show,
  conversation,
  conversationId,
  resolvePath,
  words,
}: Asked): Promise<CommandAnswer> {
  const typed = words.join(" ").trim();
  if (typed === "") return wrong("The file is missing.");
  const { workingFolder } = conversation(conversationId);
  const id = await files.read(resolvePath(typed, workingFolder), workingFolder);
  show(sessions.open(id).id);
  return { output: `The conversation was imported and is open: \`${shortId(id)}\`.` };
}

function archive({ sessions, conversation, conversationId, words }: Asked): CommandAnswer {
  if (words.length > 0) return wrong(`\`${words.join(" ")}\` is not known.`);
  const isArchived = conversation(conversationId).session.archivedAt === null;
  sessions.change(conversationId, { isArchived });
  return {
    output: isArchived
      ? "This conversation is archived. It is not in the list, but you can find it by its title, its id or a search. `/session archive` brings it back."
      : "This conversation is back in the list.",
  };
}

async function remove({ sessions, conversation, conversationId, words }: Asked): Promise<CommandAnswer> {
  const { title } = conversation(conversationId).session;
  if (words.join(" ").toLowerCase() !== "yes") {
    return {
      output: `\`/session delete yes\` deletes **${plain(title)}** and everything in it. Until you quit Parley, \`/session restore\` brings it back.`,
    };
  }
  await sessions.delete(conversationId);
  return {
    output: `**${plain(title)}** is deleted. \`/session restore\` brings it back until you quit Parley.`,
  };
}

function restore({ sessions, show }: Asked): CommandAnswer {
  const id = sessions.restore();
  show(sessions.open(id).id);
  return { output: `\`${shortId(id)}\` is back.` };
}

const mostListed = 200;
const mostCandidates = 10;
const mostHits = 10;

const several = (what: string, rows: readonly string[]): CommandAnswer => ({
  output: [`${what}:`, "", ...rows].join("\n"),
  isError: true,
});

const wrong = (what: string): CommandAnswer => ({ output: `${what} Usage: \`${usage}\``, isError: true });

/** Text of the user's that must not become marks of Markdown. */
const plain = (text: string) =>
  text
    .replaceAll(/\s+/g, " ")
    .trim()
    .replaceAll(/[\\`*_[\]<>#|~]/g, "\\$&");

const marked = (snippet: string) =>
  plain(snippet).replaceAll(snippetMarks.open, "**").replaceAll(snippetMarks.close, "**");

function fenced(text: string): string {
  const longest = Math.max(0, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  const fence = "`".repeat(Math.max(3, longest + 1));
  return `${fence}\n${text}\n${fence}`;
}

const timeOf = (at: number) => `${localDay(at)} ${localTime(at).slice(0, 5)}`;
