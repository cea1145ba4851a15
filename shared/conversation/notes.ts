import { grouped } from "../grouped.ts";
import type { AgentEvent } from "./events.ts";

const noted = [
  "loop.detected",
  "compaction.started",
  "compaction.ended",
  "context.warning",
  "model.notice",
  "history.trimmed",
  "result.truncated",
  "budget.warning",
  "checkpoint.limited",
  "checkpoint.deleted",
  "checkpoint.rewound",
  "speech.interrupted",
] as const;

/** Events that the user must know of, shown as a quiet line. */
export type NotedEvent = Extract<AgentEvent, { type: (typeof noted)[number] }>;

export const isNoted = (event: AgentEvent): event is NotedEvent => noted.some((type) => type === event.type);

/** The line; null where another event says it better. */
export function noteOf(event: NotedEvent): string | null {
  switch (event.type) {
    case "loop.detected":
      return `The same step was repeated ${event.count} times (${event.pattern.join(", then ").slice(0, 200)}): ${
        event.action === "stop" ? "the run was stopped." : "the model was told to try another way."
      }`;
    case "compaction.started":
      return null;
    case "compaction.ended":
      return event.error
        ? `The conversation could not be summarised (${event.error}). Its oldest parts are left out instead.`
        : `Earlier parts of the conversation were summarised: ${grouped(event.tokensBefore)} → ${grouped(event.tokensAfter)} tokens.`;
    case "context.warning":
      return `${grouped(event.usedTokens)} of ${grouped(event.contextWindow)} tokens of the model's context are used. Once it is full, the model refuses further prompts. Start a new conversation, or have long conversations summarised (in the settings).`;
    case "model.notice":
      return event.message;
    case "history.trimmed":
      return `${event.dropped} older messages are no longer sent to the model.`;
    case "result.truncated":
      return `The model saw ${grouped(event.shownChars)} of ${grouped(event.totalChars)} characters from ${event.name}.`;
    case "budget.warning":
      return event.maxTokens > 0
        ? `${grouped(event.usedTokens)} of ${grouped(event.maxTokens)} tokens of this conversation are used.`
        : `$${event.usedUsd.toFixed(2)} of $${event.maxUsd.toFixed(2)} of this conversation are used.`;
    case "speech.interrupted":
      return event.heard === ""
        ? "You heard nothing of it."
        : `You heard it up to “…${event.heard.split(" ").slice(-8).join(" ")}”`;
    case "checkpoint.limited": {
      const paths = listed(event.paths.map(({ path, why }) => `${path} (${why})`));
      return event.isReadOnly
        ? `A rewind could not bring these back, so commands cannot change them: ${paths}.`
        : `A rewind could not bring back: ${paths}.`;
    }
    case "checkpoint.deleted":
      return `Deleted ${grouped(event.files)} files.`;
    case "checkpoint.rewound": {
      const { files, prompts } = event.outcome;
      const count = (result: string) => files.filter((file) => file.result === result).length;
      const parts = (["restored", "removed", "skipped", "failed"] as const)
        .filter((result) => count(result) > 0)
        .map((result) => `${count(result)} ${result}`);
      const moved = prompts > 0 ? ` ${counted(prompts)} left the conversation; the branch is kept.` : "";
      const what = event.path === undefined ? "Rewound" : `Rewound ${event.path}`;
      return `${event.isRedo ? "Rewind undone" : what}: ${parts.length > 0 ? `${parts.join(", ")}.` : "no files had changed."}${moved}`;
    }
  }
}

const counted = (prompts: number) => (prompts === 1 ? "One prompt" : `${grouped(prompts)} prompts`);

/** The first of many, and how many more there are. */
function listed(names: readonly string[]): string {
  const shown = names.slice(0, mostListed).join(", ");
  return names.length > mostListed ? `${shown} and ${grouped(names.length - mostListed)} more` : shown;
}

const mostListed = 5;
