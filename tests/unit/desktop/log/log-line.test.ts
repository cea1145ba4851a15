import { expect, test } from "vitest";
import { logLine } from "../../../../electron/desktop/log/log-line.ts";
import type { AgentEventBody } from "../../../../shared/conversation/events.ts";

const lineOf = (body: AgentEventBody) => logLine({ ...body, id: 1, conversationId: "c", at: 0 });
const error = { code: "auth", message: "The key was refused." };

test.each([
  [
    { type: "retry", attempt: 2, delayMs: 500, reason: "overloaded" },
    "warn",
    "retry 2 in 500 ms: overloaded",
  ],
  [{ type: "history.trimmed", dropped: 4 }, "warn", "4 older messages are no longer sent to the model."],
  [
    { type: "result.truncated", toolUseId: "t", name: "shell", shownChars: 3, totalChars: 9 },
    "warn",
    "The model saw 3 of 9 characters from shell.",
  ],
  [
    { type: "loop.detected", pattern: ["grep private"], count: 3, action: "warn" },
    "warn",
    "the same step 3 times: warn",
  ],
  [{ type: "voice.gap", missed: 7 }, "warn", "speech events lost: 7"],
  [
    { type: "run.ended", runId: "r", stopReason: "error", error },
    "error",
    "run failed, auth: The key was refused.",
  ],
  [{ type: "run.ended", runId: "r", stopReason: "end_turn" }, "info", "run ended: end_turn"],
  [
    { type: "voice.state", state: "failed", source: null, detail: error },
    "warn",
    "voice failed: The key was refused.",
  ],
  [{ type: "error", error }, "error", "auth: The key was refused."],
] satisfies [AgentEventBody, string, string][])("%j is a line of the log", (body, level, text) => {
  expect(lineOf(body)).toEqual({ level, text });
});

// Bug: what people say and read ends up in a file that they send along with a bug report.
test.each([
  { type: "text.delta", messageId: "m", text: "private" },
  { type: "voice.partial", utteranceId: "u", text: "private" },
  { type: "steering.received", steeringId: "s", text: "private" },
  { type: "tool.output", toolUseId: "t", text: "private" },
] satisfies AgentEventBody[])("words of the conversation are not: %j", (body) => {
  expect(lineOf(body)).toBeNull();
});
