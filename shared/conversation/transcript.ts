import type { LevelName } from "../safety/permissions.ts";
import type { AttachmentChoice } from "./attachments.ts";
import type { Effort } from "./effort.ts";
import type { AgentEvent, LifecycleState, QueuedInput } from "./events.ts";
import { callsIn, isOverheard, type Message } from "./messages.ts";
import { noteOf } from "./notes.ts";
import { type AgentView, agentsAfter } from "./subagents.ts";
import type { Task } from "./tasks.ts";
import {
  endedTool,
  isRunningTool,
  maxLiveOutputChars,
  type TranscriptItem,
  toolItem,
  withAsked,
  withCall,
  withChanged,
  withDelta,
  withMessage,
  withNote,
  withoutRedo,
  withoutRetry,
  withoutUndo,
  withRunEnd,
  withThought,
  withTypedNote,
  withUtterance,
} from "./transcript-items.ts";

export { maxLiveOutputChars, type TranscriptItem } from "./transcript-items.ts";

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
  /** How many runs began since the app has the conversation open; absent in earlier views. */
  runs?: number | undefined;
  items: TranscriptItem[];
  /** Whether the path goes on before the first item. */
  hasEarlier: boolean;
  workingFolder: string;
  /** Text that stood in the composer when it was left. */
  draft: string;
  /** What was attached to it. */
  draftAttached: readonly AttachmentChoice[];
  queue: QueuedInput[];
  /** The user's words that wait to enter the running turn. */
  steering: { steeringId: string; text: string }[];
  /** Id of the model that was asked last; absent where nobody was since the start. */
  askedModel?: string | undefined;
  /** What the last reply says its model is, and which was asked for it: servers may have other names. */
  answeredAs?: { asked: string; model: string } | undefined;
  /** What the run is busy with while there is nothing to read; null when idle or while text streams. */
  activity: Activity | null;
  /** Ids of the calls that the last reply asks for, in its order: they may begin in another. Absent in earlier views. */
  calls?: readonly string[] | undefined;
  /** What the model works through, on this path; absent in earlier views. */
  tasks?: readonly Task[] | undefined;
  /** Sub-agents, also those of other branches, oldest first; absent in earlier views. */
  agents?: readonly AgentView[] | undefined;
  /** null: the user chose none for this conversation, that of the settings counts. */
  permissionMode: LevelName | null;
  /** An alias or a full id; null: that of the settings counts. */
  chosenModel: string | null;
  /** null: that of the settings counts. */
  chosenEffort: Effort | null;
  /** Words from the computer's sound are part of it, and the user has not vouched for them; absent in earlier views. */
  isOverheard?: boolean | undefined;
}

/** `since`: milliseconds since the epoch. */
export type Activity =
  | { kind: "model"; model: string; since: number }
  | { kind: "tools"; names: string[]; since: number }
  | {
      kind: "retry";
      reason: string;
      attempt: number;
      of?: number | undefined;
      delayMs: number;
      since: number;
    };

export const emptyView = (conversationId: string, title: string): ConversationView => ({
  conversationId,
  title,
  lastEventId: 0,
  state: "idle",
  items: [],
  hasEarlier: false,
  workingFolder: "",
  draft: "",
  draftAttached: [],
  queue: [],
  steering: [],
  activity: null,
  permissionMode: null,
  chosenModel: null,
  chosenEffort: null,
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
    const isDelta = event.type === "text.delta" || event.type === "thinking.delta";
    if (isDelta && last?.type === event.type && last.messageId === event.messageId) {
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
      return { queue: withInput(view.queue, event.input) };
    case "input.dropped":
      return { queue: view.queue.filter((input) => input.inputId !== event.inputId) };
    case "run.started":
      return {
        queue: view.queue.filter((input) => input.inputId !== event.inputId),
        items: withoutRetry(view.items),
        runs: (view.runs ?? 0) + 1,
      };
    case "run.ended":
      return {
        activity: null,
        items: withRunEnd(view.items, event.stopReason, event.error, String(event.id), event.at),
      };
    case "message.added":
      return {
        items: withMessage(view.items, event.message, event.branches),
        steering: view.steering.filter(({ steeringId }) => steeringId !== event.message.id),
        ...(isOverheard(event.message) && { isOverheard: true }),
        ...(event.message.role === "assistant" && { calls: callsIn(event.message) }),
        ...answeredBy(view, event.message),
      };
    case "steering.received":
      return { steering: [...view.steering, { steeringId: event.steeringId, text: event.text }] };
    case "model.requested":
      return {
        activity: { kind: "model", model: event.model, since: event.at },
        askedModel: event.model,
      };
    case "model.responded":
      return { activity: null };
    case "text.delta":
      return { activity: null, items: withDelta(view.items, event, answering(view)) };
    case "thinking.delta":
      return { activity: null, items: withThought(view.items, event, answering(view)) };
    case "stream.reset":
      return { items: view.items.filter((item) => item.key !== event.messageId) };
    case "retry":
      return {
        activity: {
          kind: "retry",
          reason: event.reason,
          attempt: event.attempt,
          ...(event.of !== undefined && { of: event.of }),
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
        items: withCall(view.items, toolItem(event, event.at), view.calls ?? []),
      };
    }
    case "tool.ended": {
      const items = withChanged(view.items, "tool", event.toolUseId, (item) => endedTool(item, event));
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
    case "result.truncated": {
      const { toolUseId, shownChars, totalChars } = event;
      const cut = { shownChars, totalChars };
      return { items: withChanged(view.items, "tool", toolUseId, (item) => ({ ...item, cut })) };
    }
    case "approval.requested": {
      const { approvalId, toolUseId, name, effect, wish, detail, diff, why, rules, source, at } = event;
      const { agentId, mayBeSpoken, mayRunOutside, changedToolFiles, holdsInConversation, runsOutside } =
        event;
      return {
        items: withAsked(view.items, {
          kind: "approval",
          key: approvalId,
          toolUseId,
          ...(agentId !== undefined && { agentId }),
          name,
          effect,
          ...(wish !== undefined && { wish }),
          detail,
          ...(diff !== undefined && { diff }),
          ...(why !== undefined && { why }),
          ...(rules !== undefined && { rules }),
          ...(source !== undefined && { source }),
          ...(mayBeSpoken !== undefined && { mayBeSpoken }),
          ...(mayRunOutside !== undefined && { mayRunOutside }),
          ...(changedToolFiles !== undefined && { changedToolFiles }),
          ...(holdsInConversation !== undefined && { holdsInConversation }),
          ...(runsOutside !== undefined && { runsOutside }),
          status: "waiting",
          reason: null,
          at,
        }),
      };
    }
    case "approval.resolved":
      return {
        items: withChanged(view.items, "approval", event.approvalId, (item) => ({
          ...item,
          status: event.isStopped ? "stopped" : event.allowed ? "allowed" : "denied",
          reason: event.reason ?? null,
          endedAt: event.at,
          ...(event.scope !== undefined && { scope: event.scope }),
          ...(event.outside !== undefined && { outside: event.outside }),
        })),
      };
    case "permission.mode":
      return { permissionMode: event.mode };
    case "model.chosen":
      return { chosenModel: event.model, chosenEffort: event.effort };
    case "subagent.started":
    case "subagent.step":
    case "subagent.ended":
      return { agents: agentsAfter(view.agents ?? [], event) };
    case "tasks.changed":
      return { tasks: event.tasks };
    case "meeting.noted":
      return { items: withTypedNote(view.items, event.line) };
    case "overheard.lifted":
      return { isOverheard: false };
    case "question.asked": {
      const { questionId, toolUseId, agentId, question, options, form, at } = event;
      return {
        items: withAsked(view.items, {
          kind: "question",
          key: questionId,
          ...(toolUseId !== undefined && { toolUseId }),
          ...(agentId !== undefined && { agentId }),
          question,
          options,
          ...(form !== undefined && { form }),
          status: "waiting",
          answer: null,
          at,
        }),
      };
    }
    case "question.answered":
      return {
        items: withChanged(view.items, "question", event.questionId, (item) => ({
          ...item,
          status: event.answer === null ? "dropped" : "answered",
          answer: event.answer,
          endedAt: event.at,
        })),
      };
    case "loop.detected":
    case "compaction.started":
    case "compaction.ended":
    case "context.warning":
    case "model.notice":
    case "history.trimmed":
    case "budget.warning":
    case "checkpoint.limited": {
      const said = noteOf(event);
      return said === null ? {} : { items: withNote(view.items, event.id, event.at, said) };
    }
    case "speech.interrupted": {
      const { id, at, messageId, heard } = event;
      const text = noteOf(event) ?? "";
      return {
        items: [...view.items, { kind: "note", key: `note-${id}`, text, at, rest: { messageId, heard } }],
      };
    }
    case "checkpoint.deleted": {
      const { id, at, checkpointId } = event;
      const text = noteOf(event) ?? "";
      const note: TranscriptItem = { kind: "note", key: `note-${id}`, text, at, undo: checkpointId };
      return { items: [...view.items, note] };
    }
    case "checkpoint.rewound": {
      const canRedo = !event.isRedo && event.outcome.redoCheckpointId !== null;
      const text = noteOf(event) ?? "";
      const note: TranscriptItem = { kind: "note", key: `note-${event.id}`, text, at: event.at, canRedo };
      const items = withoutRedo(view.items);
      // One file that came back undoes nothing as a whole.
      if (event.path !== undefined) return { items: [...items, note] };
      return { items: [...withoutUndo(items, event.checkpointId, event.outcome), note] };
    }
    // Voice is one for the app: main tells how it stands beside the events.
    case "voice.state":
    case "voice.partial":
    case "speech.state":
    // It is in the queue already.
    case "followup.received":
    case "voice.repaired":
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
    case "voice.utterance":
      return { items: withUtterance(view.items, event) };
    case "voice.notice":
      return { items: withNote(view.items, event.id, event.at, event.message) };
    case "voice.gap":
      return {
        items: withNote(
          view.items,
          event.id,
          event.at,
          `${event.missed} speech ${event.missed === 1 ? "event was" : "events were"} lost because Parley fell behind the recogniser.`,
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

function answeredBy({ askedModel: asked }: ConversationView, { role, model }: Message) {
  return role === "assistant" && asked !== undefined && model !== undefined
    ? { answeredAs: { asked, model } }
    : {};
}

/** Who gives the reply that streams, as the reply itself will say; undefined where that is not known before. */
function answering({ askedModel, answeredAs }: ConversationView): string | undefined {
  return answeredAs?.asked === askedModel ? answeredAs?.model : answeredAs && askedModel;
}

/** Other words leave a prompt in its place; one that was held and is sent goes to the end. */
function withInput(queue: readonly QueuedInput[], input: QueuedInput): QueuedInput[] {
  const at = queue.findIndex(({ inputId }) => inputId === input.inputId);
  if (at >= 0 && queue[at]?.isHeld === input.isHeld) return queue.with(at, input);
  return [...queue.filter(({ inputId }) => inputId !== input.inputId), input];
}
