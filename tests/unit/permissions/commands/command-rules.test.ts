import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import {
  coversCommand,
  meetsCommand,
  whyNoPrefix,
  wordsOfRule,
} from "../../../../electron/permissions/commands/command-rules.ts";

const folder = realpathSync(mkdtempSync(join(tmpdir(), "parley-command-rules-")));
mkdirSync(join(folder, "src"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const place = { folder, from: folder, isFenced: true };
const covers = (command: string, words: string, more: object = {}, where: object = {}) =>
  coversCommand({ command, ...more }, words.split(" "), { ...place, ...where });

describe("a rule that allows further words", () => {
  test.each([
    "",
    "x",
    "-",
    "--",
    "-p",
    "-n5",
    "--prune",
    "--fast=yes",
    "--empty=",
    "--dir=src/x",
    "src/a.ts",
    "src/a.ts:12",
    "src/a=b",
    "src/name@host:x",
    "name@1.2.3",
    "test:unit",
    "a.b.c",
    "test1:unit",
    "FOLDER/src",
  ])("covers %j", (word) => {
    expect(covers("tool go *", `tool go ${word.replace("FOLDER", folder)}`.trim())).toBe(true);
  });

  test.each([
    // Variables, and what a shell makes something else of.
    "CC=evil",
    "=x",
    "$HOME",
    "src/$x",
    "`id`",
    "src/`id`",
    "--dir=$HOME",
    // Other machines.
    "https://example.com",
    "src/https://example.com",
    "user@host:x",
    "host.name:x",
    "a.ts:12",
    "8080:80",
    // Other places, and what is protected.
    "/etc",
    "..",
    "../x",
    "~",
    "~/x",
    "--dir=/etc",
    "--dir=..",
    "--dir=src=/etc",
    "-L/etc",
    "-Lsrc\\x",
    "-L~",
    ".env",
    "--with=.env",
    ".git/config",
    "src/.git/hooks/x",
  ])("does not cover %j", (word) => {
    expect(covers("tool go *", `tool go ${word}`)).toBe(false);
    expect(covers("tool go *", `tool go src ${word} src`)).toBe(false);
  });

  test.each(
    "-c -e -C -E -I -O -x -exec -execdir -ok -okdir -delete -fprint -fls --exec --exec-path --upload-pack --receive-pack --ext-diff --extcmd --textconv --output --config --config-env --to-command --compress-program --use-compress-program --checkpoint-action --rsh --eval --print --pre --pager --editor --open-files-in-pager --command --rcfile --init-file --require --loader --import --script-shell --node-options --globalconfig --userconfig --prefix --git-dir --work-tree --template --toolexec --vettool --wrapper --filter --hostname-bin --kubeconfig --unsafe-paths --file --unzip-command".split(
      " ",
    ),
  )("does not cover %s, which may run or write something", (option) => {
    expect(covers("tool go *", `tool go ${option}`)).toBe(false);
  });

  test.each([
    ["with its value", "--output=x"],
    ["with its value right behind it", "-cx"],
    ["with a value that ends with dashes", "-cx--"],
    ["cut short", "--outp"],
    ["cut short, with its value", "--outp=x"],
    ["with one dash", "-output"],
    ["that is longer", "--output-dir=x"],
  ])("does not cover such an option %s", (_, option) => {
    expect(covers("tool go *", `tool go ${option}`)).toBe(false);
  });

  test("does not take a short option for a long one, nor a long one for a short one", () => {
    expect(covers("tool go *", "tool go -o")).toBe(true);
    expect(covers("tool go *", "tool go --o")).toBe(true);
    expect(covers("tool go *", "tool go --clean")).toBe(true);
    expect(covers("tool go *", "tool go --xyz")).toBe(true);
  });

  test("wants its own words first, and a fence around the command", () => {
    expect(covers("tool go *", "tool")).toBe(false);
    expect(covers("tool go *", "tool stop x")).toBe(false);
    expect(covers("tool go *", "go tool x")).toBe(false);
    expect(covers("tool go *", "tool go x", {}, { isFenced: false })).toBe(false);
    // What runs anything else is allowed with no further words at all.
    expect(covers("sh *", "sh x")).toBe(false);
    expect(covers("a && b *", "a && b")).toBe(false);
    // What the rule itself says, the user said.
    expect(covers("make CC=gcc *", "make CC=gcc all")).toBe(true);
  });
});

describe("a rule for one command", () => {
  test("covers these words and no more, also where nothing holds them", () => {
    expect(covers("tool go", "tool go", {}, { isFenced: false })).toBe(true);
    expect(covers("tool go", "tool go x")).toBe(false);
    expect(covers("tool go", "tool")).toBe(false);
    expect(covers("tool 'g'o", "tool go")).toBe(true);
    expect(covers("tool go", "tool go", { exact: true })).toBe(true);
    expect(covers("tool *", "tool x", { exact: true })).toBe(false);
    expect(coversCommand({}, ["tool"], place)).toBe(false);
  });

  test("holds in its own folder alone", () => {
    expect(covers("tool go", "tool go", {}, { from: join(folder, "src") })).toBe(false);
    expect(covers("tool go", "tool go", {}, { from: null })).toBe(false);
    const rule = { folder: join(folder, "src") };
    expect(covers("tool go", "tool go", rule, { from: join(folder, "src") })).toBe(true);
    expect(covers("tool go", "tool go", rule)).toBe(false);
  });
});

describe("a rule that narrows", () => {
  const meets = (command: string, words: string) => meetsCommand({ command }, words.split(" "));

  test.each([
    ["git push", "git push"],
    ["git push", "sudo git -C x push --force"],
    ["git push", "/usr/bin/git push"],
    ["git push", "git.exe push"],
    ["git push", "GIT PUSH"],
    ["git push *", "git push"],
    ["a x x", "a x y x"],
    ["a && b", "a && b"],
    ["a  &&\tb", "a && b"],
  ])("%j meets %j", (command, words) => {
    expect(meets(command, words)).toBe(true);
  });

  test.each([
    ["git push", "push git"],
    ["git push", "git"],
    ["git push", "git status"],
    ["git push", "agit push"],
    ["git push", "gitx push"],
    ["git git", "x git"],
    ["a x x", "a x"],
    ["a b c", "a c b"],
  ])("%j does not meet %j", (command, words) => {
    expect(meets(command, words)).toBe(false);
  });
});

describe("words that cannot allow what follows them", () => {
  test.each([
    ["env", "runs whatever follows"],
    ["/usr/bin/env x", "`env` runs whatever follows"],
    [".", "runs whatever follows"],
    ["xargs", "runs whatever follows"],
    ["timeout 5", "runs whatever follows"],
    ["awk", "runs whatever follows"],
    ["curl", "runs whatever follows"],
    ["node", "`node` alone would allow any program"],
    ["node --test", "alone would allow"],
    ["/opt/python3.11", "`python3.11` alone would allow"],
    ["git", "alone would allow"],
    ["git -C", "alone would allow"],
  ])("%s", (words, why) => {
    expect(whyNoPrefix(words.split(" "))).toContain(why);
  });

  test.each(["node build.js", "git log", "npm test", "ls", "ls -l", "mynode", "node_x", "xnode"])(
    "%s may have more behind it",
    (words) => {
      expect(whyNoPrefix(words.split(" "))).toBeNull();
    },
  );
});

test("a rule has words where it is one simple command", () => {
  expect(wordsOfRule("git 'two words'")).toEqual(["git", "two words"]);
  expect(["a && b", "a; b", "", "a $(b)", "a > b"].map(wordsOfRule)).toEqual([null, null, null, null, null]);
});
