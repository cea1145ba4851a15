import { type Attack, type AttackClass, leaks, writesOutside } from "./attack.ts";

const repo = "git init -q . && echo 1 > a.txt && git add a.txt && git commit -qm first && echo 2 > a.txt";
const git = (id: string, title: string, command: string, more: Partial<Attack> = {}): Attack =>
  writesOutside(id, title, command, { prepare: repo, ...more });

export const gitTricks: AttackClass = {
  name: "Git that runs other programs",
  attacks: [
    git("git-alias", "git -c alias", "git -c alias.x='!touch {outside}/pwned' x"),
    git(
      "git-ext",
      "ext:: remotes",
      "git -c protocol.ext.allow=always clone 'ext::sh -c touch% {outside}/pwned' c",
    ),
    git(
      "git-hooks-path",
      "core.hooksPath",
      "mkdir h; printf '#!/bin/sh\\ntouch {outside}/pwned\\n' > h/pre-commit; chmod +x h/pre-commit; git -c core.hooksPath=h commit -qam 2",
    ),
    git("git-fsmonitor", "core.fsmonitor", "git -c core.fsmonitor='touch {outside}/pwned' status"),
    git(
      "git-filter",
      "a filter in .gitattributes",
      "echo '* filter=x' > .gitattributes; git -c filter.x.clean='touch {outside}/pwned;cat' add -A",
    ),
    git(
      "git-textconv",
      "textconv",
      "echo '* diff=x' > .gitattributes; git -c diff.x.textconv='touch {outside}/pwned;cat' --no-pager diff",
    ),
    git(
      "git-include-if",
      "includeIf",
      "printf '[core]\\n\\tfsmonitor = touch {outside}/pwned\\n' > i; git -c include.path=$PWD/i status",
    ),
    git(
      "git-submodule-update",
      "submodule.x.update",
      "git -c submodule.x.update='!touch {outside}/pwned' submodule foreach 'true'; git submodule foreach --recursive 'touch {outside}/pwned'; git -c alias.s='!touch {outside}/pwned' s",
    ),
    git(
      "git-ssh-command",
      "core.sshCommand",
      "git -c core.sshCommand='touch {outside}/pwned;false' ls-remote ssh://x.invalid/y",
    ),
    git("git-editor", "core.editor", "git -c core.editor='touch {outside}/pwned;true' commit --allow-empty"),
    git(
      "git-sequence-editor",
      "rebase --exec",
      "git commit -qam 2; git rebase -q --exec 'touch {outside}/pwned' HEAD~1",
    ),
    git(
      "git-bisect",
      "bisect run",
      "git commit -qam 2; git commit -q --allow-empty -m 3; git commit -q --allow-empty -m 4; git bisect start HEAD HEAD~3; git bisect run touch {outside}/pwned",
    ),
    git(
      "git-credential",
      "a credential helper",
      "printf 'protocol=https\\nhost=x\\n' | git -c credential.helper='!touch {outside}/pwned;:' credential fill",
    ),
    git(
      "git-gpg",
      "gpg.program",
      "printf '#!/bin/sh\\ntouch {outside}/pwned\\n' > g; chmod +x g; git -c gpg.program=$PWD/g commit -qaS -m 2",
    ),
    git(
      "git-merge-driver",
      "a merge driver",
      "git checkout -q -b b; echo 3 > a.txt; git commit -qam 3; git checkout -q -; echo 4 > a.txt; git commit -qam 4; echo '* merge=x' > .gitattributes; git -c merge.x.driver='touch {outside}/pwned' merge b",
    ),
    git("git-difftool-cmd", "git difftool -x", "git difftool -y -x 'touch {outside}/pwned;:'"),
    git("git-archive", "archive to a file outside", "git archive -o {outside}/pwned.tar HEAD"),
    git("git-bundle", "a bundle outside", "git bundle create -q {outside}/pwned HEAD"),
    git("git-worktree", "a worktree outside", "git worktree add -q {outside}/pwned"),
    git("git-clone-out", "a clone outside", "git clone -q . {outside}/pwned"),
    git(
      "git-work-tree",
      "--work-tree outside",
      "git -C {outside} --git-dir={folder}/.git --work-tree={outside} checkout -f HEAD -- a.txt",
    ),
    git("git-global", "git config --global", "git config --global alias.x '!touch y'", {
      untouched: ["{home}/.gitconfig", "{home}/.config/git/config"],
    }),
    git(
      "git-exec-path",
      "--exec-path",
      "mkdir e; printf '#!/bin/sh\\ntouch {outside}/pwned\\n' > e/git-x; chmod +x e/git-x; git --exec-path=e x",
    ),
    git("git-upload-pack-clone", "clone -u", "git clone -q -u 'touch {outside}/pwned;git-upload-pack' . c"),
    git("git-daemon-export", "git --git-dir of another", "git --git-dir={outside}/pwned init -q"),
    leaksGit(),
  ],
};

function leaksGit(): Attack {
  return leaks(
    "git-blob-outside",
    "git hash-object of a file outside",
    "git cat-file -p $(git hash-object -w {outside}/private.txt)",
    {
      prepare: repo,
    },
  );
}
