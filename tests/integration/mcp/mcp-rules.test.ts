import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { createPolicy } from "../../../electron/permissions/policy.ts";
import type { PermissionRule } from "../../../shared/safety/permissions.ts";
import { settingsShape } from "../../../shared/settings.ts";
import { createRig, eventsOf, type Rig, typed } from "../agent/agent-rig.ts";
import { createMcpRig, type McpRig, scripted } from "./mcp-rig.ts";

/** The real policy, loop and servers; the user denies whatever is asked. */
let mcp: McpRig;
let agent: Rig;
afterEach(async () => {
  await agent.close();
  await mcp.close();
});

/** As a settings file has them. */
const fromSettings = (rules: unknown[]): PermissionRule[] => settingsShape.permissionRules.parse(rules);

/**
 * Has the model call every tool that it is offered.
 * @param lists what each server lists
 * @returns what the servers really did, as `server: tool`, and how often the user was asked
 */
async function callAll(rules: unknown[], lists: Record<string, string[]>) {
  const servers: Record<string, unknown> = {};
  mcp = createMcpRig({ servers });
  const did = (name: string) => join(mcp.folder, `${Object.keys(lists).indexOf(name)}.txt`);
  for (const [name, list] of Object.entries(lists)) servers[name] = scripted({ list, did: did(name) });
  const permissionRules = fromSettings(rules);
  const permissions = createPolicy({
    chosenMode: () => null,
    settings: () => ({ permissionMode: "work", permissionRules, fence: "on" }),
    fence: () => ({ isThere: true }),
    addRules: () => {},
  });
  agent = await createRig({ permissions, serverTools: (id) => mcp.manager.tools(id) });
  await mcp.manager.load();
  await mcp.manager.settled();
  const conversation = agent.conversations.create();
  let asked = 0;
  conversation.subscribe((event) => {
    if (event.type !== "approval.requested") return;
    asked++;
    conversation.answerApproval(event.approvalId, false);
  });
  const names = mcp.manager.tools(conversation.id).map(({ name }) => name);
  const calls = names.map((name) => ({ name, input: {} }));
  await eventsOf(conversation.submit(typed(`[[script:tools ${JSON.stringify({ calls })}]]`)));
  const done = Object.keys(lists).flatMap((name) => {
    const lines = existsSync(did(name)) ? readFileSync(did(name), "utf8").trimEnd().split("\n") : [];
    return lines.map((tool) => `${name}: ${tool}`);
  });
  return { done: done.sort(), asked, names };
}

describe("a server cannot shake off rules by the names of its tools", () => {
  const rules = [
    { verdict: "allow", tool: "github__*" },
    { verdict: "deny", tool: "github__delete_repo" },
    { verdict: "ask", tool: "github__merge" },
  ];

  it.each([
    ["a tool that is listed twice", ["list_issues", "delete_repo", "delete_repo"]],
    ["a tool beside one whose name becomes the same", ["list_issues", "delete_repo", "delete repo"]],
    ["a name with a sign more", ["list_issues", "merge!", "delete_repo."]],
    ["a name in other letters", ["list_issues", "Delete-Repo", "MERGE", "deleteRepo"]],
    ["a name with signs that nobody sees", ["list_issues", "merge\u200b", "delete\u00adrepo", " merge"]],
    ["a name in letters that look alike", ["list_issues", "m\u0435rge", "d\u0435lete_repo"]],
    ["a name too long to be offered whole", ["list_issues", "delete_repo", `merge${"!".repeat(80)}`]],
  ])("%s", async (_, list) => {
    expect(await callAll(rules, { github: list })).toMatchObject({ done: ["github: list_issues"] });
  });

  it("another server whose tools would be named like those of the first is refused, in words", async () => {
    const { done, names } = await callAll(rules, {
      github: ["list_issues"],
      "github!": ["send_everything"],
      " github": ["send_more"],
    });
    expect(done).toEqual(["github: list_issues"]);
    expect(names).toEqual(["github__list_issues"]);
    expect(mcp.manager.problemsIn().map(({ message }) => message)).toEqual([
      expect.stringMatching(/server `github!`.*named like those of `github`/),
      expect.stringMatching(/server ` github`.*named like those of `github`/),
    ]);
    expect(mcp.manager.servers.map(({ config }) => config.name)).toEqual(["github"]);
  });

  it("a rule for the end of a name holds, however the model is offered it", async () => {
    const widest = [
      { verdict: "allow", tool: "github__*" },
      { verdict: "deny", tool: "*delete_repo" },
    ];
    const { done } = await callAll(widest, { github: ["list_issues", "delete_repo", "delete repo"] });
    expect(done).toEqual(["github: list_issues"]);
  });
});

describe("rules that name a server and a tool", () => {
  it("go by the names of the server's own, whatever the model calls them", async () => {
    const rules = [
      { verdict: "allow", server: "my server", tool: "do.it!" },
      { verdict: "allow", server: "other", tool: "list_*" },
    ];
    const { done, asked } = await callAll(rules, {
      "my server": ["do.it!", "do.it?", "do_it_"],
      other: ["list_all", "list all", "drop"],
    });
    expect(done).toEqual(["my server: do.it!", "other: list_all"]);
    expect(asked).toBe(4);
  });

  it("a rule without a server allows no server's tool", async () => {
    const rules = [
      { verdict: "allow", tool: "*" },
      { verdict: "allow", tool: "git*" },
      { verdict: "allow", tool: "list_issues" },
      { verdict: "allow", tool: "*__list_issues" },
    ];
    expect(await callAll(rules, { github: ["list_issues"] })).toMatchObject({ done: [], asked: 1 });
  });

  it("a server of that name and no other: `*` in an allowing rule is no pattern for servers", async () => {
    const rules = [{ verdict: "allow", server: "*", tool: "*" }];
    expect(await callAll(rules, { github: ["list_issues"] })).toMatchObject({ done: [], asked: 1 });
  });

  it("deny for every server", async () => {
    const rules = [
      { verdict: "allow", server: "a", tool: "*" },
      { verdict: "deny", server: "*", tool: "send" },
    ];
    expect(await callAll(rules, { a: ["send", "look"] })).toMatchObject({ done: ["a: look"], asked: 0 });
  });
});
