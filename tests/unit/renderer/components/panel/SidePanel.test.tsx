// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test } from "vitest";
import type { ContextFacts } from "../../../../../shared/conversation/context-facts.ts";
import type { TranscriptItem } from "../../../../../shared/conversation/transcript.ts";
import { act } from "../react-act.ts";
import { WindowRig } from "../window-rig.tsx";

let rig: WindowRig;
beforeEach(() => {
  rig = new WindowRig();
});
afterEach(() => rig.dispose());

const facts: ContextFacts = {
  ...{ usedTokens: 1000, isCounted: true, baseTokens: 300, earlierTokens: 0, turnTokens: 700 },
  ...{ windowTokens: 2000, summarisedAtTokens: null, cachedShare: 0.5, usd: null },
};
const server = (name: string, state: string) => ({
  ...{ name, state, why: null, what: "x", source: "user", proposal: null, fence: null, asksForHosts: [] },
  ...{ left: [], log: [], restarts: 0, tools: [], leftOut: [], prompts: [] },
});
const panel = () => rig.one('[data-testid="side-panel"]');
const sections = () => rig.all('[data-testid="side-panel"] > section').map(({ dataset }) => dataset.testid);

const question: TranscriptItem = {
  kind: "question",
  key: "w",
  status: "waiting",
  at: 0,
  question: "Which?",
  options: [],
  answer: null,
};

// Bug: beside a new conversation stood a panel with nothing in it.
test("with nothing to show it is closed until its button opens it, which is remembered", async () => {
  await rig.open();
  expect(rig.all('[data-testid="side-panel"]')).toEqual([]);
  await rig.click(rig.one('[data-testid="panel-toggle"]'));
  expect(rig.main.take("remembered.change").input).toEqual({ isPanelOpen: true });
  expect(panel().textContent).toContain("appear here");
});

test("once opened it is there in a new conversation, too", async () => {
  await rig.open();
  const remembered = { ...rig.state.remembered.values.get(), isPanelOpen: true };
  await act(() => rig.main.answer("remembered.get", remembered));
  expect(panel().textContent).toContain("appear here");
});

test("once closed it stays so beside a conversation", async () => {
  await rig.open({ items: [question] });
  await rig.click(rig.one('[data-testid="panel-toggle"]'));
  expect(rig.main.take("remembered.change").input).toEqual({ isPanelOpen: false });
  expect(rig.all('[data-testid="side-panel"]')).toEqual([]);
});

test("a section without content is not there", async () => {
  await rig.open({ items: [question] });
  expect(sections()).toEqual([]);
  expect(panel().textContent).toContain("appear here");
  await act(() => rig.main.answer("conversation.context", facts));
  expect(sections()).toEqual(["context"]);
  // The price of a model is not known: nothing is said of a cost.
  expect(panel().textContent).not.toContain("Cost");
  expect(rig.one('[role="meter"]').getAttribute("aria-valuenow")).toBe("1000");
  const diff = "--- /dev/null\n+++ a\n@@ -0,0 +1 @@\n+one";
  const files = [{ path: "a", change: "created", diff }];
  await act(() => rig.main.answer("checkpoint.changes", { files, checkpointId: null }));
  expect(sections()).toEqual(["context", "files-changed"]);
  // Where nothing can be taken back, nothing is offered.
  expect(panel().textContent).not.toContain("Rewind");
});

test("a server that is up is stopped alone; one that is not has no part there", async () => {
  await rig.open();
  const servers = [server("notes", "ready"), server("mail", "failed")];
  await act(() => rig.main.answer("mcp.list", { servers, problems: [] }));
  expect(rig.all('[data-testid="running-part"]').map(({ textContent }) => textContent)).toEqual([
    "notesMCP server · 0 tools",
  ]);
  await rig.click(rig.button("Stop notes"));
  expect(rig.main.take("mcp.act").input).toMatchObject({ server: "notes", action: "stop" });
});

test("main is asked once more after what happened meanwhile, and not while the panel is closed", async () => {
  await rig.open({ items: [question] });
  const asked = () => rig.main.calls.filter(({ route }) => route === "conversation.context").length;
  const happen = () =>
    act(async () => {
      const usage = { inputTokens: 1, outputTokens: 1, cacheReadTokens: 0, cacheWriteTokens: 0 };
      const event = rig.main.emit("a", { type: "model.responded", runId: "r", usage, latencyMs: 1 });
      rig.main.push({ type: "events", events: [event] });
    });
  await happen();
  await happen();
  expect(asked()).toBe(1);
  await act(() => rig.main.answer("conversation.context", null));
  expect(asked()).toBe(1);
  await act(() => rig.main.answer("conversation.context", facts));
  expect(asked()).toBe(0);
  await rig.click(rig.button("Hide the panel (Ctrl+.)", panel()));
  expect(rig.main.take("remembered.change").input).toEqual({ isPanelOpen: false });
  await happen();
  expect(asked()).toBe(0);
});

// Bug: while a question waited, its task looked as if it went on.
test.each(["approval", "question"] as const)(
  "a task whose step waits for an answer to its %s says so",
  async (kind) => {
    const both = { key: "w", status: "waiting", at: 0 };
    const approval = { ...both, kind, toolUseId: "t", name: "shell", effect: "execute", detail: "ls" };
    await rig.open({
      state: "awaiting_input",
      tasks: [{ text: "Ask", state: "in_progress" }],
      items: [(kind === "approval" ? approval : question) as TranscriptItem],
    });
    expect(rig.one('[data-testid="tasks"] [role="img"]').getAttribute("aria-label")).toBe(
      "Waits for your answer",
    );
  },
);
