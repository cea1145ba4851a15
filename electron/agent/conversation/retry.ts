import type { QueuedInput } from "../../../shared/conversation/events.ts";
import type { ForOneRun, Waiting } from "./inbox.ts";

/** What a retry would ask for. */
export type RetryState =
  | { kind: "none" }
  /** The last run failed; of its last reply this message was kept, or nothing. */
  | { kind: "failed"; waiting: Waiting; partialId: string | null }
  /** The end of Parley cut this reply short: a retry asks for another one beside it. */
  | { kind: "cutShort"; replyId: string }
  /** The path ends in the middle of this prompt's turn. */
  | { kind: "unfinished"; input: QueuedInput; forOneRun?: ForOneRun | undefined };

/** What changes it. Nothing else does. */
export type RetryStep =
  /** The path is shown as the store has it: after opening, and after the head was moved. */
  | { type: "shown"; cutShortId: string | null; unfinished: QueuedInput | null }
  | { type: "runStarted" }
  | { type: "runEnded"; waiting: Waiting; isFailed: boolean; partialId: string | null }
  /** It was asked for. */
  | { type: "retried" }
  /** A prompt that waited was taken out of the queue. */
  | { type: "dropped"; waiting: Waiting };

export const noRetry: RetryState = { kind: "none" };

/** What a retry asks for after a step. */
export function stepRetry(state: RetryState, step: RetryStep): RetryState {
  switch (step.type) {
    case "shown":
      if (step.unfinished) return { kind: "unfinished", input: step.unfinished };
      return step.cutShortId === null ? noRetry : { kind: "cutShort", replyId: step.cutShortId };
    case "runStarted":
      // Something else was asked: the reply stays as it is.
      return state.kind === "cutShort" ? noRetry : state;
    case "runEnded":
      return step.isFailed ? { kind: "failed", waiting: step.waiting, partialId: step.partialId } : noRetry;
    case "retried":
      return noRetry;
    case "dropped":
      // Its prompt stands in the history without a reply.
      if (!step.waiting.isInHistory) return state;
      return { kind: "unfinished", input: step.waiting.input, forOneRun: step.waiting.forOneRun };
  }
}
