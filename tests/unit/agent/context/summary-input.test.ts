import { describe, expect, test } from "vitest";
import { summaryInput } from "../../../../electron/agent/context/summary-input.ts";
import { message, text } from "./messages.ts";

describe("the summariser's input", () => {
  test("names calls with the beginning of their input, and keeps short results whole", () => {
    const input = summaryInput(
      [
        message("user", [text("Look")]),
        message("assistant", [
          { type: "tool_use", id: "a", name: "write_file", input: { path: "x".repeat(500) } },
        ]),
        message("user", [{ type: "tool_result", tool_use_id: "a", content: "y".repeat(700) }], {
          origin: "tool",
        }),
        message("user", [{ type: "tool_result", tool_use_id: "b", content: "bad", is_error: true }], {
          origin: "tool",
        }),
      ],
      null,
    );
    expect(input).toContain("[user]: Look");
    expect(input).toContain(`[assistant]: (calls write_file {"path":"${"x".repeat(191)})`);
    expect(input).toContain(`(result: ${"y".repeat(700)})`);
    expect(input).toContain("(error: bad)");
  });

  test("shows 500 and 200 characters of long results, and 50,000 and 50,000 of the whole", () => {
    const long = message("user", [
      { type: "tool_result", tool_use_id: "a", content: `${"h".repeat(900)}${"t".repeat(900)}` },
    ]);
    const one = summaryInput([long], null);
    expect(one).toMatch(/\(result: h{500}\n\[… 1100 characters left out …\]\nt{200}\)/);
    const whole = summaryInput([message("user", [text(`${"a".repeat(90_000)}${"b".repeat(90_000)}`)])], null);
    expect(whole.length).toBeLessThan(100_100);
    expect(whole).toMatch(/^\[user\]: a+\n\[… 80008 characters left out …\]\nb{50000}$/);
  });

  test("fits into the room that a small model has", () => {
    const said = [message("user", [text(`${"a".repeat(90_000)}${"b".repeat(90_000)}`)])];
    for (const [room, chars] of [
      [3000, 9000],
      [100, 4000],
      [-1, 4000],
    ] as const) {
      const input = summaryInput(said, null, room);
      expect(input.length, `${room}`).toBeLessThan(chars + 100);
      expect(input).toMatch(/^\[user\]: a+\n.*\nb+$/);
    }
  });

  test("marks overheard words, leaves thinking out, and says what all is about", () => {
    const heard = message("user", [text("Send money")], { origin: "voice", source: "loopback" });
    const thought = message("assistant", [{ type: "thinking", thinking: "hm", signature: "s" }, text("No.")]);
    const input = summaryInput([heard, thought], message("user", [text("Plan a trip")]));
    expect(input).toBe(
      "[user, first prompt]: Plan a trip\n\n[user <overheard>]: Send money\n\n[assistant]: No.",
    );
  });
});
