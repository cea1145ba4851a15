import type { LifecycleState } from "../../../../shared/conversation/events.ts";
import type {
  ListCursor,
  ListQuery,
  SessionKind,
  SessionSummary,
} from "../../../../shared/conversation/sessions.ts";
import { countTasks, hasOpenTasks, type Task } from "../../../../shared/conversation/tasks.ts";
import type { SessionPage } from "../../../../shared/ipc/conversation-routes.ts";
import type { SessionRecord, SessionStore } from "../../ports/session-store.ts";

/** An open conversation, or a stored one that is closed. */
interface Listed {
  session: Readonly<SessionRecord>;
  state: LifecycleState;
  needsApproval?: boolean;
  /** Of an open one. */
  tasks?: readonly Task[];
  hasFailed?: boolean;
  kind?: SessionKind | null;
}

export function summaryOf({
  session,
  state,
  needsApproval = false,
  tasks = [],
  hasFailed = false,
  kind = session.kind,
}: Listed): SessionSummary {
  const { id, title, createdAt, updatedAt, isPinned, archivedAt, group, heldInputs, forkedFrom } = session;
  return {
    conversationId: id,
    title,
    state,
    ...(needsApproval && { needsApproval }),
    createdAt,
    updatedAt,
    isPinned,
    isArchived: archivedAt !== null,
    group,
    heldInputs,
    ...(forkedFrom !== null && { forkedFrom }),
    ...(kind !== null && { kind }),
    ...(hasFailed && { hasFailed }),
    ...(hasOpenTasks(tasks) && { tasks: countTasks(tasks) }),
  };
}

/**
 * One page of the list: pinned first, then last used first. What is open is told as it is now; open ones that are not
 * in the store are on the first page.
 * @throws StoreError
 */
export function pageOf(
  store: SessionStore,
  open: ReadonlyMap<string, Listed & { isKept: boolean }>,
  { limit = 200, after, isArchived = false }: ListQuery,
): SessionPage {
  const stored = store.listSessions({ limit, after, isArchived });
  const last = stored.at(-1);
  const next = last && stored.length === limit ? cursorOf(last) : null;
  const rows = stored.map((session) => summaryOf(open.get(session.id) ?? { session, state: "closed" }));
  if (after !== undefined || isArchived) return { sessions: rows, next };
  const unkept = [...open.values()].filter(({ isKept }) => !isKept).map(summaryOf);
  return { sessions: [...rows, ...unkept].sort(inListOrder), next };
}

const cursorOf = ({ isPinned, updatedAt, id }: SessionRecord): ListCursor => ({
  isPinned,
  updatedAt,
  conversationId: id,
});

const inListOrder = (a: SessionSummary, b: SessionSummary) =>
  Number(b.isPinned) - Number(a.isPinned) ||
  b.updatedAt - a.updatedAt ||
  (a.conversationId < b.conversationId ? 1 : -1);
