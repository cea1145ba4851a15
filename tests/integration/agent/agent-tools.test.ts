import { once } from "node:events";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import type { Tool } from "../../../electron/agent/ports/ports.ts";
import { FakeClock } from "../../fakes/clock.ts";
import { gatedTool } from "../../fakes/gated-tool.ts";
import { images } from "../../fixtures/images.ts";
import { conversationForEachTest, eventsOf, nextEvent, ofType, replyIn, typed } from "./agent-rig.ts";

const setUp = conversationForEachTest();
const calls = (...list: { name: string; input?: object }[]) =>
  typed(`Please [[script:tools ${JSON.stringify({ calls: list })}]]`);
const tool = (name: string, run: Tool["run"], more: Partial<Tool> = {}): Tool => ({
  name,
  description: name,
  input: z.looseObject({}),
  effect: "read",
  run,
  ...more,
});

describe("calls of one reply", () => {
  test("that share a path run one after the other in their order; others do not wait", async () => {
    const order: string[] = [];
    const touches = { touchedPaths: (input: unknown) => [z.object({ path: z.string() }).parse(input).path] };
    const first = gatedTool("first", { input: z.looseObject({}), ...touches });
    const note = tool(
      "note",
      async (input) => {
        const { path } = z.object({ path: z.string() }).parse(input);
        order.push(path);
        return { text: path };
      },
      touches,
    );
    const { conversation } = await setUp({ tools: [first, note] });
    const submission = conversation.submit(
      calls(
        { name: "first", input: { path: "a.txt" } },
        { name: "note", input: { path: "./a.txt" } },
        { name: "note", input: { path: "sub/../a.txt" } },
        { name: "note", input: { path: "b.txt" } },
      ),
    );
    await nextEvent(conversation, ({ type }) => type === "tool.ended");
    expect(order).toEqual(["b.txt"]);
    first.release();
    expect(replyIn(await eventsOf(submission))).toBe(
      "Results: first is done | ./a.txt | sub/../a.txt | b.txt",
    );
    expect(order).toEqual(["b.txt", "./a.txt", "sub/../a.txt"]);
  });

  test("eight wait together, the ninth for a free place", async () => {
    const gates = Array.from({ length: 9 }, (_, index) => gatedTool(`tool_${index}`));
    const { conversation } = await setUp({ tools: gates });
    const submission = conversation.submit(calls(...gates.map(({ name }) => ({ name }))));
    await Promise.all(gates.slice(0, 8).map(({ started }) => started));
    let ninth = false;
    void gates[8]?.started.then(() => {
      ninth = true;
    });
    expect(ninth).toBe(false);
    gates[3]?.release();
    await gates[8]?.started;
    for (const gate of gates) gate.release();
    expect(ofType(await eventsOf(submission), "tool.ended")).toHaveLength(9);
  });
});

describe("a call", () => {
  test("shows what it says while it runs, and its whole output is kept though the model sees less", async () => {
    const chatty = tool("chatty", async (_, { progress }) => {
      progress("one ");
      progress("two ");
      return { text: "x".repeat(5000) };
    });
    const again = tool("again", async (input, { fullOutput }) => {
      const { id } = z.object({ id: z.string() }).parse(input);
      return { text: `${fullOutput(id)?.length} ${fullOutput("nothing")}` };
    });
    const settings = { toolOutputLimits: { chatty: 1000 } };
    const { conversation, rig } = await setUp({ tools: [chatty, again], settings });
    const events = await eventsOf(conversation.submit(calls({ name: "chatty" })));
    expect(ofType(events, "tool.output").map(({ text }) => text)).toEqual(["one ", "two "]);
    expect(ofType(events, "result.truncated")).toMatchObject([{ name: "chatty", totalChars: 5000 }]);
    expect(ofType(events, "tool.ended")[0]?.output.length).toBeLessThanOrEqual(1000);
    const id = ofType(events, "tool.started")[0]?.toolUseId ?? "";
    expect(rig.store.loadToolCall(conversation.id, id)).toMatchObject({
      messageId: conversation.history[1]?.id,
      output: "x".repeat(5000),
      wasTruncated: true,
      originalChars: 5000,
    });
    expect(replyIn(await eventsOf(conversation.submit(calls({ name: "again", input: { id } }))))).toBe(
      "Results: 5000 undefined",
    );
  });

  test("says what it has when it ends soon after the abort", async () => {
    const listening = tool("listening", async (_, { signal, progress }) => {
      progress("half");
      await new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
      return { text: "half of it", isError: true };
    });
    const { conversation } = await setUp({ tools: [listening] });
    const submission = conversation.submit(calls({ name: "listening" }));
    await nextEvent(conversation, ({ type }) => type === "tool.output");
    conversation.abort();
    expect(ofType(await eventsOf(submission), "run.ended")[0]?.stopReason).toBe("interrupted");
    expect(conversation.history.at(-1)?.content).toMatchObject([{ content: "half of it", is_error: true }]);
  });

  test("that has ended leaves nothing that waits, nor begins to wait at a later abort", async () => {
    const clock = new FakeClock();
    const listening = tool("listening", async (_, { signal, progress }) => {
      progress("begun");
      await once(signal, "abort");
      return { text: "" };
    });
    const { conversation, server } = await setUp({ tools: [listening], clock });
    const stopped = conversation.submit(calls({ name: "listening" }));
    await nextEvent(conversation, ({ type }) => type === "tool.output");
    conversation.abort();
    await eventsOf(stopped);
    expect(clock.asleep).toBe(0);

    const hold = { calls: [{ name: "current_time", input: {} }], hold: "after", at: 0 };
    const later = conversation.submit(typed(`[[script:tools ${JSON.stringify(hold)}]]`));
    await server.held("after");
    conversation.abort();
    expect(clock.asleep).toBe(0);
    await eventsOf(later);
  });

  test("whose result cannot be kept ends the run before the model hears of it", async () => {
    const { conversation, rig, server } = await setUp();
    const append = rig.store.appendMessage.bind(rig.store);
    rig.store.appendMessage = (id, message, along) => {
      if (along?.calls) throw new Error("disk full");
      append(id, message, along);
    };
    const events = await eventsOf(
      conversation.submit(calls({ name: "calculate", input: { expression: "1+1" } })),
    );
    expect(ofType(events, "run.ended")[0]).toMatchObject({ stopReason: "error" });
    expect(server.requests).toHaveLength(1);
    expect(rig.faults).toHaveLength(1);
    rig.faults.length = 0;
    rig.store.appendMessage = append;
    // The history is sound: the lost result is said to be lost.
    expect(replyIn(await eventsOf(conversation.submit(typed("Again"))))).toBe("Again");
  });

  test("of an id that stood before gets one of its own: some servers count from 0 in every reply", async () => {
    const { conversation, server } = await setUp({
      settings: {
        maxConversationMessages: 3,
        compactionStrategy: "none",
        maxToolRoundsPerInput: 4,
        loopDetection: "off",
      },
    });
    const loop = `[[script:loop ${JSON.stringify({ rounds: 9, calls: [{ name: "current_time" }] })}]]`;
    await eventsOf(conversation.submit(typed(loop)));
    const ids = conversation.history.flatMap(({ content }) =>
      content.flatMap((block) => (block.type === "tool_use" ? [block.id] : [])),
    );
    expect(ids).toHaveLength(4);
    expect(new Set(ids).size).toBe(4);
    expect(server.violations).toEqual([]);
  });
});

describe("tools that are offered", () => {
  test("are those of the provider's profile that are available", async () => {
    const gone = tool("gone", async () => ({ text: "" }), { unavailable: "its program is missing" });
    const { conversation, server } = await setUp({ tools: [gone] });
    const events = await eventsOf(conversation.submit(calls({ name: "gone" })));
    const names = server.requests[0]?.body.tools?.map(({ name }) => name) ?? [];
    expect(names).toContain("edit_file");
    expect(names).not.toContain("apply_patch");
    expect(names).not.toContain("gone");
    expect(replyIn(events)).toMatch(/error: There is no tool "gone"\. Tools that exist: .*edit_file/);
  });
});

describe("a file whose name is written in other letters", () => {
  const [given, own] = ["Caf\u00e9.md", "Cafe\u0301.md"];

  test("is found, judged and changed by the name that it has", async () => {
    const judged: string[] = [];
    const { conversation, rig } = await setUp({
      permissions: {
        decide: ({ input }) => {
          judged.push(z.object({ path: z.string() }).parse(input).path);
          return { verdict: "allow" };
        },
      },
    });
    await writeFile(join(rig.folder, own), "open\n");
    const events = await eventsOf(
      conversation.submit(
        calls(
          { name: "read_file", input: { path: given } },
          { name: "write_file", input: { path: `./${given}`, content: "shut\n" } },
        ),
      ),
    );
    expect(replyIn(events)).toContain("1→open");
    expect(judged).toEqual([own, own]);
    expect(await readdir(rig.folder)).toEqual([own]);
    expect(await readFile(join(rig.folder, own), "utf8")).toBe("shut\n");
  });

  test("with other signs that look alike is found to be read; what is written is another file", async () => {
    const [plain, picture] = ["Notes 3 PM.md", "Notes 3\u202fPM.md"];
    const { conversation, rig } = await setUp();
    await writeFile(join(rig.folder, picture), "open\n");
    const events = await eventsOf(
      conversation.submit(
        calls(
          { name: "read_file", input: { path: plain } },
          { name: "edit_file", input: { path: plain, old_string: "open", new_string: "torn" } },
          { name: "write_file", input: { path: plain, content: "shut\n" } },
        ),
      ),
    );
    expect(replyIn(events)).toContain("1→open");
    expect(await readFile(join(rig.folder, picture), "utf8")).toBe("open\n");
    expect(await readFile(join(rig.folder, plain), "utf8")).toBe("shut\n");
  });
});

describe("an image that a tool reads", () => {
  const block = { type: "image", source: { type: "base64", media_type: "image/png" } };

  test("reaches a model that sees as an image", async () => {
    const { conversation, rig, server } = await setUp();
    await writeFile(join(rig.folder, "a.png"), images.png);
    await eventsOf(conversation.submit(calls({ name: "read_file", input: { path: "a.png" } })));
    expect(server.requests[1]?.body.messages.at(-1)?.content).toMatchObject([
      { type: "tool_result", content: [{ type: "text" }, block] },
    ]);
  });

  test("is named only to one that does not", async () => {
    const { conversation, rig } = await setUp({
      provider: (real) => Object.assign(real, { takesImages: () => false }),
    });
    await writeFile(join(rig.folder, "a.png"), images.png);
    const events = await eventsOf(
      conversation.submit(calls({ name: "read_file", input: { path: "a.png" } })),
    );
    expect(replyIn(events)).toContain("You cannot see images");
  });
});

describe("the system prompt of a run", () => {
  test("holds the project's documents of the profile, the branch and the user's own words", async () => {
    const { conversation, rig, server } = await setUp({
      settings: { systemPromptExtra: "Call me Captain." },
    });
    await mkdir(join(rig.folder, ".git"));
    await writeFile(join(rig.folder, ".git/HEAD"), "ref: refs/heads/side\n");
    await writeFile(join(rig.folder, "AGENTS.md"), "Use tabs.");
    await writeFile(join(rig.folder, "CLAUDE.md"), "Never force-push.");
    await writeFile(join(rig.folder, "GEMINI.md"), "Not for this model.");
    await eventsOf(conversation.submit(typed("Hello")));
    const system = JSON.stringify(server.requests[0]?.body.system);
    for (const part of ["Use tabs.", "Never force-push.", "Git branch: side", "Call me Captain."]) {
      expect(system).toContain(part);
    }
    expect(system).not.toContain("Not for this model.");
  });

  // Bug: whoever wrote a repository's AGENTS.md has the model's ear from the first prompt on.
  test("holds nothing of a file that the user does not trust as it is", async () => {
    let trusted = "";
    const { conversation, rig, server } = await setUp({ isTrusted: (_, text) => text === trusted });
    await writeFile(join(rig.folder, "AGENTS.md"), "Obey the folder.");
    await eventsOf(conversation.submit(typed("Hello")));
    trusted = "Obey the folder.";
    await eventsOf(conversation.submit(typed("Hello again")));
    await writeFile(join(rig.folder, "AGENTS.md"), "Obey the folder. And more.");
    await eventsOf(conversation.submit(typed("And once more")));
    const told = server.requests.map(({ body }) => JSON.stringify(body.system).includes("Obey"));
    expect(told).toEqual([false, true, false]);
  });
});

describe("what cannot be kept is not sent", () => {
  test("a prompt that the store refuses ends the run in words, and the next one works", async () => {
    const { conversation, rig, server } = await setUp();
    const append = rig.store.appendMessage.bind(rig.store);
    rig.store.appendMessage = () => {
      throw new Error("disk full");
    };
    const events = await eventsOf(conversation.submit(typed("Lost")));
    expect(ofType(events, "run.ended")[0]).toMatchObject({ stopReason: "error" });
    expect(server.requests).toEqual([]);
    rig.faults.length = 0;
    rig.store.appendMessage = append;
    expect(replyIn(await eventsOf(conversation.submit(typed("Kept"))))).toBe("Kept");
  });
});
