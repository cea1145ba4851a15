import { describe, expect, it } from "vitest";
import { lookAtLink } from "../../../../../renderer/state/conversation/link-target.ts";
import { linkText } from "../../../../../shared/safety/visible-text.ts";

const another = "The link text shows a different website.";
const unseen = "The link text has invisible characters.";
const lookalike = "Its domain has letters that can look like others.";
const userinfo = "The part before the @ isn't the website.";

describe("where a link leads", () => {
  it.each([
    ["https://example.com", "https://example.com/"],
    ["https://example.com/a?b=c#d", "https://example.com/a?b=c#d"],
    ["www.example.com", "http://www.example.com"],
    ["example.com/a", "https://example.com/a"],
    ["ada@example.com", "mailto:ada@example.com"],
  ])("is said by its text alone where that is it: %s", (text, href) => {
    expect(lookAtLink(text, href)).toEqual({ shown: null, doubts: [] });
  });

  it.each([
    ["the manual", "https://docs.example/a/b", "docs.example"],
    ["Node.js", "https://nodejs.org/", "nodejs.org"],
    ["README.md", "https://git.example/x/README.md", "git.example"],
    ["run.sh", "https://git.example/run.sh", "git.example"],
    ["see page 3 (e.g. the note)", "https://a.example:8443/x", "a.example:8443"],
    ["❤️ 👩‍💻 us", "https://a.example", "a.example"],
    ["mail us", "mailto:a%40b@example.com?subject=x", "a@b@example.com"],
    ["example.com", "https://docs.example.com/guide", "docs.example.com/guide"],
    ["https://example.com/a", "https://example.com/other", "example.com/other"],
    ["long", `https://a.example.${"b".repeat(60)}.example/`, `a.example.${"b".repeat(50)}…`],
  ])("stands beside %s", (text, href, shown) => {
    expect(lookAtLink(text, href)).toEqual({ shown, doubts: [] });
  });

  it.each([
    ["https://bank.example", "https://evil.example/", "evil.example", [another]],
    ["bank.com", "https://evil.example/", "evil.example", [another]],
    ["Sign in at www.bank.example now", "https://evil.example", "evil.example", [another]],
    [
      "https://bank.example/login",
      "https://bank.example.evil.example/login",
      "bank.example.evil.example/login",
      [another],
    ],
    ["https://evil.example@bank.example", "https://evil.example", "evil.example", [another]],
    ["ｂａｎｋ．ｃｏｍ", "https://evil.example", "evil.example", [another]],
    ["bank.c\u200Bom", "https://evil.example", "evil.example", [unseen, another]],
    ["docs\u202Egro.elpmaxe", "https://a.example", "a.example", [unseen]],
    ["docs", "https://\u0430pple.com/", "xn--pple-43d.com", [lookalike]],
    ["docs", "https://xn--pple-43d.com/", "xn--pple-43d.com", [lookalike]],
    ["docs", "https://bank.example@evil.example/", "evil.example", [userinfo]],
    ["docs", "https://bank.example:443@evil.example/", "evil.example", [userinfo]],
    ["docs", "https://bank.example%2f@evil.example/", "evil.example", [userinfo]],
    ["docs", "http://2130706433/", "127.0.0.1", []],
    [
      "ada@bank.example",
      "mailto:eve@evil.example",
      "eve@evil.example",
      ["The link text shows a different address."],
    ],
  ])("%j to %s is doubted", (text, href, shown, doubts) => {
    expect(lookAtLink(text, href)).toEqual({ shown, doubts });
  });
});

describe("the text of a link", () => {
  it("shows what would be invisible, but leaves pictures whole", () => {
    expect(linkText("a\u202Eb\u200Bc\u00ADd")).toBe("a⟨U+202E⟩b⟨U+200B⟩c⟨U+AD⟩d".replace("U+AD", "U+00AD"));
    expect(linkText("❤️ 👩‍💻 👍🏽 ok")).toBe("❤️ 👩‍💻 👍🏽 ok");
    expect(linkText("a\uFE0Fb\u200Dc")).toBe("a⟨U+FE0F⟩b⟨U+200D⟩c");
  });
});
