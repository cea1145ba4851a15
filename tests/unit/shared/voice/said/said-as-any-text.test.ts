import fc from "fast-check";
import { expect, test } from "vitest";
import { saidAs } from "../../../../../shared/voice/said/said-as.ts";

const signs = fc.constantFrom(
  ..."0 1 9 . , / \\ - – − _ : ; @ # $ % € ° ² ^ ~ * ` | < > = + & ( ) [ ] { } a B x km é 你 π 🎉 ½ www. https:// v -- \\frac".split(
    " ",
  ),
  " ",
);

test("every text is said as something, whatever its signs", () => {
  fc.assert(
    fc.property(fc.array(signs, { minLength: 1, maxLength: 60 }), (parts) => {
      const text = parts.join("");
      for (const language of ["en", "de"]) {
        const said = saidAs(text, language, { isLatinOnly: true });
        if (/[a-z]/i.test(text)) expect(said).not.toBe("");
      }
    }),
    { numRuns: 500 },
  );
});

// With a rule that looks at a text again from each of its places, one of these takes minutes.
test.each([
  "1",
  "1.",
  "1/",
  "/",
  "a/",
  "a_",
  "a.",
  "-",
  "(",
  "$",
  "x^",
  "A",
  "aB",
  "1:",
  "#",
  "@",
  "a@",
  "1 km ",
  "www.",
  "\\frac{",
  "f(",
  "你",
  "ab12",
  "“",
  "½",
  "\\[",
  "a:",
  " | ",
])("a text of nothing but %j takes no longer than its length", (sign) => {
  const long = sign.repeat(60_000 / sign.length);
  expect(saidAs(long, "en", { isLatinOnly: true })).not.toBe("");
});
