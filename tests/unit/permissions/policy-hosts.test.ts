import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { z } from "zod";
import type { Tool } from "../../../electron/agent/ports/ports.ts";
import { deniesHost } from "../../../electron/permissions/rules.ts";
import { createPolicyRig, type PolicyRig } from "./policy-rig.ts";

let rig: PolicyRig;
beforeEach(async () => {
  rig = await createPolicyRig();
});
afterEach(() => rig.close());

describe("rules for hosts", () => {
  const fetched = (url: string) => rig.decide("web_fetch", { url }).verdict;
  test.each([
    ["https://example.com/a", "allow"],
    ["https://EXAMPLE.com./a", "allow"],
    ["https://docs.example.org", "allow"],
    ["https://a.b.example.org", "allow"],
    ["https://example.org", "ask"],
    ["https://example.com.evil.net", "ask"],
    ["https://example.com@evil.net", "ask"],
    ["https://evil.net/example.com", "ask"],
    ["https://evil.net?x=example.com", "ask"],
    ["https://notexample.com", "ask"],
    ["https://xexample.org", "ask"],
    ["https://example.com:8443", "ask"],
    ["https://exаmple.com", "ask"],
    ["ftp://example.com", "ask"],
    ["https://bad.example.org", "deny"],
    ["not an address", "ask"],
  ])("%s: %s", (url, verdict) => {
    rig.rules(
      { verdict: "allow", host: "example.com" },
      { verdict: "allow", host: "*.example.org" },
      { verdict: "deny", host: "bad.example.org" },
    );
    expect(fetched(url)).toBe(verdict);
  });
});

describe("rules that deny a host", () => {
  const fetched = (url: string) => rig.decide("web_fetch", { url }).verdict;
  // Bug: a rule that denies a host counted for the usual port only, and never for a name with letters beyond ASCII.
  test.each([
    ["example.com", "https://example.com/", "deny"],
    ["example.com", "https://example.com:8443/", "deny"],
    ["example.com", "http://example.com:443/", "deny"],
    ["*.example.com", "https://a.example.com:8443/", "deny"],
    ["example.com:8443", "https://example.com:8443/", "deny"],
    ["example.com:8443", "https://example.com/", "allow"],
    ["münchen.de", "https://münchen.de/", "deny"],
    ["*.münchen.de", "https://a.xn--mnchen-3ya.de/", "deny"],
    ["EXAMPLE.com.", "https://example.com/", "deny"],
    ["example.com", "https://notexample.com/", "allow"],
    ["*.example.com", "https://example.com/", "allow"],
  ])("deny %s, %s: %s", (host, url, verdict) => {
    rig.rules({ verdict: "allow", tool: "web_fetch" }, { verdict: "deny", host });
    expect(fetched(url)).toBe(verdict);
  });

  test.each([
    ["münchen.de", "https://xn--mnchen-3ya.de/", "allow"],
    ["example.com:8443", "https://example.com:8443/", "allow"],
    ["example.com:8443", "https://example.com/", "ask"],
    ["example.com", "https://example.com:8443/", "ask"],
    ["example.com/a", "https://example.com/", "ask"],
    ["me@example.com", "https://example.com/", "ask"],
    ["*", "https://example.com/", "ask"],
  ])("what allows stays exact: allow %s, %s: %s", (host, url, verdict) => {
    rig.rules({ verdict: "allow", host });
    expect(fetched(url)).toBe(verdict);
  });
});

describe("rules that deny a host to a fence", () => {
  test.each([
    [{ host: "evil.example" }, "evil.example", 443, true],
    [{ host: "*.example" }, "a.evil.example", 8443, true],
    [{ host: "[::1]" }, "::1", 80, true],
    [{ host: "evil.example:8443" }, "evil.example", 443, false],
    [{ host: "evil.example", folder: "/work" }, "evil.example", 443, true],
    [{ host: "evil.example", folder: "/elsewhere" }, "evil.example", 443, false],
    [{ host: "evil.example", tool: "web_fetch" }, "evil.example", 443, false],
    [{ host: "evil.example", command: "curl" }, "evil.example", 443, false],
    [{ tool: "shell" }, "evil.example", 443, false],
  ])("deny %j, %s:%d: %s", (rule, host, port, denies) => {
    expect(deniesHost([{ verdict: "deny", ...rule }], { host, port }, "/work")).toBe(denies);
    expect(deniesHost([{ verdict: "ask", ...rule }], { host, port }, "/work")).toBe(false);
  });
});

describe("rules for what a command connects to", () => {
  const tool: Tool = {
    name: "shell",
    description: "Connects to a host.",
    input: z.object({ url: z.string() }),
    effect: "network",
    async run() {
      throw new Error("A decision runs nothing.");
    },
  };
  const connects = () => rig.decideOn(tool, { url: "https://evil.example/" }).verdict;

  // Bug: a rule that allows the shell's tool allows no command, but it allowed every host.
  test("a rule for the tool alone allows no host", () => {
    rig.rules({ verdict: "allow", tool: "shell" });
    expect(connects()).toBe("ask");
    rig.rules({ verdict: "allow", tool: "*" });
    expect(connects()).toBe("ask");
    rig.rules({ verdict: "allow", tool: "shell", host: "evil.example" });
    expect(connects()).toBe("allow");
    rig.rules({ verdict: "allow", host: "evil.example" });
    expect(connects()).toBe("allow");
    rig.rules({ verdict: "allow", tool: "shell", host: "evil.example" }, { verdict: "deny", tool: "shell" });
    expect(connects()).toBe("deny");
  });
});
