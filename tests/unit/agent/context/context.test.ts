import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Context } from "../../../../electron/agent/context/context.ts";
import { toApiMessages } from "../../../../electron/agent/context/history.ts";
import { tokensOf, tokensOfAll } from "../../../../electron/agent/context/token-estimate.ts";
import { holdsResults } from "../../../../electron/agent/context/trim.ts";
import type { ContentBlock, ImageBlock, Message } from "../../../../shared/conversation/messages.ts";
import { message as messageOf, text } from "./messages.ts";

let ids = 0;
const message = (role: Message["role"], content: ContentBlock[], more: Partial<Message> = {}) =>
  messageOf(role, content, { id: `m${++ids}`, ...more });
const prompt = (words: string) => message("user", [text(words)]);
/** A call and its result. */
function group(chars = 40): Message[] {
  const id = `use${++ids}`;
  return [
    message("assistant", [{ type: "tool_use", id, name: "echo", input: {} }]),
    message("user", [{ type: "tool_result", tool_use_id: id, content: "x".repeat(chars) }], {
      origin: "tool",
    }),
  ];
}
const firstText = ({ content: [block] }: Message) => (block?.type === "text" ? block.text : block?.type);

describe("the estimate", () => {
  test("looks at each message once, however long the history", () => {
    let reads = 0;
    const content = [text("x".repeat(400))];
    const watched = Array.from({ length: 500 }, () =>
      Object.defineProperty(message("assistant", []), "content", {
        get: () => {
          reads++;
          return content;
        },
      }),
    );
    const context = new Context(watched);
    const perMessage = reads / watched.length;
    expect(context.estimate).toBe(50_000);
    const before = reads;
    context.append(message("assistant", [text("y".repeat(40))]));
    expect(context.estimate).toBe(50_010);
    expect(reads - before).toBe(0);
    expect(perMessage).toBeLessThanOrEqual(3);
  });

  test("counts images, calls and results", () => {
    const image: ImageBlock = {
      type: "image",
      source: { type: "base64", media_type: "image/png", data: "" },
    };
    const large = { ...image, source: { ...image.source, data: "x".repeat(1_000_000) } };
    const attachments = [{ from: "image a", text: "an image", images: [large] }];
    expect(tokensOf(message("user", [{ type: "text", text: "", attachments }]))).toBeLessThan(2000);
    expect(tokensOf(message("user", [{ type: "text", text: "", attachments }]))).toBeGreaterThan(1000);
    expect(tokensOf(message("user", [image]))).toBeGreaterThan(1000);
    expect(tokensOfAll(group(4000))).toBeGreaterThan(1000);
  });

  test("equals the sum over what is sent, through any appends, trims and summaries", () => {
    const step = fc.oneof(
      fc.record({ kind: fc.constant("prompt" as const), size: fc.nat(200) }),
      fc.record({ kind: fc.constant("group" as const), size: fc.nat(200) }),
      fc.record({ kind: fc.constant("reply" as const), size: fc.nat(200) }),
      fc.record({ kind: fc.constant("trim" as const), size: fc.nat(12) }),
      fc.record({ kind: fc.constant("trimTokens" as const), size: fc.nat(200) }),
      fc.record({ kind: fc.constant("summary" as const), size: fc.nat(6) }),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        const context = new Context([prompt("first")]);
        for (const { kind, size } of steps) {
          if (kind === "prompt") context.append(prompt("p".repeat(size)));
          if (kind === "reply") context.append(message("assistant", [text("r".repeat(size))]));
          if (kind === "group") for (const part of group(size)) context.append(part);
          if (kind === "trim") context.trim(size);
          if (kind === "trimTokens") context.trimToTokens(size);
          if (kind === "summary") {
            const part = context.summarisable(size);
            if (part) {
              // Never cut between a call and its result.
              const last = context.history.findIndex(({ id }) => id === part.covers);
              expect(holdsResults(context.history[last + 1])).toBe(false);
              context.append(message("user", [text("summary")], { origin: "summary", covers: part.covers }));
            }
          }
          const sent = context.sent();
          expect(context.estimate).toBe(tokensOfAll(sent));
          expect(new Set(sent).size).toBe(sent.length);
          // The first prompt, the last summary and the latest prompt always stay.
          expect(sent[0]).toBe(context.history[0]);
          const summaries = sent.filter(({ origin }) => origin === "summary");
          const latest = context.history.findLast(({ origin }) => origin === "summary");
          expect(summaries).toEqual(latest ? [latest] : []);
          expect(sent).toContain(context.history.findLast(({ origin }) => origin === "typed"));
          // Nothing is torn: what is sent needs no repair.
          const joined = toApiMessages(sent);
          expect(JSON.stringify(joined)).not.toContain("was lost");
          const results = (all: readonly { content: ContentBlock[] }[]) =>
            all.flatMap(({ content }) => content.filter(({ type }) => type === "tool_result")).length;
          expect(results(joined)).toBe(results(sent));
        }
        // Opened again it is the same, but for what was trimmed.
        const again = new Context(context.history);
        expect(again.estimate).toBe(tokensOfAll(again.sent()));
        expect(again.sent().slice(-1)).toEqual(context.sent().slice(-1));
      }),
      { numRuns: 300 },
    );
  });
});

describe("trim", () => {
  test("drops the oldest groups and a fifth more than it must, so that the next rounds need no new cut", () => {
    const context = new Context([prompt("first"), ...Array.from({ length: 10 }, () => group()).flat()]);
    expect(context.trim(0)).toBe(0);
    expect(context.trim(21)).toBe(0);
    expect(context.trim(20)).toBeGreaterThanOrEqual(5);
    expect(context.sent().length).toBeLessThanOrEqual(16);
    for (const part of group()) context.append(part);
    expect(context.trim(20)).toBe(0);
    expect(context.history).toHaveLength(23);
  });
});

describe("what a summary can stand for", () => {
  test("is all between the first prompt and the tail; a call stays with its result", () => {
    const context = new Context([prompt("first"), prompt("second"), ...group(), ...group()]);
    expect(context.summarisable(2)?.messages).toHaveLength(3);
    expect(context.summarisable(3)?.messages).toHaveLength(1);
    expect(context.summarisable(1)?.messages.map(firstText)).toEqual(["second", "tool_use", "tool_result"]);
  });

  test("is nothing where there is only a call whose result is in the tail", () => {
    expect(new Context([prompt("first"), ...group()]).summarisable(1)).toBeNull();
    expect(new Context([prompt("first")]).summarisable(0)).toBeNull();
  });

  test("the provider's count holds until something is sent that it did not count", () => {
    const usage = { inputTokens: 100, outputTokens: 10, cacheReadTokens: 1000, cacheWriteTokens: 5 };
    const context = new Context([prompt("first"), message("assistant", [text("hi")], { usage })]);
    expect(context.counted).toBe(1115);
    context.append(prompt("x".repeat(400)));
    expect(context.counted).toBe(1215);
    context.append(message("user", [text("all")], { origin: "summary", covers: context.history[1]?.id }));
    expect(context.counted).toBeNull();
    const none = { inputTokens: 0, outputTokens: 9, cacheReadTokens: 0, cacheWriteTokens: 0 };
    context.append(message("assistant", [text("hi")], { usage: none }));
    expect(context.counted).toBeNull();
  });

  test("the provider's count falls by what is left out", () => {
    const usage = { inputTokens: 5000, outputTokens: 10, cacheReadTokens: 0, cacheWriteTokens: 0 };
    const context = new Context([
      prompt("first"),
      ...Array.from({ length: 10 }, () => group(400)).flat(),
      message("assistant", [text("hi")], { usage }),
    ]);
    const { estimate } = context;
    expect(context.trim(12)).toBeGreaterThan(0);
    expect(context.counted).toBe(5010 - (estimate - context.estimate));
    expect(context.counted).toBeLessThan(5010);
  });
});

describe("the figures of the meter", () => {
  const reply = (input: number, cached: number, output: number) =>
    message("assistant", [text("Done.")], {
      usage: { inputTokens: input, cacheReadTokens: cached, cacheWriteTokens: 0, outputTokens: output },
    });

  test("are those of the provider's count: what every request carries, what came before this turn, and this turn", () => {
    const context = new Context([prompt("x".repeat(400)), reply(1100, 0, 50)]);
    expect(context.figures).toMatchObject({ usedTokens: 1150, isCounted: true, baseTokens: 1000 });
    context.append(prompt("more"));
    context.append(reply(200, 1000, 30));
    expect(context.figures).toMatchObject({
      usedTokens: 1230,
      baseTokens: 1000,
      earlierTokens: 150,
      turnTokens: 80,
    });
    expect(context.figures.lastUsage).toMatchObject({ cacheReadTokens: 1000 });
  });

  test("are an estimate after a summary, until the next count, and where nobody counts", () => {
    const context = new Context([prompt("one"), reply(1100, 0, 50)]);
    const last = context.history.at(-1);
    context.append(message("user", [text("x".repeat(800))], { origin: "summary", covers: last?.id }));
    expect(context.figures).toMatchObject({ isCounted: false, usedTokens: context.estimate + 1099 });
    const uncounted = new Context([prompt("one"), reply(0, 0, 0)]);
    expect(uncounted.figures).toMatchObject({ isCounted: false, baseTokens: 0, lastUsage: null });
  });

  test("are parts that make up the whole, after any trim", () => {
    const context = new Context([
      prompt("one"),
      reply(1100, 0, 50),
      prompt("two"),
      ...group(4000),
      reply(2200, 0, 10),
    ]);
    context.trimToTokens(10);
    const { usedTokens, baseTokens, earlierTokens, turnTokens } = context.figures;
    expect(baseTokens + earlierTokens + turnTokens).toBe(usedTokens);
    expect(Math.min(baseTokens, earlierTokens, turnTokens)).toBeGreaterThanOrEqual(0);
  });
});
