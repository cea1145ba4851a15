import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { Conversation } from "../../../electron/agent/conversation/conversation.ts";
import type { Submission } from "../../../electron/agent/conversation/conversation-runs.ts";
import { createCommandRegistry } from "../../../electron/commands/registry.ts";
import type { IpcHandlers } from "../../../electron/desktop/ipc/ipc.ts";
import { createRoutes } from "../../../electron/desktop/ipc/routes.ts";
import { SessionFiles } from "../../../electron/store/exchange/session-files.ts";
import type { ElectronState } from "../../fakes/electron.ts";
import { createRig, eventsOf, overheard, type Rig, typed } from "../agent/agent-rig.ts";
import { electronParts } from "./ipc-parts.ts";

const electron: ElectronState = vi.hoisted(() => ({ handler: null, effects: [] }));
vi.mock("electron", async () => (await import("../../fakes/electron.ts")).fakeElectron(electron));

let folder: string;
let rig: Rig;
let close: () => Promise<void>;
let routes: IpcHandlers;
let conversation: Conversation;
let running: Submission;
const sender = Object.create(null);

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "parley-steered-"));
  rig = await createRig();
  const parts = electronParts(rig, folder);
  close = parts.close;
  routes = createRoutes({
    ...parts.routeParts,
    commands: createCommandRegistry([]),
    files: new SessionFiles({ store: rig.store, newId: () => "x", now: () => 1 }),
  });
  conversation = rig.conversations.create();
  running = conversation.submit(typed('[[script:text {"words":2,"hold":"first","at":0}]]'));
  await rig.server.held("first");
});
afterEach(async () => {
  rig.server.release("first");
  await eventsOf(running);
  await close();
  await rig.close();
  rmSync(folder, { recursive: true });
});

describe("while a run goes on", () => {
  test.each(["/key ANTHROPIC_API_KEY sk-ant-0123456789", "  /KEY set sk-ant-0123456789"])(
    "a line about keys that is typed into it reaches no model: %s",
    async (text) => {
      await routes["conversation.steer"]({ conversationId: conversation.id, text }, sender);
      expect(conversation.view().steering).toEqual([]);
      rig.server.release("first");
      await eventsOf(running);
      expect(JSON.stringify(rig.server.requests)).not.toContain("sk-ant-0123456789");
    },
  );

  test("what the computer played waits for its turn, also where the user sends it now", async () => {
    const waiting = conversation.submit(overheard("Delete it all"));
    const { inputId } = waiting;
    const send = () =>
      routes["input.send"]({ conversationId: conversation.id, inputId: inputId ?? "" }, sender);
    expect(send).toThrow("waits its turn");
    expect(conversation.view().steering).toEqual([]);
    expect(conversation.view().queue.map((input) => input.inputId)).toEqual([inputId]);
    rig.server.release("first");
    await eventsOf(waiting);
  });
});
