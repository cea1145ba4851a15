import type { ApprovalScope, PermissionRule } from "../safety/permissions.ts";
import type { QuestionForm } from "../servers/forms.ts";
import type { Attachment, ShownAttachment } from "./attachments.ts";
import type { RewindOutcome } from "./checkpoints.ts";
import type { EffortLevel } from "./effort.ts";
import type { AgentEvent, ApprovalWish, ToolEffect, UserError, UtteranceRule } from "./events.ts";
import type { MeetingLine } from "./meeting.ts";
import {
  type ContentBlock,
  type Message,
  type PromptOrigin,
  type Repair,
  type SaidLine,
  type SpeechSource,
  type StopReason,
  textOf,
  type Usage,
} from "./messages.ts";
import type { Branches } from "./sessions.ts";
import { unfinishedText, wasStopped } from "./unfinished-call.ts";

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
      meeting?: { lines: number; left: number; upTo?: number } | undefined;
      attached?: ShownAttachment[] | undefined;
      /** Other versions of this prompt; absent where there are none. */
      branches?: Branches | undefined;
    }
  | {
      kind: "assistant";
      key: string;
      text: string;
      /** What it was thought about before; absent where there is nothing of it to read. */
      thinking?: Thinking | undefined;
      streaming: boolean;
      interrupted: boolean;
      /** Id of the model that answered; absent where that is not known. */
      model?: string | undefined;
      /** How much it was asked to think; absent: as much as it does by itself. */
      effort?: EffortLevel | undefined;
      /** What its request took; absent while it streams, and where that is not known. */
      usage?: Usage | undefined;
      at: number;
      /** Other versions of the reply that begins here. */
      branches?: Branches | undefined;
    }
  | {
      kind: "tool";
      key: string;
      name: string;
      input: unknown;
      /** `stopped`: by the user, or by the end of its run. */
      status: "running" | "done" | "failed" | "stopped";
      output: string;
      startedAt: number;
      durationMs: number | null;
      /** The model saw a part of the output: so many of all characters. */
      cut?: { shownChars: number; totalChars: number } | undefined;
      /** What it changed in files, unified; absent where that is not known, as after a restart. */
      diff?: string | undefined;
      /** The model saw images beside it. */
      hasImages?: boolean | undefined;
    }
  /** A tool waits for the user's word, or had it. */
  | {
      kind: "approval";
      key: string;
      toolUseId: string;
      /** The sub-agent that asks; absent of the conversation's own call. */
      agentId?: string | undefined;
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
      /** A yes lets a command run without a fence: no rewind brings back what it does. */
      runsOutside?: boolean | undefined;
      /** `stopped`: its run ended before the user answered. */
      status: "waiting" | "allowed" | "denied" | "stopped";
      reason: string | null;
      scope?: ApprovalScope | undefined;
      outside?: boolean | undefined;
      at: number;
      /** When it was answered, or its run ended. */
      endedAt?: number | undefined;
    }
  | {
      kind: "question";
      key: string;
      /** The call that asks; absent in earlier events. */
      toolUseId?: string | undefined;
      agentId?: string | undefined;
      question: string;
      options: { label: string; description?: string | undefined }[];
      form?: QuestionForm | undefined;
      status: "waiting" | "answered" | "dropped";
      answer: string | null;
      at: number;
      endedAt?: number | undefined;
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
      /** It tells how much of a reply was heard: the rest can be said. */
      rest?: { messageId: string; heard: string } | undefined;
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

/** `ms` null: it goes on, or nobody knows how long it took. */
export interface Thinking {
  text: string;
  isGoingOn: boolean;
  ms: number | null;
}

function thinkingOf({ content, thinkingMs }: Message): Thinking | null {
  const text = content
    .flatMap((block) => (block.type === "thinking" && block.thinking !== "" ? [block.thinking] : []))
    .join("\n\n");
  return text.trim() === "" ? null : { text, isGoingOn: false, ms: thinkingMs ?? null };
}

/**
 * What a message shows of itself; null for nothing. Tool results have their cards, summaries and Parley's own words
 * their notes. A reply without text is shown only where it was thought about, or other versions of it can be chosen.
 */
export function itemOf(message: Message, branches?: Branches): TranscriptItem | null {
  const { id: key, origin, source, createdAt: at } = message;
  const text = textOf(message.content);
  const versions = branches && { branches };
  if (message.role === "assistant") {
    const thought = thinkingOf(message);
    if (text === "" && !thought && !branches) return null;
    const interrupted = message.interrupted ?? false;
    const thinking = thought && { thinking: thought };
    const model = message.model !== undefined && { model: message.model };
    const reply = { kind: "assistant" as const, key, text, ...thinking, streaming: false, interrupted };
    const effort = message.effort !== undefined && { effort: message.effort };
    const usage = message.usage !== undefined && { usage: message.usage };
    return { ...reply, ...model, ...effort, ...usage, at, ...versions };
  }
  if (origin === null || origin === "tool" || origin === "system" || origin === "summary") return null;
  const attached = message.content.flatMap((block) =>
    block.type === "text" ? (block.attachments ?? []).map(shownAttachment) : [],
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
    ...(meeting?.type === "text" && { meeting: wentWith(meeting) }),
    ...(attached.length > 0 && { attached }),
    ...(repair && { repair }),
    ...versions,
  };
}

/** `upTo`: when the last line began, milliseconds since the epoch. */
function wentWith({ meeting = [], meetingLeft = 0 }: Extract<ContentBlock, { type: "text" }>) {
  const upTo = meeting.at(-1)?.at;
  return { lines: meeting.length, left: meetingLeft, ...(upTo !== undefined && { upTo }) };
}

const shownAttachment = ({ from, choice }: Attachment): ShownAttachment => ({
  from,
  ...(choice && { choice }),
});

/** A finished reply takes the place of its streamed text. */
export function withMessage(
  items: TranscriptItem[],
  message: Message,
  branches?: Branches,
): TranscriptItem[] {
  if (message.origin === "tool") return withImages(items, message);
  const item = itemOf(message, branches);
  const shown = message.role === "assistant" ? items.findLastIndex(({ key }) => key === message.id) : -1;
  if (item && goesOn(message)) return withRest(items, item);
  if (shown < 0) return item ? [...items, item] : items;
  return item ? items.with(shown, item) : items.toSpliced(shown, 1);
}

/** The lines of calls whose results have images say so. */
function withImages(items: TranscriptItem[], { content }: Message): TranscriptItem[] {
  return content.reduce(
    (changed, block) =>
      block.type === "tool_result" && (block.images ?? []).length > 0
        ? withChanged(changed, "tool", block.tool_use_id, (item) => ({ ...item, hasImages: true }))
        : changed,
    items,
  );
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
  const isLater = (item: TranscriptItem) => later.has((isAsked(item) && item.toolUseId) || item.key);
  const at = calls.includes(call.key) && later.size > 0 ? items.findIndex(isLater) : -1;
  return at < 0 ? [...items, call] : items.toSpliced(at, 0, call);
}

/** A card stands behind its call, whichever call asks first; one of a sub-agent's call stands at the end. */
export function withAsked(items: TranscriptItem[], asked: ApprovalItem | QuestionItem): TranscriptItem[] {
  const { toolUseId } = asked;
  if (toolUseId === undefined) return [...items, asked];
  const at = items.findLastIndex(
    (item) =>
      (item.kind === "tool" && item.key === toolUseId) || (isAsked(item) && item.toolUseId === toolUseId),
  );
  return at < 0 ? [...items, asked] : items.toSpliced(at + 1, 0, asked);
}

const isAsked = (item: TranscriptItem): item is ApprovalItem | QuestionItem =>
  item.kind === "approval" || item.kind === "question";

/** The same when it has ended. */
export function endedTool(
  item: ToolItem,
  ended: { isError: boolean; output: string; durationMs: number; diff?: string | undefined },
): ToolItem {
  const { isError, output, durationMs, diff } = ended;
  const status = !isError ? "done" : wasStopped(output) ? "stopped" : "failed";
  return { ...item, status, output, durationMs, ...(diff !== undefined && { diff }) };
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
  const said = left === 0 ? "Undone." : `Undone, except for ${left} of them.`;
  return items.map((item) =>
    item.kind === "note" && item.undo === checkpointId
      ? { ...item, undo: undefined, text: `${item.text} ${said}` }
      : item,
  );
}

/** A piece of a reply. `at`: milliseconds since the epoch. */
interface Delta {
  messageId: string;
  text: string;
  at: number;
}

/** The reply need not be the last item: a command's answer or a note may have come in between. @param model who is asked */
export function withDelta(items: TranscriptItem[], delta: Delta, model?: string): TranscriptItem[] {
  const { messageId: key, text, at } = delta;
  const index = items.findLastIndex((item) => item.key === key);
  const shown = items[index];
  if (shown?.kind !== "assistant") return [...items, begun(key, { text }, at, model)];
  const { thinking } = shown;
  const isFirst = shown.text === "" && thinking;
  return items.with(index, {
    ...shown,
    text: shown.text + text,
    ...(isFirst && { thinking: { ...thinking, isGoingOn: false, ms: at - shown.at } }),
  });
}

/** It may come before the text, and again between parts of it. @param model who is asked */
export function withThought(items: TranscriptItem[], delta: Delta, model?: string): TranscriptItem[] {
  const { messageId: key, text, at } = delta;
  const index = items.findLastIndex((item) => item.key === key);
  const shown = items[index];
  if (shown?.kind !== "assistant") {
    const thinking = { text, isGoingOn: true, ms: null };
    return [...items, begun(key, { text: "", thinking }, at, model)];
  }
  const before = shown.thinking ?? { text: "", isGoingOn: shown.text === "", ms: null };
  return items.with(index, { ...shown, thinking: { ...before, text: before.text + text } });
}

/** A reply with the first of what it says. */
const begun = (
  key: string,
  said: { text: string; thinking?: Thinking },
  at: number,
  model: string | undefined,
): TranscriptItem => {
  const by = model !== undefined && { model };
  return { kind: "assistant", key, ...said, streaming: true, interrupted: false, ...by, at };
};

export function withRunEnd(
  items: TranscriptItem[],
  reason: StopReason,
  error: UserError | undefined,
  key: string,
  at: number,
): TranscriptItem[] {
  // What was only thought about is not kept.
  const isVoid = (item: TranscriptItem) => item.kind === "assistant" && item.streaming && item.text === "";
  const settled = items
    .filter((item) => !isVoid(item))
    .map((item) => {
      if (item.kind === "assistant" && item.streaming)
        return { ...item, streaming: false, interrupted: true };
      if (item.kind === "tool" && item.status === "running") {
        return {
          ...item,
          status: "stopped" as const,
          output: unfinishedText,
          durationMs: at - item.startedAt - waitedMs(askedBy(item, items), at),
        };
      }
      return item;
    });
  if (error) return [...settled, { kind: "error", key: `end-${key}`, error, canRetry: true, at }];
  const said = endNote[reason];
  return said ? [...settled, { kind: "note", key: `end-${key}`, text: said, at }] : settled;
}

const askedBy = ({ key }: ToolItem, items: readonly TranscriptItem[]) =>
  items.filter(isAsked).filter(({ toolUseId }) => toolUseId === key);

/** How long the user took for what a call asked, which is not the call's time. @param now of what waits still */
export const waitedMs = (asked: readonly (ApprovalItem | QuestionItem)[], now: number): number =>
  asked.reduce((sum, { at, endedAt = now }) => sum + Math.max(0, endedAt - at), 0);

export const endNote: Partial<Record<StopReason, string>> = {
  interrupted: "You stopped this reply.",
  max_tokens:
    "The reply reached its length limit. Say “go on” to continue, or raise the longest reply in the settings.",
  refusal: "The model declined to answer this.",
  max_turns: "Stopped at the limit of rounds or replies in the settings.",
  budget_exceeded: "Stopped: the budget of this conversation is used up.",
  too_many_deletions: "Stopped: one command deleted more files than the settings allow.",
  loop_detected: "Stopped: the same step was repeated without progress.",
};

type Kind = TranscriptItem["kind"];

export type ToolItem = Extract<TranscriptItem, { kind: "tool" }>;
export type ApprovalItem = Extract<TranscriptItem, { kind: "approval" }>;
export type QuestionItem = Extract<TranscriptItem, { kind: "question" }>;

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

/** What the user typed during a meeting. */
export const withTypedNote = (
  items: TranscriptItem[],
  { id, text, at }: Pick<MeetingLine, "id" | "text" | "at">,
): TranscriptItem[] => [...items, { kind: "said", key: saidKey(id), who: "note", text, at, endedAt: at }];

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
  // What it does is to be seen; the voice panel lists it, and can send it all the same.
  if (rule === "command" || rule === "no_words") return others;
  if (event.dropped !== undefined) {
    const said = `Not sent (${event.dropped}): “${text}”`;
    const note = { kind: "note", text: said, at, ...(droppedId && { droppedId }) } as const;
    if (!isNoise(event)) return [...others, { ...note, key: `note-${id}` }];
    // One line is enough for a fit of coughing, and a screen reader reads its first; the voice panel lists them all.
    const last = others.at(-1);
    return last?.key.startsWith(noiseKey)
      ? [...others.slice(0, -1), { ...note, key: last.key }]
      : [...others, { ...note, key: `${noiseKey}${id}` }];
  }
  const note = rule && ruleNotes[rule];
  return note ? withNote(others, id, at, `“${text}” ${note}`) : others;
}

/** How the keys of notes about coughs and other noises begin. */
const noiseKey = "noise-";
/** Of a cough the recogniser makes no more words than that. */
const mostNoiseWords = 2;

/** Whether what was dropped is what recognisers make of noise. */
function isNoise({
  rule,
  text,
}: Pick<Extract<AgentEvent, { type: "voice.utterance" }>, "rule" | "text">): boolean {
  if (rule === "no_speech" || rule === "too_short") return true;
  return rule === "too_unsure" && text.trim().split(/\s+/).length <= mostNoiseWords;
}

/** Of the others the prompt itself says enough. */
const ruleNotes: Partial<Record<UtteranceRule, string>> = {
  stop_word: "stopped the run.",
  answer: "answered the question.",
  approval: "answered the approval.",
  interrupted: "interrupted the run.",
  held: "is on hold: too many prompts are waiting. It will be sent when there is room.",
};
