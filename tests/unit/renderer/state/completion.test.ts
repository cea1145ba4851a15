import { describe, expect, it } from "vitest";
import {
  completionsFor,
  isWholeCommand,
  moveSelection,
  usageFor,
} from "../../../../renderer/state/completion.ts";

const commands = ["help", "voice", "revoice"].map((name) => ({ name, usage: `/${name} …`, description: "" }));
const names = (text: string) => completionsFor(text, commands).map((command) => command.name);

describe("completion", () => {
  it("offers every command for a slash, and those that fit for more", () => {
    expect(names("/")).toEqual(["help", "voice", "revoice"]);
    expect(names("/h")).toEqual(["help"]);
  });

  it("puts commands that begin so before those that only contain it, and ignores case", () => {
    expect(names("/VOI")).toEqual(["voice", "revoice"]);
  });

  // Bug: Enter in the middle of an ordinary text chose a command instead of sending.
  it("is silent once arguments begin, and for text that only contains a slash", () => {
    expect(names("/voice ")).toEqual([]);
    expect(names("and/or")).toEqual([]);
    expect(names("a /h")).toEqual([]);
    expect(names("/help\nmore")).toEqual([]);
  });

  it("knows a whole command, which Enter sends", () => {
    expect(isWholeCommand("/help", commands)).toBe(true);
    expect(isWholeCommand("/hel", commands)).toBe(false);
  });

  it("shows how the command is used while its arguments are typed", () => {
    expect(usageFor("/voice st", commands)?.usage).toBe("/voice …");
    expect(usageFor("/voice", commands)).toBeNull();
    expect(usageFor("/unknown x", commands)).toBeNull();
  });

  it("moves around both ends", () => {
    expect(moveSelection(2, 1, 3)).toBe(0);
    expect(moveSelection(0, -1, 3)).toBe(2);
    expect(moveSelection(0, 1, 0)).toBe(0);
  });
});
