import { app, Menu } from "electron";

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
          { role: "close", label: "Close window" },
          { role: "quit", label: "Quit Parley" },
        ],
      },
      { role: "editMenu" },
      {
        label: "View",
        submenu: [
          { role: "resetZoom" },
          { role: "zoomIn" },
          { role: "zoomOut" },
          { type: "separator" },
          { role: "togglefullscreen" },
          { role: "toggleDevTools" },
        ],
      },
      { label: "Help", submenu: [{ role: "about", label: "About Parley" }] },
    ]),
  );
}
