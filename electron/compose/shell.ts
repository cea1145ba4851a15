import type { AgentEvent } from "../../shared/conversation/events.ts";
import { ApprovalNotices } from "../desktop/shell/approval-notices.ts";
import { type AboutFacts, setUpMenu } from "../desktop/shell/menu.ts";
import { createTray } from "../desktop/shell/tray/tray.ts";
import { trayIcons } from "../desktop/shell/tray/tray-icon.ts";
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
  /** A file of `resources`. */
  resource(name: string): string;
  about: AboutFacts;
  quit(): void;
}

/** What of Parley is outside of its windows: tray, notices, menu. */
export function composeShell(options: ComposeShellOptions): void {
  const { base, disposal, windows, agent, voice, resource, about, quit } = options;
  const { conversations, find, events } = agent;
  const waiting = new Signal<[count: number]>();
  const notices = new ApprovalNotices({
    show: (conversationId) => windows.showApprovals(conversationId),
    deny: (conversationId, approvalId) => find(conversationId).answerApproval(approvalId, false),
    onChange: waiting.tell,
  });
  const tray = createTray(trayIcons(resource("tray")), () => voice.voice.snapshot(), {
    toggleVoice: () => {
      const isOn = voice.voice.status().conversationId !== null;
      if (isOn) void voice.voice.stop();
      else voice.voice.start(conversations.current(), { source: base.settings.current()["voice.source"] });
    },
    open: () => windows.openMain(),
    quickPrompt: () => windows.toggleQuick(),
    showWaiting: () => notices.showOldest(),
    quit,
  });
  disposal.defer(() => tray.destroy());
  voice.changed.on(() => tray.voiceChanged());
  waiting.on((count) => tray.showWaiting(count));
  events.on((event: AgentEvent) => {
    notices.observe(event);
    tray.observe(event);
  });
  setUpMenu({ newConversation: () => void agent.create(), quickPrompt: () => windows.toggleQuick() }, about);
}
