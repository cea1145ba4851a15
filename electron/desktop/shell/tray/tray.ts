import { Menu, type NativeImage, Tray } from "electron";
import type { AgentEvent } from "../../../../shared/conversation/events.ts";
import { visibleText } from "../../../../shared/safety/visible-text.ts";
import { isOn, type VoiceSnapshot } from "../../../../shared/voice/voice-snapshot.ts";
import { type WaitingCounts, waitingWords } from "../waiting-words.ts";
import { type TrayStateName, trayState } from "./tray-state.ts";

export interface TrayActions {
  /** Starts listening, or stops it. */
  toggleVoice(): void;
  mute(isMuted: boolean): void;
  open(): void;
  /** Conversations that were used last, the newest first. */
  recent(): readonly { conversationId: string; title: string }[];
  openConversation(conversationId: string): void;
  startsAtLogin(): boolean;
  startAtLogin(isWanted: boolean): void;
  quickPrompt(): void;
  /** Brings up what waits for the user's word. */
  showWaiting(): void;
  quit(): void;
}

export interface ParleyTray {
  /** Takes every event of every conversation; those about something else cost nothing. */
  observe(event: AgentEvent): void;
  /** Voice may stand otherwise now. */
  voiceChanged(): void;
  /** The conversations that were used last, or a setting, may be others now. */
  contentChanged(): void;
  /** @param counts what waits for the user */
  showWaiting(counts: WaitingCounts): void;
  destroy(): void;
}

/**
 * The tray icon: it shows what Parley is doing, and whether something waits for the user. A click opens the window where the
 * system delivers clicks: the microphone is opened by its entry in the menu alone.
 */
export function createTray(
  icon: (state: TrayStateName, isWaiting: boolean) => NativeImage,
  voice: () => Pick<VoiceSnapshot, "now" | "speech">,
  actions: TrayActions,
): ParleyTray {
  /** Conversations that are at work. */
  const running = new Set<string>();
  const look = () => trayState(voice(), running.size > 0);
  let state = look();
  /** null where nothing waits. */
  let waits: string | null = null;
  const tray = new Tray(icon(state.name, false));
  let shownMenu = "";
  const show = () => {
    tray.setImage(icon(state.name, waits !== null));
    const told = [waits, state.words].filter((words) => words !== null);
    tray.setToolTip(told.join(" · ") || "Parley");
    contentChanged();
  };
  const contentChanged = () => {
    const { now } = voice();
    const isMuted = isOn(now) && now.isMuted;
    const startsAtLogin = actions.startsAtLogin();
    const recent = actions.recent();
    // Panels close a menu that is open when another one comes.
    const next = JSON.stringify([state, waits, isMuted, startsAtLogin, recent]);
    if (next === shownMenu) return;
    shownMenu = next;
    tray.setContextMenu(
      Menu.buildFromTemplate([
        { label: "Open Parley", click: actions.open },
        { label: "Quick prompt", click: actions.quickPrompt },
        { type: "separator" },
        ...(state.words === null ? [] : [{ label: plainLabel(state.words), enabled: false }]),
        { label: state.isVoiceOn ? "Stop listening" : "Start listening", click: actions.toggleVoice },
        ...(state.isVoiceOn
          ? [{ label: isMuted ? "Unmute" : "Mute", click: () => actions.mute(!isMuted) }]
          : []),
        ...(waits === null ? [] : [{ label: waits, click: actions.showWaiting }]),
        { type: "separator" },
        ...recent.map(({ conversationId, title }) => ({
          label: plainLabel(title),
          click: () => actions.openConversation(conversationId),
        })),
        { type: "separator" },
        {
          label: "Start at login",
          type: "checkbox",
          checked: startsAtLogin,
          click: () => actions.startAtLogin(!startsAtLogin),
        },
        { label: "Quit", click: actions.quit },
      ]),
    );
  };
  /** The icon is drawn only for what is to be seen of it. */
  const update = () => {
    const next = look();
    const isSame =
      next.name === state.name && next.words === state.words && next.isVoiceOn === state.isVoiceOn;
    state = next;
    if (isSame) contentChanged();
    else show();
  };
  tray.on("click", actions.open);
  show();
  return {
    observe: (event) => {
      if (event.type === "run.started") running.add(event.conversationId);
      else if (event.type === "run.ended") running.delete(event.conversationId);
      else return;
      update();
    },
    voiceChanged: update,
    contentChanged,
    showWaiting: (counts) => {
      waits = waitingWords(counts);
      show();
    },
    destroy: () => tray.destroy(),
  };
}

/** UTF-16 units of a title in the menu. */
const maxLabelChars = 40;

/** As it is read: an `&` would underline the letter behind it. */
function plainLabel(text: string): string {
  const line = visibleText(text).replaceAll(/\s+/g, " ");
  const short = line.length > maxLabelChars ? `${line.slice(0, maxLabelChars)}…` : line;
  return short.replaceAll("&", "&&");
}
