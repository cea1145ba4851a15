import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { _electron, type ElectronApplication, type Page } from "playwright/test";
import { killNow } from "../../fakes/processes.ts";
import { watchApp } from "./evidence.ts";
import { expect } from "./expect.ts";
import { keepResults } from "./kept-results.ts";
import { familyOf } from "./machine/process-family.ts";

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
  /** It outlives the test that starts it: its worker's fixture closes it. */
  isOfWorker?: boolean;
  /** It has started, and its window is not waited for yet. */
  launched?(app: ElectronApplication): void;
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
  const started = await _electron.launch({
    args: [
      ...(process.getuid?.() === 0 ? ["--no-sandbox"] : []),
      `--user-data-dir=${userData}`,
      ...(options.switches ?? []),
      root,
    ],
    cwd: root,
    // Nobody listens there: the developer's own Ollama stays out of it.
    env: {
      ...bareEnvironment(),
      OLLAMA_HOST: "127.0.0.1:9",
      HOME: home,
      XDG_CONFIG_HOME: join(home, ".config"),
      ...options.env,
    },
  });
  const app = keepResults(started);
  const pid = app.process().pid;
  const processes = () => (pid === undefined ? [] : familyOf(pid));
  await watchApp({ app, userData, processes, isOfWorker: options.isOfWorker ?? false });
  options.launched?.(app);
  const page = await mainWindow(app);
  return {
    app,
    page,
    home,
    userData,
    processes,
    close: () => closeInTime(app, processes),
    async crash() {
      const gone = app.waitForEvent("close");
      if (pid !== undefined) process.kill(pid, "SIGKILL");
      await gone;
    },
  };
}

/** Far longer than an app takes to quit, in milliseconds, however busy the computer is. */
const longestQuitMs = 90_000;

/** @throws Error when it does not quit; it is killed then */
async function closeInTime(app: ElectronApplication, processes: () => number[]): Promise<void> {
  const late = new AbortController();
  const family = processes();
  const isLate = wait(longestQuitMs, true, { signal: late.signal }).catch(() => false);
  const hangs = await Promise.race([app.close().then(() => false), isLate]);
  late.abort();
  if (!hangs) return;
  for (const pid of family) killNow(pid);
  throw new Error(`The app did not quit within ${longestQuitMs / 1000} s.`);
}

function newHome({ settings, files }: LaunchOptions): string {
  const home = mkdtempSync(join(tmpdir(), "parley-e2e-"));
  mkdirSync(join(home, "user-data"));
  mkdirSync(join(home, "Parley"));
  for (const [path, content] of Object.entries(files ?? {}))
    writeFileSync(join(home, "Parley", path), content);
  // Retries must not make a test wait, nor must what a newcomer is asked: \`firstRun: true\` brings that.
  const kept = JSON.stringify({ retryBaseMs: 1, firstRun: false, ...settings });
  writeFileSync(join(home, "user-data", "settings.json"), kept);
  return home;
}

/** Closes the main window as its user does. */
export async function closeMainWindow(app: ElectronApplication): Promise<void> {
  const closed = app
    .windows()
    .find((page) => page.url().includes("/main/"))
    ?.waitForEvent("close");
  await app.evaluate(({ BrowserWindow }) => {
    const window = BrowserWindow.getAllWindows().find((one) => one.webContents.getURL().includes("/main/"));
    window?.close();
  });
  await closed;
  // The page is gone a moment before main knows: whoever asks for a window in between gets none. In between a window may have no
  // page that tells its address.
  const isThere = () =>
    app.evaluate(({ BrowserWindow }) =>
      BrowserWindow.getAllWindows().some(
        (one) =>
          !one.webContents || one.webContents.isDestroyed() || one.webContents.getURL().includes("/main/"),
      ),
    );
  await expect.poll(isThere).toBe(false);
}

/** Brings the main window back, as a click on the app's icon does. */
export async function reopenMainWindow(app: ElectronApplication): Promise<Page> {
  // Waited for from before: the list of windows may still hold the one that was closed.
  const [page] = await Promise.all([
    app.waitForEvent("window"),
    app.evaluate(({ app }) => void app.emit("activate")),
  ]);
  // Asked of the page itself: under load the event may have passed before somebody listened.
  await page.waitForFunction(() => document.readyState !== "loading");
  return page;
}

/** The user picks this in the system's dialog, whichever one opens. */
export const picks = (app: ElectronApplication, path: string): Promise<void> =>
  app.evaluate(({ dialog }, filePath) => {
    dialog.showOpenDialog = () => Promise.resolve({ canceled: false, filePaths: [filePath] });
  }, path);

/** An image is on the clipboard. */
export const copyImage = (app: ElectronApplication, bytes: Buffer): Promise<void> =>
  app.evaluate(({ clipboard, nativeImage }, data) => {
    // As the runtime of tests has it; the newest one writes items.
    const image = nativeImage.createFromBuffer(Buffer.from(data, "base64"));
    Reflect.apply(Reflect.get(clipboard, "writeImage"), clipboard, [image]);
  }, bytes.toString("base64"));

/** Opens the quick window by its menu item. */
export async function openQuick(app: ElectronApplication): Promise<Page> {
  await clickQuick(app);
  return await pageAt(app, "/quick/");
}

/** The same, where nobody waits for its page. */
export const clickQuick = (app: ElectronApplication): Promise<void> =>
  app.evaluate(({ Menu }) => {
    const [conversation] = Menu.getApplicationMenu()?.items ?? [];
    conversation?.submenu?.items.find(({ label }) => label === "Quick prompt")?.click();
  });

/** Told of the quick window as main has it: its page itself counts as visible for as long as a test drives it. */
export const quickWindow = (app: ElectronApplication) =>
  app.evaluate(({ BrowserWindow }) => {
    const window = BrowserWindow.getAllWindows().find((one) => one.webContents.getURL().includes("/quick/"));
    return { isVisible: window?.isVisible() ?? false, bounds: window?.getBounds() };
  });

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
  // For as long as the test has: on a busy computer a start takes longer than Playwright waits by itself.
  await page.waitForLoadState("domcontentloaded", { timeout: 0 });
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
