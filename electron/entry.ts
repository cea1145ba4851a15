import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { app, dialog } from "electron";
import { enableLoopback } from "./desktop/audio/loopback.ts";
import { doctorSwitch } from "./desktop/doctor/doctor-switch.ts";
import { takeCalls } from "./desktop/ipc/waiting-calls.ts";
import { WindowSubscriptions } from "./desktop/ipc/window-subscriptions.ts";
import { enableShortcutPortal } from "./desktop/keys/shortcut-system.ts";
import { keepCompiledCode } from "./desktop/launch/compiled-code.ts";
import { displayTrouble } from "./desktop/launch/display.mjs";
import { parseLaunch } from "./desktop/launch/launch-request.ts";
import type { LaunchRequest } from "./desktop/launch/launch-request-shape.ts";
import type { OwnPrompt } from "./desktop/launch/prompt-command.ts";
import { exitCodes } from "./desktop/launch/prompt-output.ts";
import { startWork } from "./desktop/launch/start-work.ts";
import { WindowComplaints } from "./desktop/log/window-complaints.ts";
import { declareAppScheme, serveApp } from "./desktop/shell/app-protocol.ts";
import { applySpelling } from "./desktop/shell/context-menu.ts";
import { KeptData } from "./desktop/shell/kept-data.ts";
import { lockDown } from "./desktop/shell/security.ts";
import { Windows } from "./desktop/shell/windows.ts";
import { openWindowKeeping } from "./desktop/windows/kept-windows.ts";
import type { LaterAsk } from "./main.ts";
import { modelsFolder } from "./stt-server/models/cache-folder.ts";

// What comes before everything else: one instance, and the window, whose page is read while `main.ts` is. So nothing that
// takes long to load is imported here.

/** As long as the page's scripts are waited for, in milliseconds: hot reload serves them in another way. */
const longestMs = 500;

// Windows shows notifications of the program that this names, as the installer does.
if (process.platform === "win32") app.setAppUserModelId("app.parley.desktop");
keepCompiledCode(app.getPath("userData"));
declareAppScheme();
enableLoopback();
enableShortcutPortal(process.env);

const launch = parseLaunch(process.argv, app.getVersion());
if (!launch.ok) {
  (launch.code === 0 ? process.stdout : process.stderr).write(launch.said);
  process.exit(launch.code);
}
const job = "job" in launch ? launch.job : null;
const prompt = "prompt" in launch ? launch.prompt : null;
const request: LaunchRequest = "request" in launch ? launch.request : { type: "background" };
/** What other starts and links ask before there is anybody to take it. */
const early: LaterAsk[] = [];
let take = (ask: LaterAsk): void => {
  early.push(ask);
};
app.on("open-url", (event, link) => {
  event.preventDefault();
  take({ link });
});

// Who starts Parley in another way than by windows says so to Chromium.
const noDisplay = app.commandLine.hasSwitch("ozone-platform")
  ? null
  : await displayTrouble("parley", process.env);
if (noDisplay !== null) {
  // The app that runs shows or does it on its own display.
  const asksApp = !(job || prompt || process.argv.includes(doctorSwitch));
  const isTold = asksApp && !app.requestSingleInstanceLock(request) && (await isAppRunning());
  if (!isTold) process.stderr.write(`parley: ${noDisplay}\n`);
  process.exit(isTold ? 0 : 1);
}

// Back-ups are made beside an instance that runs, too.
if (job) {
  begin(async () => {
    const { runDataJob } = await import("./main.ts");
    app.exit(await runDataJob(job));
  });
}
// An instance that runs does it; else this one does.
else if (prompt) {
  // Until the prompt takes the signals, Chromium makes a quit of them, which may come when it has taken them.
  app.on("before-quit", (event) => {
    event.preventDefault();
    if (!process.emit("SIGINT", "SIGINT")) process.exit(exitCodes.interrupted);
  });
  begin(async () => {
    const { promptCommand } = await import("./desktop/launch/prompt-command.ts");
    const takeLock = () => app.requestSingleInstanceLock(request);
    const own = await promptCommand(prompt, app.getPath("userData"), takeLock);
    if (typeof own === "number") app.exit(own);
    else await open(request, own);
  });
}
// The doctor opens no window and keeps nothing: it goes beside an instance that runs.
else if (process.argv.includes(doctorSwitch)) {
  begin(async () => {
    void serveApp(rendererFolder(), undefined);
    lockDown();
    const { checkComputer } = await import("./main.ts");
    await checkComputer();
  });
}
// One instance a user-data folder: a second start tells the first one what it was asked for.
else if (!app.requestSingleInstanceLock(request)) {
  if (request.type === "stop") app.quit();
  else {
    beginSeen(async () => {
      const { startAfterPrompts } = await import("./desktop/launch/start-after-prompts.ts");
      const takeLock = (asked: LaunchRequest) => app.requestSingleInstanceLock(asked);
      const left = await startAfterPrompts(app.getPath("userData"), request, takeLock);
      if (left) await open(left);
      else app.quit();
    });
  }
} else if (request.type === "stop") {
  process.stderr.write("Parley is not running.\n");
  app.quit();
} else beginSeen(() => open(request));

async function isAppRunning(): Promise<boolean> {
  const { whatRuns } = await import("./desktop/launch/prompt-socket.ts");
  return (await whatRuns(app.getPath("userData"))) === "app";
}

/** For whoever waits at a terminal. */
function begin(work: () => Promise<unknown>): void {
  void startWork(app.whenReady(), work, (code) => app.exit(code));
}

/** For whoever may have no terminal to read on why it failed. */
function beginSeen(work: () => Promise<unknown>): void {
  void startWork(app.whenReady(), work, (code, why) => {
    dialog.showErrorBox("Parley can't start", why);
    app.exit(code);
  });
}

async function open(request: LaunchRequest, ownPrompt?: OwnPrompt): Promise<void> {
  performance.mark("ready");
  // Until the settings say otherwise: before anything waits.
  applySpelling(false);
  const keptData = new KeptData({
    folder: app.getPath("userData"),
    models: modelsFolder(process.env, process.platform),
  });
  keptData.removeUnwanted();
  const pageHasScripts = serveApp(
    rendererFolder(),
    app.isPackaged ? undefined : process.env.ELECTRON_RENDERER_URL,
  );
  lockDown();
  const complaints = new WindowComplaints();
  const subscriptions = new WindowSubscriptions();
  const windows = new Windows({
    preload: join(import.meta.dirname, "../preload/preload.cjs"),
    icon: join(app.getAppPath(), "resources/icon.png"),
    keeping: openWindowKeeping(app.getPath("userData")),
    onClosing: (contents) => subscriptions.detach(contents),
  });
  // A run and voice go on when every window is closed; the tray brings one back.
  app.on("window-all-closed", () => {});
  // Prompts of the command line open no window: another start waits until they have ended.
  if (!ownPrompt) {
    app.on("second-instance", (_event, _argv, _folder, data) => take({ data }));
    app.on("activate", () => windows.openMain());
  }
  const answerCalls = takeCalls();
  // The quick prompt, or nothing at all, may be what was asked for.
  const opensWindow = request.type === "open" || request.type === "session" || request.type === "settings";
  if (opensWindow) windows.openMain();
  performance.mark("opened");
  // While the page's process starts, what the page's first requests and calls need.
  void globalThis.Response;
  await import("../shared/ipc/ipc.ts");
  performance.mark("prepared");
  if (opensWindow) await Promise.race([pageHasScripts, wait(longestMs)]);
  performance.mark("served");
  const { start } = await import("./main.ts");
  performance.mark("loaded");
  const taker = await start({
    complaints,
    windows,
    subscriptions,
    keptData,
    answerCalls,
    request,
    ownPrompt,
  });
  if (ownPrompt) return;
  take = taker;
  for (const ask of early) take(ask);
  performance.mark("composed");
}

function rendererFolder(): string {
  return join(import.meta.dirname, "../renderer");
}
