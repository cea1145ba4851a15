import type {
  AgentEvent,
  LifecycleState,
  QueuedInput,
  ToolEffect,
  UserError,
  VoiceStateName,
} from "./events.ts";
import { type Message, type PromptOrigin, type SpeechSource, type StopReason, textOf } from "./messages.ts";
import { noteOf } from "./notes.ts";
import type { ApprovalScope, PermissionMode, PermissionRule } from "./permissions.ts";
import type { Branches } from "./sessions.ts";

/**
 * What a window shows of a conversation, as a pure projection of its events. The main process keeps one for
 * snapshots and each window goes on from there with the very same function, so the two cannot disagree.
 */
export interface ConversationView {
  conversationId: string;
  title: string;
  /** Id of the last event applied; events up to it are ignored. */
  lastEventId: number;
  state: LifecycleState;
  items: TranscriptItem[];
  /** Whether the path goes on before the first item. */
  hasEarlier: boolean;
  workingFolder: string;
  /** Text that stood in the composer when it was left. */
  draft: string;
  queue: QueuedInput[];
  /** The user's words that wait to enter the running turn. */
  steering: { steeringId: string; text: string }[];
  /** What the run is busy with while there is nothing to read; null when idle or while text streams. */
  activity: Activity | null;
  voice: VoiceView;
  /** null: the user chose none for this conversation, that of the settings counts. */
  permissionMode: PermissionMode | null;
}

/** `since`: milliseconds since the epoch. */
export type Activity =
  | { kind: "model"; model: string; since: number }
  | { kind: "tools"; names: string[]; since: number }
  | { kind: "retry"; reason: string; attempt: number; delayMs: number; since: number };

export interface VoiceView {
  state: VoiceStateName;
  source: SpeechSource | null;
  partial: { utteranceId: string; text: string } | null;
  detail: UserError | null;
}

export type TranscriptItem =
  | {
      kind: "user";
      key: string;
      text: string;
      origin: PromptOrigin | "steering";
      source: SpeechSource | null;
      at: number;
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
      detail: string;
      diff?: string | undefined;
      why?: string | undefined;
      rules?: PermissionRule[] | undefined;
      source?: SpeechSource | null | undefined;
      status: "waiting" | "allowed" | "denied";
      reason: string | null;
      scope?: ApprovalScope | undefined;
      at: number;
    }
  | {
      kind: "question";
      key: string;
      question: string;
      options: { label: string; description?: string | undefined }[];
      status: "waiting" | "answered" | "dropped";
      answer: string | null;
      at: number;
    }
  /** A quiet line: a retry, a gap in what was heard, an utterance that was not sent. */
  | { kind: "note"; key: string; text: string; at: number }
  /** `canRetry`: a run failed, and asking again may work. */
  | { kind: "error"; key: string; error: UserError; canRetry: boolean; at: number }
  | { kind: "command"; key: string; line: string; output: string; isError: boolean; at: number };

/** Of a running tool's output the last part is shown; the whole is kept elsewhere. UTF-16 units. */
export const maxLiveOutputChars = 20_000;

export const emptyView = (conversationId: string, title: string): ConversationView => ({
  conversationId,
  title,
  lastEventId: 0,
  state: "idle",
  items: [],
  hasEarlier: false,
  workingFolder: "",
  draft: "",
  queue: [],
  steering: [],
  activity: null,
  voice: { state: "off", source: null, partial: null, detail: null },
  permissionMode: null,
});

/** Applies one event; one that was applied before changes nothing. Never mutates `view`. */
export function applyEvent(view: ConversationView, event: AgentEvent): ConversationView {
  if (event.id <= view.lastEventId) return view;
  return { ...view, ...changes(view, event), lastEventId: event.id };
}

/** Applies several, oldest first. Each delta copies the list of items: neighbours are joined before. */
export function applyEvents(view: ConversationView, events: readonly AgentEvent[]): ConversationView {
  return withJoinedDeltas(events.filter(({ id }) => id > view.lastEventId)).reduce(applyEvent, view);
}

function withJoinedDeltas(events: readonly AgentEvent[]): AgentEvent[] {
  const joined: AgentEvent[] = [];
  for (const event of events) {
    const last = joined.at(-1);
    if (last?.type === "text.delta" && event.type === "text.delta" && last.messageId === event.messageId) {
      joined[joined.length - 1] = { ...last, id: event.id, text: last.text + event.text };
    } else joined.push(event);
  }
  return joined;
}

function changes(view: ConversationView, event: AgentEvent): Partial<ConversationView> {
  switch (event.type) {
    case "state.changed":
      return { state: event.state };
    case "input.queued":
      return { queue: [...view.queue.filter(({ inputId }) => inputId !== event.input.inputId), event.input] };
    case "input.dropped":
      return { queue: view.queue.filter((input) => input.inputId !== event.inputId) };
    case "run.started":
      return {
        queue: view.queue.filter((input) => input.inputId !== event.inputId),
        items: withoutRetry(view.items),
      };
    case "run.ended":
      return {
        activity: null,
        items: withRunEnd(view.items, event.stopReason, event.error, String(event.id), event.at),
      };
    case "message.added":
      return {
        items: withMessage(view.items, event.message),
        steering: view.steering.filter(({ steeringId }) => steeringId !== event.message.id),
      };
    case "steering.received":
      return { steering: [...view.steering, { steeringId: event.steeringId, text: event.text }] };
    case "model.requested":
      return { activity: { kind: "model", model: event.model, since: event.at } };
    case "model.responded":
      return { activity: null };
    case "text.delta":
      return { activity: null, items: withDelta(view.items, event.messageId, event.text, event.at) };
    case "thinking.delta":
      return {};
    case "stream.reset":
      return { items: view.items.filter((item) => item.key !== event.messageId) };
    case "retry":
      return {
        activity: {
          kind: "retry",
          reason: event.reason,
          attempt: event.attempt,
          delayMs: event.delayMs,
          since: event.at,
        },
      };
    case "tool.started": {
      const running = view.activity?.kind === "tools" ? view.activity : null;
      return {
        activity: {
          kind: "tools",
          names: [...(running?.names ?? []), event.name],
          since: running?.since ?? event.at,
        },
        items: [
          ...view.items,
          {
            kind: "tool",
            key: event.toolUseId,
            name: event.name,
            input: event.input,
            status: "running",
            output: "",
            startedAt: event.at,
            durationMs: null,
          },
        ],
      };
    }
    case "tool.ended": {
      const items = withChanged(view.items, "tool", event.toolUseId, (item) => ({
        ...item,
        status: event.isError ? "failed" : "done",
        output: event.output,
        durationMs: event.durationMs,
      }));
      const names = items.filter(isRunningTool).map(({ name }) => name);
      const since = view.activity?.since ?? event.at;
      return { items, activity: names.length > 0 ? { kind: "tools", names, since } : null };
    }
    case "tool.output":
      return {
        items: withChanged(view.items, "tool", event.toolUseId, (item) => ({
          ...item,
          output: (item.output + event.text).slice(-maxLiveOutputChars),
        })),
      };
    case "approval.requested": {
      const { approvalId, toolUseId, name, effect, detail, diff, why, rules, source, at } = event;
      return {
        items: [
          ...view.items,
          {
            kind: "approval",
            key: approvalId,
            toolUseId,
            name,
            effect,
            detail,
            ...(diff !== undefined && { diff }),
            ...(why !== undefined && { why }),
            ...(rules !== undefined && { rules }),
            ...(source !== undefined && { source }),
            status: "waiting",
            reason: null,
            at,
          },
        ],
      };
    }
    case "approval.resolved":
      return {
        items: withChanged(view.items, "approval", event.approvalId, (item) => ({
          ...item,
          status: event.allowed ? "allowed" : "denied",
          reason: event.reason ?? null,
          ...(event.scope !== undefined && { scope: event.scope }),
        })),
      };
    case "permission.mode":
      return { permissionMode: event.mode };
    case "question.asked": {
      const { questionId, question, options, at } = event;
      return {
        items: [
          ...view.items,
          { kind: "question", key: questionId, question, options, status: "waiting", answer: null, at },
        ],
      };
    }
    case "question.answered":
      return {
        items: withChanged(view.items, "question", event.questionId, (item) => ({
          ...item,
          status: event.answer === null ? "dropped" : "answered",
          answer: event.answer,
        })),
      };
    case "loop.detected":
    case "compaction.started":
    case "compaction.ended":
    case "history.trimmed":
    case "result.truncated":
    case "budget.warning":
    case "checkpoint.limited":
    case "checkpoint.rewound": {
      const said = noteOf(event);
      return said === null ? {} : { items: withNote(view.items, event.id, event.at, said) };
    }
    case "checkpoint.created":
    // Whoever shows the conversation fetches a new view.
    case "head.moved":
      return {};
    case "session.changed":
      return { title: event.title, workingFolder: event.workingFolder };
    case "command.answered":
      return {
        items: [
          ...view.items,
          {
            kind: "command",
            key: `command-${event.id}`,
            line: event.line,
            output: event.output,
            isError: event.isError,
            at: event.at,
          },
        ],
      };
    case "voice.state":
      return {
        voice: {
          state: event.state,
          source: event.source,
          partial: endsUtterance[event.state] ? null : view.voice.partial,
          detail: event.detail ?? null,
        },
      };
    case "voice.partial":
      return { voice: { ...view.voice, partial: { utteranceId: event.utteranceId, text: event.text } } };
    case "voice.utterance":
      return {
        voice: { ...view.voice, partial: null },
        items: event.dropped
          ? withNote(view.items, event.id, event.at, `Not sent (${event.dropped}): “${event.text}”`)
          : view.items,
      };
    case "voice.gap":
      return {
        items: withNote(
          view.items,
          event.id,
          event.at,
          `${event.missed} speech ${event.missed === 1 ? "event was" : "events were"} lost: the recogniser ran ahead.`,
        ),
      };
    case "error":
      return {
        items: [
          ...view.items,
          { kind: "error", key: `error-${event.id}`, error: event.error, canRetry: false, at: event.at },
        ],
      };
  }
}

type Kind = TranscriptItem["kind"];

type ToolItem = Extract<TranscriptItem, { kind: "tool" }>;

const isRunningTool = (item: TranscriptItem): item is ToolItem =>
  item.kind === "tool" && item.status === "running";

/** What changes stands near the end: looked for from there. */
function withChanged<K extends Kind>(
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

function withNote(items: TranscriptItem[], id: number, at: number, text: string): TranscriptItem[] {
  return [...items, { kind: "note", key: `note-${id}`, text, at }];
}

/** In these states nothing is being said: a partial left on screen would be noise, or of a session that is gone. */
const endsUtterance: Partial<Record<VoiceStateName, true>> = {
  off: true,
  starting: true,
  listening: true,
  restarting: true,
  failed: true,
};

/** Only the last failure can be asked again: "the last prompt" is another one once a new run has begun. */
function withoutRetry(items: TranscriptItem[]): TranscriptItem[] {
  return items.map((item) => (item.kind === "error" && item.canRetry ? { ...item, canRetry: false } : item));
}

/** The reply need not be the last item: a command's answer or a note may have come in between. */
function withDelta(items: TranscriptItem[], key: string, text: string, at: number): TranscriptItem[] {
  const index = items.findLastIndex((item) => item.key === key);
  const shown = items[index];
  if (shown?.kind === "assistant") return items.with(index, { ...shown, text: shown.text + text });
  return [...items, { kind: "assistant", key, text, streaming: true, interrupted: false, at }];
}

/** A finished reply takes the place of its streamed text; tool results are shown by their cards already. */
function withMessage(items: TranscriptItem[], message: Message): TranscriptItem[] {
  const text = textOf(message.content);
  if (message.role === "user") {
    const { origin } = message;
    // Tool results have their cards, summaries and Parley's own words their notes.
    if (origin === null || origin === "tool" || origin === "system" || origin === "summary") return items;
    const item: TranscriptItem = {
      kind: "user",
      key: message.id,
      text,
      origin,
      source: message.source,
      at: message.createdAt,
    };
    return [...items, item];
  }
  const item: TranscriptItem = {
    kind: "assistant",
    key: message.id,
    text,
    streaming: false,
    interrupted: message.interrupted ?? false,
    at: message.createdAt,
  };
  const shown = items.findLastIndex((other) => other.key === message.id);
  if (text === "") return shown < 0 ? items : items.toSpliced(shown, 1);
  return shown < 0 ? [...items, item] : items.toSpliced(shown, 1, item);
}

function withRunEnd(
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
  interrupted: "Stopped.",
  max_tokens: "The reply was cut at its length limit. Say “go on” to continue, or raise maxTokens.",
  refusal: "The model declined to answer this.",
  max_turns: "Stopped at the limit of rounds.",
  budget_exceeded: "Stopped: the token budget is used up.",
  loop_detected: "Stopped: the same step was repeated without progress.",
};
