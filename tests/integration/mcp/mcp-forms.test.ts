import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { askInRun } from "../../../electron/mcp/asking/asking.ts";
import { openSqliteStore } from "../../../electron/store/sqlite-store.ts";
import { createRig, eventsOf, type Rig, typed } from "../agent/agent-rig.ts";
import { createMcpRig, type McpRig, scripted } from "./mcp-rig.ts";

const canary = {
  password: "sesame-CANARY-of-the-form",
  pin: "55501234987",
  key: "ghp_CANARYkeyInAnInnocentField000000000",
  quoted: 'CANARY "with quotes" and \\',
};
let mcp: McpRig;
let agent: Rig;
let place: string;
/** What Parley is told to keep out of all that it writes. */
let known: string[];
const faults: unknown[] = [];

beforeEach(async () => {
  place = mkdtempSync(join(tmpdir(), "parley-forms-"));
  known = [];
  const unasked = async () => {
    throw new Error("the model was asked");
  };
  const asking = askInRun({ complete: unasked, costOf: unasked }, (secret) => known.push(secret));
  const { onCall, elicitation } = asking;
  // `ask` answers with all that it was told, as a careless server does.
  mcp = createMcpRig({
    servers: { s: scripted({ list: ["ask", "echo"] }) },
    onCall,
    context: { elicitation },
  });
  await mcp.manager.load();
  await mcp.manager.settled();
  agent = await createRig({
    store: openSqliteStore(join(place, "parley.db"), (error) => faults.push(error)),
    serverTools: (id) => mcp.manager.tools(id),
  });
});
afterEach(async () => {
  await agent.close();
  await mcp.close();
  rmSync(place, { recursive: true });
  expect(faults).toEqual([]);
});

it("what looks like a secret in the answer to a form reaches the server, and nothing that is kept, shown or sent", async () => {
  const text = (title: string) => ({ type: "string", title });
  const requestedSchema = {
    type: "object",
    properties: {
      name: text("Your name"),
      login: text("Your password"),
      pin: { type: "integer" },
      note: text("Anything else"),
      apiKey: { type: "string", description: "From the settings" },
    },
  };
  const content = {
    name: "Ada",
    login: canary.password,
    pin: Number(canary.pin),
    note: canary.key,
    apiKey: canary.quoted,
  };
  const conversation = agent.conversations.create();
  const isWarned: unknown[] = [];
  conversation.subscribe((event) => {
    if (event.type !== "question.asked") return;
    isWarned.push(event.form?.fields.map(({ name, isSecret }) => [name, isSecret ?? false]));
    conversation.answerQuestion(event.questionId, JSON.stringify({ action: "accept", content }));
  });
  const ask = { method: "elicitation/create", params: { message: "Who are you?", requestedSchema } };
  const run = (calls: object[]) =>
    eventsOf(conversation.submit(typed(`[[script:tools ${JSON.stringify({ calls })}]]`)));
  const events = await run([{ name: "s__ask", input: ask }]);
  // What the server says later of what it was told is no other.
  const tool = mcp.manager.tools(conversation.id).find(({ name }) => name === "s__echo");
  expect(tool).toBeDefined();

  expect(isWarned).toEqual([
    [
      ["name", false],
      ["login", true],
      ["pin", true],
      ["note", false],
      ["apiKey", true],
    ],
  ]);
  const result = JSON.stringify(events.find(({ type }) => type === "tool.ended"));
  expect(result).toContain('\\"name\\":\\"Ada\\"');
  expect(result).toContain("[secret removed]");
  expect(known).toEqual([canary.password, canary.pin, canary.key, canary.quoted]);
  const view = JSON.stringify(conversation.view());
  const sent = JSON.stringify(agent.server.requests.map(({ body }) => body));
  const logged = JSON.stringify(agent.logged);
  await agent.conversations.dispose();
  const kept = readdirSync(place).map((name) => readFileSync(join(place, name)).toString("latin1"));
  expect(kept.join("")).toContain("Ada");
  for (const where of [view, sent, logged, ...kept]) {
    for (const secret of Object.values(canary)) {
      expect(where).not.toContain(secret);
      expect(where).not.toContain(JSON.stringify(JSON.stringify(secret)).slice(4, -4));
    }
  }
});

// Bug: the form stayed, and what was typed into it went to nobody.
it("the form of a server that ends goes away with its call", async () => {
  const conversation = agent.conversations.create();
  conversation.subscribe((event) => {
    if (event.type === "question.asked") void mcp.manager.server("s").stop();
  });
  const requestedSchema = { type: "object", properties: { name: { type: "string" } } };
  const ask = { method: "elicitation/create", params: { message: "Who are you?", requestedSchema } };
  const calls = [{ name: "s__ask", input: ask }];
  const events = await eventsOf(conversation.submit(typed(`[[script:tools ${JSON.stringify({ calls })}]]`)));
  const types = events.map(({ type }) => type);
  expect(events.find(({ type }) => type === "question.answered")).toMatchObject({ answer: null });
  expect(types.indexOf("question.answered")).toBeLessThan(types.indexOf("run.ended"));
  expect(events.find(({ type }) => type === "tool.ended")).toMatchObject({ isError: true });
});
