import { expect, it } from "vitest";
import {
  denialIn,
  deniedText,
  refusalIn,
  refusedText,
  stoppedText,
} from "../../../../shared/conversation/unfinished-call.ts";

it("tells by its output that the user did not allow a call, and why", () => {
  expect(denialIn(deniedText("shell", null))).toEqual({ reason: null });
  expect(denialIn(deniedText("shell", ""))).toEqual({ reason: null });
  const reason = "Not now.\nThey said: later";
  expect(denialIn(deniedText("docs__read", reason))).toEqual({ reason });
  expect(denialIn(stoppedText)).toBeNull();
  expect(denialIn("Exit code 1: The user did not allow shell.")).toBeNull();
  expect(denialIn("The user did not allow shell. Exit code 1")).toBeNull();
});

it("tells by its output which rule or level refused a call, and where that can be changed", () => {
  expect(refusalIn(refusedText("shell", "your rule “deny the tool `shell`”", "in the settings"))).toBe(
    "your rule “deny the tool `shell`”. The user can change that in the settings.",
  );
  expect(refusalIn(refusedText("write_file", "it is Parley's own", null))).toBe("it is Parley's own.");
  expect(refusalIn(deniedText("shell", "no"))).toBeNull();
  expect(refusalIn("Exit code 1: shell was refused. The reason: x.")).toBeNull();
});
