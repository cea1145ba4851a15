import { expect, it } from "vitest";
import { denialIn, deniedText, stoppedText } from "../../../../shared/conversation/unfinished-call.ts";

it("tells by its output that the user did not allow a call, and why", () => {
  expect(denialIn(deniedText("shell", null))).toEqual({ reason: null });
  expect(denialIn(deniedText("shell", ""))).toEqual({ reason: null });
  const reason = "Not now.\nThey said: later";
  expect(denialIn(deniedText("docs__read", reason))).toEqual({ reason });
  expect(denialIn(stoppedText)).toBeNull();
  expect(denialIn("Exit code 1: The user did not allow shell.")).toBeNull();
  expect(denialIn("The user did not allow shell. Exit code 1")).toBeNull();
});
