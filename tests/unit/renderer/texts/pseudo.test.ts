import { describe, expect, test } from "vitest";
import { en } from "../../../../renderer/texts/en.ts";
import { counted } from "../../../../renderer/texts/plural.ts";
import { pseudo } from "../../../../renderer/texts/pseudo.ts";

describe("a language that nobody speaks", () => {
  const made = pseudo({
    plain: "Send",
    parts: ["Press ", " to send"],
    withValue: (name: string) => `Delete ${name}?`,
    nested: { blank: " " },
  });

  test("is accented, longer and in brackets", () => {
    expect(made.plain).toBe("⟦Šéñd ~⟧");
    expect(made.parts).toEqual(["⟦Préšš  ~ ~⟧", "⟦ tó šéñd ~ ~⟧"]);
  });

  test("has the values of its texts in them", () => {
    expect(made.withValue("notes")).toBe("⟦Délété ñótéš? ~ ~ ~⟧");
  });

  test("leaves gaps and the elements of rich texts as they are", () => {
    expect(made.nested.blank).toBe(" ");
    const element = { $$typeof: Symbol.for("react.transitional.element"), type: "kbd" };
    expect(pseudo([element])).toEqual([element]);
  });

  test("has all that English has", () => {
    const names = (text: unknown): unknown =>
      typeof text === "object" && text !== null
        ? Object.entries(text).map(([name, one]) => [name, names(one)])
        : 0;
    expect(names(pseudo(en))).toEqual(names(en));
  });
});

test.each([
  [0, "0 files"],
  [1, "1 file"],
  [2, "2 files"],
])("%i: “%s”", (count, words) => {
  expect(counted(count, "file", "files")).toBe(words);
});
