import { expect, test } from "vitest";
import { composeCommands } from "../../../electron/compose/commands.ts";
import { keyCommand } from "../../../electron/desktop/ipc/key-command.ts";
import { mcpCommand } from "../../../electron/mcp/mcp-command.ts";
import { slashCommands } from "./shown-commands.ts";

/** Stands for each part that a command controls: none is run here. */
const part: never = new Proxy(() => {}, { get: () => part, apply: () => part }) as never;

const commands = composeCommands({
  base: part,
  windows: part,
  trust: { trust: part, secrets: { command: keyCommand(part) } } as never,
  models: part,
  fences: part,
  storage: part,
  mcp: { command: mcpCommand(part), promptCommands: () => [] } as never,
  agent: part,
  voice: part,
  doctor: part,
  doctorHead: "",
  updates: part,
}).list();
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

test("every command that a document shows is one of Parley's", () => {
  const unknown = shown.filter(({ words: [name = ""] }) => !usages.has(name.slice(1)));
  expect(unknown.map(({ page, line }) => `${page}: ${line}`)).toEqual([]);
});

test("so is what stands behind it: an action of it, or words of one's own", () => {
  const wrong = shown.filter(({ words }) => {
    const [name = "", action = ""] = words;
    const usage = usages.get(name.slice(1)) ?? "";
    // In capitals, or where the usage begins with capitals, stand words of one's own.
    const isOwn = action === "" || /^[A-Z[“]/.test(action) || /^\/\w+ \[?[A-Z]/.test(usage);
    return !isOwn && !earlier.has(`${name} ${action}`) && !usage.split(/[^\w-]+/).includes(action);
  });
  expect(wrong.map(({ page, line }) => `${page}: ${line}`)).toEqual([]);
});

test("every command is in the documents' list", () => {
  const told = new Set(
    shown.filter(({ page }) => page === "docs/conversations.md").map(({ words: [name = ""] }) => name),
  );
  expect([...usages.keys()].filter((name) => !told.has(`/${name}`))).toEqual([]);
});
