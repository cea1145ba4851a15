import type { CheckpointSummary, RewindOutcome, RewindPart } from "../../shared/conversation/checkpoints.ts";
import type { AgentEventBody } from "../../shared/conversation/events.ts";
import { inlineMarkdown } from "../../shared/conversation/inline-markdown.ts";
import { shortId } from "../../shared/conversation/sessions.ts";
import type { Settings } from "../../shared/settings.ts";
import type { Rewinding } from "../agent/ports/checkpoint-ports.ts";
import type { Command, CommandAnswer } from "../commands/registry.ts";
import { listText, outcomeText, previewText, showText } from "./checkpoint-text.ts";

/** What the command needs of a conversation. */
export interface RewoundConversation {
  readonly workingFolder: string;
  /** @throws Error while something runs or waits */
  rewind(
    target: { checkpointId: string },
    how: { part: RewindPart; overwrite: boolean },
  ): Promise<RewindOutcome>;
  /** @throws Error while something runs or waits, and where there is nothing to take back */
  redo(overwrite: boolean): Promise<RewindOutcome>;
  emit(body: AgentEventBody): void;
}

export interface CheckpointCommandOptions {
  /** null: nothing of a conversation is kept. */
  rewinding: Rewinding | null;
  settings(): Settings;
  conversation(conversationId: string): RewoundConversation;
}

const usage =
  "/checkpoint list [N] · show ID · create [LABEL] · rewind ID [--files | --conversation | --both] [--force | --skip] · redo [--force]";
const shownAtOnce = 20;
const mostListed = 200;

/** `/checkpoint`: what a turn changed, and the way back. It answers at once, but rewinds only while nothing runs. */
export function checkpointCommand(options: CheckpointCommandOptions): Command {
  return {
    name: "checkpoint",
    usage,
    description: "What each turn changed in your files, and the way back",
    run: async ([action = "list", ...args], { conversationId }) => {
      const { rewinding, settings } = options;
      if (!settings().memoryEnabled || !rewinding) {
        return wrong(
          "Nothing of a conversation is kept (`memoryEnabled` is off), so there are no checkpoints.",
        );
      }
      if (!settings().checkpointsEnabled) {
        return wrong("Checkpoints are switched off (`checkpointsEnabled`).");
      }
      const flags = args.filter((word) => word.startsWith("--"));
      const words = args.filter((word) => !word.startsWith("--"));
      const asked = { rewinding, conversationId, conversation: options.conversation(conversationId) };
      if (action === "list" && flags.length === 0) return list(asked, words);
      if (action === "show" && flags.length === 0) return await show(asked, words);
      if (action === "create" && flags.length === 0) return await create(asked, words.join(" "));
      if (action === "rewind") return await rewind(asked, words, flags);
      if (action === "redo" && words.length === 0) return await redo(asked, flags);
      return wrong(`\`/checkpoint ${[action, ...args].join(" ")}\` is not known. Usage: \`${usage}\``);
    },
  };
}

interface Asked {
  rewinding: Rewinding;
  conversationId: string;
  conversation: RewoundConversation;
}

function list({ rewinding, conversationId }: Asked, [word = String(shownAtOnce), ...more]: string[]) {
  const limit = Number(word);
  if (!Number.isInteger(limit) || limit < 1 || limit > mostListed || more.length > 0) {
    const typed = [word, ...more].join(" ");
    return wrong(`\`${typed}\` is not a number from 1 to ${mostListed}. Usage: \`${usage}\``);
  }
  return { output: listText(rewinding.list(conversationId, limit)) };
}

async function show({ rewinding, conversationId }: Asked, words: string[]): Promise<CommandAnswer> {
  const found = one(rewinding, conversationId, words);
  return { output: showText(found, await rewinding.show(found.checkpointId)) };
}

async function create({ rewinding, conversationId, conversation }: Asked, label: string) {
  const { workingFolder } = conversation;
  const place = { messageId: null, label: label.trim() || "Made by hand", workingFolder };
  const made = await rewinding.create(conversationId, place);
  const { checkpointId, messageId } = made;
  conversation.emit({ type: "checkpoint.created", checkpointId, messageId, label: made.label });
  const id = shortId(checkpointId);
  return {
    output: `Created checkpoint \`${id}\`: ${inlineMarkdown(made.label)}. \`/checkpoint rewind ${id}\` comes back here.`,
  };
}

async function rewind(asked: Asked, words: string[], flags: string[]): Promise<CommandAnswer> {
  const { rewinding, conversationId, conversation } = asked;
  const options = flagsOf(flags);
  if (!options) return wrong(`\`${flags.join(" ")}\` is not known here. Usage: \`${usage}\``);
  const { part, conflicts } = options;
  const found = one(rewinding, conversationId, words);
  const { checkpointId } = found;
  const preview = await rewinding.preview(checkpointId, part);
  if (preview.files.some(({ isConflict }) => isConflict) && conflicts === "ask") {
    return wrong(`${previewText(preview)}\n\n${howToGoOn(found, part)}`);
  }
  const outcome = await conversation.rewind({ checkpointId }, { part, overwrite: conflicts === "overwrite" });
  return answer(outcomeText(outcome, preview.notRestorable), outcome);
}

async function redo({ conversation }: Asked, flags: string[]) {
  const overwrite = flags.includes("--force");
  if (flags.some((flag) => flag !== "--force")) {
    return wrong(`\`${flags.join(" ")}\` is not known here. Usage: \`${usage}\``);
  }
  const outcome = await conversation.redo(overwrite);
  const hint = outcome.files.some(({ result }) => result === "skipped")
    ? "\n\n`/checkpoint redo --force` takes back those that were changed since, too."
    : "";
  return answer(`${outcomeText(outcome, [])}${hint}`, outcome);
}

interface RewindFlags {
  part: RewindPart;
  conflicts: "ask" | "overwrite" | "skip";
}

/** @returns null for what is not known, or is said twice */
function flagsOf(flags: readonly string[]): RewindFlags | null {
  const parts = { "--files": "files", "--conversation": "conversation", "--both": "both" } as const;
  const conflicts = { "--force": "overwrite", "--skip": "skip" } as const;
  const found: RewindFlags = { part: "both", conflicts: "ask" };
  const seen = new Set<string>();
  for (const flag of flags) {
    const kind = flag in parts ? "part" : "conflicts";
    if (seen.has(kind)) return null;
    seen.add(kind);
    if (flag === "--files" || flag === "--conversation" || flag === "--both") found.part = parts[flag];
    else if (flag === "--force" || flag === "--skip") found.conflicts = conflicts[flag];
    else return null;
  }
  return found;
}

function one(rewinding: Rewinding, conversationId: string, [id, ...more]: string[]): CheckpointSummary {
  if (id === undefined) throw new Error("Which checkpoint? `/checkpoint` lists them.");
  if (more.length > 0)
    throw new Error(`Name one checkpoint: \`${more.join(" ")}\` is too much. Usage: \`${usage}\``);
  return rewinding.find(conversationId, id);
}

function howToGoOn({ checkpointId }: CheckpointSummary, part: RewindPart): string {
  const line = `/checkpoint rewind ${shortId(checkpointId)}${part === "both" ? "" : ` --${part}`}`;
  return `Nothing was done: something else has changed files since. \`${line} --force\` overwrites these too (\`/checkpoint redo\` brings them back), \`${line} --skip\` leaves them as they are.`;
}

const answer = (output: string, { files }: RewindOutcome): CommandAnswer =>
  files.some(({ result }) => result === "failed") ? { output, isError: true } : { output };
const wrong = (output: string): CommandAnswer => ({ output, isError: true });
