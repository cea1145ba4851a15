import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import type { Conversation } from "../../../electron/agent/conversation/conversation.ts";
import type { SessionStore } from "../../../electron/agent/ports/session-store.ts";
import { exportSession, importSession } from "../../../electron/store/exchange/session-exchange.ts";
import { parseSessionFile } from "../../../electron/store/exchange/session-file.ts";
import { openMemoryStore } from "../../../electron/store/memory-store.ts";
import { openSqliteStore } from "../../../electron/store/sqlite-store.ts";
import { isPrompt, type Message, textOf } from "../../../shared/conversation/messages.ts";
import { createRig, eventsOf, type Rig, typed } from "../agent/agent-rig.ts";

const fail = (error: unknown): never => {
  throw error;
};
const place = fc.nat({ max: 50 });
const calls = [{ name: "calculate", input: { expression: "2 + 2" } }];
const texts = [
  "Hello",
  `Sum [[script:tools ${JSON.stringify({ calls })}]]`,
  `Loop [[script:loop ${JSON.stringify({ rounds: 2, calls })}]]`,
  "Refused [[script:refusal]]",
  'Down [[script:status {"code":400,"times":-1}]]',
  `Full [[script:text ${JSON.stringify({ words: 30, usage: { input: 900, cacheRead: 0, cacheWrite: 0 } })}]]`,
];
const text = fc.constantFrom(...texts);
const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant("submit" as const), text, abort: fc.boolean() }) },
  fc.record({ kind: fc.constant("edit" as const), place, text }),
  fc.record({ kind: fc.constantFrom("regenerate" as const, "branch" as const, "rewind" as const), place }),
  fc.record({ kind: fc.constantFrom("reopen" as const, "fork" as const, "retry" as const) }),
  // A reply that was being streamed when the process died; the prompt before it is kept.
  fc.record({ kind: fc.constant("crash" as const), partial: fc.constantFrom("", "Half a rep") }),
);
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;
const settings = fc.record({
  compactionStrategy: fc.constantFrom("none" as const, "summarize" as const),
  maxConversationMessages: fc.constantFrom(0, 6, 50),
  contextWindow: fc.constantFrom(1000, 200_000),
  protectedTailMessages: fc.constantFrom(1, 4),
});

/** What the window must show of these messages, whatever else stands between them. */
const spoken = (messages: readonly Message[]) =>
  messages.flatMap(({ id, role, origin, content }) => {
    const isHidden =
      role === "user" ? origin === "tool" || origin === "summary" || origin === "system" : false;
    return isHidden || textOf(content) === "" ? [] : [id];
  });

function at<T>(items: readonly T[], index: number): T | undefined {
  return items[index % Math.max(1, items.length)];
}

async function take(rig: Rig, conversation: Conversation, next: Step, place: number): Promise<Conversation> {
  const { store, conversations } = rig;
  const { id } = conversation;
  const all = store.loadTree(id);
  const prompts = conversation.history.filter(({ origin }) => origin === "typed");
  switch (next.kind) {
    case "submit": {
      const end = conversation.subscribe(({ type }) => {
        if (next.abort && type === "text.delta") conversation.abort();
      });
      await eventsOf(conversation.submit(typed(next.text)));
      end();
      return conversation;
    }
    case "edit": {
      const prompt = at(prompts, next.place);
      if (prompt) await eventsOf(conversation.editPrompt(prompt.id, next.text));
      return conversation;
    }
    case "regenerate": {
      const message = at(conversation.history, next.place);
      if (message) await eventsOf(conversation.regenerate(message.id));
      return conversation;
    }
    case "branch": {
      const node = at(all, next.place);
      if (node) conversation.showBranch(node.id);
      return conversation;
    }
    case "rewind": {
      const prompt = at(prompts, next.place);
      const promptsIn = () => conversation.history.filter(isPrompt).length;
      const before = promptsIn();
      if (prompt) {
        const how = { part: "both", overwrite: false } as const;
        const { prompts } = await conversation.rewind({ messageId: prompt.id }, how);
        expect(prompts).toBe(before - promptsIn());
      }
      return conversation;
    }
    case "retry":
      await eventsOf(conversation.retry());
      return conversation;
    case "fork":
      return all.length > 0 ? conversations.fork(id) : conversation;
    case "reopen":
      if (all.length === 0) return conversation;
      await conversations.dispose();
      return conversations.open(id);
    case "crash": {
      if (all.length === 0) return conversation;
      await conversations.dispose();
      const common = { source: null, createdAt: 1 } as const;
      const content = (said: string) => [{ type: "text" as const, text: said }];
      store.appendMessage(id, {
        ...common,
        id: `lost-${place}`,
        role: "user",
        origin: "typed",
        content: content("Lost?"),
      });
      if (next.partial !== "") {
        const partial = { ...common, id: `cut-${place}`, role: "assistant", origin: null } as const;
        store.savePartial(id, { ...partial, content: content(next.partial) });
      }
      return conversations.open(id);
    }
  }
}

/** Run by run in a file or in memory, so that both are seen in every hundred. */
async function withStore(isInFile: boolean, work: (store: SessionStore) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "parley-property-"));
  const store = isInFile ? openSqliteStore(join(folder, "parley.db"), fail) : openMemoryStore(fail);
  try {
    await work(store);
  } finally {
    store.close();
    rmSync(folder, { recursive: true });
  }
}

test("through any edits, retries, branches, rewinds, forks, restarts and crashes requests are valid, nothing is lost, and the window shows the path", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.boolean(),
      settings,
      fc.array(step, { minLength: 1, maxLength: 9 }),
      async (isInFile, chosen, steps) => {
        await withStore(isInFile, async (store) => {
          const rig = await createRig({
            store,
            settings: { ...chosen, retryMax: 0, compactionThresholdTokens: 1000 },
          });
          try {
            let conversation = rig.conversations.create();
            let lastRequest = rig.server.requests.at(-1);
            for (const [place, next] of steps.entries()) {
              const before = conversation.id;
              const had = store.loadTree(before).map(({ id }) => id);
              conversation = await take(rig, conversation, next, place);
              expect(store.loadTree(before).map(({ id }) => id)).toEqual(expect.arrayContaining(had));
              const path = store.loadMessages(conversation.id);
              const request = rig.server.requests.at(-1);
              const isWhole = chosen.compactionStrategy === "none" && chosen.maxConversationMessages === 0;
              if (isWhole && request && request !== lastRequest) {
                const asked = request.body.messages.filter(({ role }) => role === "user");
                const prompts = path.filter(({ origin }) => origin === "typed" || origin === "system");
                expect(asked.flatMap(({ content }) => content.flatMap(({ text }) => text ?? []))).toEqual(
                  prompts.map(({ content }) => textOf(content)),
                );
              }
              lastRequest = request;
              const { items } = conversation.view();
              const shown = items.filter(({ kind }) => kind === "user" || kind === "assistant");
              const ids = new Set(spoken(path));
              expect(shown.map(({ key }) => key).filter((key) => ids.has(key))).toEqual([...ids]);
              expect(shown.every(({ key }) => path.some(({ id }) => id === key))).toBe(true);
              // What stands beside others says so, live as after a restart.
              const { branches } = store.loadPage(conversation.id, { limit: 100 });
              for (const item of shown) {
                const own = branches.get(item.key);
                if (own) expect(item).toMatchObject({ branches: { index: own.index } });
              }
            }
            expect(rig.server.violations).toEqual([]);
            await checkExchange(store, conversation.id);
            rig.faults.length = 0;
          } finally {
            await rig.close();
          }
        });
      },
    ),
    { numRuns: 60 },
  );
});

/** import(export) gives the same tree with other ids: exported again it differs in nothing else. */
async function checkExchange(store: SessionStore, conversationId: string): Promise<void> {
  if (!store.loadSession(conversationId)) return;
  const file = await exportSession(store, conversationId);
  const parsed = parseSessionFile(JSON.stringify(file));
  let count = 0;
  const imported = await importSession(
    { store, newId: () => `again-${String(++count).padStart(4, "0")}`, now: () => 1 },
    parsed,
  );
  const again = await exportSession(store, imported);
  const places = new Map(file.messages.map(({ message }, index) => [message.id, index]));
  const newPlaces = new Map(again.messages.map(({ message }, index) => [message.id, index]));
  const shape = (from: typeof file, known: ReadonlyMap<string, number>) => ({
    ...from,
    headMessageId: from.headMessageId === null ? null : known.get(from.headMessageId),
    messages: from.messages.map(({ message: { id: _, covers, ...rest }, parentId }) => ({
      ...rest,
      covers: covers === undefined ? null : known.get(covers),
      parent: parentId === null ? null : known.get(parentId),
    })),
    toolCalls: from.toolCalls.map((call) => ({ ...call, messageId: known.get(call.messageId) })),
  });
  expect(shape(again, newPlaces)).toEqual(shape(file, places));
}
