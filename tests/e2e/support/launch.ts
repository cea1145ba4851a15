import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { _electron, type ElectronApplication, type Page } from "playwright/test";

export interface LaunchOptions {
  /** Added to a bare environment, which has no model key. */
  env?: Record<string, string>;
  /** Chromium switches. */
  switches?: string[];
  /** The content of settings.json. */
  settings?: Record<string, unknown>;
  /** What lies in the working folder, by path. */
  files?: Record<string, string | Uint8Array>;
  /** The home of an earlier start, to go on in; what `settings` and `files` say is then left alone. */
  home?: string;
  /** Puts into the user-data folder what an earlier run would have left there. */
  seed?(userData: string): void | Promise<void>;
  /** Makes of the home what its system would have put there. */
  seedHome?(home: string): void;
}

export interface Parley {
  app: ElectronApplication;
  /** The main window. */
  page: Page;
  /** Its own home, user-data folder and working folder (`home/Parley`). */
  home: string;
  userData: string;
  /** Ids of main and everything it started, as the system lists them now. */
  processes(): number[];
  close(): Promise<void>;
  /** kill -9: nothing of it can say goodbye. */
  crash(): Promise<void>;
}

const root = resolve(import.meta.dirname, "../../..");

/** Starts the built app in a home of its own and waits for its window. */
export async function launchParley(options: LaunchOptions = {}): Promise<Parley> {
  const home = options.home ?? newHome(options);
  const userData = join(home, "user-data");
  await options.seed?.(userData);
  options.seedHome?.(home);
  const app = await _electron.launch({
    args: [
      ...(process.getuid?.() === 0 ? ["--no-sandbox"] : []),
      `--user-data-dir=${userData}`,
      ...(options.switches ?? []),
      root,
    ],
    cwd: root,
    env: { ...bareEnvironment(), HOME: home, XDG_CONFIG_HOME: join(home, ".config"), ...options.env },
  });
  const pid = app.process().pid;
  const page = await mainWindow(app);
  return {
    app,
    page,
    home,
    userData,
    processes: () => (pid === undefined ? [] : family(pid)),
    close: () => app.close(),
    async crash() {
      const gone = app.waitForEvent("close");
      if (pid !== undefined) process.kill(pid, "SIGKILL");
      await gone;
    },
  };
}

function newHome({ settings, files }: LaunchOptions): string {
  const home = mkdtempSync(join(tmpdir(), "parley-e2e-"));
  mkdirSync(join(home, "user-data"));
  mkdirSync(join(home, "Parley"));
  for (const [path, content] of Object.entries(files ?? {}))
    writeFileSync(join(home, "Parley", path), content);
  // Retries must not make a test wait.
  const kept = JSON.stringify({ retryBaseMs: 1, ...settings });
  writeFileSync(join(home, "user-data", "settings.json"), kept);
  return home;
}

/** Closes the main window as its user does. */
export async function closeMainWindow(app: ElectronApplication): Promise<void> {
  await app.evaluate(async ({ BrowserWindow }) => {
    const window = BrowserWindow.getAllWindows().find((one) => one.webContents.getURL().includes("/main/"));
    const closed = new Promise((resolve) => window?.once("closed", () => resolve(undefined)));
    window?.close();
    await closed;
  });
}

/** Brings the main window back, as a click on the app's icon does. */
export async function reopenMainWindow(app: ElectronApplication): Promise<Page> {
  // Waited for from before: the list of windows may still hold the one that was closed.
  const opened = app.waitForEvent("window");
  await app.evaluate(({ app }) => app.emit("activate"));
  const page = await opened;
  await page.waitForLoadState("domcontentloaded");
  return page;
}

/** The user picks this in the system's dialog, whichever one opens. */
export const picks = (app: ElectronApplication, path: string): Promise<void> =>
  app.evaluate(({ dialog }, filePath) => {
    dialog.showOpenDialog = () => Promise.resolve({ canceled: false, filePaths: [filePath] });
  }, path);

/** Opens the quick window by its menu item. */
export async function openQuick(app: ElectronApplication): Promise<Page> {
  await app.evaluate(({ Menu }) => {
    const [conversation] = Menu.getApplicationMenu()?.items ?? [];
    conversation?.submenu?.items.find(({ label }) => label === "Quick prompt")?.click();
  });
  return await pageAt(app, "/quick/");
}

/** The window that shows the conversation, whichever pages were loaded before it. */
async function mainWindow(app: ElectronApplication): Promise<Page> {
  return await pageAt(app, "/main/");
}

export async function pageAt(app: ElectronApplication, path: string): Promise<Page> {
  const page = await new Promise<Page>((resolve) => {
    // A window may be known before it is where it goes.
    const look = (page: Page) => {
      if (page.url().includes(path)) resolve(page);
      else page.once("framenavigated", () => look(page));
    };
    app.on("window", look);
    app.windows().forEach(look);
  });
  await page.waitForLoadState("domcontentloaded");
  return page;
}

/** Nothing of the developer's own: no key, no address, no settings of theirs reaches a test. */
function bareEnvironment(): Record<string, string> {
  const kept = [
    "PATH",
    "DISPLAY",
    "XAUTHORITY",
    "LANG",
    "TMPDIR",
    "DBUS_SESSION_BUS_ADDRESS",
    "XDG_CACHE_HOME",
  ];
  return Object.fromEntries(
    kept.flatMap((name) => {
      const value = process.env[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

/** A process and all its descendants, by the parents that /proc names. */
function family(pid: number): number[] {
  const children = (parent: number): number[] => {
    try {
      return readFileSync(`/proc/${parent}/task/${parent}/children`, "utf8").trim().split(" ").map(Number);
    } catch {
      return [];
    }
  };
  const below = children(pid).filter((child) => child > 0);
  return [pid, ...below.flatMap(family)];
}
