import type { AgentEvent } from "../../../shared/conversation/events.ts";
import { sentencesOf } from "./spoken-sentences.ts";

type Approval = Extract<AgentEvent, { type: "approval.requested" }>;
type Question = Extract<AgentEvent, { type: "question.asked" }>;

/** Longer names of files say nothing to the ear. */
const longestNameChars = 40;

/** What waits for the user's word. */
export interface WaitingItem {
  id: string;
  conversationId: string;
  asked: Approval | Question;
  isTold: boolean;
}

export const waitingItem = (asked: Approval | Question): WaitingItem => ({
  id: asked.type === "approval.requested" ? asked.approvalId : asked.questionId,
  conversationId: asked.conversationId,
  asked,
  isTold: false,
});

/**
 * What is said of those items that were not told yet, in sentences. Pure.
 * @param items all that wait, in the order in which they are shown
 */
export function waitingLines(
  items: readonly WaitingItem[],
): { id: string; conversationId: string; sentences: string[] }[] {
  const fresh = items.filter(({ isTold }) => !isTold);
  return fresh.map(({ id, conversationId, asked }) => {
    if (asked.type === "question.asked") return { id, conversationId, sentences: questionLines(asked) };
    const isLast = fresh.findLast((item) => isApprovalIn(item, conversationId))?.id === id;
    const how = isLast ? [howToAnswer(items.filter((item) => isApprovalIn(item, conversationId)))] : [];
    return { id, conversationId, sentences: [`${wishOf(asked)}.`, ...how].flatMap(sentencesOf) };
  });
}

const isApprovalIn = (item: WaitingItem, conversationId: string): item is WaitingItem & { asked: Approval } =>
  item.asked.type === "approval.requested" && item.conversationId === conversationId;

/** A yes to all is none where one of them has to be read. */
function howToAnswer(approvals: readonly { asked: Approval }[]): string {
  const isOne = approvals.length === 1;
  return approvals.every(({ asked }) => asked.mayBeSpoken)
    ? `Say ${isOne ? "approve or deny" : "allow all or deny all"}.`
    : `${isOne ? "It needs" : "They need"} a click on screen.`;
}

/** A server's form is filled in by hand. */
function questionLines({ question, options, form }: Question): string[] {
  if (form !== undefined) return ["There is a form to fill in on screen."];
  const labels = options.map(({ label }) => label.replace(/[.!?]+$/, ""));
  const last = labels.pop();
  // In one sentence: one that is nothing but an answer would be taken for Parley's own voice when somebody says it.
  const choice =
    last === undefined || labels.length === 0 ? [] : [`You can say: ${labels.join(", ")}, or ${last}.`];
  return [question, ...choice].flatMap(sentencesOf);
}

function wishOf({ effect, wish, diff }: Approval): string {
  if (wish?.tool !== undefined) return `I'd like to use ${wish.tool} from ${wish.who}`;
  if (wish) return `${wish.who} wants ${wish.what}`;
  switch (effect) {
    case "write":
      return `I'd like to ${changeIn(diff ?? "")}`;
    case "execute":
      return "I'd like to run a command";
    case "network":
      return "I'd like to go online";
    case "app":
      return "I'd like to change how Parley works";
    case "read":
      return "I'd like to read something that is protected";
  }
}

/** By the heads of a unified diff: what its lines say names no file. */
function changeIn(diff: string): string {
  const files = [...diff.matchAll(/^--- (.+)\n\+\+\+ (.+)\n(?=@@ )/gm)];
  const [file] = files;
  if (!file) return "change a file";
  if (files.length > 1) return `change ${files.length} files`;
  const [, from = "", to = ""] = file;
  const nowhere = "/dev/null";
  const verb = from === nowhere ? "write" : to === nowhere ? "delete" : "change";
  const name = (to === nowhere ? from : to).split(/[\\/]/).at(-1) ?? "";
  return `${verb} ${/[\p{L}\p{N}]/u.test(name) && name.length <= longestNameChars ? name : "a file"}`;
}
