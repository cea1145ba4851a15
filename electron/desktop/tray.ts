import { Menu, nativeImage, Tray } from "electron";
import type { VoiceStateName } from "../../shared/events.ts";

export interface TrayActions {
  open(): void;
  quickPrompt(): void;
  stopListening(): void;
  quit(): void;
}

export interface ParleyTray {
  showVoice(state: VoiceStateName): void;
  destroy(): void;
}

/** The tray icon: opens the window, throws in a quick prompt, quits; it shows whether Parley listens. */
export function createTray(icons: { off: string; listening: string }, actions: TrayActions): ParleyTray {
  const off = nativeImage.createFromPath(icons.off);
  const listening = nativeImage.createFromPath(icons.listening);
  const tray = new Tray(off);
  const showVoice = (state: VoiceStateName) => {
    const isOn = state !== "off" && state !== "failed";
    tray.setImage(isOn ? listening : off);
    tray.setToolTip(isOn ? "Parley is listening" : "Parley");
    tray.setContextMenu(
      Menu.buildFromTemplate([
        { label: "Open", click: actions.open },
        { label: "Quick prompt", click: actions.quickPrompt },
        ...(isOn ? [{ label: "Stop listening", click: actions.stopListening }] : []),
        { type: "separator" },
        { label: "Quit", click: actions.quit },
      ]),
    );
  };
  tray.on("click", actions.open);
  showVoice("off");
  return { showVoice, destroy: () => tray.destroy() };
}
