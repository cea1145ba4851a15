import { describe, expect, test } from "vitest";
import { z } from "zod";
import type { Tool } from "../../../electron/agent/ports/ports.ts";
import type { CallFacts } from "../../../electron/permissions/call-facts.ts";
import { byLevel, confinementIn } from "../../../electron/permissions/levels.ts";
import { type LevelName, standingOf } from "../../../shared/safety/permissions.ts";

const runsNothing = () => Promise.reject(new Error("A decision runs nothing."));
const facts = (effect: Tool["effect"], more: Partial<CallFacts> = {}): CallFacts => ({
  tool: { name: "tool", description: "A tool.", input: z.unknown(), effect, run: runsNothing },
  isServerTool: false,
  folder: "/work",
  paths: [],
  mayReach: [],
  takes: [],
  shell: null,
  url: null,
  hasSecrets: false,
  hasUnhiddenSecrets: false,
  isCutOff: false,
  hasProtected: false,
  ...more,
});
const command = (looksOnly: boolean) =>
  facts("execute", {
    shell: { plain: null, seen: [], named: [], isCutOff: false, from: "/work", looksOnly },
  });
const at = (isInside: boolean) =>
  facts("write", { paths: [{ real: isInside ? "/work/a" : "/a", isInside }] });
const levels: readonly LevelName[] = ["look", "ask", "work"];

describe("what a level says of a call by itself: look, ask, work", () => {
  test.each<[string, CallFacts, boolean, string]>([
    ["reading", facts("read"), false, "allow allow allow"],
    ["what Parley does in itself", facts("app"), false, "allow allow allow"],
    ["the network", facts("network"), false, "ask ask ask"],
    ["a server's tool, whatever it says", facts("read", { isServerTool: true }), false, "ask ask ask"],
    ["a change in the folder", at(true), false, "deny ask allow"],
    ["a change elsewhere", at(false), false, "deny ask ask"],
    ["a change of nobody knows what", facts("write"), false, "deny ask ask"],
    [
      "a change of a path that leads nobody knows where",
      facts("write", { paths: [null] }),
      false,
      "deny ask ask",
    ],
    ["a command in the fence", command(false), true, "allow ask allow"],
    ["one that only looks", command(true), true, "allow allow allow"],
    ["one without a fence", command(true), false, "deny ask ask"],
    ["what runs and is no command", facts("execute"), true, "deny ask ask"],
  ])("%s", (_, call, isFenced, said) => {
    expect(levels.map((name) => byLevel(standingOf(name, true), call, isFenced)).join(" ")).toBe(said);
  });
});

describe("how a command runs: look, ask, work", () => {
  test.each<[string, CallFacts, boolean, boolean, string]>([
    ["without a fence", command(true), false, false, "outside outside outside"],
    ["one that only looks", command(true), true, false, "look look change"],
    ["one that only looks and that was asked for", command(true), true, true, "look change change"],
    ["any other", command(false), true, true, "look change change"],
    ["none at all", facts("read"), true, false, "look change change"],
  ])("%s", (_, call, isFenced, isAsked, runs) => {
    expect(
      levels.map((name) => confinementIn(standingOf(name, true), call, isFenced, isAsked)).join(" "),
    ).toBe(runs);
  });
});
