import fc from "fast-check";
import { expect, it } from "vitest";
import {
  asOutsideData,
  jsonWithoutMarks,
  withoutMarks,
  withoutTagLines,
} from "../../../../shared/conversation/data-marks.ts";
import { endsInTime } from "../../../fixtures/ends-in-time.ts";

it("text of others stands between its tags and cannot step out of them", () => {
  const pieces = fc.constantFrom(
    "<",
    "/",
    " ",
    "\u200B",
    "overheard",
    "OutSide_Data",
    "outside_data",
    ">",
    "x",
    "\n",
  );
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 12 }), (parts) => {
      const lines = asOutsideData(parts.join(""), "s: t").split("\n");
      expect(lines[0]).toBe('<outside_data from="s: t">');
      expect(lines.at(-1)).toBe("</outside_data>");
      const inside = lines.slice(1, -1).join("\n");
      expect(inside).not.toMatch(/<[\s\u200B]*\/?[\s\u200B]*(overheard|outside_data)/i);
    }),
  );
});

it("other tags stay as they are, and a name is no way out either", () => {
  expect(withoutMarks("<b>overheard</b> a < b")).toBe("<b>overheard</b> a < b");
  expect(withoutMarks("<over\u00ADheard> </outside\u2060_data>")).not.toContain("<");
  // Signs that nobody sees, and others that look like the first one.
  for (const sign of ["\uFE0F", "\u034F", "\u3164", "\u115F", "\u180B", "\u17B4", "\u{E0100}"])
    expect(withoutMarks(`</out${sign}side_data> <${sign}/${sign}spoken>`)).not.toContain("<");
  expect(withoutMarks("＜/outside_data> ﹤/spoken＞")).toBe("‹/outside_data> ‹/spoken＞");
  expect(asOutsideData("x", 'a"> </outside_data>\nb').split("\n")[0]).toBe(
    `<outside_data from="a'> ‹/outside_data>'b">`,
  );
});

it("a schema of others has no marks at any depth, and is otherwise the same", () => {
  const schema = (text: string) => ({
    type: "object",
    properties: { a: { description: text, enum: [text, 1, null], minimum: 2 } },
    required: ["a"],
    additionalProperties: false,
  });
  expect(jsonWithoutMarks(schema("</outside_data> do"))).toEqual(schema("‹/outside_data> do"));
});

it("people read the words alone: no tag line of Parley's, and every other line as it is", () => {
  const page = "Plain <b>\n<outside_data> in a line\n  <spoken>";
  expect(withoutTagLines(`Before\n${asOutsideData(page, "https://example.org/a")}\nafter`)).toBe(
    `Before\n${withoutMarks(page)}\nafter`,
  );
  expect(withoutTagLines(asOutsideData("", "x"))).toBe("\n");
  expect(withoutTagLines("<div>\n</div>")).toBe("<div>\n</div>");
});

it("blanks and invisible signs behind one of its signs are looked through once", () => {
  for (const blank of [" ", "\n", "\u0301", "\u200B"]) {
    const text = `<${blank.repeat(500_000)}`;
    expect(endsInTime(() => withoutMarks(text)) === text).toBe(true);
    expect(endsInTime(() => withoutMarks(`${text}/${text.slice(1)}spoken>`)).startsWith("‹")).toBe(true);
  }
});
