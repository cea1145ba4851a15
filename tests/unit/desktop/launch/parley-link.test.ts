import { describe, expect, it } from "vitest";
import { maxLinkTextChars, parseLink } from "../../../../electron/desktop/launch/parley-link.ts";

const open = { type: "open" };

describe("a link", () => {
  it("shows the quick prompt with words, a conversation, the settings", () => {
    expect(parseLink("parley://quick")).toEqual({ type: "quick" });
    expect(parseLink("parley://quick?text=What%20is%20new%3F")).toEqual({
      type: "quick",
      text: "What is new?",
    });
    expect(parseLink("parley://session/Plan%20a%20trip")).toEqual({
      type: "session",
      reference: "Plan a trip",
    });
    expect(parseLink("parley://settings/")).toEqual({ type: "settings" });
    expect(parseLink("parley://")).toEqual(open);
  });

  it.each([
    "parley://listen",
    "parley://stop",
    "parley://approve/1",
    "parley://send?text=rm",
    "parley://quick/send?text=x",
    "parley://user:secret@quick?text=x",
    "parley://quick:8080?text=x",
    "parley:quick?text=x",
    "https://quick?text=x",
    "parley://session/",
    "parley://session/%00",
    "parley://session/a%0Ab",
    "parley://session/%E0%A4%A",
    `parley://session/${"a".repeat(300)}`,
    `parley://quick?text=${"a".repeat(10_000)}`,
    "parley://[",
    "not a link at all",
  ])("%s only opens the window", (link) => {
    expect(parseLink(link)).toEqual(open);
  });

  it("fills in one visible line, however it is written", () => {
    const text = (written: string) => {
      const request = parseLink(`parley://quick?text=${written}`);
      return request.type === "quick" ? request.text : request.type;
    };
    expect(text("harmless%0A%0A%0A%0A%0Aand%20more")).toBe("harmless and more");
    expect(text("a%E2%80%AEb")).toBe("a⟨U+202E⟩b");
    expect(text("%1b%5b31mred")).toBe("␛[31mred");
    expect(text("%2520")).toBe("%20");
    expect(text("a".repeat(7000))?.length).toBe(maxLinkTextChars);
  });

  it("fills in no command", () => {
    for (const written of ["/key%20set", "%2Fkey%20set", "%0A%2Fkey%20set", "%20/%20/key%20set"]) {
      expect(parseLink(`parley://quick?text=${written}`)).toEqual({ type: "quick", text: "key set" });
    }
  });
});
