import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { listPackage } from "@electron/asar";
import { FuseV1Options, getCurrentFuseWire } from "@electron/fuses";
import { chromium, type Page } from "playwright";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Ended, runFile } from "../../fakes/script.ts";
import { privateDisplay } from "../stt/private-display.ts";

let folder: string;
let packaged: Ended;
let resources: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "parley-package-"));
  resources = join(folder, "linux-unpacked/resources");
  const nowhere = "http://127.0.0.1:1/";
  packaged = await runFile("package.mjs", [folder], {
    env: {
      npm_config_registry: nowhere,
      HTTPS_PROXY: nowhere,
      HTTP_PROXY: nowhere,
      ELECTRON_MIRROR: nowhere,
    },
  });
}, 180_000);

afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe.runIf(process.platform === "linux")("the packaged app", () => {
  test("is made without a network", () => {
    expect(packaged.stderr).not.toContain("ECONNREFUSED");
    expect(packaged.code, packaged.stdout + packaged.stderr).toBe(0);
    expect(readdirSync(resources).sort()).toEqual(["app.asar", "app.asar.unpacked"]);
  });

  test("holds what runs and nothing else", () => {
    const files = listPackage(join(resources, "app.asar"), { isPack: false });
    const tops = new Set(files.map((file) => file.split("/")[1]));
    expect([...tops].sort()).toEqual(["LICENSE", "node_modules", "out", "package.json", "resources"]);
    const built = new Set(files.filter((file) => file.startsWith("/out/")).map((file) => file.split("/")[2]));
    expect([...built].sort()).toEqual(["main", "preload", "renderer"]);
    expect(files.filter((file) => /\.map$|\.d\.ts$|\.env/.test(file))).toEqual([]);
  });

  test("does not pass on the speech model, and keeps native code where it can be loaded", () => {
    const files = listPackage(join(resources, "app.asar"), { isPack: false });
    expect(files.filter((file) => file.includes("comprise-speech-to-text"))).toEqual([]);
    const native = files.filter((file) => /\.(node|so|dll|dylib|onnx)$/.test(file));
    const expected = ["koffi.node", "sherpa-onnx.node", "libvosk.so", "silero_vad_v5.onnx"];
    expect(native.map((file) => file.split("/").at(-1))).toEqual(expect.arrayContaining(expected));
    for (const file of native)
      expect(existsSync(join(resources, "app.asar.unpacked", file)), file).toBe(true);
    expect(native.filter((file) => /\.(dll|dylib)$/.test(file))).toEqual([]);
    const ripgrep = `app.asar.unpacked/node_modules/@vscode/ripgrep-linux-${process.arch}/bin/rg`;
    accessSync(join(resources, ripgrep), constants.X_OK);
  });

  // Bug: a part of a package that is loaded late was left out, and only the installed app lacked it.
  test("starts, calculates, and keeps what was said", async () => {
    const userData = join(folder, "config/Parley");
    mkdirSync(userData, { recursive: true });
    writeFileSync(join(userData, "settings.json"), JSON.stringify({ provider: "offline" }));
    await withApp({}, async (page) => {
      expect(await page.title()).toContain("Parley");
      await page.getByTestId("composer").fill("what is twelve times nine");
      await page.getByTestId("composer").press("Enter");
      await page.getByTestId("message-assistant").filter({ hasText: "108" }).waitFor();
      expect(existsSync(join(userData, "parley.db"))).toBe(true);
    });
  });

  test("has every fuse as a release has it", async () => {
    const wire = await getCurrentFuseWire(join(folder, "linux-unpacked/parley"));
    const states = Object.entries(wire).flatMap(([index, state]) => {
      const name: unknown = FuseV1Options[Number(index)];
      return typeof name === "string" ? [[name, fuseStates[Number(state)] ?? "?"]] : [];
    });
    expect(Object.fromEntries(states)).toEqual({
      RunAsNode: "off",
      EnableCookieEncryption: "on",
      EnableNodeOptionsEnvironmentVariable: "off",
      EnableNodeCliInspectArguments: "off",
      EnableEmbeddedAsarIntegrityValidation: "on",
      OnlyLoadAppFromAsar: "on",
      LoadBrowserProcessSpecificV8Snapshot: "off",
      GrantFileProtocolExtraPrivileges: "off",
    });
  });

  test("is no Node for others, and runs no code that lies beside it or is named from outside", async () => {
    const traces = join(folder, "traces");
    mkdirSync(traces);
    const leavesTrace = (name: string) =>
      `require("node:fs").writeFileSync(${JSON.stringify(join(traces, name))}, "")`;
    const preloaded = join(folder, "preloaded.cjs");
    writeFileSync(preloaded, leavesTrace("node-options"));
    // Electron looks for a folder before it looks for the archive.
    const beside = join(resources, "app");
    mkdirSync(beside);
    writeFileSync(join(beside, "package.json"), JSON.stringify({ main: "main.js" }));
    writeFileSync(join(beside, "main.js"), leavesTrace("app-folder"));
    const said: string[] = [];
    try {
      const env = { ELECTRON_RUN_AS_NODE: "1", NODE_OPTIONS: `--require ${preloaded}` };
      await withApp({ env, switches: ["--inspect=0"], said }, async (page) => {
        await page.getByTestId("composer").waitFor();
      });
    } finally {
      rmSync(beside, { recursive: true });
    }
    expect(readdirSync(traces)).toEqual([]);
    expect(said.filter((line) => line.startsWith("Debugger listening"))).toEqual([]);
  });
});

interface AppStart {
  env?: Record<string, string>;
  switches?: string[];
  /** Gets the lines of stderr up to the debugger's address. */
  said?: string[];
}

/** Starts the packaged app, and gives its main window to `use`. */
async function withApp(how: AppStart, use: (page: Page) => Promise<void>): Promise<void> {
  const display = await privateDisplay();
  const app = start(display.display, how);
  try {
    const browser = await chromium.connectOverCDP(await debuggerAddress(app, how.said));
    const [context] = browser.contexts();
    const isMain = (url: string) => url === "app://parley/main/index.html";
    const open = context?.pages().find((page) => isMain(page.url()));
    const page = open ?? (await context?.waitForEvent("page", (candidate) => isMain(candidate.url())));
    if (!page) throw new Error("the app has no browser context");
    await page.waitForLoadState();
    await use(page);
    await browser.close();
  } finally {
    await end(app);
    await display.dispose();
  }
}

/** As they stand in the program. */
const fuseStates: Readonly<Record<number, string>> = { 48: "off", 49: "on", 114: "removed" };

/** With inspection fused off, as released, the page's own debugging port is the way in. */
function start(display: string, { env = {}, switches = [] }: AppStart): ChildProcess {
  const all = [
    ...(process.getuid?.() === 0 ? ["--no-sandbox"] : []),
    ...switches,
    "--remote-debugging-port=0",
  ];
  return spawn(join(folder, "linux-unpacked/parley"), all, {
    env: { ...process.env, DISPLAY: display, HOME: folder, XDG_CONFIG_HOME: join(folder, "config"), ...env },
    stdio: ["ignore", "ignore", "pipe"],
    detached: true,
  });
}

async function debuggerAddress(app: ChildProcess, said: string[] = []): Promise<string> {
  if (app.stderr === null) throw new Error("the app has no stderr");
  for await (const line of createInterface({ input: app.stderr })) {
    said.push(line);
    const address = /^DevTools listening on (ws:\S+)/.exec(line)?.[1];
    if (address) return address;
  }
  throw new Error("the app ended before it could be looked into");
}

async function end(app: ChildProcess): Promise<void> {
  if (app.exitCode !== null || app.signalCode !== null || app.pid === undefined) return;
  const ended = once(app, "exit");
  process.kill(-app.pid, "SIGKILL");
  await ended;
}
