import { describe, expect, it } from "vitest";
import {
  besideText,
  mentionOf,
  mentionParts,
  mentionsIn,
  withMention,
  withoutMentions,
} from "../../../../../renderer/state/composer/mentions.ts";

const choice = (reference: string) => ({ reference, label: reference, detail: "" });
const notes = choice("notes.md");

describe("what a prompt mentions", () => {
  it.each([
    ["notes.md", "@notes.md"],
    ["my notes.md", '@"my notes.md"'],
    ["@server:demo://1", "@server:demo://1"],
    ["./@odd", "@./@odd"],
  ])("%s stands there as %s", (reference, mention) => {
    expect(mentionOf(choice(reference))).toBe(mention);
  });

  it("takes the place of the letters at the caret, with one gap behind it", () => {
    expect(withMention("look at @no", 11, notes)).toEqual({ text: "look at @notes.md ", caret: 18 });
    expect(withMention("see @no, then", 7, notes)).toEqual({ text: "see @notes.md , then", caret: 14 });
    expect(withMention("see @no then", 7, notes)).toEqual({ text: "see @notes.md then", caret: 14 });
  });

  it("is a word of its own: nothing longer, and no part of an address", () => {
    expect(mentionsIn("@notes.md, (see) @notes.md.", notes)).toHaveLength(2);
    expect(mentionsIn("@notes.mdx a@notes.md @notes.md.bak @notes.md/x", notes)).toEqual([]);
  });

  it("is attached while it is mentioned; a file is, whatever the text says", () => {
    const file = { ...choice("attached:1"), file: { kind: "text" as const, bytes: 1 } };
    expect(besideText("see @notes.md", [notes, file])).toEqual([notes, file]);
    expect(besideText("see @notes", [notes, file])).toEqual([file]);
  });

  it("leaves one gap when it goes", () => {
    expect(withoutMentions("see @notes.md and @notes.md", notes)).toBe("see and ");
    expect(withoutMentions("@notes.md first", notes)).toBe("first");
  });

  it("is marked in its place", () => {
    expect(
      mentionParts("see @notes.md now", [notes]).map(({ text, isMention }) => [text, isMention]),
    ).toEqual([
      ["see ", false],
      ["@notes.md", true],
      [" now", false],
    ]);
  });
});
