import { expect, test } from "vitest";
import { EventFeed, mostUnread } from "../../../../electron/agent/conversation/event-feed.ts";
import type { AgentEvent } from "../../../../shared/conversation/events.ts";

const event = (id: number): AgentEvent => ({
  ...{ id, conversationId: "c", at: 0 },
  ...{ type: "text.delta", messageId: "m", text: "x" },
});

// Bug: that of a prompt which somebody held, and which nobody read, grew for as long as it was held.
test("what nobody reads is given up at a limit, and says so to whoever comes then", async () => {
  let stopped = 0;
  const feed = new EventFeed(() => stopped++);
  for (let id = 1; id <= mostUnread; id++) feed.push(event(id));
  expect(stopped).toBe(0);
  feed.push(event(mostUnread + 1));
  expect(stopped).toBe(1);
  await expect(feed[Symbol.asyncIterator]().next()).rejects.toThrow("Nobody read");
});

test("who has begun to read gets everything, however slowly", async () => {
  const feed = new EventFeed(() => {});
  const read: number[] = [];
  feed.push(event(1));
  for await (const { id } of feed) {
    read.push(id);
    if (id > 1) continue;
    for (let next = 2; next <= mostUnread * 2; next++) feed.push(event(next));
    feed.end();
  }
  expect(read).toHaveLength(mostUnread * 2);
});
