import type PQueue from "p-queue";
import type { AgentEventBody, LifecycleState, QueuedInput } from "../../../shared/conversation/events.ts";
import { emptyView } from "../../../shared/conversation/transcript.ts";
import { PartialReply } from "../loop/partial-reply.ts";
import { Steering } from "../loop/steering.ts";
import type { AgentOptions } from "../ports/agent-options.ts";
import type { SessionRecord } from "../ports/session-store.ts";
import { PromptRepairs } from "../repair/prompt-repairs.ts";
import { repairedInput } from "../repair/repaired-input.ts";
import { ConversationEvents } from "./conversation-events.ts";
import { ConversationMoves } from "./conversation-moves.ts";
import { ConversationRecord } from "./conversation-record.ts";
import { ConversationRuns } from "./conversation-runs.ts";
import { Inbox } from "./inbox.ts";
import { MeetingNotes } from "./meeting-notes.ts";
import { PendingRequests } from "./pending-requests.ts";
import { TitleGenerator } from "./sessions/conversation-title.ts";
import type { OpenedSession } from "./sessions/open-session.ts";
import { newSession, type SessionEdit } from "./sessions/session-edit.ts";
import { ConversationPath } from "./tree/conversation-path.ts";

/** What the parts of a conversation have it do. */
export interface OfConversation {
  emit(body: AgentEventBody): void;
  setState(state: LifecycleState): void;
  setFolder(folder: string): void;
  countForOneRun(session: Partial<Pick<SessionRecord, "permissionMode" | "workingFolder">>): void;
  change(edit: SessionEdit): void;
  /** Other words for a prompt that has no run yet. */
  reword(inputId: string, change: (input: QueuedInput) => QueuedInput): void;
}

/** The parts of one conversation, made in order, each from those before it. @param opened goes on where it was left */
export function conversationParts(
  id: string,
  options: AgentOptions,
  limiter: PQueue,
  opened: OpenedSession | null,
  of: OfConversation,
) {
  const { store, clock, newId, reportError, onEvent } = options;
  const model = () => options.settings().model;
  const session = opened?.session ?? newSession(id, options);
  const record = new ConversationRecord({ store, session, isKept: opened !== null, model, reportError });
  const partial = new PartialReply({ conversationId: id, store, clock, reportError });
  const inbox = new Inbox(store, record, opened?.inputs ?? [], reportError);
  const meeting = new MeetingNotes({ id, store, record, newId, reportError });
  const path = new ConversationPath(store, id, newId, opened === null);
  const steering = new Steering(newId, of.emit);
  const requests: PendingRequests = new PendingRequests(
    newId,
    (body) => runs.show(body),
    (waits) => {
      // Who waits for the user takes nobody's turn: the others go on.
      limiter.concurrency += waits ? 1 : -1;
      of.setState(waits ? "awaiting_input" : "processing");
    },
  );
  const { title, workingFolder, draft, draftAttached, permissionMode } = session;
  const { chosenModel, chosenEffort } = session;
  const queue = inbox.list();
  const { isOverheard } = record;
  const known = {
    workingFolder,
    draft,
    draftAttached,
    permissionMode,
    chosenModel,
    chosenEffort,
    queue,
    isOverheard,
  };
  const view = { ...emptyView(id, title), ...known };
  const lastEventId = opened?.lastEventId ?? 0;
  const events = new ConversationEvents(
    { ...view, lastEventId },
    {
      clock,
      onEvent,
      reportError,
      onStamped: (event) => {
        record.event(event);
        partial.observe(event);
      },
    },
  );
  const titles = new TitleGenerator({
    isWanted: () => !record.session.hasOwnTitle,
    give: (given) => of.change({ title: given }),
    reportError,
  });
  const repairs = new PromptRepairs({
    id,
    agent: options,
    items: () => events.view.items,
    workingFolder: () => record.session.workingFolder,
    modelChoice: () => record.modelChoice,
    budget: () => runs.budget,
    apply: (inputId, { text }, answer) => {
      of.reword(inputId, (input) => (input.text === text ? repairedInput(input, answer) : input));
    },
    emit: of.emit,
  });
  const runs: ConversationRuns = new ConversationRuns({
    id,
    agent: options,
    limiter,
    record,
    inbox,
    events,
    path,
    titles,
    requests,
    steering,
    repairs,
    setState: of.setState,
    setFolder: of.setFolder,
    countForOneRun: of.countForOneRun,
  });
  const moves = new ConversationMoves({
    id,
    newId,
    rewinding: options.rewinding,
    record,
    path,
    events,
    runs,
    titles,
    store: options.store,
    setDraft: (draft, draftAttached) => of.change({ draft, draftAttached }),
  });
  return { record, inbox, events, path, runs, requests, steering, moves, meeting, repairs };
}
