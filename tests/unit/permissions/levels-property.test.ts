import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { PermissionDecision } from "../../../electron/agent/ports/ports.ts";
import { readShellScript } from "../../../electron/permissions/commands/shell-script.ts";
import type { LevelName, PermissionRule } from "../../../shared/safety/permissions.ts";
import { allowed, asked } from "./command-tables.ts";
import { createPolicyRig, type PolicyRig } from "./policy-rig.ts";

let rig: PolicyRig;
beforeAll(async () => {
  rig = await createPolicyRig();
});
afterAll(() => rig.close());

const commands = fc.oneof(
  fc.constantFrom(...allowed, ...asked.flatMap(([, some]) => some)),
  fc
    .array(fc.constantFrom("ls", "git", "log", "rm", "-rf", ".", "..", "&&", "|", ">", "x", "$HOME", "'a b'"))
    .map((words) => words.join(" ")),
);
const paths = fc.constantFrom(
  "a.txt",
  "src/a.ts",
  "../x",
  "/etc/x",
  "way-out/x",
  ".env",
  ".git/config",
  "docs/x",
);
const call = fc.oneof(
  commands.map((command) => ({ name: "shell", input: { command: command || "x" } })),
  paths.map((path) => ({ name: "write_file", input: { path, content: "x" } })),
  paths.map((path) => ({ name: "read_file", input: { path } })),
  fc.constantFrom(
    { name: "web_fetch", input: { url: "https://example.com" } },
    { name: "docs__save", input: {} },
    { name: "docs__search", input: {} },
    { name: "new_session", input: {} },
  ),
);
const rule: fc.Arbitrary<PermissionRule> = fc.oneof(
  commands
    .filter((command) => command !== "" && command.length < 900)
    .map((command) => ({ verdict: "allow" as const, command: command.trim() || "x", exact: true })),
  fc.constantFrom<PermissionRule>(
    { verdict: "allow", command: "git log *" },
    { verdict: "allow", command: "git" },
    { verdict: "allow", path: "docs/**" },
    { verdict: "allow", host: "example.com" },
    { verdict: "allow", tool: "docs__search" },
    { verdict: "deny", path: "src/**" },
    { verdict: "ask", command: "rm" },
  ),
);
const scene = fc.record({ call, rules: fc.array(rule, { maxLength: 4 }), isFenced: fc.boolean() });

interface Scene {
  call: { name: string; input: object };
  rules: PermissionRule[];
  isFenced: boolean;
}

function decide(level: LevelName, { call: { name, input }, rules, isFenced }: Scene): PermissionDecision {
  rig.settings.permissionMode = level;
  rig.rules(...rules);
  rig.hasFence(isFenced);
  return rig.decide(name, input);
}

const isEdit = (name: string, input: object) =>
  name === "write_file" && "path" in input && /^(a\.txt|src\/a\.ts|docs\/x)$/.test(String(input.path));

/** Whether each of its commands stands in a rule, word by word. */
function isRuled({ call: { input }, rules }: Scene): boolean {
  const { plain } = readShellScript("command" in input ? String(input.command) : "");
  const exact = rules.flatMap(({ verdict, command }) =>
    verdict === "allow" && command !== undefined ? [JSON.stringify(readShellScript(command).plain?.[0])] : [],
  );
  return plain?.every((words) => exact.includes(JSON.stringify(words))) ?? false;
}

test("what runs unasked is fenced, or reads, or edits in the folder, or is the user's own rule", () => {
  fc.assert(
    fc.property(scene, fc.constantFrom<LevelName>("look", "ask", "work", "auto"), (given, level) => {
      const decision = decide(level, given);
      if (decision.verdict !== "allow") return;
      const { name, input } = given.call;
      const isFenced =
        name === "shell" && (decision.confinement === "look" || decision.confinement === "change");
      const isNamed = given.rules.some(
        ({ tool, host, path }) => tool === name || host || (path && name === "write_file"),
      );
      const isReading = name === "read_file" || name === "new_session";
      expect(isFenced || isReading || isEdit(name, input) || isNamed || isRuled(given)).toBe(true);
    }),
    { numRuns: 1500 },
  );
});

/** How far a call can get: not at all, by a yes, or unasked; of a command also how much it can do. */
function reach(decision: PermissionDecision): number {
  if (decision.verdict === "deny") return 0;
  const { confinement } = decision;
  return confinement === "look" ? 1 : 2;
}
const isUnasked = ({ verdict }: PermissionDecision) => verdict === "allow";

test("each level lets all that the one before lets", () => {
  fc.assert(
    fc.property(scene, (given) => {
      const look = decide("look", given);
      const ask = decide("ask", given);
      const work = decide("work", given);
      expect(reach(ask)).toBeGreaterThanOrEqual(reach(look));
      expect(reach(work)).toBeGreaterThanOrEqual(Math.min(reach(ask), isUnasked(work) ? reach(work) : 2));
      if (isUnasked(ask)) expect(isUnasked(work)).toBe(true);
      // In “Look only” a command that would change something runs where it cannot: that is no permission to change.
      if (isUnasked(look) && given.call.name !== "shell") expect(isUnasked(ask)).toBe(true);
    }),
    { numRuns: 1500 },
  );
});
