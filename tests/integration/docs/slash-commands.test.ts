import { afterAll, expect, test, vi } from "vitest";
import { composeCommands } from "../../../electron/compose/commands.ts";
import { keyCommand } from "../../../electron/desktop/ipc/key-command.ts";
import { addedEntries } from "../../../electron/mcp/config/added-entries.ts";
import { mcpCommand } from "../../../electron/mcp/mcp-command.ts";
import { createRig, say } from "../agent/agent-rig.ts";
import { slashCommands } from "./shown-commands.ts";

/** Those that answer are the real commands; the parts that they control are played, but for conversations and their store. */
const rig = await createRig({
  settings: {
    permissionRules: [
      { verdict: "ask", tool: "grep" },
      { verdict: "deny", tool: "shell" },
    ],
  },
});
afterAll(() => rig.close());
const conversation = rig.conversations.create();
await say(conversation, "Hello");
const outcome = { files: [], prompts: 0, redoCheckpointId: null };
vi.spyOn(conversation, "rewind").mockResolvedValue(outcome);
vi.spyOn(conversation, "redo").mockResolvedValue(outcome);
vi.spyOn(conversation, "askMeeting").mockReturnValue({} as never);
// For `/session restore`.
const deleted = rig.conversations.create();
await say(deleted, "deleted");
await rig.conversations.delete(deleted.id);

const checkpoint = {
  checkpointId: "checkpoint",
  label: "Before",
  createdAt: 1,
  files: 0,
  kind: "turn",
  messageId: null,
};
const preview = { checkpoint, files: [], notRestorable: [], prompts: 0 };
const checkpoints = {
  list: () => [checkpoint],
  find: () => checkpoint,
  create: async () => checkpoint,
  show: async () => [],
  preview: async () => preview,
};
const efforts = { taken: ["off", "low", "medium", "high"], why: null, isGuess: false, offIsLeast: false };
const server = {
  config: { name: "files", source: "user" },
  status: { name: "files", state: "ready", why: null, restarts: 0, log: [] },
  connection: null,
  log: { tail: () => [] },
  pendingHosts: { waiting: [], answer: () => {} },
  pendingFiles: { waiting: [] },
  proposal: () => null,
  restart: async () => {},
  stop: async () => {},
};
const manager = {
  server: () => server,
  serversIn: () => [server],
  problemsIn: () => [],
  switchFence: async () => {},
};
const servers = {
  manager,
  add: async (words: string[], typed: string) => {
    const entries = addedEntries(words, typed);
    if (typeof entries === "string") throw new Error(entries);
    return Object.keys(entries);
  },
  remove: async () => {},
  import: async () => [],
  switchTool: () => {},
};
const nothing = () => {};
const registry = composeCommands({
  base: { settings: { current: () => rig.settings, change: nothing } },
  windows: { showInMain: nothing },
  trust: {
    trust: { list: async () => [], answerAll: async () => [], isTrusted: () => false },
    secrets: {
      command: keyCommand({
        names: () => [],
        isInEnvironment: () => false,
        files: () => ({}),
        ask: nothing,
        place: () => "memory",
        remove: nothing,
        acceptWeak: nothing,
        canBeWeak: () => true,
        backend: () => "",
      } as never),
    },
  },
  models: {
    describe: () => ({ provider: "anthropic", modelId: "opus", modelLabel: "Opus", efforts }),
    aliases: () => [],
    lists: { of: async () => null },
  },
  fences: {
    info: () => ({ setting: "on", isThere: true, why: null, mend: null }),
    need: async () => {},
    fences: { forgetHosts: nothing },
  },
  storage: {
    store: rig.store,
    files: { suggestedName: () => "a.md", write: async () => {}, read: async () => conversation.id },
    checkpoints,
    isKept: true,
  },
  mcp: { command: mcpCommand(servers as never), promptCommands: () => [] },
  agent: {
    conversations: rig.conversations,
    policy: {
      standingOf: () => ({ level: "ask", chosen: "ask" }),
      sessionRules: { of: () => [], clear: nothing },
    },
    find: () => conversation,
    show: nothing,
    showMeeting: nothing,
  },
  voice: {
    voice: {
      start: nothing,
      stop: async () => {},
      mute: async () => {},
      status: () => ({
        state: "off",
        conversationId: null,
        source: null,
        utterances: 0,
        prompts: 0,
        restarts: 0,
        lastText: null,
        lastError: null,
      }),
      queue: () => ({ waiting: 0, held: 0 }),
      repair: { isOn: false, asked: 0 },
      devices: async () => ({}),
      events: () => [],
      test: async () => ({ texts: [], peak: null, notices: [], failure: null }),
    },
    speech: { say: nothing },
  },
  doctor: { all: async () => [] },
  doctorHead: "",
  updates: { look: async () => ({ output: "" }), install: async () => ({ output: "" }) },
} as never);
const commands = registry.list();
const usages = new Map(commands.map(({ name, usage = "" }) => [name, usage]));

/** Folders of the system, not commands. */
const folders = new Set(["/dev", "/proc", "/sys", "/tmp"]);
/** By its earlier name, which still works. */
const earlier = new Set(["/permissions mode"]);

const shown = slashCommands.filter(({ words: [name = ""] }) => !folders.has(name));

test("there are commands, and documents that show them", () => {
  expect(usages.size).toBeGreaterThan(15);
  expect(shown.length).toBeGreaterThan(80);
});

test("every command is in the documents' list", () => {
  const told = new Set(
    shown.filter(({ page }) => page === "docs/conversations.md").map(({ words: [name = ""] }) => name),
  );
  expect([...usages.keys()].filter((name) => !told.has(`/${name}`))).toEqual([]);
});

/** In place of the words in capitals, which are the reader's. */
const own: Readonly<Record<string, string>> = {
  "HOST:PORT": "example.com:1",
  ID: conversation.id,
  JSON: '{"mcpServers": {"files": {"command": "npx"}}}',
  N: "1",
  NUMBER: "1",
  PATH: ".",
  "PROVIDER:NAME": "anthropic:opus",
  URL: "https://example.com/mcp",
  VERDICT: "deny",
};

/** All that a line stands for: with and without what stands in brackets, and each of `a | b`. */
function formsOf(line: string): string[] {
  const [whole, inside = ""] = /\[([^[\]"]*)\]/.exec(line) ?? [];
  if (whole !== undefined)
    return ["", ...inside.split(" | ")].flatMap((one) => formsOf(line.replace(whole, one)));
  const [several] = /\S+(?: \| \S+)+/.exec(line) ?? [];
  if (several !== undefined)
    return several.split(" | ").flatMap((one) => formsOf(line.replace(several, one)));
  const name = line.startsWith("/key ") ? "anthropic" : "files";
  return [
    line
      .replaceAll("…", "")
      .replaceAll(/(?<= )[A-Z]+(?::[A-Z]+)?(?= |$)/g, (word) => own[word] ?? (word === "NAME" ? name : word)),
  ];
}

/** An action that is only named is one that the usage has with words behind it. */
function formsInUsage(line: string): string[] {
  const [name = "", action = "", ...more] = line.split(" ");
  if (action === "" || more.length > 0) return [];
  return (usages.get(name.slice(1)) ?? "")
    .split(" · ")
    .filter((part) => part.startsWith(`${action} `))
    .flatMap((part) => formsOf(`${name} ${part}`));
}

const lines = new Set(
  shown.map(({ line }) => line.replaceAll("\\|", "|")).filter((line) => !earlier.has(line)),
);

test.each([...lines])("%s", async (line) => {
  const refusalOf = async (form: string) => {
    const { isError, output } = await registry.answer(form, { conversationId: conversation.id });
    return isError ? [`${form}: ${output}`] : [];
  };
  const refused = (await Promise.all(formsOf(line).map(refusalOf))).flat();
  if (refused.length === 0) return;
  const named = await Promise.all(formsInUsage(line).map(refusalOf));
  expect(
    named.some((refusal) => refusal.length === 0),
    refused.join("\n"),
  ).toBe(true);
});
