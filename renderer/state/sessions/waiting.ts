import type { SessionSummary } from "../../../shared/conversation/sessions.ts";
import { texts } from "../../texts/texts.ts";

/** What a conversation waits for, in the words of its card. */
export const waitingFor = ({ needsApproval }: Pick<SessionSummary, "needsApproval">): string =>
  needsApproval ? texts.approvals.needed : texts.approvals.question.title;

/** Conversations that wait for the user, but for the one that is shown; those that have waited longest first. */
export const waitingIn = (
  sessions: readonly SessionSummary[],
  shownId: string | undefined,
): SessionSummary[] =>
  sessions
    .filter(({ conversationId, state }) => state === "awaiting_input" && conversationId !== shownId)
    .sort((one, other) => one.updatedAt - other.updatedAt);
