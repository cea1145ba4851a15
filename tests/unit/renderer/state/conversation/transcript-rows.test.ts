import { expect, it } from "vitest";
import { groupWords, toolWords } from "../../../../../renderer/state/conversation/tool-words.ts";
import { transcriptRows } from "../../../../../renderer/state/conversation/transcript-rows.ts";
import type { TranscriptItem } from "../../../../../shared/conversation/transcript.ts";
import type { ApprovalItem, ToolItem } from "../../../../../shared/conversation/transcript-items.ts";

type AssistantItem = Extract<TranscriptItem, { kind: "assistant" }>;

const call = (key: string, name: string, more: Partial<ToolItem> = {}): ToolItem => ({
  kind: "tool",
  key,
  name,
  input: {},
  status: "done",
  output: "",
  startedAt: 0,
  durationMs: 1,
  ...more,
});
const approval = (toolUseId: string, status: ApprovalItem["status"]): ApprovalItem => ({
  kind: "approval",
  key: `for ${toolUseId}`,
  toolUseId,
  name: "shell",
  effect: "execute",
  detail: "ls",
  status,
  reason: null,
  at: 0,
});
const said = (key: string): AssistantItem => ({
  kind: "assistant",
  key,
  text: "So.",
  streaming: false,
  interrupted: false,
  at: 0,
});
const asked = (key: string): TranscriptItem => ({
  kind: "user",
  key,
  text: "?",
  origin: "typed",
  source: null,
  at: 0,
});
const shape = (items: readonly TranscriptItem[]) =>
  transcriptRows(items).map((row) =>
    row.kind === "group" ? row.calls.map(({ key }) => key) : row.kind === "call" ? row.key : `${row.key}.`,
  );

it("folds calls without text between; edits, failures and what waits stand by themselves", () => {
  const items = [
    call("1", "read_file"),
    call("2", "shell"),
    said("m"),
    call("3", "read_file"),
    call("4", "edit_file"),
    call("5", "grep"),
    call("6", "shell", { status: "failed" }),
    call("7", "glob"),
    call("8", "shell", { status: "running", durationMs: null }),
    call("9", "shell", { status: "running", durationMs: null }),
    approval("9", "waiting"),
  ];
  expect(shape(items)).toEqual([["1", "2"], "m.", "3", "4", "5", "6", ["7", "8"], "9"]);
});

it("a call keeps what was asked about it; what was asked for an agent's call stands by itself", () => {
  const items = [call("1", "shell"), approval("1", "allowed"), approval("x", "waiting")];
  const rows = transcriptRows(items);
  expect(rows).toMatchObject([
    { kind: "call", approvals: [{ key: "for 1" }] },
    { kind: "item", key: "for x" },
  ]);
});

// Bug: each word of a reply made all lines of a long conversation anew.
it("a row that says the same is the same row", () => {
  const items = [call("1", "read_file"), call("2", "shell"), said("m"), call("3", "write_file"), said("n")];
  const before = transcriptRows(items);
  const after = transcriptRows([...items.slice(0, 4), said("n")], before);
  expect(after.map((row, at) => row === before[at])).toEqual([true, true, true, false]);
});

it("a line says what is done, and afterwards what was; a server's tool by its own name", () => {
  const words = (item: ToolItem) => {
    const { said: what, thing, result } = toolWords(item);
    return [what, thing, result];
  };
  const input = { command: "npm test" };
  expect(words(call("1", "shell", { input, status: "running" }))).toEqual(["Running", "npm test", null]);
  expect(words(call("1", "shell", { input, output: "a\nb\n[exit code 0]" }))).toEqual([
    "Ran",
    "npm test",
    "2 lines",
  ]);
  const failed = call("1", "shell", { input, status: "failed", output: "a\n[exit code 3]" });
  expect(words(failed)).toEqual(["Ran", "npm test", "exit 3"]);
  const missing = { status: "failed", output: "read_file failed: a: there is no such file." } as const;
  expect(words(call("1", "read_file", missing))[2]).toBe("a: there is no such file.");
  const cut = { shownChars: 30_000, totalChars: 120_000 };
  expect(words(call("1", "read_file", { input: { path: "a" }, cut }))[2]).toBe(
    "30,000 of 120,000 characters",
  );
  expect(words(call("1", "everything__echo"))[0]).toBe("Used “echo” from everything");
  const wish = { who: "everything", what: "to use", tool: "Echo Tool" };
  expect(toolWords(call("1", "everything__echo"), [{ ...approval("1", "allowed"), wish }]).said).toBe(
    "Used “Echo Tool” from everything",
  );
  expect(words(call("1", "constructor"))[0]).toBe("Used “constructor”");
});

// Bug: “No matches.” was one match, and so was each file that a search named or counted, and the line that says there is more.
it.each([
  ["grep", {}, "No matches.", "no matches"],
  ["grep", { mode: "count" }, "No matches.", "no matches"],
  ["grep", {}, "a.ts:1:No matches.", "1 match"],
  [
    "grep",
    {},
    "a.ts:1:x\nb.ts:2:x\n(only the first 2 lines; narrow the search, or raise limit up to 2000)",
    "2+ matches",
  ],
  ["grep", { mode: "files" }, "a.ts", "1 file"],
  ["grep", { mode: "files" }, "a.ts\nb.ts\nc.ts", "3 files"],
  ["grep", { mode: "count" }, "a.ts:10\nb:1.ts:2", "12 matches in 2 files"],
  ["grep", { mode: "count" }, "a.ts:1", "1 match in 1 file"],
  ["glob", {}, "No files match.", "no files"],
  [
    "glob",
    {},
    "(app)/\na.ts\n(only the 2 newest; narrow the pattern, or raise limit up to 2000)",
    "2+ files",
  ],
  ["list_directory", {}, "src is empty.", "empty"],
  ["list_directory", {}, "a.ts\n(1,200 more are not shown)", "1 entry"],
  ["read_file", {}, "a.ts is empty.", "empty"],
  ["read_file", {}, "     1→a\n     2→b\n(lines 1–2 of 9; read on with offset 3)", "2 lines"],
])("of what %s %o found, %j: %s", (name, input, output, result) => {
  expect(toolWords(call("1", name, { input, output })).result).toBe(result);
});

it("a fold says what was done, counted by kind", () => {
  const many = call("1", "read_many_files", { input: { paths: ["a", "b"] } });
  expect(
    groupWords([call("0", "read_file"), call("2", "shell"), many, call("3", "shell"), call("4", "x__y")]),
  ).toBe("Read 3 files, ran 2 commands, used 1 tool");
});

it("says before a prompt that another model answers it than the one before, also while that one only calls tools", () => {
  const by = (key: string, model: string): TranscriptItem => ({ ...said(key), model });
  const items = [
    asked("1"),
    by("2", "claude-opus-5-5"),
    asked("3"),
    call("4", "read_file"),
    by("5", "claude-haiku-5-5"),
    asked("6"),
    by("7", "claude-haiku-5-5-20260101"),
  ];
  const rows = transcriptRows(items);
  expect(rows.map((row) => (row.kind === "model" ? row.name : row.key))).toEqual([
    "1",
    "2",
    "Haiku 5.5",
    "3",
    "4",
    "5",
    "6",
    "7",
  ]);
  expect(transcriptRows([...items], rows)).toEqual(rows);
  expect(transcriptRows([...items], rows)[2]).toBe(rows[2]);
});

it("the newest change is known, and the row of the one before is another when it comes", () => {
  const first = [call("1", "edit_file"), call("2", "read_file")];
  const rows = transcriptRows(first);
  const newest = (all: readonly TranscriptItem[]) =>
    transcriptRows(all, rows).flatMap((row) => (row.kind === "call" && row.isNewestEdit ? [row.key] : []));
  expect(newest(first)).toEqual(["1"]);
  expect(newest([...first, call("3", "write_file", { status: "failed" })])).toEqual(["1"]);
  expect(newest([...first, call("3", "write_file")])).toEqual(["3"]);
});

it("says that it thinks more or less from here on, once the reply is whole", () => {
  const by = (key: string, more: object): TranscriptItem => ({
    ...said(key),
    model: "claude-opus-5-5",
    ...more,
  });
  const notes = (items: TranscriptItem[]) =>
    transcriptRows(items).map((row) => (row.kind === "model" ? [row.name, row.effort] : row.key));
  const first = [asked("1"), by("2", {}), asked("3")];
  expect(notes([...first, by("4", { streaming: true })])).toEqual(["1", "2", "3", "4"]);
  expect(notes([...first, by("4", { effort: "high" }), asked("5"), by("6", { effort: "high" })])).toEqual([
    "1",
    "2",
    [null, "high"],
    "3",
    "4",
    "5",
    "6",
  ]);
  expect(notes([...first, by("4", { model: "claude-haiku-5-5", effort: "low" })])).toEqual([
    "1",
    "2",
    ["Haiku 5.5", "low"],
    "3",
    "4",
  ]);
});

it("the last prompt and the last reply are the newest ones; what is said into a run is none", () => {
  const newest = (items: readonly TranscriptItem[]) =>
    transcriptRows(items).flatMap((row) => (row.kind === "item" && row.isNewest ? [row.key] : []));
  const steered = { ...asked("s"), origin: "steering" } as TranscriptItem;
  expect(newest([asked("1"), said("a"), asked("2"), said("b"), steered, said("c")])).toEqual(["2", "c"]);
  expect(newest([asked("1"), said("a"), asked("2")])).toEqual(["a", "2"]);
});

// Bug: a reply with calls between its words was copied and quoted without what it said before the last of them.
it("a reply's last part has all that the reply says, once it is whole", () => {
  const texts = (items: readonly TranscriptItem[]) =>
    transcriptRows(items).flatMap((row) =>
      row.kind === "item" ? [[row.key, row.said?.join("\n\n") ?? null]] : [],
    );
  const first = { ...said("a"), text: "First." };
  const steered: TranscriptItem = {
    kind: "user",
    key: "s",
    text: "!",
    origin: "steering",
    source: null,
    at: 0,
  };
  const thought = { ...said("t"), text: "" };
  const items = [asked("p"), first, call("1", "shell"), steered, thought, said("b")];
  expect(texts(items)).toEqual([
    ["p", null],
    ["a", null],
    ["s", null],
    ["t", null],
    ["b", "First.\n\nSo."],
  ]);
  expect(texts([...items, asked("q"), { ...said("c"), streaming: true }]).slice(-3)).toEqual([
    ["b", "First.\n\nSo."],
    ["q", null],
    ["c", null],
  ]);
});
