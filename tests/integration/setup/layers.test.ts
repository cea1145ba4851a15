import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { runFile } from "../../fakes/script.ts";

const reachesNative = 'import "./voice/voice.ts"; import "./desktop/hook.ts";';

/** One breach of each rule, each in a file of its own: the rule, the file that breaks it, and what that file says. */
const breaches: [rule: string, file: string, source: string][] = [
  ["shared-imports-nothing-of-ours", "shared/bad.ts", 'import "../electron/agent/run.ts";'],
  ["renderer-imports-only-shared", "renderer/quick/bad.tsx", 'import "../../electron/agent/run.ts";'],
  ["only-the-echo-worker-does-its-work", "renderer/audio/bad.ts", 'import "./echo/echo-remover.ts";'],
  [
    "only-the-shell-imports-electron",
    "electron/agent/bad-1.ts",
    'import { app } from "electron"; app.quit();',
  ],
  ["only-the-shell-imports-electron", "electron/agent/bad-2.ts", 'import "electron/main";'],
  [
    "only-the-shell-imports-electron",
    "electron/tools/bad-1.ts",
    'import Store from "electron-store"; Store;',
  ],
  ["files-import-only-shared", "electron/files/bad.ts", 'import "../agent/ports/ports.ts";'],
  ["agent-imports-only-shared", "electron/agent/bad-3.ts", 'import "../tools/shell.ts";'],
  ["parts-never-import-one-another", "electron/tools/bad-2.ts", 'import "../voice/poller.ts";'],
  ["parts-never-import-one-another", "electron/tools/bad-3.ts", 'import "../agent/run.ts";'],
  ["stt-server-stands-alone", "electron/stt-server/bad.ts", 'import "../../shared/events.ts";'],
  ["commands-and-settings-import-only-shared", "electron/commands/bad.ts", 'import "../agent/run.ts";'],
  ["commands-and-settings-import-only-shared", "electron/settings/bad.ts", 'import "../commands/parse.ts";'],
  ["desktop-never-imports-the-stt-server", "electron/desktop/bad.ts", 'import "../stt-server/stdio.ts";'],
  [
    "parts-never-import-one-another",
    "electron/conversation-commands/bad.ts",
    'import "../store/database.ts";',
  ],
  ["only-main-composes", "electron/desktop/bad-2.ts", 'import "../compose/voice.ts";'],
  ["preload-imports-only-shared", "electron/preload.ts", 'import "./agent/run.ts";'],
  // Once by way of a file that imports it while running, once by a chain of imports.
  ["main-never-reaches-native-code", "electron/main.ts", reachesNative],
  ["main-never-reaches-native-code", "electron/main.ts", reachesNative],
  [
    "no-require",
    "electron/tools/bad-6.ts",
    'const require = createRequire(import.meta.url); require("vosk");',
  ],
  ["no-require", "electron/tools/bad-7.ts", 'createRequire(import.meta.url)("vosk");'],
  ["only-the-store-imports-libsql", "electron/tools/bad-4.ts", 'import "libsql";'],
  // A circle is named once, by its first file.
  ["no-import-circles", "electron/voice/bad-1.ts", 'import "./bad-2.ts";'],
  // An import of nothing but a type, and one that is made while running.
  [
    "agent-imports-only-shared",
    "electron/agent/bad-4.ts",
    'import type { Shell } from "../tools/shell.ts"; export type Run = Shell;',
  ],
  [
    "agent-imports-only-shared",
    "electron/agent/bad-5.ts",
    'export const later = () => import("../tools/shell.ts");',
  ],
];

/** A tree that keeps every rule, with the imports that are allowed. */
const goodTree: Record<string, string> = {
  "shared/events.ts": "export const event = 1;",
  "shared/voice/stt.ts": "export const words = 1;",
  "renderer/main/main.tsx": 'import "../../shared/events.ts";',
  "renderer/audio/echo/echo-messages.ts": "export type Frame = Int16Array;",
  "renderer/audio/echo/echo-remover.ts": 'import "./echo-messages.ts";',
  "renderer/audio/echo-link.ts":
    'import type { Frame } from "./echo/echo-messages.ts"; export type Sound = Frame;',
  "electron/main.ts":
    'import { app } from "electron"; import "./compose/voice.ts"; import "./store/database.ts"; app.quit();',
  "electron/compose/voice.ts": 'import "../voice/poller.ts"; import "../desktop/tray.ts";',
  "electron/store/database.ts": 'import Libsql from "libsql"; Libsql;',
  "electron/voice/voice.ts": 'export const open = () => import("sherpa-onnx-node");',
  "electron/voice/speech-utility.ts": 'import "./voice.ts";',
  "electron/desktop/hook.ts": 'import { uIOhook } from "uiohook-napi"; uIOhook.start();',
  "electron/preload.ts": 'import "../shared/events.ts";',
  "electron/agent/ports/ports.ts": "export interface Tool { name: string }",
  "electron/files/held-folder.ts": 'import "../../shared/events.ts";',
  "electron/agent/run.ts":
    'import type { Tool } from "./ports/ports.ts"; import "../files/held-folder.ts"; export type Run = Tool;',
  "electron/tools/shell.ts":
    'import type { Tool } from "../agent/ports/ports.ts"; import "../files/held-folder.ts"; export type Shell = Tool;',
  "electron/voice/poller.ts": 'import "../../shared/voice/stt.ts";',
  "electron/commands/parse.ts": "export const parse = 1;",
  "electron/settings/settings.ts": 'import Store from "electron-store"; Store;',
  "electron/desktop/tray.ts": 'import { Tray } from "electron"; import "../agent/run.ts"; Tray;',
  "electron/stt-server/stdio.ts": 'import "../../shared/voice/stt.ts";',
};

let tree: string;

beforeEach(() => {
  tree = mkdtempSync(join(tmpdir(), "parley-layers-"));
  symlinkSync(resolve("node_modules"), join(tree, "node_modules"));
  for (const [file, source] of Object.entries(goodTree)) write(file, source);
});

afterEach(() => rmSync(tree, { recursive: true }));

describe("the layer check", () => {
  test("passes a tree that keeps the rules", async () => {
    expect(await check()).toMatchObject({ code: 0, stderr: "" });
  });

  test("names each broken rule and the file that breaks it, and nothing else", async () => {
    for (const [, file, source] of breaches) write(file, source);
    write("electron/voice/bad-2.ts", 'import "./bad-1.ts";');
    const { code, stderr } = await check();
    const named = stderr
      .trim()
      .split("\n")
      .map((line) => line.replace(/ → .*/, ""));
    expect(named.sort()).toEqual(breaches.map(([rule, file]) => `${rule}: ${file}`).sort());
    expect(code).toBe(1);
  });

  test("fails when it could not read every source file", async () => {
    // A folder that the cruiser is told to leave out stands in for a file that it cannot read.
    write("electron/node_modules/hidden.ts", "export {};");
    const { code, stderr } = await check();
    expect(stderr).toContain("not read: electron/node_modules/hidden.ts");
    expect(code).toBe(1);
  });

  test("fails on an empty tree", async () => {
    for (const name of ["electron", "renderer", "shared"]) rmSync(join(tree, name), { recursive: true });
    expect((await check()).code).toBe(1);
  });
});

function check() {
  return runFile("check/layers.mjs", [tree]);
}

function write(file: string, source: string): void {
  mkdirSync(dirname(join(tree, file)), { recursive: true });
  writeFileSync(join(tree, file), source);
}
