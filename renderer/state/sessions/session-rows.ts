import type { SearchHit, SessionSummary } from "../../../shared/conversation/sessions.ts";
import { texts } from "../../texts/texts.ts";

const t = texts.sessions;

/** A line of the sidebar. */
export type SidebarRow =
  | { kind: "heading"; key: string; label: string }
  /** `depth`: below how many others it hangs, as their fork. */
  | { kind: "session"; key: string; session: SessionSummary; depth: number }
  | { kind: "hit"; key: string; hit: SearchHit };

/**
 * The list under its headings: pinned, the user's own groups by name, then by day and month of last use.
 * @param sessions in the order of the list
 * @param now milliseconds since the epoch; days are those of the system's time zone
 */
export function groupedRows(sessions: readonly SessionSummary[], now: number): SidebarRow[] {
  const pinned: SessionSummary[] = [];
  const own = new Map<string, SessionSummary[]>();
  const byTime = new Map<string, SessionSummary[]>();
  const label = timeLabels(now);
  const { roots, forksOf } = familiesOf(sessions);
  for (const { session, usedAt } of roots) {
    if (session.isPinned) pinned.push(session);
    else if (session.group !== null) addTo(own, session.group, session);
    else addTo(byTime, label(usedAt), session);
  }
  const groups = [...own].sort(([a], [b]) => a.localeCompare(b));
  return [
    ...under(t.pinned, "pinned", pinned, forksOf),
    ...groups.flatMap(([name, members]) => under(name, `group-${name}`, members, forksOf)),
    ...[...byTime].flatMap(([name, members]) => under(name, `time-${name}`, members, forksOf)),
  ];
}

type ForksOf = (session: SessionSummary) => readonly SessionSummary[];

/** `usedAt`: when one of the family was used last, in milliseconds since the epoch. */
interface Root {
  session: SessionSummary;
  usedAt: number;
}

/**
 * Forks hang below what they are forks of, where both are in the list and nobody put the fork elsewhere; what they are forks
 * of stands where the one of them stands that was used last.
 */
function familiesOf(sessions: readonly SessionSummary[]): { roots: Root[]; forksOf: ForksOf } {
  const byId = new Map(sessions.map((session) => [session.conversationId, session]));
  const parentOf = ({ forkedFrom, isPinned, group }: SessionSummary) => {
    const parent = isPinned || forkedFrom === undefined ? undefined : byId.get(forkedFrom);
    return parent && (group === null || group === parent.group) ? parent : undefined;
  };
  const forks = new Map<string, SessionSummary[]>();
  const roots = new Map<string, Root>();
  for (const session of sessions) {
    const parent = parentOf(session);
    if (parent) addTo(forks, parent.conversationId, session);
    let root = session;
    for (let next = parentOf(root); next; next = parentOf(root)) root = next;
    // Of those that are pinned or in a group the place is their own.
    const isPlaced = root !== session && (root.isPinned || root.group !== null);
    if (!isPlaced && !roots.has(root.conversationId))
      roots.set(root.conversationId, { session: root, usedAt: session.updatedAt });
  }
  return { roots: [...roots.values()], forksOf: ({ conversationId }) => forks.get(conversationId) ?? [] };
}

/** Titles that hold every word at once, then where the words were found in what was said and done. */
export function searchRows(
  sessions: readonly SessionSummary[],
  words: string,
  hits: readonly SearchHit[],
): SidebarRow[] {
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
  const titled = sessions
    .filter(({ title }) => wanted.every((word) => title.toLowerCase().includes(word)))
    .slice(0, mostTitles);
  const shown = new Set(titled.map(({ conversationId }) => conversationId));
  const found = hits.filter(({ kind, conversationId }) => kind !== "title" || !shown.has(conversationId));
  return [
    ...under(t.titles, "titles", titled),
    ...(found.length > 0 ? [{ kind: "heading", key: "found", label: t.inConversations } as const] : []),
    ...found.map(
      (hit) => ({ kind: "hit", key: `${hit.conversationId} ${hit.messageId} ${hit.kind}`, hit }) as const,
    ),
  ];
}

/** The user's own groups, by name. */
export const groupsOf = (sessions: readonly SessionSummary[]): string[] =>
  [...new Set(sessions.flatMap(({ group }) => (group === null ? [] : [group])))].sort((a, b) =>
    a.localeCompare(b),
  );

const mostTitles = 50;

/** Further in there is no room. */
const deepest = 2;

function under(
  label: string,
  key: string,
  sessions: readonly SessionSummary[],
  forksOf: ForksOf = () => [],
): SidebarRow[] {
  if (sessions.length === 0) return [];
  const rowsOf = (session: SessionSummary, depth: number): SidebarRow[] => [
    { kind: "session", key: session.conversationId, session, depth },
    ...forksOf(session).flatMap((fork) => rowsOf(fork, Math.min(depth + 1, deepest))),
  ];
  return [{ kind: "heading", key, label }, ...sessions.flatMap((session) => rowsOf(session, 0))];
}

function addTo<T>(groups: Map<string, T[]>, name: string, member: T): void {
  const members = groups.get(name);
  if (members) members.push(member);
  else groups.set(name, [member]);
}

const monthName = new Intl.DateTimeFormat(undefined, { month: "long" });
const monthAndYear = new Intl.DateTimeFormat(undefined, { month: "long", year: "numeric" });

function timeLabels(now: number): (at: number) => string {
  const today = new Date(now);
  const daysBack = (days: number) =>
    new Date(today.getFullYear(), today.getMonth(), today.getDate() - days).getTime();
  const [midnight, yesterday, week] = [daysBack(0), daysBack(1), daysBack(7)];
  return (at) => {
    if (at >= midnight) return t.today;
    if (at >= yesterday) return t.yesterday;
    if (at >= week) return t.lastWeek;
    const date = new Date(at);
    return (date.getFullYear() === today.getFullYear() ? monthName : monthAndYear).format(date);
  };
}
