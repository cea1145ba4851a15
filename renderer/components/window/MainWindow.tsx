import { lazy, Suspense, useEffect, useMemo, useState } from "react";
import type { TranscriptItem } from "../../../shared/conversation/transcript.ts";
import { hears, isOn } from "../../../shared/voice/voice-snapshot.ts";
import { waitingAgents } from "../../state/conversation/transcript-rows.ts";
import { windowKeyLabel } from "../../state/keys/key-sheet.ts";
import type { WindowAction } from "../../state/keys/window-keys.ts";
import { waitingApprovals } from "../../state/page-state.ts";
import { waitingIn } from "../../state/sessions/waiting.ts";
import { useSignal } from "../../state/signal.ts";
import { useStore } from "../../state/store.ts";
import type { VoiceSource } from "../../state/window-state.ts";
import { texts } from "../../texts/texts.ts";
import { BegunWordsContext } from "../approvals/begun-words.ts";
import { LevelNotices } from "../approvals/LevelNotices.tsx";
import { OverheardNotice } from "../approvals/OverheardNotice.tsx";
import { Dock, isBusy } from "../composer/Dock.tsx";
import { textBox } from "../composer/use-prompt-field.ts";
import { KeysSheet } from "../keys/KeysSheet.tsx";
import { MeetingPage } from "../meeting/MeetingPage.tsx";
import { MeetingStrip } from "../meeting/MeetingStrip.tsx";
import { Palette } from "../palette/Palette.tsx";
import { PanelSheet } from "../panel/PanelSheet.tsx";
import { ReviewDialog } from "../panel/ReviewDialog.tsx";
import { SidePanel, useIsPanelFilled } from "../panel/SidePanel.tsx";
import { RewindDialog } from "../rewind/RewindDialog.tsx";
import { ServersDialog } from "../servers/ServersDialog.tsx";
import { RowActionsContext } from "../sessions/row-actions.ts";
import { Sidebar } from "../sessions/Sidebar.tsx";
import { DoctorSheet } from "../setup/DoctorSheet.tsx";
import { SetUpSheet } from "../setup/SetUpSheet.tsx";
import { LinkContext } from "../transcript/markdown/link-context.ts";
import { ErrorCard } from "../transcript/messages/ErrorCard.tsx";
import { Starters } from "../transcript/Starters.tsx";
import { Transcript } from "../transcript/Transcript.tsx";
import { AgentsContext } from "../transcript/tools/agents-context.ts";
import { OpenLinesContext } from "../transcript/tools/open-lines-context.ts";
import { Welcome } from "../transcript/Welcome.tsx";
import { Announcer } from "../ui/Announcer.tsx";
import { closeDialogs, closeOnTop } from "../ui/close-on-top.ts";
import { spokenNames } from "../ui/spoken-names.ts";
import { useMedia } from "../ui/use-media.ts";
import { VoicePanel } from "../voice/panel/VoicePanel.tsx";
import { replyPlaceAt } from "../voice/read-from.ts";
import { Header } from "./Header.tsx";
import { KeyAddressNotice } from "./KeyAddressNotice.tsx";
import { KeyDialog } from "./KeyDialog.tsx";
import styles from "./MainWindow.module.css";
import { ModelServerNotice } from "./ModelServerNotice.tsx";
import { StartupErrors } from "./StartupErrors.tsx";
import { UpdateNotice } from "./UpdateNotice.tsx";
import { useFocusReturn } from "./use-focus-return.ts";
import { useKeys } from "./use-keys.ts";
import { usePanes } from "./use-panes.ts";
import { useWindowState } from "./window-context.ts";

/** Loaded when it is wanted first: most windows never show it. */
const SettingsPage = lazy(async () => ({
  default: (await import("../settings/SettingsPage.tsx")).SettingsPage,
}));

/** The main window: conversations, the one that is shown, and what is known about it. */
export function MainWindow() {
  const windowState = useWindowState();
  const info = useStore(windowState.info);
  const view = useStore(windowState.view);
  const sessions = useStore(windowState.library.list.sessions);
  const rewinding = useStore(windowState.history.rewinding);
  const keyRequest = useStore(windowState.keyRequest);
  const isServersOpen = useStore(windowState.servers.isOpen);
  const isSetUpOpen = useStore(windowState.setUp.isOpen);
  const isDoctorOpen = useStore(windowState.doctor.isOpen);
  const isSettingsOpen = useStore(windowState.settingsPage.isOpen);
  const isPaletteOpen = useStore(windowState.palette.isOpen);
  const isKeysOpen = useStore(windowState.isKeysOpen);
  const reviewed = useStore(windowState.panel.reviewed);
  const { isPanelOpen: wantsPanel, isListOpen } = useStore(windowState.remembered.values);
  const isNarrow = useMedia("(max-width: 1099px)");
  /** The list lies over the conversation, while it is wanted. */
  const isListOver = useMedia("(max-width: 759px)");
  const { voicePanel, panel } = windowState;
  const isPanelOpen = useStore(voicePanel.isOpen);
  const voiceSettings = useStore(voicePanel.snapshot)?.settings;
  const kept = voiceSettings?.["voice.source"];
  // Counts at once; the settings follow, and then they count.
  const [chosen, setChosen] = useState<VoiceSource | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the setting is the occasion, not an input
  useEffect(() => setChosen(null), [kept]);
  const source = chosen ?? kept ?? "microphone";
  const meetingFor = useStore(windowState.meeting.shownFor);
  const isNotesShown = useStore(windowState.meeting.isNotesShown);
  const [isSidebarOpen, setSidebarOpen] = useState(false);
  const shownId = view?.conversationId ?? null;
  const isMeetingOpen = shownId !== null && meetingFor === shownId;
  const title =
    sessions.find((one) => one.conversationId === shownId)?.title ?? view?.title ?? texts.common.app;

  const asks = whatWaits(view?.items ?? []);
  const trust = useStore(windowState.trust.request);
  const elsewhere = useMemo(() => waitingIn(sessions, shownId ?? undefined), [sessions, shownId]);
  useEffect(() => {
    document.title = windowTitle(title, asks, elsewhere.length);
  }, [title, asks, elsewhere.length]);
  useFocusReturn(textBox);
  usePanes();

  const isPanelFilled = useIsPanelFilled(view);
  const isSidePanelWanted = wantsPanel ?? isPanelFilled;
  const isSidePanelOpen = isSidePanelWanted && !isNarrow && !isPanelOpen && !isMeetingOpen;
  const toggleList = () => {
    if (isListOver) setSidebarOpen(!isSidebarOpen);
    else windowState.remembered.change({ isListOpen: !isListOpen });
  };
  const toggleSidePanel = () => {
    if (isNarrow || isMeetingOpen) panel.isSheetOpen.set(!panel.isSheetOpen.get());
    else if (isPanelOpen) {
      voicePanel.toggle();
      if (!isSidePanelWanted) panel.show(true);
    } else panel.show(!isSidePanelOpen);
  };
  const panelKey = windowKeyLabel(info?.platform, "panel");
  const toggleVoice = () => windowState.toggleVoice(source);
  const chooseSource = (next: VoiceSource) => {
    setChosen(next);
    void voicePanel.set("voice.source", next);
    if (view && isOn(view.voice.now)) void windowState.startVoice(next);
  };
  const actions: Readonly<Record<WindowAction, () => void>> = {
    newConversation: () => void windowState.newConversation(),
    palette: windowState.palette.open,
    find: windowState.find.open,
    voice: toggleVoice,
    dictate: windowState.dictate,
    goOn: windowState.goOn,
    voicePanel: voicePanel.toggle,
    allow: () => windowState.answerOldestApproval(true),
    deny: () => windowState.answerOldestApproval(false),
    approvals: () => {
      // Without anything to answer nothing is lost of what is typed in one.
      if (asks || elsewhere.length > 0 || trust) closeDialogs();
      windowState.showApprovals();
    },
    level: windowState.showLevels,
    servers: windowState.servers.open,
    settings: () => windowState.settingsPage.open(),
    list: toggleList,
    panel: toggleSidePanel,
    keys: () => windowState.isKeysOpen.set(true),
    escape: () => {
      if (isSidebarOpen) setSidebarOpen(false);
      else if (view && isOn(view.voice.now) && view.voice.now.isDictating) voicePanel.toggleDictation();
      else if (isMeetingOpen) windowState.closeMeeting();
      else if (view && isBusy(view)) windowState.stop();
      else if (voicePanel.snapshot.get()?.speech) void windowState.say("");
    },
  };
  useKeys(actions, info?.questionMarkShowsKeys ?? true);
  useSignal(windowState.actionWanted, (action) => actions[action]());
  useSignal(windowState.panelWanted, (isShown) => {
    if (!isShown && isPanelOpen) voicePanel.toggle();
    else if ((isSidePanelOpen || panel.isSheetOpen.get()) !== isShown) toggleSidePanel();
  });
  useSignal(windowState.pressWanted, (words) => spokenNames.press(words));
  useEffect(() => {
    const tell = () => windowState.tellShown(spokenNames.shown.get());
    tell();
    return spokenNames.shown.subscribe(tell);
  }, [windowState]);
  useEffect(() => {
    const tell = (event: MouseEvent) => windowState.offerReading(replyPlaceAt(event));
    window.addEventListener("contextmenu", tell);
    return () => window.removeEventListener("contextmenu", tell);
  }, [windowState]);
  useSignal(windowState.closeWanted, (what) => {
    if (what === "all") return closeDialogs();
    if (closeOnTop()) return;
    if (windowState.find.state.get()) windowState.find.close();
    else if (isSidebarOpen) setSidebarOpen(false);
    else if (!windowState.closeMeeting() && isPanelOpen) voicePanel.toggle();
  });

  const now = view?.voice.now;
  const isListening = now !== undefined && hears(now) && now.source !== "loopback";
  const home = info?.homeFolder ?? "";
  const rowActions = useMemo(
    () => ({
      answerApproval: windowState.answerApproval,
      answerQuestion: windowState.answerQuestion,
      sendAnyway: windowState.sendAnyway,
      sayRest: windowState.sayRest,
      changeKey: windowState.changeKey,
      chooseModel: windowState.chooseModel,
      modelState: windowState.models.state,
      tryNow: windowState.tryNow,
      stop: windowState.stop,
      history: windowState.history,
      guard: windowState.guard,
      isListening,
      openSent: windowState.openSent,
      openFile: windowState.panel.openFile,
      home,
      quote: windowState.quote,
    }),
    [windowState, isListening, home],
  );
  const known = view?.agents;
  const asking = view ? waitingAgents(view.items).join("\n") : "";
  const agents = useMemo(
    () => ({
      agents: known ?? [],
      waiting: new Set(asking.split("\n")),
      load: windowState.agentSteps,
      loadOutput: windowState.toolOutput,
    }),
    [known, asking, windowState],
  );
  const lines = useMemo(
    () => ({ conversationId: shownId ?? "", lines: windowState.openLines }),
    [shownId, windowState],
  );
  const words = useMemo(
    () => ({ conversationId: shownId ?? "", begun: windowState.begun }),
    [shownId, windowState],
  );
  return (
    <LinkContext value={windowState.openLink}>
      <BegunWordsContext value={words}>
        <div
          className={styles.win}
          data-sidebar={isSidebarOpen ? "open" : undefined}
          data-list={isListOpen ? undefined : "folded"}
          data-voice-panel={isPanelOpen ? "open" : undefined}
          data-side-panel={isSidePanelOpen ? "open" : undefined}
          data-meeting={isMeetingOpen ? "open" : undefined}
        >
          <Sidebar
            shownId={shownId}
            platform={info?.platform}
            onClose={() => setSidebarOpen(false)}
            onFold={toggleList}
          />
          <main>
            <Header
              title={title}
              info={info}
              view={view}
              isListShown={isListOpen}
              onMenu={toggleList}
              onRename={(next) => shownId !== null && windowState.library.rename(shownId, next)}
              onVoicePanel={voicePanel.toggle}
              isPanelShown={isSidePanelOpen}
              panelKey={panelKey}
              onPanel={toggleSidePanel}
            />
            {view?.isOverheard && !isMeetingOpen && <OverheardNotice />}
            {info?.readyUpdate && <UpdateNotice version={info.readyUpdate} />}
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
                <div className={styles.body} data-notes={isNotesShown ? "shown" : undefined}>
                  {isMeetingOpen ? (
                    <MeetingPage
                      key={`meeting-${view.conversationId}`}
                      view={view}
                      onClose={windowState.closeMeeting}
                    />
                  ) : (
                    <>
                      <MeetingStrip
                        key={`strip-${view.conversationId}`}
                        conversationId={view.conversationId}
                        items={view.items}
                      />
                      <RowActionsContext value={rowActions}>
                        <AgentsContext value={agents}>
                          <OpenLinesContext value={lines}>
                            <Transcript
                              key={`transcript-${view.conversationId}`}
                              view={view}
                              info={info}
                              onRetry={windowState.retry}
                              empty={<Welcome />}
                            />
                          </OpenLinesContext>
                        </AgentsContext>
                      </RowActionsContext>
                    </>
                  )}
                  <Dock
                    key={`dock-${view.conversationId}`}
                    view={view}
                    info={info}
                    source={source}
                    isMeetingShown={isMeetingOpen}
                    onSource={chooseSource}
                    onToggleVoice={toggleVoice}
                  />
                  {view.items.length === 0 && !isMeetingOpen && <Starters view={view} info={info} />}
                </div>
              </>
            ) : (
              <Unattached />
            )}
          </main>
          {isPanelOpen && <VoicePanel view={view} info={info} />}
          {isSidePanelOpen && <SidePanel view={view} panelKey={panelKey} onClose={() => panel.show(false)} />}
        </div>
      </BegunWordsContext>
      {(isNarrow || isMeetingOpen) && (
        <PanelSheet>{(close) => <SidePanel view={view} panelKey={panelKey} onClose={close} />}</PanelSheet>
      )}
      {reviewed && <ReviewDialog path={reviewed.path} />}
      {rewinding && <RewindDialog key={Object.values(rewinding.to)[0]} target={rewinding} />}
      {isServersOpen && <ServersDialog />}
      {isSettingsOpen && (
        <Suspense>
          <SettingsPage />
        </Suspense>
      )}
      {isPaletteOpen && <Palette onAction={(action) => actions[action]()} />}
      {isKeysOpen && <KeysSheet info={info} onClose={() => windowState.isKeysOpen.set(false)} />}
      {keyRequest && <KeyDialog key={keyRequest.id} request={keyRequest} />}
      {isSetUpOpen && <SetUpSheet />}
      {isDoctorOpen && <DoctorSheet />}
      <Announcer
        view={view}
        replies={info?.announceReplies ?? "sentences"}
        elsewhere={elsewhere}
        trust={trust}
      />
    </LinkContext>
  );
}

/** What the user is asked for here; an approval comes before a question. */
function whatWaits(items: readonly TranscriptItem[]): "approval" | "question" | null {
  if (waitingApprovals(items).length > 0) return "approval";
  return items.some((item) => item.kind === "question" && item.status === "waiting") ? "question" : null;
}

function windowTitle(title: string, asks: "approval" | "question" | null, elsewhere: number): string {
  const named = title === texts.common.app ? title : texts.window.titled(title);
  if (asks === "approval") return texts.window.needsApproval(named);
  if (asks === "question") return texts.window.hasQuestion(named);
  return elsewhere > 0 ? texts.window.askingElsewhere(named, elsewhere) : named;
}

/** No conversation could be shown (yet): nothing while that takes a moment, the reason and a way out when it failed. */
function Unattached() {
  const windowState = useWindowState();
  const failure = useStore(windowState.failure);
  if (!failure) return null;
  return (
    <div className={`col ${styles.unattached}`} role="alert">
      <ErrorCard error={failure}>
        <button type="button" className="btn primary" onClick={() => void windowState.newConversation()}>
          {texts.window.newConversation}
        </button>
      </ErrorCard>
    </div>
  );
}
