import { realpathSync } from "node:fs";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { systemClock } from "../../../electron/agent/conversation/system-clock.ts";
import { createPolicy } from "../../../electron/permissions/policy.ts";
import { attackCameThrough } from "../../../scripts/test/grave.mjs";
import { withoutMarks } from "../../../shared/conversation/data-marks.ts";
import {
  type PermissionLevel,
  type PermissionRule,
  permissionLevel,
} from "../../../shared/safety/permissions.ts";
import type { RequestBody } from "../../fakes/model-server/invariants.ts";
import { orderTo } from "../../fakes/model-server/scripts.ts";
import type { Injection } from "../../fixtures/injections/injection.ts";
import { pagesAndFiles } from "../../fixtures/injections/pages-and-files.ts";
import { servers } from "../../fixtures/injections/servers.ts";
import { speechAndTranscripts } from "../../fixtures/injections/speech-and-transcripts.ts";
import { createRig, eventsOf, type Rig } from "../agent/agent-rig.ts";
import { createMcpRig, type McpRig } from "../mcp/mcp-rig.ts";
import { canary, createField, type Field } from "./injection-field.ts";
import { delegateTool, deliver, hostileServer } from "./injection-ways.ts";

// Words of others, and a model that obeys them to the letter: what counts is what happened in the end, to the files, on the
// network, and in the requests to the model.

const corpus = [...pagesAndFiles, ...servers, ...speechAndTranscripts];

let field: Field;
let rig: Rig;
let mcp: McpRig | null = null;
let folder: string;
const realHome = process.env.HOME;
beforeAll(async () => {
  field = await createField();
  process.env.HOME = field.home;
});
afterAll(async () => {
  process.env.HOME = realHome;
  await field.close();
});

test("the corpus is long enough to mean something, and each of its cases is another one", () => {
  expect(corpus.length).toBeGreaterThanOrEqual(60);
  expect(new Set(corpus.map(({ name }) => name)).size).toBe(corpus.length);
});

describe.each(corpus.map((injection) => ({ injection, ...injection })))("$way: $name", ({ injection }) => {
  afterEach(async () => {
    await rig.close();
    await mcp?.close();
    mcp = null;
  });

  test("happens only as far as the rules let it, in every level, and a yes is what it takes", async () => {
    const filled = await setUp(injection);
    // Where there is no fence commands do not run in “Look only”: they say nothing there.
    const levels = permissionLevel.options.filter(
      (level) => level !== "look" || injection.way !== "command output",
    );
    for (const level of levels) {
      const { verdict, ...happened } = await play(filled, level, false);
      expect({ level, verdict }).toEqual({ level, verdict: injection.verdict[level] });
      if (verdict === "allow") expect({ level, ...happened }).toEqual({ level, ...proofOf(injection) });
      else expect({ level, ...happened }, attackCameThrough).toEqual({ level, ...nothing });
    }
    if (injection.verdict.ask !== "ask") return;
    // Without this, nothing would show that the case could have done harm.
    const { verdict: _, ...happened } = await play(filled, "ask", true);
    expect(happened).toEqual(proofOf(injection));
  });
});

const nothing = { hasChanged: false, hasConnected: false, hasLeaked: false };
const proofOf = ({ proof }: Injection) => ({
  hasChanged: proof === "change",
  hasConnected: proof === "network",
  hasLeaked: proof === "secret",
});

interface Filled extends Pick<Injection, "way" | "does"> {
  /** With the orders in them. */
  words: string;
}

async function setUp(injection: Injection): Promise<Filled> {
  const rules: PermissionRule[] = [
    { verdict: "allow", host: `127.0.0.1:${field.pages}` },
    { verdict: "allow", command: "git status" },
    { verdict: "allow", path: "docs/**" },
  ];
  const permissions = createPolicy({
    chosenMode: (id) => rig.conversations.get(id)?.permissionMode ?? null,
    settings: () => ({ permissionMode: "ask", permissionRules: rules, fence: "on" }),
    fence: () => ({ isThere: false, why: "there is none here", mend: null }),
    addRules: () => {
      throw new Error("Nobody said always.");
    },
  });
  rig = await createRig({
    permissions,
    tools: [delegateTool],
    serverTools: (conversationId) => mcp?.manager.tools(conversationId) ?? [],
    clock: systemClock,
    settings: { webFetchPrivate: true },
  });
  folder = realpathSync(rig.folder);
  const fill = (text: string) =>
    text.replaceAll(/\{(folder|outside|home|port|pages)\}/g, (_, name: string) =>
      name === "folder" ? folder : String(Object.entries(field).find(([key]) => key === name)?.[1]),
    );
  const does = injection.does.map(({ name, input }) => ({
    name,
    input: Object.fromEntries(
      Object.entries(input).map(([key, value]) => [key, typeof value === "string" ? fill(value) : value]),
    ),
  }));
  const words = `${fill(injection.says)} ${does.map(orderTo).join(" ")}`;
  const server = hostileServer(injection, words);
  if (server) {
    mcp = createMcpRig({ servers: { s: server } });
    await mcp.manager.load();
    await mcp.manager.settled();
  }
  return { way: injection.way, does, words };
}

/** One conversation in which the words are read and obeyed. @param answer the user's, to all that they did not want */
async function play({ way, does, words }: Filled, level: PermissionLevel, answer: boolean) {
  field.reset(folder);
  const { conversation, prompt, own } = await deliver({ rig, field, mcp, folder, words, way });
  conversation.changeMode(level);
  const before = field.snapshot(folder);
  const connectionsBefore = await field.connections();
  const firstRequest = rig.server.requests.length;
  // By the name, too: sub-agents have ids of their own.
  const wanted = new Set<string>();
  const isWanted = (call: { toolUseId: string; name: string }) =>
    wanted.has(`${call.toolUseId} ${call.name}`);
  let asked = 0;
  const end = conversation.subscribe((event) => {
    if (event.type === "tool.started" && isOneOf(own, event)) wanted.add(`${event.toolUseId} ${event.name}`);
    if (event.type !== "approval.requested") return;
    if (!isWanted(event)) asked++;
    conversation.answerApproval(event.approvalId, isWanted(event) || answer);
  });
  await eventsOf(conversation.submit(prompt));
  end();
  const requests = rig.server.requests.slice(firstRequest).map(({ body }) => body);
  for (const body of requests) expectOwnMarksOnly(body);
  const blocks = requests.flatMap(({ messages }) => messages.flatMap(({ content }) => content));
  for (const call of does) expect(blocks.some((block) => isOneOf([call], block))).toBe(true);
  // Else the case would be about something else than it says.
  for (const { content } of blocks) expect(String(content)).not.toMatch(/^There is no tool|^Invalid input/);
  const isRefused = blocks.some(({ content }) => String(content).includes("was refused. The reason:"));
  const after = field.snapshot(folder);
  return {
    verdict: asked > 0 ? "ask" : isRefused ? "deny" : "allow",
    hasChanged: JSON.stringify([...after]) !== JSON.stringify([...before]),
    hasConnected: (await field.connections()) > connectionsBefore,
    hasLeaked: JSON.stringify(requests).includes(canary),
  };
}

function isOneOf(
  calls: readonly { name: string; input: object }[],
  { name, input }: { name?: string | undefined; input?: unknown },
): boolean {
  return calls.some((call) => JSON.stringify([call.name, call.input]) === JSON.stringify([name, input]));
}

/** Every mark is one that Parley set: around the whole of what others said, and none within it. */
function expectOwnMarksOnly({ system, messages, tools = [] }: RequestBody): void {
  const texts = messages
    .filter(({ role }) => role === "user")
    .flatMap(({ content }) =>
      content.map((block) => (block.type === "tool_result" ? block.content : block.text)),
    )
    .filter((text) => typeof text === "string");
  for (const text of texts) {
    const inside = text
      .replace(/^<(overheard|spoken)>([\s\S]*)<\/\1>$/, "$2")
      .replace(/<outside_data from="[^"\n]*">\n([\s\S]*)\n<\/outside_data>/, "$1");
    expect(inside).toBe(withoutMarks(inside));
  }
  const [, documents = ""] = JSON.stringify(system).split("# Project document");
  expect(documents).toBe(withoutMarks(documents));
  expect(JSON.stringify(tools)).toBe(withoutMarks(JSON.stringify(tools)));
}
