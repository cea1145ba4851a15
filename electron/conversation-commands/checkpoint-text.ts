import type {
  CheckpointDiff,
  CheckpointSummary,
  NotRestorable,
  RewindOutcome,
  RewindPreview,
} from "../../shared/conversation/checkpoints.ts";
import { inlineMarkdown } from "../../shared/conversation/inline-markdown.ts";
import { shortId } from "../../shared/conversation/sessions.ts";

/** Lines of one list; beyond them it says how many more there are. */
const mostLines = 100;
/** UTF-16 units of all diffs of an answer. */
const mostDiff = 60_000;

/** Checkpoints as Markdown, newest first. */
export function listText(checkpoints: readonly CheckpointSummary[]): string {
  if (checkpoints.length === 0) return "There are no checkpoints yet: nothing has been changed.";
  return checkpoints
    .map(
      ({ checkpointId, createdAt, files, label, kind }) =>
        `- \`${shortId(checkpointId)}\` ${localTime(createdAt)} · ${count(files, "path")} · ${kindName[kind]}${inlineMarkdown(label)}`,
    )
    .join("\n");
}

/** What became of the files of a checkpoint since, as diffs. */
export function showText(checkpoint: CheckpointSummary, diffs: readonly CheckpointDiff[]): string {
  const changed = diffs.filter(({ change }) => change !== "none");
  const head = `Checkpoint \`${shortId(checkpoint.checkpointId)}\`, ${localTime(checkpoint.createdAt)}: ${inlineMarkdown(checkpoint.label)}`;
  if (changed.length === 0) return `${head}\n\nEverything in it is still as it was.`;
  let left = mostDiff;
  const lines = changed.map(({ path, change, diff, isTooLarge }) => {
    const title = `- ${change} ${code(path)}`;
    if (isTooLarge) return `${title} (too large to compare)`;
    if (diff === null) return title;
    left -= diff.length;
    return left < 0 ? `${title} (too long to be shown here)` : `${title}\n\n${fenced(diff)}\n`;
  });
  return [head, "", ...lines].join("\n");
}

/** What a rewind would do, as Markdown. */
export function previewText({ checkpoint, files, notRestorable, prompts }: RewindPreview): string {
  const doing = files.filter(({ action }) => action !== "same");
  return [
    `Rewind to \`${shortId(checkpoint.checkpointId)}\` (${inlineMarkdown(checkpoint.label)}):`,
    ...some(
      doing.map(
        ({ path, action, isConflict }) =>
          `- ${action} ${code(path)}${isConflict ? ": **changed since by something else**" : ""}`,
      ),
    ),
    ...(prompts > 0
      ? [
          `- ${count(prompts, "prompt")} of the conversation ${prompts === 1 ? "leaves" : "leave"} the view; nothing is deleted`,
        ]
      : []),
    ...unrestorable(notRestorable),
  ].join("\n");
}

/** What a rewind did, as Markdown. */
export function outcomeText(
  { files, prompts, redoCheckpointId }: RewindOutcome,
  notRestorable: readonly NotRestorable[],
): string {
  const lines = some(
    files.map(({ path, result, why }) => `- ${result} ${code(path)}${why === undefined ? "" : `: ${why}`}`),
  );
  return [
    ...(lines.length > 0 ? lines : ["No files had to be changed."]),
    ...(prompts > 0 ? [`- ${count(prompts, "prompt")} left the view; nothing is deleted`] : []),
    ...unrestorable(notRestorable.filter(({ path }) => !files.some((file) => file.path === path))),
    ...(redoCheckpointId === null ? [] : ["", "`/checkpoint redo` undoes this."]),
  ].join("\n");
}

const unrestorable = (paths: readonly NotRestorable[]) =>
  paths.length === 0
    ? []
    : ["", "This can't be brought back:", ...some(paths.map(({ path, why }) => `- ${code(path)}: ${why}`))];

const some = (lines: readonly string[]) =>
  lines.length <= mostLines
    ? [...lines]
    : [...lines.slice(0, mostLines), `- … and ${lines.length - mostLines} more`];

const kindName = { turn: "", manual: "by hand: ", rewind: "" } as const;
const count = (n: number, noun: string) => `${n} ${noun}${n === 1 ? "" : "s"}`;
/** Day and time as people write them here, the year first. */
const localTime = (ms: number) => new Date(ms).toLocaleString("sv-SE").slice(0, 16);
function code(raw: string): string {
  // A line break in a name would end the line that tells of it.
  const path = raw.replaceAll(/\p{Cc}/gu, "\ufffd");
  const ticks = longest(path) + 1;
  const edge = "`".repeat(ticks);
  const gap = path.startsWith("`") || path.endsWith("`") ? " " : "";
  return `${edge}${gap}${path}${gap}${edge}`;
}

function fenced(diff: string): string {
  const fence = "`".repeat(Math.max(3, longest(diff) + 1));
  return `${fence}diff\n${diff}\n${fence}`;
}

const longest = (text: string) => Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
