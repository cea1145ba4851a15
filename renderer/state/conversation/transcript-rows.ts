import type { Effort } from "../../../shared/conversation/effort.ts";
import { modelName } from "../../../shared/conversation/model-name.ts";
import type { TranscriptItem } from "../../../shared/conversation/transcript.ts";
import type { ApprovalItem, QuestionItem, ToolItem } from "../../../shared/conversation/transcript-items.ts";

/** A call with what the user was asked about it, in that order. */
export interface CallRow {
  kind: "call";
  key: string;
  item: ToolItem;
  approvals: readonly ApprovalItem[];
  questions: readonly QuestionItem[];
  /** No other call changed files after it. */
  isNewestEdit?: boolean;
}

/** Calls that follow one another without text between: they fold into one line. */
export interface GroupRow {
  kind: "group";
  key: string;
  calls: readonly CallRow[];
}

interface ItemRow {
  kind: "item";
  key: string;
  item: TranscriptItem;
  /** All that the reply says, part by part, where nothing more of it follows and it is whole; else null. */
  said: readonly string[] | null;
  /** Of a reply: no other follows; of a prompt the same. */
  isNewest: boolean;
}

/** Another model answers the prompt that follows than the one before, or it thinks more or less. */
export interface ModelRow {
  kind: "model";
  key: string;
  /** As people call it; null: it is the same as before. */
  name: string | null;
  effort: Effort;
}

export type TranscriptRow = CallRow | GroupRow | ItemRow | ModelRow;

/**
 * The rows of a transcript, oldest first. A row that says the same as one of `before` is that very row, so that what
 * is shown of it need not be made again.
 */
export function transcriptRows(
  items: readonly TranscriptItem[],
  before: readonly TranscriptRow[] = [],
): readonly TranscriptRow[] {
  const known = knownIn(before);
  const rows: TranscriptRow[] = [];
  const newestEdit = items.findLast(
    (item) => item.kind === "tool" && item.status === "done" && edits.has(item.name),
  );
  const newestReply = items.findLast(({ kind }) => kind === "assistant");
  const newestPrompt = items.findLast((item) => item.kind === "user" && item.origin !== "steering");
  /** Who answered last, and where in the rows the turn begins that is looked at. */
  let model: string | null = null;
  let effort: Effort | null = null;
  let turnAt = 0;
  /** What the reply that is looked at says, before and between its calls. */
  let said: string[] = [];
  let run: CallRow[] = [];
  const endRun = () => {
    const [first] = run;
    if (first && run.length === 1) rows.push(first);
    else if (first) rows.push(reused({ kind: "group", key: first.key, calls: run }, known));
    run = [];
  };
  for (let index = 0; index < items.length; index++) {
    const item = items[index];
    if (item?.kind === "tool") {
      const { approvals, questions } = askedBy(item, items, index);
      index += approvals.length + questions.length;
      const isEdit = item === newestEdit && { isNewestEdit: true };
      const call = reusedCall({ kind: "call", key: item.key, item, approvals, questions, ...isEdit }, known);
      if (folds(call)) run.push(call);
      else {
        endRun();
        rows.push(call);
      }
    } else if (item) {
      endRun();
      if (item.kind === "user" && item.origin !== "steering") {
        turnAt = rows.length;
        said = [];
      }
      if (item.kind === "assistant" && item.text !== "") said.push(item.text);
      const name: string | null =
        item.kind === "assistant" && item.model !== undefined ? modelName(item.model) : model;
      // How much it thinks is known once the reply is whole.
      const depth: Effort | null =
        item.kind === "assistant" && !item.streaming ? (item.effort ?? "default") : effort;
      const isOther = model !== null && name !== null && name !== model;
      if (isOther || (effort !== null && depth !== null && depth !== effort)) {
        const row = { name: isOther ? name : null, effort: depth ?? "default" };
        rows.splice(turnAt, 0, reused({ kind: "model", key: `model before ${item.key}`, ...row }, known));
        // One note for a turn.
        if (item.kind === "assistant") turnAt = rows.length;
      }
      model = name;
      effort = depth;
      const isReplyEnd = endsReply(items, index);
      const isNewest = (isReplyEnd && item === newestReply) || item === newestPrompt;
      const isWhole = isReplyEnd && item.kind === "assistant" && !item.streaming;
      const row: ItemRow = { kind: "item", key: item.key, item, said: isWhole ? [...said] : null, isNewest };
      rows.push(reused(row, known));
    }
  }
  endRun();
  return rows;
}

export const isWaiting = ({ status }: ApprovalItem | QuestionItem): boolean => status === "waiting";

/** The sub-agents that wait for the user's word, and those of their steps that do, by the keys of their lines. */
export const waitingAgents = (items: readonly TranscriptItem[]): string[] =>
  items.flatMap((item) =>
    (item.kind === "approval" || item.kind === "question") && isWaiting(item) && item.agentId !== undefined
      ? [item.agentId, `${item.agentId} ${item.toolUseId}`]
      : [],
  );

/** Asked while the call runs, such as for a host that its command wants to reach: the call's line stays beside it. */
export const isAskedMeanwhile = ({ wish }: ApprovalItem): boolean =>
  wish !== undefined && wish.tool === undefined;

/** What a call asked the user stands behind it. */
function askedBy(call: ToolItem, items: readonly TranscriptItem[], index: number) {
  const approvals: ApprovalItem[] = [];
  const questions: QuestionItem[] = [];
  for (let next = index + 1; next < items.length; next++) {
    const item = items[next];
    if (item?.kind === "approval" && item.toolUseId === call.key) approvals.push(item);
    else if (item?.kind === "question" && item.toolUseId === call.key) questions.push(item);
    else break;
  }
  return { approvals, questions };
}

const edits: ReadonlySet<string> = new Set(["edit_file", "write_file", "apply_patch"]);

/** What changes files, what concerns agents, and questions have lines of their own. */
const alone: ReadonlySet<string> = new Set([
  ...edits,
  "spawn_agent",
  "send_input",
  "wait",
  "close_agent",
  "ask_user",
]);

const folds = ({ item, approvals, questions }: CallRow): boolean =>
  (item.status === "running" || item.status === "done") &&
  !alone.has(item.name) &&
  !approvals.some(isWaiting) &&
  questions.length === 0;

function endsReply(items: readonly TranscriptItem[], index: number): boolean {
  if (items[index]?.kind !== "assistant") return false;
  for (let next = index + 1; next < items.length; next++) {
    const item = items[next];
    if (item?.kind === "user" && item.origin !== "steering") return true;
    if (item?.kind === "assistant" || item?.kind === "tool" || item?.kind === "user") return false;
  }
  return true;
}

function knownIn(before: readonly TranscriptRow[]) {
  const calls = before.flatMap((row) =>
    row.kind === "group" ? row.calls : row.kind === "call" ? [row] : [],
  );
  return {
    rows: new Map(before.map((row) => [row.key, row])),
    calls: new Map(calls.map((call) => [call.key, call])),
  };
}
type Known = ReturnType<typeof knownIn>;

function reusedCall(call: CallRow, { calls }: Known): CallRow {
  const was = calls.get(call.key);
  return was && isSameCall(was, call) ? was : call;
}

function reused(row: GroupRow | ItemRow | ModelRow, { rows }: Known): TranscriptRow {
  const was = rows.get(row.key);
  if (row.kind === "model")
    return was?.kind === "model" && was.name === row.name && was.effort === row.effort ? was : row;
  if (row.kind === "item") return was?.kind === "item" && isSameItem(was, row) ? was : row;
  if (was?.kind !== "group") return row;
  return isSameList(row.calls, was.calls) ? was : row;
}

const isSameItem = (one: ItemRow, other: ItemRow): boolean =>
  one.item === other.item &&
  one.isNewest === other.isNewest &&
  one.said?.length === other.said?.length &&
  // The same texts: to put them together for every row with every word would take longer than a frame.
  (one.said?.every((text, place) => text === other.said?.[place]) ?? true);

const isSameCall = (one: CallRow, other: CallRow): boolean =>
  one.item === other.item &&
  one.isNewestEdit === other.isNewestEdit &&
  isSameList(one.approvals, other.approvals) &&
  isSameList(one.questions, other.questions);

const isSameList = (one: readonly unknown[], other: readonly unknown[]): boolean =>
  one.length === other.length && one.every((item, at) => item === other[at]);
