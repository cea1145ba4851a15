import type { AgentEvent } from "../../shared/conversation/events.ts";
import type { WindowSubscriptions } from "../desktop/ipc/window-subscriptions.ts";
import { Badge } from "../desktop/shell/badge.ts";
import { FinishedNotices } from "../desktop/shell/finished-notices.ts";
import { type AboutFacts, setUpMenu } from "../desktop/shell/menu.ts";
import { createTray } from "../desktop/shell/tray/tray.ts";
import { trayIcons } from "../desktop/shell/tray/tray-icon.ts";
import { recentOf } from "../desktop/shell/tray/tray-state.ts";
import { WaitingNotices } from "../desktop/shell/waiting-notices.ts";
import type { WaitingCounts } from "../desktop/shell/waiting-words.ts";
import type { Windows } from "../desktop/shell/windows.ts";
import type { Base } from "./base.ts";
import type { composeConversations } from "./conversations.ts";
import type { Disposal } from "./disposal.ts";
import { Signal } from "./signal.ts";
import type { composeVoice } from "./voice.ts";

export interface ComposeShellOptions {
  base: Base;
  disposal: Disposal;
  windows: Windows;
  agent: ReturnType<typeof composeConversations>;
  voice: ReturnType<typeof composeVoice>;
  subscriptions: WindowSubscriptions;
  /** The main window shows another conversation, or is new. */
  shown: Signal;
  /** A file of `resources`. */
  resource(name: string): string;
  about: AboutFacts;
  quit(): void;
}

/** So many conversations are in the tray's menu. */
const recentCount = 5;
/** Of a list in which pinned ones come first. */
const recentPage = 100;

/** What of Parley is outside of its windows: tray, notices, menu. */
export function composeShell(options: ComposeShellOptions): void {
  const { base, disposal, windows, agent, voice, subscriptions, shown, resource, about, quit } = options;
  const { conversations, find, events } = agent;
  const waiting = new Signal<[counts: WaitingCounts]>();
  const badge = new Badge();
  /** The main window says it of all conversations, the quick prompt of its own. */
  const isTold = (conversationId: string) => {
    const { inFront } = windows;
    return (
      inFront !== undefined && (windows.isMain(inFront) || subscriptions.shownIn(inFront) === conversationId)
    );
  };
  const finished = new FinishedNotices({
    isWanted: () => base.settings.current().notifyFinished,
    kept: unreadAtStart(base, conversations),
    isHeard: (id) => voice.voice.status().conversationId === id && voice.speech.answersAloud().includes(id),
    isTold,
    shownIn: (contents) => subscriptions.shownIn(contents),
    title: (id) => conversations.get(id)?.title ?? "Parley",
    show: (id) => windows.openMain(id),
    onChange: (unread) => {
      badge.unread(unread.length);
      base.remembered.change({ unread: [...unread] });
      windows.broadcast({ type: "unread", conversationIds: [...unread] });
    },
  });
  badge.unread(finished.unread.length);
  shown.on(() => {
    finished.look();
    // A window that is new knows of none.
    windows.broadcast({ type: "unread", conversationIds: [...finished.unread] });
  });
  const notices = new WaitingNotices({
    isTold,
    show: (conversationId, key) => windows.showWaiting(conversationId, key),
    deny: (conversationId, approvalId) => find(conversationId).answerApproval(approvalId, false),
    onChange: waiting.tell,
  });
  const tray = createTray(trayIcons(resource("tray")), () => voice.voice.snapshot(), {
    toggleVoice: () => {
      const { conversationId, state } = voice.voice.status();
      const source = base.settings.current()["voice.source"];
      const isOn = conversationId !== null && state !== "stopping";
      const done = isOn ? voice.voice.stop() : voice.voice.listen(conversations.current(), { source });
      // Such as while the microphone is being tested.
      done.catch(base.reportError);
    },
    mute: (isMuted) => void voice.voice.mute(isMuted).catch(base.reportError),
    open: () => windows.openMain(),
    recent: () => recentOf(conversations.list({ limit: recentPage }).sessions, recentCount),
    openConversation: (conversationId) => windows.openMain(conversationId),
    startsAtLogin: () => base.settings.current().startAtLogin,
    startAtLogin: (isWanted) => base.settings.change({ startAtLogin: isWanted }),
    quickPrompt: () => windows.quick.toggle(),
    showWaiting: () => notices.showOldest(),
    quit,
  });
  disposal.defer(() => tray.destroy());
  voice.changed.on(() => tray.voiceChanged());
  conversations.onChange((change) => {
    if (change.type === "session-gone") finished.forget(change.conversationId);
    tray.contentChanged();
  });
  base.settings.onChange(() => tray.contentChanged());
  waiting.on((counts) => {
    tray.showWaiting(counts);
    badge.waiting(counts.approvals + counts.questions);
  });
  events.on((event: AgentEvent) => {
    notices.observe(event);
    finished.observe(event);
    tray.observe(event);
  });
  setUpMenu(
    {
      newConversation: () => {
        const id = agent.create();
        // On macOS the menu is there without any window.
        if (!windows.isMainOpen) windows.openMain(id);
      },
      quickPrompt: () => windows.quick.toggle(),
      zoom: (step) => windows.zoom(step),
      setUp: () => windows.showInMain({ type: "show-set-up" }),
      checkComputer: () => windows.showInMain({ type: "show-doctor" }),
      settings: () => windows.showInMain({ type: "show-settings" }),
    },
    about,
  );
}

/** So many conversations are looked through at most. */
const mostConversations = 10_000;

/** The answers that nobody had seen when Parley was last ended, of conversations that are still there. */
function unreadAtStart(base: Base, conversations: ComposeShellOptions["agent"]["conversations"]): string[] {
  const { unread } = base.remembered.current();
  if (unread.length === 0) return [];
  const { sessions } = conversations.list({ limit: mostConversations });
  const known = new Set(sessions.map(({ conversationId }) => conversationId));
  return unread.filter((id) => known.has(id));
}
