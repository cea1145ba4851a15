import { describe, expect, test } from "vitest";
import type { AgentEvent } from "../../../shared/conversation/events.ts";
import { applyEvents, emptyView } from "../../../shared/conversation/transcript.ts";

const rewound = (id: number, redoCheckpointId: string | null, isRedo?: boolean): AgentEvent => ({
  type: "checkpoint.rewound",
  id,
  conversationId: "a",
  at: id,
  checkpointId: "c",
  outcome: { redoCheckpointId, files: [{ path: "a.txt", result: "restored" }], prompts: 2 },
  ...(isRedo && { isRedo }),
});
const notes = (...events: AgentEvent[]) =>
  applyEvents(emptyView("a", "A"), events).items.map((item) =>
    item.kind === "note" ? [item.text, item.canRedo ?? false] : [],
  );

// Bug: the note of an older rewind offered to take back the newer one, and one that was taken back offered it again.
test("only the note of the last rewind offers to take it back, and only once", () => {
  const said = "Rewound: 1 restored. 2 prompts left the conversation; the branch is kept.";
  expect(notes(rewound(1, "r1"), rewound(2, "r2"))).toEqual([
    [said, false],
    [said, true],
  ]);
  const back = "Rewind undone: 1 restored. 2 prompts left the conversation; the branch is kept.";
  expect(notes(rewound(1, "r1"), rewound(2, "r2", true))).toEqual([
    [said, false],
    [back, false],
  ]);
});

test("a rewind that changed nothing of files or path has nothing to take back", () => {
  expect(notes(rewound(1, null)).map(([, canRedo]) => canRedo)).toEqual([false]);
});

describe("the line about deleted files", () => {
  const deleted = (id: number): AgentEvent => ({
    type: "checkpoint.deleted",
    id,
    conversationId: "a",
    at: id,
    checkpointId: "c",
    files: 1200,
    isStopped: false,
  });
  const rewoundTo = (id: number, ...results: ("restored" | "skipped")[]): AgentEvent => {
    const files = results.map((result, place) => ({ path: String(place), result }));
    const outcome = { redoCheckpointId: "r", files, prompts: 0 };
    return { type: "checkpoint.rewound", id, conversationId: "a", at: id, checkpointId: "c", outcome };
  };
  const line = (...events: AgentEvent[]) => {
    const [item] = applyEvents(emptyView("a", "A"), events).items;
    return item?.kind === "note" ? [item.text, item.undo] : [];
  };

  test("offers Undo until they are back, and says what became of it", () => {
    expect(line(deleted(1))).toEqual(["Deleted 1,200 files.", "c"]);
    expect(line(deleted(1), rewoundTo(2, "restored"))).toEqual(["Deleted 1,200 files. Undone.", undefined]);
    expect(line(deleted(1), rewoundTo(2, "restored", "skipped"))).toEqual([
      "Deleted 1,200 files. Undone, except for 1 of them.",
      undefined,
    ]);
    expect(line(deleted(1), rewoundTo(2, "skipped"))).toEqual(["Deleted 1,200 files.", "c"]);
  });
});
