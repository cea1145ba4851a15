import type { SessionSummary } from "../../../shared/conversation/sessions.ts";
import { texts } from "../../texts/texts.ts";
import { waitingFor } from "./waiting.ts";

const t = texts.sessions;

/**
 * What a conversation is doing, for the second line of its row; empty: it has none.
 * @param isListening voice hears for it
 */
export function rowWords(
  { state, needsApproval, heldInputs, tasks, hasFailed, isPinned, group }: SessionSummary,
  isListening: boolean,
): string[] {
  const isRunning = state === "processing" || state === "awaiting_input";
  return [
    // It stands with the pinned ones, not under its group's name.
    ...(isPinned && group !== null ? [group] : []),
    ...(state === "processing" ? [t.working] : []),
    ...(state === "awaiting_input" ? [waitingFor({ needsApproval })] : []),
    ...(!isRunning && hasFailed ? [t.failed] : []),
    ...(isRunning && tasks ? [t.tasksDone(tasks.done, tasks.total)] : []),
    ...(isListening ? [t.listening] : []),
    ...(heldInputs > 0 ? [t.notSent(heldInputs)] : []),
  ];
}
