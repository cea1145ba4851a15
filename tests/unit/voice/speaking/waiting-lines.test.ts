import { expect, test } from "vitest";
import { waitingItem, waitingLines } from "../../../../electron/voice/speaking/waiting-lines.ts";
import type { AgentEvent } from "../../../../shared/conversation/events.ts";

type Approval = Extract<AgentEvent, { type: "approval.requested" }>;

const approval = (more: Partial<Approval>): Approval => ({
  ...{ type: "approval.requested", id: 1, conversationId: "c", at: 0, approvalId: "a", toolUseId: "t" },
  ...{ name: "write_file", effect: "write", detail: "", mayBeSpoken: true },
  ...more,
});
const diff = (from: string, to: string) => `--- ${from}\n+++ ${to}\n@@ -0,0 +1 @@\n+words`;
const lines = (...asked: Parameters<typeof waitingItem>[0][]) =>
  waitingLines(asked.map(waitingItem)).map(({ sentences }) => sentences.join(" "));

test.each<[Partial<Approval>, string]>([
  [{ diff: diff("/dev/null", "notes/notes.txt") }, "I'd like to write notes.txt. Say approve or deny."],
  [{ diff: diff("notes.txt", "notes.txt") }, "I'd like to change notes.txt. Say approve or deny."],
  [{ diff: diff("notes.txt", "/dev/null") }, "I'd like to delete notes.txt. Say approve or deny."],
  [
    { diff: `${diff("a.txt", "a.txt")}\n${diff("b.txt", "b.txt")}` },
    "I'd like to change 2 files. Say approve or deny.",
  ],
  // Lines of a file that look like the head of a diff name nothing.
  [
    { diff: `${diff("a.txt", "a.txt")}\n--- b.txt\n+++ c.txt` },
    "I'd like to change a.txt. Say approve or deny.",
  ],
  [{ diff: diff("/dev/null", `${"long".repeat(20)}.txt`) }, "I'd like to write a file. Say approve or deny."],
  [{}, "I'd like to change a file. Say approve or deny."],
  [{ effect: "execute", mayBeSpoken: false }, "I'd like to run a command. It needs a click on screen."],
  [{ effect: "network", mayBeSpoken: false }, "I'd like to go online. It needs a click on screen."],
  [
    { effect: "network", mayBeSpoken: false, wish: { who: "A command", what: "to connect to example.com" } },
    "A command wants to connect to example.com. It needs a click on screen.",
  ],
  [
    { mayBeSpoken: false, wish: { who: "mail", what: "to use its tool “send”", tool: "send" } },
    "I'd like to use send from mail. It needs a click on screen.",
  ],
])("an approval that waits is told with how it is answered: %j", (more, line) =>
  expect(lines(approval(more))).toEqual([line]),
);

test("of several approvals it is told once how all are answered, also where the first was told before", () => {
  const [one, other] = [approval({ effect: "app" }), approval({ approvalId: "b", effect: "network" })];
  const [first, second] = ["I'd like to change how Parley works.", "I'd like to go online."];
  expect(lines(one, other)).toEqual([first, `${second} Say allow all or deny all.`]);
  expect(lines(one, { ...other, mayBeSpoken: false })).toEqual([
    first,
    `${second} They need a click on screen.`,
  ]);
  const told = { ...waitingItem(one), isTold: true };
  expect(waitingLines([told, waitingItem(other)]).map(({ id, sentences }) => [id, sentences.length])).toEqual(
    [["b", 2]],
  );
  // What waits in another conversation is answered there.
  expect(lines(one, { ...other, conversationId: "d" })).toEqual([
    `${first} Say approve or deny.`,
    `${second} Say approve or deny.`,
  ]);
});

test.each<[string[], string]>([
  [[], "Which theme?"],
  [["Blue"], "Which theme?"],
  [["Blue", "Red"], "Which theme? You can say: Blue, or Red."],
  [["Blue", "Red", "Green"], "Which theme? You can say: Blue, Red, or Green."],
  [["Yes, the blue one.", "No."], "Which theme? You can say: Yes, the blue one, or No."],
])("a question that waits is told with its answers: %j", (labels, line) => {
  const options = labels.map((label) => ({ label }));
  const head = { id: 1, conversationId: "c", at: 0, questionId: "q" };
  expect(lines({ ...head, type: "question.asked", question: "Which theme?", options })).toEqual([line]);
});
