import { expect, it } from "vitest";
import { eventForWindow } from "../../../../shared/conversation/event-for-window.ts";
import type { AgentEvent } from "../../../../shared/conversation/events.ts";
import type { ImageBlock } from "../../../../shared/conversation/images.ts";

import { applyEvents, emptyView } from "../../../../shared/conversation/transcript.ts";

const image: ImageBlock = {
  type: "image",
  source: { type: "base64", media_type: "image/png", data: "aGk=" },
};
const attachments = [{ from: "image a", text: "an image", images: [image] }];
const head = { id: 1, conversationId: "c", at: 1 };

// Bug: every window and the log got megabytes of each attached image.
it("windows and the log are told of an image, not given it; the event itself keeps it", () => {
  const queued: AgentEvent = {
    ...head,
    type: "input.queued",
    input: { inputId: "i", text: "look", origin: "typed", source: null, attachments },
  };
  const added: AgentEvent = {
    ...head,
    type: "message.added",
    message: {
      id: "m",
      role: "user",
      origin: "typed",
      source: null,
      content: [
        { type: "text", text: "", attachments },
        { type: "text", text: "look" },
      ],
      createdAt: 1,
    },
  };
  const result: AgentEvent = {
    ...head,
    type: "message.added",
    message: {
      id: "r",
      role: "user",
      origin: "tool",
      source: null,
      content: [{ type: "tool_result", tool_use_id: "t", content: "an image", images: [image] }],
      createdAt: 1,
    },
  };
  expect(JSON.stringify(eventForWindow(result))).not.toContain("aGk=");
  const shown = applyEvents(emptyView("c", "C"), [
    { ...head, type: "tool.started", toolUseId: "t", name: "read_file", input: {} },
    { ...eventForWindow(result), id: 2 },
  ]);
  expect(shown.items).toMatchObject([{ kind: "tool", hasImages: true }]);
  for (const event of [queued, added]) {
    const told = JSON.stringify(eventForWindow(event));
    expect(told).toContain('"from":"image a"');
    expect(told).toContain('"text":"look"');
    expect(told).not.toContain("base64");
    expect(JSON.stringify(event)).toContain("base64");
  }
});
