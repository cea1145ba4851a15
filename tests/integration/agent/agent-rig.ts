import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect } from "vitest";
import type { Conversation, Prompt } from "../../../electron/agent/conversation/conversation.ts";
import type { Submission } from "../../../electron/agent/conversation/conversation-runs.ts";
import { Conversations } from "../../../electron/agent/conversation/conversations.ts";
import type { Checkpoints, Rewinding } from "../../../electron/agent/ports/checkpoint-ports.ts";
import type { Clock, Fence, Permissions, Provider, Tool } from "../../../electron/agent/ports/ports.ts";
import type { SessionStore } from "../../../electron/agent/ports/session-store.ts";
import { createProvider } from "../../../electron/providers/create-provider.ts";
import { openMemoryStore } from "../../../electron/store/memory-store.ts";
import { WorkingFolders } from "../../../electron/tools/environment/working-folders.ts";
import { builtInTools } from "../../../electron/tools/registry.ts";
import type { AgentEvent, AgentEventType } from "../../../shared/conversation/events.ts";
import { textOf } from "../../../shared/conversation/messages.ts";
import { defaultSettings, type Settings } from "../../../shared/settings.ts";
import { InstantClock } from "../../fakes/clock.ts";
import { createModelServer, type ModelServer } from "../../fakes/model-server/model-server.ts";
import type { Protocol } from "../../fakes/model-server/protocol.ts";
import { pageThread } from "../../fixtures/page-thread.ts";

/** The whole agent on real parts: conversations, provider over HTTP, tools on a temporary folder. */
export interface Rig {
  conversations: Conversations;
  server: ModelServer;
  folder: string;
  store: SessionStore;
  /** What `app` tools did. */
  actions: string[];
  /** What was reported as a fault of Parley's own. Checked to be empty at `close`. */
  faults: unknown[];
  /** Every event of every conversation. */
  logged: AgentEvent[];
  settings: Settings;
  /** A second call changes nothing. */
  close(): Promise<void>;
}

export interface RigOptions {
  settings?: Partial<Settings>;
  /** Of a server that speaks Chat Completions; absent: Anthropic's. */
  chat?: Protocol;
  env?: Record<string, string>;
  /** Further tools. */
  tools?: readonly Tool[];
  /** Tools that come and go. */
  serverTools?(conversationId: string): readonly Tool[];
  clock?: Clock;
  /** Everything is allowed unless a test wants to be asked. */
  permissions?: Permissions;
  /** None unless a test wants one. */
  fence?(conversationId: string, folder: string): Fence | null;
  /** Known from the start, unless a test wants it to be found. */
  fenceKnown?(): Promise<unknown>;
  /** What the user trusts of the folder; everything, unless a test wants less. */
  isTrusted?(path: string, text: string): boolean;
  /** No folder, unless a test wants one: names of its files are told then. */
  isFolderTrusted?(folder: string): Promise<boolean>;
  store?: SessionStore;
  /** For rigs that go on with each other's store. */
  newId?(): string;
  checkpoints?: Checkpoints;
  rewinding?: Rewinding;
  /** What a test changes about the real provider. */
  provider?(real: Provider): Provider;
}

const allowAll: Permissions = { decide: () => ({ verdict: "allow" }) };

export async function createRig({
  settings,
  chat,
  env,
  tools = [],
  serverTools = () => [],
  clock,
  permissions = allowAll,
  fence = () => null,
  fenceKnown,
  isTrusted = () => true,
  isFolderTrusted,
  store: given,
  newId = countingIds(),
  checkpoints,
  rewinding,
  provider = (real) => real,
}: RigOptions = {}): Promise<Rig> {
  const server = await createModelServer(chat);
  const folder = await mkdtemp(join(tmpdir(), "parley-agent-"));
  const own = `${folder}-own`;
  const folders = await WorkingFolders.open(folder, own);
  const actions: string[] = [];
  const faults: unknown[] = [];
  const logged: AgentEvent[] = [];
  const store = given ?? openMemoryStore((error) => faults.push(error));
  // The watchdog is off unless a test wants it: a clock whose sleeps end at once would fire it.
  const limits = { requestTimeoutMs: 0, streamIdleMs: 0 };
  const rig = { settings: { ...defaultSettings, ...limits, ...settings } };
  let isOpen = true;
  const parts = { clock: clock ?? new InstantClock(), newId };
  const allTools = [
    ...builtInTools({
      clock: parts.clock,
      pageThread,
      actions: {
        async newSession(conversationId) {
          actions.push(`new session for ${conversationId}`);
        },
        async stopListening(conversationId) {
          actions.push(`stop listening for ${conversationId}`);
          return true;
        },
      },
    }),
    ...tools.map((tool) => ({ ...tool, everyProfile: true })),
  ];
  const ofServer = chat
    ? { OPENAI_API_KEY: "test-key", OPENAI_BASE_URL: `${server.url}/v1` }
    : { ANTHROPIC_API_KEY: "test-key", ANTHROPIC_BASE_URL: server.url };
  const variables = env ?? ofServer;
  const conversations = new Conversations({
    ...parts,
    settings: () => rig.settings,
    createProvider: async (current) =>
      provider(await createProvider(current, { ...parts, env: variables, random: () => 1 })),
    tools: (conversationId) => [...allTools, ...serverTools(conversationId)],
    workingFolder: () => folders.first.workingDirectory,
    ownFolder: () => folders.own,
    openEnvironment: (path) => folders.open(path),
    permissions,
    fence,
    ...(fenceKnown && { fenceKnown }),
    isTrusted,
    ...(isFolderTrusted && { isFolderTrusted }),
    store,
    checkpoints: checkpoints ?? null,
    rewinding: rewinding ?? null,
    onEvent: (event) => logged.push(event),
    reportError: (error) => faults.push(error),
  });
  return Object.assign(rig, {
    conversations,
    server,
    folder,
    store,
    actions,
    faults,
    logged,
    async close() {
      if (!isOpen) return;
      isOpen = false;
      await conversations.dispose();
      await folders.cleanup();
      await server.close();
      for (const made of [folder, own]) await rm(made, { recursive: true, force: true });
      expect(faults).toEqual([]);
    },
  });
}

/** For the tests of a file. @returns makes a rig that is closed after its test */
export function rigForEachTest(): (options?: RigOptions) => Promise<Rig> {
  const open: Rig[] = [];
  afterEach(async () => {
    for (const rig of open.splice(0)) await rig.close();
  });
  return async (options) => {
    const rig = await createRig(options);
    open.push(rig);
    return rig;
  };
}

/** As `rigForEachTest`, with a conversation in the rig. */
export function conversationForEachTest(): (
  options?: RigOptions,
) => Promise<{ rig: Rig; conversation: Conversation; server: ModelServer; store: SessionStore }> {
  const makeRig = rigForEachTest();
  return async (options) => {
    const rig = await makeRig(options);
    return { rig, conversation: rig.conversations.create(), server: rig.server, store: rig.store };
  };
}

export const typed = (text: string): Prompt => ({ text, origin: "typed", source: null });
export const overheard = (text: string): Prompt => ({ text, origin: "voice", source: "loopback" });

/** Every event of a submission until its run has ended. */
export async function eventsOf({ events }: Submission): Promise<AgentEvent[]> {
  const all: AgentEvent[] = [];
  for await (const event of events) all.push(event);
  return all;
}

/** Types it. @returns every event until its run has ended */
export const say = async (conversation: Conversation, text: string) =>
  await eventsOf(conversation.submit(typed(text)));

export function ofType<T extends AgentEventType>(
  events: readonly AgentEvent[],
  type: T,
): Extract<AgentEvent, { type: T }>[] {
  return events.filter((event): event is Extract<AgentEvent, { type: T }> => event.type === type);
}

/** Resolves with the first event from now on that fits. */
export async function nextEvent(
  conversation: { subscribe(listener: (event: AgentEvent) => void): () => void },
  fits: (event: AgentEvent) => boolean,
): Promise<AgentEvent> {
  return await new Promise((resolve) => {
    const end = conversation.subscribe((event) => {
      if (!fits(event)) return;
      end();
      resolve(event);
    });
  });
}

/** What must hold of any stream: ids without gaps, and deltas that add up to the message they belong to. */
export function expectSoundStream(events: readonly AgentEvent[]): void {
  const [first] = events;
  expect(events.map(({ id }) => id)).toEqual(events.map((_, index) => (first?.id ?? 0) + index));
  const streamed = new Map<string, string>();
  for (const event of events) {
    if (event.type === "text.delta") {
      streamed.set(event.messageId, (streamed.get(event.messageId) ?? "") + event.text);
    }
    if (event.type === "stream.reset") streamed.delete(event.messageId);
    if (event.type === "message.added" && event.message.role === "assistant") {
      const { id, content } = event.message;
      expect(streamed.get(id) ?? "").toBe(textOf(content));
      streamed.delete(id);
    }
  }
  expect([...streamed.keys()]).toEqual([]);
}

/** The text of the last reply. */
export function replyIn(events: readonly AgentEvent[]): string {
  const last = ofType(events, "message.added").findLast(({ message }) => message.role === "assistant");
  return textOf(last?.message.content ?? []);
}

/** In the order in which they are made, also as text: several messages come within a millisecond. */
function countingIds(): () => string {
  let count = 0;
  return () => `id-${`${++count}`.padStart(6, "0")}`;
}
