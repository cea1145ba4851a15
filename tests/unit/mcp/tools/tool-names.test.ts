import fc from "fast-check";
import { expect, it } from "vitest";
import { toolNames } from "../../../../electron/mcp/tools/tool-names.ts";
import { serverPrefix } from "../../../../shared/servers/server-tools.ts";

const nameOf = (server: string, tool: string) => toolNames([{ server, tool }])[0] ?? "";

it("a tool is its server and its own name", () => {
  expect(nameOf("git-hub", "create_issue")).toBe("git-hub__create_issue");
  expect(nameOf("my server", "do.it!")).toBe("my_server__do_it_");
});

it("any names: at most 64 letters, no two alike, none that passes for another server's", () => {
  const pair = fc.record({
    server: fc.string({ minLength: 1 }),
    tool: fc.string({ minLength: 1, maxLength: 90 }),
  });
  fc.assert(
    fc.property(fc.uniqueArray(pair, { selector: ({ server, tool }) => `${server}\0${tool}` }), (pairs) => {
      const names = toolNames(pairs);
      for (const name of names) expect(name).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
      expect(new Set(names).size).toBe(names.length);
      for (const { server } of pairs) expect(serverPrefix(server)).not.toMatch(/__|^_|_$/);
    }),
  );
});

it("a shortened name is the same each time, whatever stands beside it", () => {
  const long = { server: "s", tool: "x".repeat(80) };
  const [alone] = toolNames([long]);
  expect(alone).toMatch(/^s__x+_[0-9a-f]{8}$/);
  expect(toolNames([{ server: "s", tool: "other" }, long])[1]).toBe(alone);
});

it("two that would share a name both get another, whichever comes first", () => {
  const pairs = [
    { server: "s", tool: "a.b" },
    { server: "s", tool: "a_b" },
  ];
  const names = toolNames(pairs);
  expect(new Set(names).size).toBe(2);
  expect(toolNames(pairs.toReversed()).toReversed()).toEqual(names);
});
