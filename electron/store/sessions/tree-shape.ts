import { type ContentBlock, textOf } from "../../../shared/conversation/messages.ts";
import type { Branches } from "../../../shared/conversation/sessions.ts";

/** What is said of a tree of messages wherever it is kept. */

interface Node {
  id: string;
  parentId: string | null;
  createdAt: number;
}

const firstWordsChars = 200;

/** Enough to know a message by, on one line. */
export function firstWords(content: readonly ContentBlock[]): string {
  return textOf(content).slice(0, firstWordsChars).replaceAll(/\s+/g, " ").trim();
}

/**
 * The end of the newest path through `messageId`, which is the message itself where nothing follows it.
 * @param later messages of the tree in an order that has parents before their children
 */
export function newestLeafBelow(messageId: string, later: readonly Node[]): string {
  const times = new Map([[messageId, Number.NEGATIVE_INFINITY]]);
  const parents = new Set<string>();
  for (const { id, parentId, createdAt } of later) {
    if (parentId === null || !times.has(parentId)) continue;
    times.set(id, createdAt);
    parents.add(parentId);
  }
  let [newest, newestTime] = [messageId, Number.NEGATIVE_INFINITY];
  for (const [id, time] of times) {
    // Of two from one millisecond the later one counts: it stands deeper, or was made after the other.
    if (!parents.has(id) && time >= newestTime) [newest, newestTime] = [id, time];
  }
  return newest;
}

/**
 * The versions at the places of some messages, by the id of the one that is on the path.
 * @param nodes all messages at these places, the versions of a place oldest first
 */
export function branchesOf(
  onPath: readonly string[],
  nodes: readonly Omit<Node, "createdAt">[],
): ReadonlyMap<string, Branches> {
  const byParent = new Map<string | null, string[]>();
  const parentOf = new Map<string, string | null>();
  for (const { id, parentId } of nodes) {
    parentOf.set(id, parentId);
    const versions = byParent.get(parentId);
    if (versions) versions.push(id);
    else byParent.set(parentId, [id]);
  }
  const found = new Map<string, Branches>();
  for (const id of onPath) {
    const parentId = parentOf.get(id);
    const messageIds = parentId === undefined ? [] : (byParent.get(parentId) ?? []);
    if (messageIds.length > 1) found.set(id, { index: messageIds.indexOf(id), messageIds });
  }
  return found;
}
