import type { AgentEvent, UserError } from "../../shared/conversation/events.ts";
import type { StartUp } from "../../shared/conversation/sessions.ts";
import type { Conversation } from "../agent/conversation/conversation.ts";
import { Conversations } from "../agent/conversation/conversations.ts";
import { systemClock } from "../agent/conversation/system-clock.ts";
import type { Tool } from "../agent/ports/ports.ts";
import { findConversation } from "../desktop/ipc/routes.ts";
import type { WindowSubscriptions } from "../desktop/ipc/window-subscriptions.ts";
import type { Windows } from "../desktop/shell/windows.ts";
import { createPolicy } from "../permissions/policy.ts";
import type { Base } from "./base.ts";
import type { Disposal } from "./disposal.ts";
import type { composeFence } from "./fence.ts";
import type { composeMcp } from "./mcp.ts";
import type { composeModels } from "./models.ts";
import { Signal } from "./signal.ts";
import type { composeStore } from "./store.ts";
import type { composeTrust } from "./trust.ts";

export interface ComposeConversationsOptions {
  base: Base;
  disposal: Disposal;
  windows: Windows;
  subscriptions: WindowSubscriptions;
  trust: ReturnType<typeof composeTrust>["trust"];
  models: ReturnType<typeof composeModels>;
  fences: ReturnType<typeof composeFence>;
  mcp: ReturnType<typeof composeMcp>;
  storage: ReturnType<typeof composeStore>;
  /** Those that are open, by id: filled here. */
  open: Map<string, Conversation>;
  folderOf(conversationId: string): string;
  /** Those of Parley itself, as they are when a run asks. */
  tools: readonly Tool[];
}

/** After these a folder may bring something else: another folder, or what a run has written. */
const looksAtFolder: ReadonlySet<string> = new Set(["session.changed", "run.started", "run.ended"]);

/** The conversations, what may run in them, and who follows them. */
export function composeConversations(options: ComposeConversationsOptions) {
  const { base, disposal, windows, subscriptions, trust, models, fences, mcp, storage, open, folderOf } =
    options;
  const { settings, folders, workingFolder, log, reportError } = base;
  const events = new Signal<[event: AgentEvent]>();
  const policy = createPolicy({
    chosenMode: (conversationId) => open.get(conversationId)?.permissionMode ?? null,
    fence: fences.state,
    isNeverWritten: fences.isNeverWritten,
    settings: settings.current,
    isTrusted: trust.isTrusted,
    addRules: (rules) =>
      settings.change({ permissionRules: [...settings.current().permissionRules, ...rules] }),
  });
  const conversations = new Conversations(
    {
      clock: systemClock,
      newId: base.newId,
      settings: base.runSettings,
      createProvider: models.newProvider,
      tools: (conversationId) => [
        ...options.tools,
        ...mcp.manager.tools(conversationId, folderOf(conversationId)),
      ],
      workingFolder,
      ownFolder: () => folders.own,
      openEnvironment: (folder) => folders.open(folder),
      permissions: policy,
      fence: fences.of,
      fenceKnown: fences.need,
      isTrusted: trust.isTrusted,
      isFolderTrusted: trust.isFolderTrusted,
      store: storage.store,
      checkpoints: storage.checkpoints,
      rewinding: storage.checkpoints,
      onEvent: events.tell,
      reportError,
    },
    open,
  );
  disposal.defer(() => conversations.dispose());

  /** The servers of a folder's own file are there for as long as a conversation that is looked after works in it. */
  const followFolders = () =>
    void mcp.manager.setFolders(conversations.lookedAfter.map(folderOf)).catch(reportError);
  const show = (conversationId: string) => windows.broadcast({ type: "show-conversation", conversationId });
  const showMeeting = (conversationId: string) => windows.broadcast({ type: "show-meeting", conversationId });
  events.on(log.event);
  events.on((event) => {
    if (event.type === "session.changed") followFolders();
    if (looksAtFolder.has(event.type)) windows.broadcast({ type: "trust" });
  });
  conversations.onChange((change) => {
    windows.broadcast(change);
    followFolders();
    if (change.type === "session-gone") void fences.fences.forget(change.conversationId).catch(reportError);
    if (change.type === "session-gone" && subscriptions.isShown(change.conversationId)) {
      show(conversations.start({ kind: "continue" }).id);
    }
  });
  return {
    conversations,
    policy,
    events,
    show,
    showMeeting,
    /** The open one, or the one in the store. @throws Error when there is none of that id */
    find: (conversationId: string) => findConversation(conversations, conversationId),
    /** A new one, or one that nobody has used yet, which the window shows. @returns its id */
    create: () => {
      const { id } = conversations.unused();
      show(id);
      return id;
    },
    /** What is shown first; where that cannot be had, a new conversation and the reason. */
    start: (how: StartUp, report: (problem: UserError) => void) => {
      try {
        conversations.start(how);
      } catch (error) {
        report({ code: "start_up", message: error instanceof Error ? error.message : String(error) });
        conversations.create();
      }
    },
  };
}
