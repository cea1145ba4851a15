import { app, Menu } from "electron";
import type { ZoomStep } from "../windows/zoom-keys.ts";

export interface AboutFacts {
  version: string;
  runtime: string;
  settingsPath: string;
  logPath: string;
  iconPath: string;
}

export interface MenuActions {
  newConversation(): void;
  quickPrompt(): void;
  setUp(): void;
  checkComputer(): void;
  settings(): void;
  zoom(step: ZoomStep): void;
}

/** The application menu and the About panel behind it. */
export function setUpMenu(actions: MenuActions, about: AboutFacts): void {
  app.setAboutPanelOptions({
    applicationName: "Parley",
    applicationVersion: `${about.version} on ${about.runtime}`,
    copyright: `Settings: ${about.settingsPath}\nLog: ${about.logPath}`,
    iconPath: about.iconPath,
  });
  const isMac = process.platform === "darwin";
  Menu.setApplicationMenu(
    Menu.buildFromTemplate([
      ...(isMac ? [{ role: "appMenu" as const }] : []),
      {
        label: "Conversation",
        submenu: [
          { label: "New conversation", accelerator: "CommandOrControl+N", click: actions.newConversation },
          { label: "Quick prompt", click: actions.quickPrompt },
          { type: "separator" },
          { label: "Settings…", accelerator: "CommandOrControl+,", click: actions.settings },
          { type: "separator" },
          { role: "close", label: "Close window" },
          { role: "quit", label: "Quit Parley" },
        ],
      },
      { role: "editMenu" },
      {
        label: "View",
        submenu: [
          // Windows take these keys themselves, with those of the number pad.
          { label: "Actual Size", accelerator: "CommandOrControl+0", click: () => actions.zoom("usual") },
          { label: "Zoom In", accelerator: "CommandOrControl+Plus", click: () => actions.zoom("in") },
          { label: "Zoom Out", accelerator: "CommandOrControl+-", click: () => actions.zoom("out") },
          { type: "separator" },
          { role: "togglefullscreen" },
          { role: "toggleDevTools" },
        ],
      },
      {
        label: "Help",
        submenu: [
          { label: "Set up Parley", click: actions.setUp },
          { label: "Check this computer", click: actions.checkComputer },
          { type: "separator" },
          { role: "about", label: "About Parley" },
        ],
      },
    ]),
  );
}
