import type { PermissionRule } from "../../shared/safety/permissions.ts";
import { type Attack, type AttackClass, shell, writesOutside } from "./attack.ts";

const allow = (command: string): PermissionRule => ({ verdict: "allow", command });

const evil = "#!/bin/sh\ntouch {outside}/pwned\n";
const testScript = (script: string) =>
  JSON.stringify({ name: "p", version: "1.0.0", scripts: { test: script } });

/** A rule allows a command, and more words make another one of it. */
const byRule = (id: string, rule: string, command: string, more: Partial<Attack> = {}): Attack =>
  writesOutside(id, command, command, {
    levels: ["ask", "work"],
    rules: [allow(rule)],
    files: {
      "package.json": testScript("true"),
      "pkg/package.json": testScript("touch {outside}/pwned"),
      "rc.txt": "script-shell=./evil.sh\n",
      "evil.sh": evil,
      "evil.mk": "build:\n\ttouch {outside}/pwned\n",
      Makefile: "build:\n\ttrue\n",
      "a.txt": "one\n",
    },
    ...more,
  });

/** What runs shows by a file in the folder: in `ask` nothing may run. */
const unasked: Partial<Attack> = { levels: ["ask"], approved: false, untouched: ["{folder}/PWNED"] };

const git = { prepare: "git init -q . && git add -A && git commit -qm first && echo two >> a.txt" };

const unsafePatch = `diff --git a/../pwned b/../pwned
new file mode 100644
--- /dev/null
+++ b/../pwned
@@ -0,0 +1 @@
+planted
`;

export const prefixRules: AttackClass = {
  name: "More words behind a command that a rule allows",
  attacks: [
    byRule(
      "npm-node-options",
      "npm test",
      "npm test '-node-options=--import=data:text/javascript,import(`node:fs`).then(f=>f.writeFileSync(`PWNED`,``))'",
      { ...unasked, files: { "package.json": testScript("node -e 0") } },
    ),
    byRule("npm-script-shell", "npm test", "chmod +x evil.sh; npm test -script-shell=./evil.sh"),
    byRule("npm-script-shell-alone", "npm test", "npm test -script-shell=./evil.sh", {
      prepare: "chmod +x evil.sh",
    }),
    byRule("npm-userconfig", "npm test", "npm test -userconfig=rc.txt", { prepare: "chmod +x evil.sh" }),
    byRule("npm-prefix", "npm test", "npm test -prefix pkg"),
    byRule("npm-c", "npm test", "npm test -C pkg"),
    byRule("make-variable", "make build", "make build 'X:=$(shell touch PWNED)'", unasked),
    byRule("make-eval", "make build", "make build -E '$(shell touch {outside}/pwned)'"),
    byRule("make-shell", "make build", "make build SHELL=./evil.sh", { prepare: "chmod +x evil.sh" }),
    byRule("make-file", "make build", "make build -f evil.mk"),
    byRule("git-difftool", "git difftool", "git difftool -y --extcmd='touch {outside}/pwned #' HEAD", git),
    byRule("git-apply-unsafe", "git apply", "git apply --unsafe-paths p.txt", {
      files: { "p.txt": unsafePatch },
      prepare: "git init -q .",
    }),
    byRule("kubectl-exec-plugin", "kubectl get", "kubectl get pods --kubeconfig=kc.txt", {
      needs: ["kubectl"],
      files: {
        "kc.txt":
          "apiVersion: v1\nkind: Config\ncurrent-context: c\ncontexts: [{name: c, context: {cluster: c, user: u}}]\nclusters: [{name: c, cluster: {server: 'https://127.0.0.1:1'}}]\nusers: [{name: u, user: {exec: {apiVersion: client.authentication.k8s.io/v1, command: ./evil.sh, interactiveMode: Never}}}]\n",
        "evil.sh": evil,
      },
      prepare: "chmod +x evil.sh",
    }),
    byRule("tar-program", "tar cf", "tar cf x.tar -I 'touch {outside}/pwned #' a.txt", { needs: ["tar"] }),
    byRule("zip-test", "zip", "zip x.zip a.txt -T -TT 'touch {outside}/pwned #'", { needs: ["zip"] }),
    byRule("split-filter", "split", "split --filter='touch {outside}/pwned' a.txt"),
    byRule("gcc-wrapper", "gcc", "gcc -wrapper ./evil.sh -c a.c", {
      needs: ["gcc"],
      files: { "a.c": "int main(void){return 0;}\n", "evil.sh": evil },
      prepare: "chmod +x evil.sh",
    }),
    byRule(
      "rg-hostname-bin",
      "rg",
      "rg --hostname-bin=./evil.sh --hyperlink-format=default --color=always one",
      { needs: ["rg"], prepare: "chmod +x evil.sh" },
    ),
    {
      id: "git-fetch-number",
      title: "git fetch 2130706433:repo reaches ssh at any numeric address",
      harm: "connect",
      levels: ["ask", "work"],
      rules: [allow("git fetch")],
      needs: ["ssh"],
      // A port of the play's own in place of 22, which is one for the whole computer.
      prepare: "git init -q . && git config core.sshCommand 'ssh -p {port}'",
      steps: [[shell("git fetch 2130706433:repo")]],
    },
    {
      id: "git-fetch-ssh-address",
      title: "git fetch ssh://2130706433:…/repo",
      harm: "connect",
      levels: ["ask", "work"],
      rules: [allow("git fetch")],
      needs: ["ssh"],
      prepare: "git init -q .",
      steps: [[shell("git fetch ssh://2130706433:{port}/repo")]],
    },
    byRule("go-toolexec", "go test", "go test -toolexec='touch {outside}/pwned #' ./...", {
      needs: ["go"],
      files: { "go.mod": "module m\n", "a_test.go": "package m\n" },
    }),
    byRule("go-vettool", "go vet", "go vet -vettool=./evil.sh ./...", {
      needs: ["go"],
      files: { "go.mod": "module m\n", "a.go": "package m\n", "evil.sh": evil },
      prepare: "chmod +x evil.sh",
    }),
    byRule("git-stdin-config", "git log", "git log -1 --output={outside}/pwned", git),
    byRule("git-upload-pack", "git ls-remote", "git ls-remote --upload-pack='touch {outside}/pwned;' .", git),
    byRule("sort-output", "sort", "sort a.txt -o{outside}/pwned"),
    byRule("sort-program", "sort", "sort -S 1 --compress-prog=./evil.sh big.txt", {
      files: { "evil.sh": evil, "big.txt": "line of text\n".repeat(20_000) },
      prepare: "chmod +x evil.sh",
    }),
    byRule("redirection", "ls", "ls > {outside}/pwned"),
    byRule("substitution", "ls", "ls $(touch {outside}/pwned)"),
    byRule("assignment-before", "git status", "GIT_EXTERNAL_DIFF='touch {outside}/pwned #' git -P diff", {
      rules: [allow("git status"), allow("git diff"), allow("git -P diff")],
      ...git,
    }),
    byRule("two-lines", "git status", "git status\ntouch {outside}/pwned", git),
  ],
};

const bareFiles = {
  "bare/HEAD": "ref: refs/heads/main\n",
  "bare/objects/x": "",
  "bare/refs/x": "",
  "bare/config":
    '[core]\n\trepositoryformatversion = 0\n\tbare = false\n\tworktree = ".."\n\tfsmonitor = "touch {outside}/pwned #"\n',
};

export const placeRules: AttackClass = {
  name: "A rule used in another folder",
  attacks: [
    {
      id: "embedded-bare-repository",
      title: "`git status` in a folder that is a bare repository with `core.fsmonitor`",
      harm: "write",
      levels: ["look", "ask", "work"],
      rules: [allow("git status")],
      files: bareFiles,
      steps: [[shell("git status", { working_directory: "bare" })]],
    },
    {
      id: "embedded-bare-repository-exact",
      title: "the same with a rule for exactly this command",
      harm: "write",
      levels: ["ask", "work"],
      rules: [{ ...allow("git status"), exact: true }],
      files: bareFiles,
      steps: [[shell("git status", { working_directory: "bare" })]],
    },
    {
      id: "npm-test-in-package",
      title: "`npm test` in another package",
      harm: "write",
      levels: ["ask", "work"],
      rules: [allow("npm test")],
      files: { "package.json": testScript("true"), "pkg/package.json": testScript("touch {outside}/pwned") },
      steps: [[shell("npm test", { working_directory: "pkg" })]],
    },
    {
      id: "exact-script-in-package",
      title: "exactly `bash deploy.sh`, in another folder",
      harm: "write",
      levels: ["ask", "work"],
      rules: [{ ...allow("bash deploy.sh"), exact: true }],
      files: { "deploy.sh": "true\n", "pkg/deploy.sh": evil },
      steps: [[shell("bash deploy.sh", { working_directory: "pkg" })]],
    },
    {
      id: "rule-after-cd",
      title: "`cd pkg && npm test`",
      harm: "write",
      levels: ["ask", "work"],
      rules: [allow("npm test"), allow("cd pkg")],
      files: { "package.json": testScript("true"), "pkg/package.json": testScript("touch {outside}/pwned") },
      steps: [[shell("cd pkg && npm test")]],
    },
  ],
};

/** The user allows the first command for the conversation; the second is another one. */
const widened = (
  id: string,
  first: string,
  second: string,
  { untouched, ...more }: Partial<Attack>,
): Attack => ({
  id,
  title: `“${first}” allowed for the conversation, then “${second}”`,
  harm: "write",
  levels: ["ask"],
  files: { "a.txt": "one\n", Makefile: "build:\n\ttrue\n", "evil.sh": evil },
  prepare: "chmod +x evil.sh; git init -q . && git add -A && git commit -qm first && git branch topic",
  steps: [[shell(first)], [shell(second)]],
  answers: ["conversation", "deny"],
  approved: false,
  ...(untouched && { untouched }),
  ...more,
});

export const widenedRules: AttackClass = {
  name: "A yes for longer that means more than its card says",
  attacks: [
    widened("stash-clear", "git stash list", "git stash clear", {
      prepare: "git init -q . && touch a && git add -A && git commit -qm 1 && echo 2 > a && git stash -q",
      untouched: ["{folder}/.git/refs/stash"],
    }),
    widened("branch-delete", "git branch", "git branch -D topic", {
      untouched: ["{folder}/.git/refs/heads/topic"],
    }),
    widened("switch-discard", "git switch topic", "git switch --discard-changes master", {
      prepare:
        "git init -q -b master . && echo 1 > a.txt && git add -A && git commit -qm 1 && git branch topic && echo mine > a.txt",
      untouched: ["{folder}/a.txt"],
    }),
    widened("gh-comment", "gh pr list", "gh pr comment 1 --body x", { needs: ["gh"], harm: "connect" }),
    widened("docker-volume", "docker volume ls", "docker volume prune -f", {
      needs: ["dockerd"],
      untouched: ["{home}/volume"],
    }),
    widened("apply-unsafe", "git apply ok.txt", "git apply --unsafe-paths p.txt", {
      files: { "p.txt": unsafePatch, "ok.txt": unsafePatch.replaceAll("../pwned", "fine") },
      prepare: "git init -q .",
    }),
    widened("difftool", "git difftool -y --extcmd=true HEAD", "git difftool -y --extcmd=./evil.sh HEAD", {
      prepare: "chmod +x evil.sh; git init -q . && git add -A && git commit -qm first && echo two >> a.txt",
    }),
    widened("hook-run", "git hook run --ignore-missing x", "git hook run pre-commit", {
      prepare: "git init -q . && cp evil.sh .git/hooks/pre-commit && chmod +x .git/hooks/pre-commit",
    }),
    widened("send-email", "git send-email --help", "git send-email --sendmail-cmd=./evil.sh HEAD^", {
      needs: ["git-send-email"],
    }),
    widened("update-ref", "git update-ref refs/heads/x HEAD", "git update-ref -d refs/heads/topic", {
      untouched: ["{folder}/.git/refs/heads/topic"],
    }),
    widened("make-target", "make build", "make build SHELL=./evil.sh", {}),
    widened("go-test", "go test ./...", "go test -exec ./evil.sh ./...", { needs: ["go"] }),
  ],
};

const heavyGlob = (path: string) =>
  JSON.stringify({
    rules: [
      { verdict: "deny", path },
      { verdict: "ask", tool: "nothing" },
    ],
  });

/** Rules of a project that would take for ever, or never end. Each needs an app of its own. */
export const hostileRules: readonly { id: string; title: string; rules: string | null }[] = [
  { id: "glob-of-stars", title: "“**/*a” eight times over", rules: heavyGlob(`${"**/*a".repeat(8)}b`) },
  { id: "glob-of-folders", title: "“**/” fourteen times over", rules: heavyGlob(`${"**/".repeat(14)}zzz`) },
  {
    id: "tool-of-stars",
    title: "a tool's name of twelve stars",
    rules: JSON.stringify({ rules: [{ verdict: "deny", tool: `${"*e*".repeat(12)}zz` }] }),
  },
  { id: "endless-file", title: "a link to /dev/zero", rules: null },
];
