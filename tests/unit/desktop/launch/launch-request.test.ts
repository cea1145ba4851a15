import { describe, expect, it } from "vitest";
import {
  launchOptions,
  parseLaunch,
  startWords,
  usage,
  wordsToStartAnew,
} from "../../../../electron/desktop/launch/launch-request.ts";
import { maxInputChars } from "../../../../electron/desktop/launch/prompt-request.ts";

const launch = (...words: string[]) =>
  parseLaunch(["electron", "--no-sandbox", ".", "--launch", ...words], "1.2.3");
const asked = (...words: string[]) => {
  const parsed = launch(...words);
  if (!parsed.ok) return parsed.code;
  if ("prompt" in parsed) return parsed.prompt;
  return "request" in parsed ? parsed.request : parsed.job;
};

describe("the words of the launcher", () => {
  it("ask for one thing", () => {
    expect(asked()).toEqual({ type: "open" });
    expect(asked("--quick")).toEqual({ type: "toggle_quick" });
    // Bug: a page that opened it hid the quick prompt, and cut off what was being said to it.
    expect(asked("parley://quick")).toEqual({ type: "quick" });
    expect(asked("--listen")).toEqual({ type: "listen" });
    expect(asked("--stop")).toEqual({ type: "stop" });
    expect(asked("--background")).toEqual({ type: "background" });
    expect(asked("--session", "Plan a trip")).toEqual({ type: "session", reference: "Plan a trip" });
    expect(asked("--session=abc")).toEqual({ type: "session", reference: "abc" });
    expect(asked("PARLEY://session/abc")).toEqual({ type: "session", reference: "abc" });
  });

  it("may be those of a start", () => {
    expect(asked("--resume", "abc", "--max-tokens=5")).toEqual({ type: "open" });
    expect(asked("--new")).toEqual({ type: "open" });
  });

  // Bug: `parley -p "--fork=abc"` was answered after a branch of that conversation had been made.
  it("are not those of a start where they are a prompt's", () => {
    const argv = ["parley", "--max-tokens=9", "--launch"];
    const before = ["--max-tokens=9"];
    expect(startWords([...argv, "-p", "--fork=abc"])).toEqual(before);
    expect(startWords([...argv, "--prompt=Hi", "--continue", "abc"])).toEqual(before);
    expect(startWords([...argv, "--fork=abc"])).toEqual([...before, "--launch", "--fork=abc"]);
    expect(startWords(["parley", "--new"])).toEqual(["--new"]);
  });

  it("back up and restore, and then nothing else", () => {
    expect(asked("--backup", "a b.x")).toEqual({ type: "back-up", file: "a b.x", withCheckpoints: false });
    expect(asked("--checkpoints", "--backup=a=b")).toEqual({
      type: "back-up",
      file: "a=b",
      withCheckpoints: true,
    });
    expect(asked("--restore", "a", "--settings")).toEqual({ type: "restore", file: "a", withSettings: true });
  });

  it.each([
    [["--backup"]],
    [["--backup", "--checkpoints"]],
    [["--backup="]],
    [["--backup", "a", "--settings"]],
    [["--backup", "a", "--quick"]],
    [["--restore", "a", "b"]],
    [["--checkpoints"]],
    [["--quik"]],
    [["quick"]],
    [["--session"]],
    [["--session", "--quick"]],
    [["--session="]],
    [["--session", "a".repeat(300)]],
    [["--quick", "--listen"]],
    [["parley://quick", "--listen"]],
    [["--listen", "parley://quick"]],
    [["parley://quick?text=a", "parley://settings"]],
    [["--remote-debugging-port=1"]],
    [["--no-sandbox"]],
    [[""]],
    [[`parley://quick?text=${"a".repeat(50_000)}`]],
  ])("%j is a mistake: it is said, with how it is meant, and the code is 2", (words) => {
    const parsed = launch(...words);
    expect(parsed).toMatchObject({ ok: false, code: 2 });
    expect(!parsed.ok && parsed.said).toMatch(/^parley: .+\n\nUsage: parley /);
  });

  it("tell the version and the usage", () => {
    expect(launch("--version")).toEqual({ ok: false, code: 0, said: "Parley 1.2.3\n" });
    expect(launch("--help")).toMatchObject({ ok: false, code: 0 });
  });

  it("without the launcher's mark are left to others", () => {
    expect(parseLaunch(["electron", ".", "--quik"], "1")).toEqual({ ok: true, request: { type: "open" } });
  });
});

describe("the usage", () => {
  const options = [...new Set([...usage.matchAll(/(?<![\w-])--?[a-z][a-z-]*/g)].map(([option]) => option))];

  it("names all that the parsers take, and nothing else", () => {
    expect(options.sort()).toEqual([...new Set(launchOptions)].sort());
  });

  // A parser that takes what its list leaves out would make the list above worth nothing.
  it.each(options)("%s, as the usage shows it, is taken", (option) => {
    const words = [option, ...(takesWord.has(option) ? ["work"] : [])];
    const [, before = []] = beside.find(([those]) => those.includes(option)) ?? [];
    const parsed = launch(...before, ...words);
    expect(parsed.ok ? 0 : parsed.code, JSON.stringify([...before, ...words])).toBe(0);
  });

  it("says how much of the standard input goes beside a prompt", () => {
    // It may go on in the next line.
    expect(usage.replaceAll(/\s+/g, " ")).toContain(`up to ${maxInputChars.toLocaleString("en")} characters`);
  });
});

// Bug: a restart did again what the start had been asked for: it listened, made another fork, or opened no window.
describe("a start anew", () => {
  const before = ["--user-data-dir=/data", "/clone", "--", "--launch"];
  it.each([
    [["--listen"], []],
    [["--background"], []],
    [["--session", "Trip"], []],
    [
      ["--fork=Trip", "--max-tokens", "500"],
      ["--max-tokens", "500"],
    ],
    [["--max-tokens=500", "--resume", "Trip"], ["--max-tokens=500"]],
    [["parley://settings"], []],
  ])("behind %j keeps %j", (words, kept) => {
    expect(wordsToStartAnew(["electron", ...before, ...words])).toEqual([...before, ...kept]);
  });
});

const takesWord: ReadonlySet<string> = new Set(
  [...usage.matchAll(/(--?[a-z-]+) [A-Z]+\b/g)].map(([, option]) => option ?? ""),
);
/** Options that go with another one. */
const beside: readonly [options: readonly string[], before: readonly string[]][] = [
  [
    ["--json", "--level", "--cwd", "--continue"],
    ["-p", "Hello"],
  ],
  [["--checkpoints"], ["--backup", "file"]],
  [["--settings"], ["--restore", "file"]],
];
