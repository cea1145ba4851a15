import { expect, test } from "vitest";
import type { AgentEvent } from "../../../shared/events.ts";
import { applyEvents, emptyView } from "../../../shared/transcript.ts";

const rewound = (id: number, redoCheckpointId: string | null, isRedo?: boolean): AgentEvent => ({
  type: "checkpoint.rewound",
  id,
  conversationId: "a",
  at: id,
  checkpointId: "c",
  outcome: { redoCheckpointId, files: [{ path: "a.txt", result: "restored" }], messages: 2 },
  ...(isRedo && { isRedo }),
});
const notes = (...events: AgentEvent[]) =>
  applyEvents(emptyView("a", "A"), events).items.map((item) =>
    item.kind === "note" ? [item.text, item.canRedo ?? false] : [],
  );

// Bug: the note of an older rewind offered to take back the newer one, and one that was taken back offered it again.
test("only the note of the last rewind offers to take it back, and only once", () => {
  const said = "Rewound: 1 restored. 2 messages left the shown path.";
  expect(notes(rewound(1, "r1"), rewound(2, "r2"))).toEqual([
    [said, false],
    [said, true],
  ]);
  const back = "Rewind taken back: 1 restored. 2 messages left the shown path.";
  expect(notes(rewound(1, "r1"), rewound(2, "r2", true))).toEqual([
    [said, false],
    [back, false],
  ]);
});

test("a rewind that changed nothing of files or path has nothing to take back", () => {
  expect(notes(rewound(1, null)).map(([, canRedo]) => canRedo)).toEqual([false]);
});
