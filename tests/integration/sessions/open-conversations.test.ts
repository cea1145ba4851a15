import { expect, test } from "vitest";
import { mostAtRest, type SessionChange } from "../../../electron/agent/conversation/conversations.ts";
import { eventsOf, replyIn, rigForEachTest, say, typed } from "../agent/agent-rig.ts";
import { held } from "./session-rig.ts";

const makeRig = rigForEachTest();
type Rig = Awaited<ReturnType<typeof makeRig>>;

async function answered({ conversations }: Rig, prompt: string) {
  const conversation = conversations.create();
  await say(conversation, prompt);
  return conversation;
}

/** Opens so many others that whatever may be closed is closed. */
async function fill(rig: Rig): Promise<void> {
  for (let count = 0; count <= mostAtRest; count++) await answered(rig, `Other ${count}`);
}

// Bug: each conversation that was ever looked at stayed open, with its folder's servers and a process for its fence.
test("of those at which nobody works, the ones used longest ago are closed, and open again as they were", async () => {
  const rig = await makeRig();
  const first = await answered(rig, "The first one");
  const second = await answered(rig, "The second one");
  rig.conversations.open(first.id);
  const closed: string[] = [];
  rig.conversations.onChange((change: SessionChange) => {
    if (change.type === "session" && change.summary.state === "closed") closed.push(change.summary.title);
  });
  for (let count = 0; count < mostAtRest; count++) await answered(rig, `Other ${count}`);
  expect(closed).toEqual(["The second one"]);
  expect(rig.conversations.get(second.id)).toBeUndefined();
  expect(rig.conversations.openIds).toHaveLength(mostAtRest + 1);
  expect(() => second.submit(typed("Too late"))).toThrow("closed");
  const again = rig.conversations.open(second.id);
  expect(again.view().items.map((item) => "text" in item && item.text)).toEqual(
    Array(2).fill("The second one"),
  );
  expect(replyIn(await say(again, "And now?"))).toBe("And now?");
});

test("one stays open that is shown or listened to, at work, waited in, failed, or not in the store yet", async () => {
  const rig = await makeRig();
  const shown = await answered(rig, "Shown");
  rig.conversations.keepOpen((id) => id === shown.id);
  const busy = rig.conversations.create();
  const submission = busy.submit(held("busy"));
  await rig.server.held("busy");
  const waiting = await answered(rig, "Waiting");
  waiting.hold(typed("For later"));
  const steered = await answered(rig, "Steered");
  steered.steer({ text: "Be brief", source: null });
  const failed = await answered(rig, '[[script:status {"code":400,"times":1}]]');
  const unused = rig.conversations.create();
  await fill(rig);
  for (const { id } of [shown, busy, waiting, steered, failed, unused])
    expect(rig.conversations.get(id)).toBeDefined();
  rig.server.release("busy");
  await eventsOf(submission);
});
