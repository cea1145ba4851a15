import { describe, expect, test } from "vitest";
import { beforeOpenMath, markMath } from "../../../../shared/conversation/math-marks.ts";

describe("a formula", () => {
  test.each([
    ["Let $x^2$ be", "Let $$x^2$$ be"],
    ["\\(a+b\\) and \\[c\\]", "$$a+b$$ and $$c$$"],
    ["\\[\na\n\\]", "$$\na\n$$"],
    ["$$x=1$$", "$$\nx=1\n$$"],
    ["see \\$5 and $z$", "see \\$5 and $$z$$"],
    ["$\\$5$", "$$\\$5$$"],
    ["$2x+1$", "$$2x+1$$"],
    ["```sh\necho $A $B$\n```\nthen $y$", "```sh\necho $A $B$\n```\nthen $$y$$"],
  ])("%j is %j", (text, marked) => expect(markMath(text)).toBe(marked));

  test.each([
    "It costs $5 to $10, or $5/$6.",
    "pay $5 or 5$ now",
    "US$5 vs CA$ ok",
    "$HOME and $PATH",
    "`$HOME` and `$x$`",
    "```\n\\[ a \\]\n```",
    "~~~\n$x$",
    "nothing",
  ])("%j is none", (text) => expect(markMath(text)).toBe(text));

  test.each([
    ["so \\[ a", "so "],
    ["and $$\na", "and "],
    ["1 \\(a\\) 2 \\(b", "1 \\(a\\) 2 "],
    ["$$a$$", "$$a$$"],
    ["`\\[` x", "`\\[` x"],
    ["costs $5", "costs $5"],
  ])("of %j that is still written, %j is shown", (text, shown) => expect(beforeOpenMath(text)).toBe(shown));
});
