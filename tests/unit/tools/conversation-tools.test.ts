import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Question, SubagentReport } from "../../../electron/agent/ports/ports.ts";
import { createToolRig, type ToolRig } from "./tool-rig.ts";

let rig: ToolRig;
beforeEach(async () => {
  rig = await createToolRig();
});
afterEach(async () => await rig.close());

test("ask_user: the question reaches the user as it is, the answer the model", async () => {
  const asked: Question[] = [];
  const ask = async (question: Question) => {
    asked.push(question);
    return "the second";
  };
  const input = {
    question: " Which? ",
    options: [{ label: "one" }, { label: "two", description: "better" }],
  };
  expect(await rig.run("ask_user", input, { ask })).toBe("the second");
  expect(asked).toEqual([{ ...input, question: "Which?" }]);
  await expect(rig.run("ask_user", { question: "  " }, { ask })).rejects.toThrow();
});

describe("read_tool_output", () => {
  const whole = Array.from({ length: 1200 }, (_, index) => `line ${index + 1}`).join("\n");
  const fullOutput = (id: string) => (id === "call" ? whole : undefined);
  const read = async (input: object, output: typeof fullOutput = fullOutput) =>
    await rig.call("read_tool_output", { tool_use_id: "call", ...input }, { fullOutput: output });

  test("pages by lines; followed to the end, the pages are the whole", async () => {
    const parts: string[] = [];
    for (let offset: number | undefined = 1; offset !== undefined; ) {
      const { text } = await read({ offset });
      const lines = text.split("\n");
      const place = lines.pop() ?? "";
      parts.push(...lines);
      const next = /read on with offset (\d+)/.exec(place)?.[1];
      expect(place.endsWith("that is the end]")).toBe(next === undefined);
      offset = next === undefined ? undefined : Number(next);
    }
    expect(parts.join("\n")).toBe(whole);
    expect((await read({ offset: 1199 })).text).toBe(
      "line 1199\nline 1200\n[lines 1,199–1,200 of 1,200; that is the end]",
    );
  });

  test("pages by characters; a line too long for a page says how to read it", async () => {
    expect((await read({ unit: "characters", offset: 3, limit: 4 })).text).toBe(
      "ne 1\n[characters 3–6 of 10,892; read on with offset 7]",
    );
    const faces = () => "😀😀😀";
    // Never half a character: that is no valid text for the model's API.
    expect((await read({ unit: "characters", offset: 2, limit: 2 }, faces)).text).toContain(
      "😀\n[characters 1–2",
    );
    const long = () => `short\n${"x".repeat(50_000)}\nend`;
    const first = await read({}, long);
    expect(first.text).toContain("short\n[lines 1–1 of 3; read on with offset 2]");
    const second = await read({ offset: 2 }, long);
    expect(second.text).toContain('unit "characters" from offset 7');
    expect((await read({ unit: "characters", offset: 7, limit: 2 }, long)).text).toMatch(/^xx\n/);
    expect((await read({ unit: "characters", limit: 30_000 }, long)).text.length).toBeLessThan(30_000);
  });

  test("beyond the end, and a call that is not known, are errors in words", async () => {
    expect(await read({ offset: 1201 })).toEqual({ text: "It has only 1,200 lines.", isError: true });
    expect(await read({ tool_use_id: "other" })).toMatchObject({ isError: true });
  });
});

describe("sub-agents", () => {
  const done: unknown[][] = [];
  let report: SubagentReport = { status: "running", output: "", turns: 1 };
  const subagents = {
    running: 0,
    checkModel: async (...args: unknown[]) => void done.push(["checkModel", ...args]),
    spawn(...args: unknown[]) {
      done.push(["spawn", ...args]);
      return "agent-1";
    },
    sendInput: (...args: unknown[]) => void done.push(["sendInput", ...args]),
    async wait(...args: unknown[]) {
      done.push(["wait", ...args]);
      return report;
    },
    close: async (...args: unknown[]) => void done.push(["close", ...args]),
  };
  const call = async (name: string, input: object) => await rig.call(name, input, { subagents });

  test("are started, told, waited for and closed by the id that the model got", async () => {
    expect((await call("spawn_agent", { task: "count", max_turns: 3 })).text).toContain("agent-1");
    await call("send_input", { agent_id: "agent-1", message: "faster" });
    await call("wait", { agent_id: "agent-1", timeout_ms: 5 });
    await call("close_agent", { agent_id: "agent-1" });
    expect(done).toEqual([
      ["spawn", "count", { maxTurns: 3 }],
      ["sendInput", "agent-1", "faster"],
      ["wait", "agent-1", 5],
      ["close", "agent-1"],
    ]);
    await expect(call("wait", { agent_id: "agent-1", timeout_ms: 600_001 })).rejects.toThrow();
  });

  test("a report says whether it is finished; a failed one is an error", async () => {
    expect(await call("wait", { agent_id: "a" })).toEqual({
      text: "a is still working, after 1 turn. Wait again, or close it.",
    });
    report = { status: "completed", output: "42", turns: 2 };
    expect(await call("wait", { agent_id: "a" })).toEqual({ text: "a completed after 2 turns.\n42" });
    report = { status: "failed", output: "no", turns: 2 };
    expect(await call("wait", { agent_id: "a" })).toEqual({
      text: "a failed after 2 turns.\nno",
      isError: true,
    });
  });
});
