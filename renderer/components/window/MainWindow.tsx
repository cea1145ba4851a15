import { useEffect, useMemo, useState } from "react";
import { isOn } from "../../../shared/voice/voice-snapshot.ts";
import { useStore } from "../../state/store.ts";
import type { VoiceSource } from "../../state/window-state.ts";
import { texts } from "../../texts/texts.ts";
import { LevelNotices } from "../approvals/LevelNotices.tsx";
import { Dock, isBusy } from "../composer/Dock.tsx";
import { MeetingStrip } from "../meeting/MeetingStrip.tsx";
import { RewindDialog } from "../rewind/RewindDialog.tsx";
import { ServersDialog } from "../servers/ServersDialog.tsx";
import { RowActionsContext } from "../sessions/row-actions.ts";
import { Sidebar } from "../sessions/Sidebar.tsx";
import { LinkContext } from "../transcript/markdown/link-context.ts";
import { ErrorCard } from "../transcript/messages/ErrorCard.tsx";
import { Transcript } from "../transcript/Transcript.tsx";
import { AgentsContext } from "../transcript/tools/agents-context.ts";
import { Welcome } from "../transcript/Welcome.tsx";
import { Announcer } from "../ui/Announcer.tsx";
import { VoicePanel } from "../voice/panel/VoicePanel.tsx";
import { Header } from "./Header.tsx";
import { KeyAddressNotice } from "./KeyAddressNotice.tsx";
import { KeyDialog } from "./KeyDialog.tsx";
import styles from "./MainWindow.module.css";
import { ModelServerNotice } from "./ModelServerNotice.tsx";
import { RuntimeNotice } from "./RuntimeNotice.tsx";
import { SidePanel } from "./SidePanel.tsx";
import { StartupErrors } from "./StartupErrors.tsx";
import { useKeys } from "./use-keys.ts";
import { useWindowState } from "./window-context.ts";

/** The main window: conversations, the one that is shown, and what is known about it. */
export function MainWindow() {
  const windowState = useWindowState();
  const info = useStore(windowState.info);
  const view = useStore(windowState.view);
  const sessions = useStore(windowState.library.list.sessions);
  const rewinding = useStore(windowState.history.rewinding);
  const keyRequest = useStore(windowState.keyRequest);
  const isServersOpen = useStore(windowState.servers.isOpen);
  const { voicePanel } = windowState;
  const isPanelOpen = useStore(voicePanel.isOpen);
  const kept = useStore(voicePanel.snapshot)?.settings["voice.source"];
  // Counts at once; the settings follow, and then they count.
  const [chosen, setChosen] = useState<VoiceSource | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the setting is the occasion, not an input
  useEffect(() => setChosen(null), [kept]);
  const source = chosen ?? kept ?? "microphone";
  const [isSidebarOpen, setSidebarOpen] = useState(false);
  const shownId = view?.conversationId ?? null;
  const title =
    sessions.find((one) => one.conversationId === shownId)?.title ?? view?.title ?? texts.common.app;

  useEffect(() => {
    document.title = title === texts.common.app ? title : texts.window.titled(title);
  }, [title]);

  const toggleVoice = () => windowState.toggleVoice(source);
  const chooseSource = (next: VoiceSource) => {
    setChosen(next);
    void voicePanel.set("voice.source", next);
    if (view && isOn(view.voice.now)) void windowState.startVoice(next);
  };
  useKeys({
    onNew: () => void windowState.newConversation(),
    onSearch: () => {
      setSidebarOpen(true);
      // The sidebar may not be there yet where it is folded away.
      requestAnimationFrame(() => document.querySelector<HTMLElement>('[data-testid="search"]')?.focus());
    },
    onVoice: toggleVoice,
    onDictate: voicePanel.toggleDictation,
    onVoicePanel: voicePanel.toggle,
    onApproval: windowState.answerOldestApproval,
    onApprovals: windowState.showApprovals,
    onLevel: windowState.showLevels,
    onServers: windowState.servers.open,
    onEscape: () => {
      if (isSidebarOpen) setSidebarOpen(false);
      else if (view && isBusy(view)) windowState.stop();
    },
  });

  const rowActions = useMemo(
    () => ({
      answerApproval: windowState.answerApproval,
      answerQuestion: windowState.answerQuestion,
      sendAnyway: windowState.sendAnyway,
      changeKey: windowState.changeKey,
      history: windowState.history,
    }),
    [windowState],
  );
  const known = view?.agents;
  const agents = useMemo(() => ({ agents: known ?? [], load: windowState.agentSteps }), [known, windowState]);
  return (
    <LinkContext value={windowState.openLink}>
      <div
        className={styles.win}
        data-sidebar={isSidebarOpen ? "open" : undefined}
        data-voice-panel={isPanelOpen ? "open" : undefined}
      >
        <Sidebar shownId={shownId} platform={info?.platform} onClose={() => setSidebarOpen(false)} />
        <main>
          <Header
            title={title}
            info={info}
            view={view}
            onMenu={() => setSidebarOpen(!isSidebarOpen)}
            onRename={(next) => shownId !== null && windowState.library.rename(shownId, next)}
            onPickFolder={windowState.pickFolder}
            onVoicePanel={voicePanel.toggle}
          />
          {info?.isTestRuntime && <RuntimeNotice version={info.electron} />}
          {info?.modelServerOffer && (
            <ModelServerNotice offer={info.modelServerOffer} onAnswer={windowState.answerModelServer} />
          )}
          {info?.keyAddressOffer && (
            <KeyAddressNotice offer={info.keyAddressOffer} onAnswer={windowState.answerKeyAddress} />
          )}
          {view ? (
            <>
              <StartupErrors errors={info?.startupErrors ?? []} />
              {info && <LevelNotices view={view} info={info} />}
              <MeetingStrip
                key={`meeting-${view.conversationId}`}
                conversationId={view.conversationId}
                items={view.items}
              />
              <RowActionsContext value={rowActions}>
                <AgentsContext value={agents}>
                  <Transcript
                    key={`transcript-${view.conversationId}`}
                    view={view}
                    info={info}
                    onRetry={windowState.retry}
                    empty={<Welcome info={info} onAsk={(text) => void windowState.submit(text)} />}
                  />
                </AgentsContext>
              </RowActionsContext>
              <Dock
                key={`dock-${view.conversationId}`}
                view={view}
                info={info}
                source={source}
                onSource={chooseSource}
                onToggleVoice={toggleVoice}
              />
            </>
          ) : (
            <Unattached />
          )}
        </main>
        {isPanelOpen ? <VoicePanel view={view} info={info} /> : <SidePanel view={view} info={info} />}
      </div>
      {rewinding && <RewindDialog key={rewinding.messageId} target={rewinding} />}
      {isServersOpen && <ServersDialog />}
      {keyRequest && <KeyDialog key={keyRequest.id} request={keyRequest} />}
      <Announcer view={view} />
    </LinkContext>
  );
}

/** No conversation could be shown (yet): nothing while that takes a moment, the reason and a way out when it failed. */
function Unattached() {
  const windowState = useWindowState();
  const failure = useStore(windowState.failure);
  if (!failure) return null;
  return (
    <div className={`col ${styles.unattached}`} role="alert">
      <ErrorCard error={failure}>
        <button type="button" className="btn" onClick={() => void windowState.newConversation()}>
          {texts.window.newConversation}
        </button>
      </ErrorCard>
    </div>
  );
}
