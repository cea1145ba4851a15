import { Menu, type NativeImage, Tray } from "electron";
import type { AgentEvent } from "../../../../shared/conversation/events.ts";
import type { VoiceSnapshot } from "../../../../shared/voice/voice-snapshot.ts";
import { type TrayStateName, trayState } from "./tray-state.ts";

export interface TrayActions {
  /** Starts listening, or stops it. */
  toggleVoice(): void;
  open(): void;
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
  /** @param count approvals that wait for the user */
  showWaiting(count: number): void;
  destroy(): void;
}

/**
 * The tray icon: it shows what Parley is doing, and whether something waits for the user. A click starts and stops
 * listening where the system delivers clicks; where it opens the menu instead, the first entry does.
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
  let waitingCount = 0;
  const tray = new Tray(icon(state.name, false));
  const show = () => {
    const waits = `${waitingCount} ${waitingCount === 1 ? "approval waits" : "approvals wait"} for you`;
    const isWaiting = waitingCount > 0;
    tray.setImage(icon(state.name, isWaiting));
    const told = [...(isWaiting ? [waits] : []), ...(state.words === null ? [] : [state.words])];
    tray.setToolTip(told.join(" · ") || "Parley");
    tray.setContextMenu(
      Menu.buildFromTemplate([
        { label: state.isVoiceOn ? "Stop listening" : "Start listening", click: actions.toggleVoice },
        ...(isWaiting ? [{ label: waits, click: actions.showWaiting }] : []),
        { type: "separator" },
        { label: "Open", click: actions.open },
        { label: "Quick prompt", click: actions.quickPrompt },
        { type: "separator" },
        { label: "Quit", click: actions.quit },
      ]),
    );
  };
  /** The icon is drawn only for what is to be seen of it. */
  const update = () => {
    const next = look();
    if (next.name === state.name && next.words === state.words && next.isVoiceOn === state.isVoiceOn) return;
    state = next;
    show();
  };
  tray.on("click", actions.toggleVoice);
  show();
  return {
    observe: (event) => {
      if (event.type === "run.started") running.add(event.conversationId);
      else if (event.type === "run.ended") running.delete(event.conversationId);
      else return;
      update();
    },
    voiceChanged: update,
    showWaiting: (count) => {
      waitingCount = count;
      show();
    },
    destroy: () => tray.destroy(),
  };
}
