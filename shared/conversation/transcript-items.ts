import type { ApprovalScope, PermissionRule } from "../safety/permissions.ts";
import type { QuestionForm } from "../servers/forms.ts";
import type { RewindOutcome } from "./checkpoints.ts";
import type { AgentEvent, ApprovalWish, ToolEffect, UserError, UtteranceRule } from "./events.ts";
import {
  type Message,
  type PromptOrigin,
  type Repair,
  type SaidLine,
  type SpeechSource,
  type StopReason,
  textOf,
} from "./messages.ts";
import type { Branches } from "./sessions.ts";

/** One thing that stands in a transcript. `key` is unique in it and stays the same while the item changes. */
export type TranscriptItem =
  | {
      kind: "user";
      key: string;
      text: string;
      origin: PromptOrigin | "steering";
      source: SpeechSource | null;
      at: number;
      /** What was first heard, where a model mended it, and what that took. */
      repair?: (Repair & { heard: string }) | undefined;
      /** Ids of the messages that its speaker went on with; absent where there are none. */
      parts?: string[] | undefined;
      /** What of a meeting went with it: how many lines, and how many older ones did not fit. */
      meeting?: { lines: number; left: number } | undefined;
      /** Where what is attached to it comes from. */
      attached?: string[] | undefined;
      /** Other versions of this prompt; absent where there are none. */
      branches?: Branches | undefined;
    }
  | {
      kind: "assistant";
      key: string;
      text: string;
      streaming: boolean;
      interrupted: boolean;
      at: number;
      /** Other versions of the reply that begins here. */
      branches?: Branches | undefined;
    }
  | {
      kind: "tool";
      key: string;
      name: string;
      input: unknown;
      status: "running" | "done" | "failed";
      output: string;
      startedAt: number;
      durationMs: number | null;
    }
  /** A tool waits for the user's word, or had it. */
  | {
      kind: "approval";
      key: string;
      toolUseId: string;
      name: string;
      effect: ToolEffect;
      wish?: ApprovalWish | undefined;
      detail: string;
      diff?: string | undefined;
      why?: string | undefined;
      rules?: PermissionRule[] | undefined;
      source?: SpeechSource | null | undefined;
      /** A spoken yes counts. */
      mayBeSpoken?: boolean | undefined;
      /** The card offers to run the command outside of the fence, for once. */
      mayRunOutside?: boolean | undefined;
      /** Files that the user's own tools run and that this conversation changed: what a command outside would obey. */
      changedToolFiles?: string[] | undefined;
      /** Of a host: a yes to this call is one for the conversation. */
      holdsInConversation?: boolean | undefined;
      status: "waiting" | "allowed" | "denied";
      reason: string | null;
      scope?: ApprovalScope | undefined;
      outside?: boolean | undefined;
      at: number;
    }
  | {
      kind: "question";
      key: string;
      question: string;
      options: { label: string; description?: string | undefined }[];
      form?: QuestionForm | undefined;
      status: "waiting" | "answered" | "dropped";
      answer: string | null;
      at: number;
    }
  /** A quiet line: a retry, a gap in what was heard, an utterance that was not sent but can be, by its `droppedId`. */
  | {
      kind: "note";
      key: string;
      text: string;
      at: number;
      droppedId?: string | undefined;
      /** It tells of the last rewind, which can be taken back. */
      canRedo?: boolean | undefined;
      /** It tells of deleted files, which this checkpoint brings back. */
      undo?: string | undefined;
    }
  /** What was said in a meeting: no prompt. */
  | { kind: "said"; key: string; who: SaidLine["who"]; text: string; at: number; endedAt: number }
  /** `canRetry`: a run failed, and asking again may work. */
  | { kind: "error"; key: string; error: UserError; canRetry: boolean; at: number }
  | { kind: "command"; key: string; line: string; output: string; isError: boolean; at: number };

/** Of a running tool's output the last part is shown; the whole is kept elsewhere. UTF-16 units. */
export const maxLiveOutputChars = 20_000;

/**
 * What a message shows of itself; null for nothing. Tool results have their cards, summaries and Parley's own words
 * their notes. A reply without text is shown only where other versions of it can be chosen.
 */
export function itemOf(message: Message, branches?: Branches): TranscriptItem | null {
  const { id: key, origin, source, createdAt: at } = message;
  const text = textOf(message.content);
  const versions = branches && { branches };
  if (message.role === "assistant") {
    if (text === "" && !branches) return null;
    const interrupted = message.interrupted ?? false;
    return { kind: "assistant", key, text, streaming: false, interrupted, at, ...versions };
  }
  if (origin === null || origin === "tool" || origin === "system" || origin === "summary") return null;
  const attached = message.content.flatMap((block) =>
    block.type === "text" ? (block.attachments ?? []).map(({ from }) => from) : [],
  );
  const meeting = message.content.find((block) => block.type === "text" && block.meeting);
  const repair = repairOf(message);
  return {
    kind: "user",
    key,
    text,
    origin,
    source,
    at,
    ...(meeting?.type === "text" && {
      meeting: { lines: meeting.meeting?.length ?? 0, left: meeting.meetingLeft ?? 0 },
    }),
    ...(attached.length > 0 && { attached }),
    ...(repair && { repair }),
    ...versions,
  };
}

/** A finished reply takes the place of its streamed text. */
export function withMessage(
  items: TranscriptItem[],
  message: Message,
  branches?: Branches,
): TranscriptItem[] {
  const item = itemOf(message, branches);
  const shown = message.role === "assistant" ? items.findLastIndex(({ key }) => key === message.id) : -1;
  if (item && goesOn(message)) return withRest(items, item);
  if (shown < 0) return item ? [...items, item] : items;
  return item ? items.with(shown, item) : items.toSpliced(shown, 1);
}

/** The words of this message belong to the prompt before them. */
export const goesOn = ({ role, content }: Message): boolean =>
  role === "user" && content.some((block) => block.type === "text" && block.continues);

/** Such words stand in the item of their prompt; on a page that begins with them, in their own. */
export function withRest(items: TranscriptItem[], rest: TranscriptItem): TranscriptItem[] {
  const index = items.findLastIndex(({ kind }) => kind === "user");
  const prompt = items[index];
  if (rest.kind !== "user" || prompt?.kind !== "user") return [...items, rest];
  const parts = [...(prompt.parts ?? []), rest.key];
  const heard = `${prompt.repair?.heard ?? prompt.text} ${rest.repair?.heard ?? rest.text}`;
  const repair = prompt.repair ?? rest.repair;
  return items.with(index, {
    ...prompt,
    text: `${prompt.text} ${rest.text}`,
    parts,
    ...(repair && { repair: { ...repair, heard } }),
  });
}

/** Of a prompt that a model mended. */
function repairOf({ content }: Message): (Repair & { heard: string }) | undefined {
  for (const block of content) {
    const repair = block.type === "text" ? block.repair : undefined;
    if (repair?.heard !== undefined) return { ...repair, heard: repair.heard };
  }
  return undefined;
}

/** The card of a call that begins. */
export function toolItem(
  { toolUseId: key, name, input }: { toolUseId: string; name: string; input: unknown },
  startedAt: number,
): ToolItem {
  return { kind: "tool", key, name, input, status: "running", output: "", startedAt, durationMs: null };
}

/** Calls stand in the order in which their reply names them, whichever begins first. */
export function withCall(
  items: TranscriptItem[],
  call: ToolItem,
  calls: readonly string[],
): TranscriptItem[] {
  const later = new Set(calls.slice(calls.indexOf(call.key) + 1));
  const isLater = (item: TranscriptItem) => later.has(item.kind === "approval" ? item.toolUseId : item.key);
  const at = calls.includes(call.key) && later.size > 0 ? items.findIndex(isLater) : -1;
  return at < 0 ? [...items, call] : items.toSpliced(at, 0, call);
}

/** The same when it has ended. */
export function endedTool(
  item: ToolItem,
  { isError, output, durationMs }: { isError: boolean; output: string; durationMs: number },
): ToolItem {
  return { ...item, status: isError ? "failed" : "done", output, durationMs };
}

/** Only the last failure can be asked again: "the last prompt" is another one once a new run has begun. */
export function withoutRetry(items: TranscriptItem[]): TranscriptItem[] {
  return items.map((item) => (item.kind === "error" && item.canRetry ? { ...item, canRetry: false } : item));
}

/** Only the last rewind can be taken back. */
export function withoutRedo(items: TranscriptItem[]): TranscriptItem[] {
  return items.map((item) => (item.kind === "note" && item.canRedo ? { ...item, canRedo: false } : item));
}

/** What was undone says so, and cannot be undone again. */
export function withoutUndo(
  items: TranscriptItem[],
  checkpointId: string,
  { files }: RewindOutcome,
): TranscriptItem[] {
  const left = files.filter(({ result }) => result === "skipped" || result === "failed").length;
  if (left === files.length && left > 0) return items;
  const said = left === 0 ? "Undone." : `Undone but for ${left} of them.`;
  return items.map((item) =>
    item.kind === "note" && item.undo === checkpointId
      ? { ...item, undo: undefined, text: `${item.text} ${said}` }
      : item,
  );
}

/** The reply need not be the last item: a command's answer or a note may have come in between. */
export function withDelta(items: TranscriptItem[], key: string, text: string, at: number): TranscriptItem[] {
  const index = items.findLastIndex((item) => item.key === key);
  const shown = items[index];
  if (shown?.kind === "assistant") return items.with(index, { ...shown, text: shown.text + text });
  return [...items, { kind: "assistant", key, text, streaming: true, interrupted: false, at }];
}

export function withRunEnd(
  items: TranscriptItem[],
  reason: StopReason,
  error: UserError | undefined,
  key: string,
  at: number,
): TranscriptItem[] {
  const settled = items.map((item) => {
    if (item.kind === "assistant" && item.streaming) return { ...item, streaming: false, interrupted: true };
    if (item.kind === "tool" && item.status === "running") {
      return { ...item, status: "failed" as const, output: "Interrupted.", durationMs: at - item.startedAt };
    }
    return item;
  });
  if (error) return [...settled, { kind: "error", key: `end-${key}`, error, canRetry: true, at }];
  const said = endNote[reason];
  return said ? [...settled, { kind: "note", key: `end-${key}`, text: said, at }] : settled;
}

const endNote: Partial<Record<StopReason, string>> = {
  interrupted: "You stopped this reply.",
  max_tokens: "The reply was cut at its length limit. Say “go on” to continue, or raise maxTokens.",
  refusal: "The model declined to answer this.",
  max_turns: "Stopped at the limit of rounds.",
  budget_exceeded: "Stopped: the token budget is used up.",
  too_many_deletions: "Stopped: one command deleted more files than deleteLimit allows.",
  loop_detected: "Stopped: the same step was repeated without progress.",
};

type Kind = TranscriptItem["kind"];

export type ToolItem = Extract<TranscriptItem, { kind: "tool" }>;

export const isRunningTool = (item: TranscriptItem): item is ToolItem =>
  item.kind === "tool" && item.status === "running";

/** What changes stands near the end: looked for from there. */
export function withChanged<K extends Kind>(
  items: TranscriptItem[],
  kind: K,
  key: string,
  change: (item: Extract<TranscriptItem, { kind: K }>) => TranscriptItem,
): TranscriptItem[] {
  const isWanted = (item: TranscriptItem | undefined): item is Extract<TranscriptItem, { kind: K }> =>
    item?.kind === kind && item.key === key;
  const index = items.findLastIndex(isWanted);
  const found = items[index];
  return isWanted(found) ? items.with(index, change(found)) : items;
}

export function withNote(items: TranscriptItem[], id: number, at: number, text: string): TranscriptItem[] {
  return [...items, { kind: "note", key: `note-${id}`, text, at }];
}

/** Of a line that was noted in a meeting. */
export const saidKey = (lineId: string): string => `said-${lineId}`;

/** What an utterance leaves in the transcript beside its prompt: why it is none, or which rule it went by. */
export function withUtterance(
  items: TranscriptItem[],
  event: Extract<AgentEvent, { type: "voice.utterance" }>,
): TranscriptItem[] {
  const { id, at, text, rule, droppedId } = event;
  const key = saidKey(event.line?.id ?? event.utteranceId);
  if (rule === "noted") {
    const { at: began, endedAt } = event.line ?? { at, endedAt: at };
    const who = event.source === "loopback" ? "them" : "me";
    return [...items, { kind: "said", key, who, text, at: began, endedAt }];
  }
  // Known only later for what the microphone heard of the loudspeaker: it stands there already.
  const others = rule === "echo" ? items.filter((item) => item.key !== key) : items;
  if (event.dropped !== undefined) {
    const said = `Not sent (${event.dropped}): “${text}”`;
    return [...others, { kind: "note", key: `note-${id}`, text: said, at, ...(droppedId && { droppedId }) }];
  }
  const note = rule && ruleNotes[rule];
  return note ? withNote(others, id, at, `“${text}” ${note}`) : others;
}

/** Of the others the prompt itself says enough. */
const ruleNotes: Partial<Record<UtteranceRule, string>> = {
  stop_word: "stopped the run.",
  answer: "answered the question.",
  approval: "answered what waited to be allowed.",
  interrupted: "interrupted the run.",
  held: "is held: too many prompts wait. It is sent when there is room.",
};
