import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { z } from "zod";
import { createCommandRegistry } from "../../../electron/commands/registry.ts";
import { handleCalls } from "../../../electron/desktop/ipc/ipc.ts";
import { createRoutes } from "../../../electron/desktop/ipc/routes.ts";
import { takeCalls } from "../../../electron/desktop/ipc/waiting-calls.ts";
import { SessionFiles } from "../../../electron/store/exchange/session-files.ts";
import { userError } from "../../../shared/conversation/events.ts";
import { type IpcRoute, ipcRoutes } from "../../../shared/ipc/ipc.ts";
import { createRig, eventsOf, type Rig, typed } from "../agent/agent-rig.ts";
import { junk, messagesOf } from "./ipc-messages.ts";
import { electronParts } from "./ipc-parts.ts";

// The real route table over the real conversations; what would leave the process is recorded in place of done.

const electron = vi.hoisted(() => {
  const state: { handler: ((...args: unknown[]) => Promise<unknown>) | null; effects: unknown[][] } = {
    handler: null,
    effects: [],
  };
  return state;
});
// A file that imports nothing of ours: it is loaded in the middle of loading them.
vi.mock("electron", async () => (await import("../../fakes/electron.ts")).fakeElectron(electron));

const callsPerRoute = 2000;
const maxRounds = 40;
const routes = Object.keys(ipcRoutes) as IpcRoute[];

let rig: Rig;
let folder: string;
let ids: string[];
let close: () => Promise<void>;
const thrown: unknown[] = [];
const rejected: unknown[] = [];
const onRejected = (reason: unknown) => rejected.push(reason);

beforeAll(async () => {
  process.on("unhandledRejection", onRejected);
  folder = mkdtempSync(join(tmpdir(), "parley-ipc-"));
  rig = await createRig({ settings: { provider: "offline" }, env: {} });
  const parts = electronParts(rig, folder);
  close = parts.close;
  const answerCalls = takeCalls();
  const answer = handleCalls(
    createRoutes({
      ...parts.routeParts,
      commands: createCommandRegistry([]),
      files: new SessionFiles({ store: rig.store, newId: () => "x", now: () => 1 }),
    }),
    (_, error) => thrown.push(error),
  );
  answerCalls(answer);
});

afterAll(async () => {
  await close();
  await rig.conversations.dispose();
  await new Promise((resolve) => setImmediate(resolve));
  process.off("unhandledRejection", onRejected);
  expect(rejected).toEqual([]);
  await rig.close();
  rmSync(folder, { recursive: true });
});

const result = z.union([
  z.object({ ok: z.literal(true), value: z.unknown() }),
  z.object({ ok: z.literal(false), error: userError.extend({ message: z.string().min(1) }) }),
]);
const page = { url: "app://parley/main/index.html", parent: null };
const sender = { id: 1, isDestroyed: () => false, send: () => {}, once: () => {} };

async function call(args: readonly unknown[], senderFrame: unknown = page): Promise<z.infer<typeof result>> {
  if (!electron.handler) throw new Error("Nothing answers calls.");
  const answer: unknown = await electron.handler({ senderFrame, sender }, ...args);
  // What cannot be cloned would be an exception in the page.
  structuredClone(answer);
  return result.parse(answer);
}

describe.each(routes)("%s", (route) => {
  // A conversation of its own: other routes delete theirs.
  beforeEach(async () => {
    const conversation = rig.conversations.create();
    await eventsOf(conversation.submit(typed("what is 6 * 7")));
    ids = [conversation.id, ...rig.store.loadMessages(conversation.id).map(({ id }) => id)];
  });

  test("answers whatever comes, with typed errors only", async () => {
    thrown.length = 0;
    const codes = new Set<string>();
    const isReached = () => codes.has("ok") || codes.has("failed");
    // The first seeds of a route that takes little may make nothing that it takes.
    for (let round = 0; round < maxRounds && !isReached(); round++) {
      const seed = routes.indexOf(route) + round * routes.length;
      for (const input of fc.sample(messagesOf(route, ids), { numRuns: callsPerRoute, seed })) {
        const answer = await call([route, input]);
        codes.add(answer.ok ? "ok" : answer.error.code);
      }
    }
    // Else no message came further than the schema.
    expect(isReached()).toBe(true);
    expect([...codes].filter((code) => !["ok", "invalid_input", "failed"].includes(code))).toEqual([]);
    // Made by the program itself, not by what was asked: these are faults of ours.
    expect(thrown.filter((error) => error instanceof TypeError || error instanceof RangeError)).toEqual([]);
    expect(thrown.filter((error) => !(error instanceof Error))).toEqual([]);
    expect(rejected).toEqual([]);
  });
});

test("what is no call of a route is refused, and so is who may not call", async () => {
  const names = fc.oneof(
    fc.string(),
    fc.constantFrom("__proto__", "constructor", "toString", "hasOwnProperty"),
  );
  const calls = fc.oneof(fc.array(junk, { maxLength: 4 }), fc.tuple(names, junk));
  for (const args of fc.sample(calls, { numRuns: callsPerRoute, seed: 1 })) {
    expect(await call(args)).toMatchObject({ ok: false, error: { code: "unknown_route" } });
  }
  const frames = [
    null,
    { url: "app://parley/audio/index.html", parent: null },
    { url: "app://parley/main/index.html", parent: {} },
    { url: "app://parley.evil/main/index.html", parent: null },
    { url: "app://other/main/", parent: null },
    { url: "https://example.org/app://parley/main/", parent: null },
    { url: "about:blank", parent: null },
    { url: "", parent: null },
  ];
  for (const frame of frames) {
    for (const route of routes) {
      expect(await call([route, {}], frame)).toMatchObject({
        ok: false,
        error: { code: "forbidden_sender" },
      });
    }
  }
});

test("nothing was done but what the routes are for", () => {
  const opened = electron.effects.filter(([what]) => what === "openExternal").map(([, url]) => String(url));
  expect(opened.filter((url) => !/^(https?|mailto):/.test(url))).toEqual([]);
  const places = electron.effects.filter(([what]) => what === "openPath").map(([, path]) => path);
  expect(places.filter((path) => path !== "/s" && path !== "/l" && path !== "/")).toEqual([]);
  const kinds = new Set(electron.effects.map(([what]) => what));
  for (const kind of kinds) expect(["openExternal", "openPath", "dialog", "window"]).toContain(kind);
});
