import { expect, test } from "vitest";
import {
  absent,
  type FileState,
  fileState,
  isSame,
} from "../../../../../electron/store/checkpoints/contents/file-state.ts";

const states: FileState[] = [
  absent,
  { kind: "other" },
  { kind: "directory", mode: 0o755 },
  { kind: "directory", mode: 0o700 },
  // As a file further down.
  { kind: "directory", mode: 0o644 },
  { kind: "symlink", target: "a" },
  { kind: "symlink", target: "b" },
  { kind: "file", mode: 0o644, size: 1, hash: "a" },
  { kind: "file", mode: 0o600, size: 1, hash: "a" },
  { kind: "file", mode: 0o644, size: 1, hash: "b" },
];

test("two states of a path are the same where kind, mode, target and content are", () => {
  for (const [at, one] of states.entries()) {
    for (const [other, state] of states.entries()) {
      expect([one, state, isSame(one, { ...state })]).toEqual([one, state, at === other]);
    }
  }
});

test("each kind is read as it was written down", () => {
  for (const state of states) expect(fileState.parse({ ...state, more: 1 })).toEqual(state);
  expect(fileState.safeParse({ kind: "file", mode: 0o644, hash: "a" }).success).toBe(false);
});
