import { describe, expect, it } from "vitest";
import { commandLines, nextWords } from "../../../../../renderer/state/composer/subcommands.ts";

const effort = "/effort [off | low | medium | high | default]";
const key = "/key [list] · set NAME · remove NAME · weak on | off";
const session = "/session · list [N] · new [TITLE] · export [md | json | srt] [PATH]";

describe("the next words of a command", () => {
  it.each([
    ["/effort ", effort, ["off", "low", "medium", "high", "default"]],
    ["/effort m", effort, ["medium"]],
    ["/effort medium", effort, []],
    ["/effort medium ", effort, []],
    ["/key ", key, ["list", "set", "remove", "weak"]],
    ["/key weak ", key, ["on", "off"]],
    ["/key weak o", key, ["on", "off"]],
    ["/key set ", key, []],
    ["/session ", session, ["list", "new", "export"]],
    ["/session export ", session, ["md", "json", "srt"]],
    ["/session new ", session, []],
    ["/say ", "/say TEXT · /say", []],
    ["/help", "/help", []],
  ])("%s", (typed, usage, expected) => {
    expect(nextWords(typed, usage)).toEqual(expected);
  });
});

describe("the lines of a command with their fixed words", () => {
  const linesOf = (usage: string) =>
    commandLines(usage).map(({ line, isWhole }) => (isWhole ? line : `${line} …`));
  it.each([
    [effort, ["/effort off", "/effort low", "/effort medium", "/effort high", "/effort default"]],
    ["/model [NAME | PROVIDER:NAME | default]", ["/model default"]],
    [key, ["/key list", "/key set …", "/key remove …", "/key weak on", "/key weak off"]],
    [
      "/session · list [N] · resume ID | TITLE · export [md | json] [PATH] · archive",
      [
        ...["/session list", "/session resume …", "/session export", "/session export md"],
        ...["/session export json", "/session archive"],
      ],
    ],
    [
      "/checkpoint rewind ID [--files | --both] · redo [--force]",
      ["/checkpoint rewind …", "/checkpoint redo"],
    ],
    ["/say TEXT · /say", []],
    ["/help", []],
  ])("%s", (usage, expected) => {
    expect(linesOf(usage)).toEqual(expected);
  });
});
