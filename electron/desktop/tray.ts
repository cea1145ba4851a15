import { Menu, nativeImage, Tray } from "electron";
import type { VoiceStateName } from "../../shared/events.ts";

export interface TrayActions {
  open(): void;
  quickPrompt(): void;
  /** Brings up what waits for the user's word. */
  showWaiting(): void;
  stopListening(): void;
  quit(): void;
}

export interface ParleyTray {
  showVoice(state: VoiceStateName): void;
  /** @param count approvals that wait for the user */
  showWaiting(count: number): void;
  destroy(): void;
}

/** The tray icon: opens the window, throws in a quick prompt, quits; it shows whether Parley listens, and whether something waits for the user. */
export function createTray(
  icons: { off: string; listening: string; waiting: string },
  actions: TrayActions,
): ParleyTray {
  const off = nativeImage.createFromPath(icons.off);
  const listening = nativeImage.createFromPath(icons.listening);
  const waiting = nativeImage.createFromPath(icons.waiting);
  const tray = new Tray(off);
  let isOn = false;
  let waitingCount = 0;
  const show = () => {
    const waits = `${waitingCount} ${waitingCount === 1 ? "approval waits" : "approvals wait"} for you`;
    tray.setImage(waitingCount > 0 ? waiting : isOn ? listening : off);
    const states = [...(waitingCount > 0 ? [waits] : []), ...(isOn ? ["Parley is listening"] : [])];
    tray.setToolTip(states.join(" · ") || "Parley");
    tray.setContextMenu(
      Menu.buildFromTemplate([
        ...(waitingCount > 0 ? [{ label: waits, click: actions.showWaiting }] : []),
        { label: "Open", click: actions.open },
        { label: "Quick prompt", click: actions.quickPrompt },
        ...(isOn ? [{ label: "Stop listening", click: actions.stopListening }] : []),
        { type: "separator" },
        { label: "Quit", click: actions.quit },
      ]),
    );
  };
  tray.on("click", actions.open);
  show();
  return {
    showVoice: (state) => {
      isOn = state !== "off" && state !== "failed";
      show();
    },
    showWaiting: (count) => {
      waitingCount = count;
      show();
    },
    destroy: () => tray.destroy(),
  };
}
