import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { attackCameThrough } from "../../../scripts/test/grave.mjs";
import { whyNoFence } from "../../fixtures/fence-there.ts";
import { asSomebody, type FencedRepository, fencedRepository } from "../../fixtures/fenced-repository.ts";

let rig: FencedRepository;
beforeEach(async () => {
  rig = await fencedRepository();
});
afterEach(() => rig.close());

describe.skipIf((await whyNoFence()) !== null)("the user's own git runs nothing that a command wrote", () => {
  // Bug: only hooks in `.git/hooks` were kept from commands; those in a folder that the settings name ran what a command wrote.
  describe("where it was told to look", () => {
    const makeHook = (path: string) =>
      `mkdir -p $(dirname ${path}); printf '#!/bin/sh\\n' > ${path}; chmod +x ${path}`;
    const write = (path: string) => `printf '${rig.hook}' > ${path}; chmod +x ${path}`;

    test.each([
      [
        "a folder of hooks",
        `${makeHook("tools/hooks/pre-commit")}; git config core.hooksPath tools/hooks`,
        "tools/hooks/pre-commit",
      ],
      [
        "another hook there",
        "mkdir -p tools/hooks; git config core.hooksPath tools/hooks",
        "tools/hooks/pre-commit",
      ],
      [
        "a folder of hooks that is not there yet",
        "git config core.hooksPath tools/hooks",
        "tools/hooks/pre-commit",
      ],
      [
        "a folder of hooks by a link",
        `${makeHook("real/hooks/pre-commit")}; ln -s real tools; git config core.hooksPath tools/hooks`,
        "real/hooks/pre-commit",
      ],
      [
        "a link among the hooks",
        `${makeHook("scripts/check")}; ln -s ../../scripts/check .git/hooks/pre-commit`,
        "scripts/check",
      ],
      [
        "hooks that are a link",
        `${makeHook("our-hooks/pre-commit")}; rm -rf .git/hooks; ln -s ../our-hooks .git/hooks`,
        "our-hooks/pre-commit",
      ],
      [
        "a link in a folder that is protected itself",
        `${makeHook("scripts/check")}; mkdir .husky; ln -s ../scripts/check .husky/pre-commit; git config core.hooksPath .husky`,
        "scripts/check",
      ],
      [
        "a folder of hooks that included settings name",
        `${makeHook("tools/hooks/pre-commit")}; mkdir conf; git config --file conf/git core.hooksPath tools/hooks; git config include.path ../conf/git`,
        "tools/hooks/pre-commit",
      ],
    ])("%s", async (_, set, path) => {
      rig.user(set);
      await rig.run(`mkdir -p ${path.slice(0, path.lastIndexOf("/"))}; ${write(path)}`);
      rig.user("git commit -q --allow-empty -m mine");
      expect(rig.isPwned(), attackCameThrough).toBe(false);
      expect(rig.user("git log --oneline")).toContain("mine");
    });

    test("settings that are included", async () => {
      rig.user("mkdir conf; touch conf/git; git config include.path ../conf/git");
      await rig.run(`printf '[core]\\n\\tfsmonitor = touch ${rig.pwned}\\n' > conf/git`);
      rig.user("git status");
      expect(rig.isPwned(), attackCameThrough).toBe(false);
    });

    test("a program of the repository", async () => {
      rig.user(`${makeHook("scripts/watch")}; git config core.fsmonitor scripts/watch`);
      await rig.run(write("scripts/watch"));
      rig.user("git status");
      expect(rig.isPwned(), attackCameThrough).toBe(false);
    });

    test("by a link that a command would exchange", async () => {
      rig.user(
        `${makeHook("real/hooks/pre-commit")}; ln -s real tools; git config core.hooksPath tools/hooks`,
      );
      const { fenced } = await rig.run(`rm tools; mkdir -p tools/hooks; ${write("tools/hooks/pre-commit")}`);
      rig.user("git commit -q --allow-empty -m mine");
      expect(rig.isPwned(), attackCameThrough).toBe(false);
      expect(fenced?.ended).toContain("tools was replaced");
    });
  });

  // Bug: files by which git once named remotes, and remotes that are paths, led to a repository whose hooks a command wrote.
  describe("at a push", () => {
    const evil = (at: string) =>
      `git init -q --bare ${at}; printf '${rig.hook}' > ${at}/hooks/update; chmod +x ${at}/hooks/update`;

    test.each([
      [
        "remotes",
        (at: string) => `mkdir -p .git/remotes; echo "URL: $PWD/${at}" > .git/remotes/origin`,
        "origin main",
      ],
      [
        "branches",
        (at: string) => `mkdir -p .git/branches; echo "$PWD/${at}" > .git/branches/origin`,
        "origin HEAD",
      ],
    ])("to what .git/%s names", async (name, point, what) => {
      const at = ".git/objects/e.git";
      await rig.run(`${evil(at)}; ${point(at)}`);
      rig.user(`git push ${what}`);
      expect(rig.isPwned(), attackCameThrough).toBe(false);
      expect(existsSync(join(rig.folder, ".git", name, "origin"))).toBe(false);
    });

    test.each([
      ["a path", (at: string) => `remote.origin.url "$PWD/${at}"`],
      ["an address of a file", (at: string) => `remote.origin.url "file://$PWD/${at}"`],
      ["a path from there", () => "remote.origin.url ../.git/objects/e.git"],
      ["a branch's remote that is a path", (at: string) => `branch.main.remote "$PWD/${at}"`],
    ])("from a repository that a command made, to %s", async (_, setting) => {
      const at = ".git/objects/e.git";
      await rig.run(
        `${asSomebody} ${evil(at)}; git init -q -b main own; git -C own commit -q --allow-empty -m one; git config -f own/.git/config ${setting(at)}`,
      );
      rig.user("cd own; git push origin main; git -c push.default=current push");
      expect(rig.isPwned(), attackCameThrough).toBe(false);
    });

    test("a clone of the repository, a branch after another and a remote elsewhere stay", async () => {
      const { fenced } = await rig.run(
        "git clone -q . own; cd own; git remote add other git@example.com:x/y.git; git checkout -q --track -b two main; git config branch.two.pushRemote other; git fetch -q origin",
      );
      expect(fenced?.putAside).toBeNull();
      expect(rig.user("git -C own remote")).toBe("origin\nother\n");
    });
  });

  // Bug: a command added a program to the list of a rebase, and the user ran it by going on.
  describe("when a rebase goes on", () => {
    const stop = (how = "") =>
      `echo 2 > a.txt; git commit -qam 2; git checkout -q -b f HEAD~1; echo 3 > a.txt; git commit -qam 3; git rebase ${how} main`;
    const goOn = "echo r > a.txt; git add a.txt; git rebase --continue";

    test.each(["exec", "  x"])("as its list says: %s", async (word) => {
      rig.user(stop());
      const { fenced } = await rig.run(
        `echo '${word} touch ${rig.pwned}' >> .git/rebase-merge/git-rebase-todo`,
      );
      rig.user(goOn);
      expect(rig.isPwned(), attackCameThrough).toBe(false);
      expect(fenced?.putAside?.detail).toContain(`${word} touch`);
      await fenced?.putAside?.putBack();
      expect((await rig.run("true")).fenced?.putAside).toBeNull();
    });

    test("of a list elsewhere", async () => {
      rig.user(stop());
      await rig.run(
        `mv .git/rebase-merge list; echo 'exec touch ${rig.pwned}' >> list/git-rebase-todo; ln -s ../list .git/rebase-merge`,
      );
      rig.user(goOn);
      expect(rig.isPwned(), attackCameThrough).toBe(false);
    });

    test("but what the user's own list says, which a command may go on with", async () => {
      rig.user(stop("-x 'touch own'"));
      const { fenced } = await rig.run("true");
      expect(fenced?.putAside).toBeNull();
      const { fenced: after } = await rig.run(`${asSomebody} ${goOn}`);
      expect(after?.putAside).toBeNull();
      expect(existsSync(join(rig.folder, "own"))).toBe(true);
      expect(rig.user("git status")).not.toContain("rebase in progress");
    });
  });

  test("and the files beside these are a command's to change", async () => {
    rig.user("mkdir -p tools/hooks; touch tools/hooks/pre-commit; git config core.hooksPath tools/hooks");
    const { fenced } = await rig.run(
      `${asSomebody} echo x > tools/other; echo y > new; git add -A; git commit -qm two`,
    );
    expect(fenced?.putAside).toBeNull();
    expect(existsSync(join(rig.folder, "new"))).toBe(true);
    expect(readFileSync(join(rig.folder, "tools/other"), "utf8")).toBe("x\n");
    expect(rig.user("git log --oneline")).toContain("two");
  });
});
