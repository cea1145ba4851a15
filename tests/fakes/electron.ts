export interface ElectronState {
  /** What answers the windows' calls. */
  handler: ((...args: unknown[]) => Promise<unknown>) | null;
  /** What would have been done outside of the process: what, and with what. */
  effects: unknown[][];
}

/** As much of `electron` as the routes touch; everything that would be seen is recorded. */
export function fakeElectron(state: ElectronState): object {
  const record = (...effect: unknown[]) => {
    // Only kinds and addresses are looked at: a long run must not keep everything.
    if (state.effects.length < 100_000) state.effects.push(effect);
  };
  const display = { id: 1, workArea: { x: 0, y: 0, width: 1280, height: 800 } };
  class FakeWindow {
    static fromWebContents = () => null;
    static getAllWindows = () => [];
    readonly webContents = Object.assign(new EventTarget(), {
      id: 2,
      isLoading: () => false,
      isDestroyed: () => false,
      once: () => {},
      on: () => {},
      send: () => {},
    });
    once = () => this;
    on = () => this;
    loadURL = async () => {};
    isMinimized = () => false;
    isVisible = () => false;
    getContentSize = () => [680, 420];
    show = () => record("window", "show");
    hide = () => record("window", "hide");
    focus = () => {};
    setVisibleOnAllWorkspaces = () => {};
    setContentSize = (width: unknown, height: unknown) => record("window", "size", width, height);
  }
  return {
    BrowserWindow: FakeWindow,
    app: { on: () => {}, getVersion: () => "0" },
    dialog: {
      showSaveDialog: async () => {
        record("dialog", "save");
        return { canceled: true, filePath: "" };
      },
      showOpenDialog: async () => {
        record("dialog", "open");
        return { canceled: true, filePaths: [] };
      },
    },
    ipcMain: {
      handle: (_: string, handler: ElectronState["handler"]) => {
        state.handler = handler;
      },
      removeAllListeners: () => {},
    },
    net: {},
    protocol: {},
    screen: {
      on: () => {},
      getPrimaryDisplay: () => display,
      getAllDisplays: () => [display],
      getDisplayMatching: () => display,
      getDisplayNearestPoint: () => display,
      getCursorScreenPoint: () => ({ x: 0, y: 0 }),
    },
    session: {},
    shell: {
      openExternal: async (url: string) => record("openExternal", url),
      openPath: async (path: string) => {
        record("openPath", path);
        return "";
      },
    },
  };
}
