import type { SearchHit, SessionSummary } from "../../../shared/conversation/sessions.ts";
import type { ModelRow } from "../../../shared/ipc/model-routes.ts";
import type { CommandSummary } from "../../../shared/ipc/setting-routes.ts";
import { settingTexts } from "../../../shared/settings-texts/texts.ts";
import { commandLines } from "../composer/subcommands.ts";
import type { WindowAction } from "../keys/window-keys.ts";
import { settingBlocks } from "../settings/settings-blocks.ts";
import type { Mark } from "./match-words.ts";

/** In the order in which they are shown. */
export const paletteKinds = ["conversations", "messages", "commands", "settings", "models"] as const;
export type PaletteKind = (typeof paletteKinds)[number];

/** What is done when it is chosen. */
export type PaletteChoice =
  | { type: "conversation"; conversationId: string }
  | { type: "waiting"; conversationId: string }
  | { type: "message"; hit: SearchHit }
  | { type: "action"; action: WindowAction }
  | { type: "slash"; command: CommandSummary }
  | { type: "line"; line: string; isWhole: boolean }
  /** Lets the user decide how far to go back, before the newest prompt. */
  | { type: "rewind" }
  /** Found in the settings by these words. */
  | { type: "setting"; words: string }
  | { type: "model"; model: string };

/** What can be found, before it is known whether it fits. */
export interface PaletteEntry {
  /** Under which its uses are remembered. */
  id: string;
  kind: PaletteKind;
  title: string;
  /** Beside the title: where it is, its key, its slash form. */
  about: string;
  /** Looked for, too, and not shown as found. */
  also: string;
  choice: PaletteChoice;
}

export interface PaletteItem extends PaletteEntry {
  score: number;
  marks: readonly Mark[];
}

/** What the window's own commands are called; those that are not here would close or answer what nobody has read. */
const offered: readonly { action: WindowAction; slash?: string }[] = [
  { action: "newConversation", slash: "/new" },
  { action: "find" },
  { action: "list" },
  { action: "panel" },
  { action: "level", slash: "/permissions" },
  { action: "servers", slash: "/mcp" },
  { action: "settings" },
  { action: "keys" },
  { action: "approvals" },
  { action: "voice", slash: "/voice" },
  { action: "voicePanel" },
  { action: "dictate" },
  { action: "goOn" },
];

export function actionEntries(
  titles: Readonly<Record<WindowAction, string>>,
  keyOf: (action: WindowAction) => string,
): PaletteEntry[] {
  return offered.map(({ action, slash }) => ({
    id: `action:${action}`,
    kind: "commands",
    title: titles[action],
    about: [slash, keyOf(action)].filter(Boolean).join(" · "),
    also: slash ?? "",
    choice: { type: "action", action },
  }));
}

export const slashEntries = (commands: readonly CommandSummary[]): PaletteEntry[] =>
  commands.map((command) => ({
    id: `slash:${command.name}`,
    kind: "commands",
    title: firstSentence(command.description),
    about: `/${command.name}`,
    also: `/${command.name} ${command.usage}`,
    choice: { type: "slash", command },
  }));

/** Lines of commands that have a name of their own. */
export const namedEntries = (
  commands: readonly CommandSummary[],
  names: Readonly<Record<string, string>>,
): PaletteEntry[] =>
  linesOf(commands).flatMap(({ line }) => {
    const title = names[line];
    if (title === undefined) return [];
    const choice: PaletteChoice =
      line === rewindLine ? { type: "rewind" } : { type: "line", line, isWhole: false };
    return [{ id: `line:${line}`, kind: "commands", title, about: line, also: line, choice }];
  });

const rewindLine = "/checkpoint rewind";

const linesOf = (commands: readonly CommandSummary[]) => commands.flatMap(({ usage }) => commandLines(usage));

/** Lines of commands with their fixed words, such as `/effort high`. @param names of those that have one of their own */
export const lineEntries = (
  commands: readonly CommandSummary[],
  names: Readonly<Record<string, string>> = {},
): PaletteEntry[] =>
  commands.flatMap(({ usage, description }) =>
    commandLines(usage)
      .filter(({ line }) => names[line] === undefined)
      .map(({ line, isWhole }) => ({
        id: `line:${line}`,
        kind: "commands" as const,
        title: isWhole ? line : `${line} …`,
        about: firstSentence(description),
        also: "",
        // What takes something away is sent by whoever has read it once more.
        choice: { type: "line" as const, line, isWhole: isWhole && !takesAway.test(line) },
      })),
  );

const takesAway = / (?:delete|archive|remove|forget|clear|reset|redo|rewind)\b/;

/** What is looked for behind `/session resume`; null: something else is typed. */
export const resumeWords = (typed: string): string | null =>
  /^\s*\/session\s+resume\s+(.*)$/i.exec(typed)?.[1] ?? null;

const firstSentence = (text: string): string => text.replace(/(?<=[^.]{12})\.\s.*$|\.$/s, "");

/** A command whose line is whole with its name runs at once; any other wants more words. */
export const isWhole = ({ name, usage }: CommandSummary): boolean => usage.trim() === `/${name}`;

/** Each setting, and what the settings page has beside them. */
export const settingEntries = (sections: Readonly<Record<string, { name: string }>>): PaletteEntry[] =>
  settingBlocks.flatMap((block) => {
    const about = new Set([sections[block.section]?.name ?? block.section, block.title]);
    const entry = (words: string, title: string, also: string): PaletteEntry => ({
      id: `setting:${words}`,
      kind: "settings",
      title,
      about: [...about].join(" · "),
      also,
      choice: { type: "setting", words },
    });
    if ("keys" in block) return block.keys.map((key) => entry(key, settingTexts[key].title, key));
    if (block.rows.length === 0) return [entry(block.title, block.title, "")];
    return block.rows.map((row) => entry(row.title, row.title, `${row.about ?? ""} ${block.title}`));
  });

export const modelEntries = (models: readonly ModelRow[]): PaletteEntry[] =>
  models.map(({ id, name }) => ({
    id: `model:${id}`,
    kind: "models",
    title: name,
    about: id === name ? "" : id,
    also: `/model ${id}`,
    choice: { type: "model", model: id },
  }));

type NamedSession = Pick<SessionSummary, "conversationId" | "title">;

export const conversationUseId = (session: Pick<NamedSession, "conversationId">): string =>
  `conversation:${session.conversationId}`;

export const conversationEntry = (session: NamedSession, about: string): PaletteEntry => ({
  id: conversationUseId(session),
  kind: "conversations",
  title: session.title,
  about,
  also: "",
  choice: { type: "conversation", conversationId: session.conversationId },
});
