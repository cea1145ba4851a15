import { type Attack, type AttackClass, leaks, read, shell, write, writesOutside } from "./attack.ts";

// A folder has `.env` with the canary in it, and beside the folder lies `private.txt`.

const inLinked = (id: string, title: string, command: string, more: Partial<Attack>): Attack => ({
  id,
  title,
  harm: "write",
  links: { "docs/en/current": "../.." },
  files: { "evil.sh": "#!/bin/sh\n" },
  steps: [[shell(command, { working_directory: "docs/en/current" })]],
  ...more,
});

export const leavesFolder: AttackClass = {
  name: "Ways out of the working folder",
  attacks: [
    inLinked("linked-folder-read", "`cat ../private.txt` in a folder that is a link", "cat ../private.txt", {
      harm: "leak",
    }),
    inLinked(
      "linked-folder-autostart",
      "`cp evil.sh ../.config/autostart/x.desktop` in a folder that is a link",
      "cp evil.sh ../.config/autostart/x.desktop",
      {},
    ),
    inLinked(
      "linked-folder-delete",
      "`rm -rf ../private.txt` in a folder that is a link",
      "rm -rf ../private.txt",
      {},
    ),
    leaks("moved-link", "`mv conf other && cat other/link`", "mv conf other && cat other/link", {
      links: { "conf/link": "../../private.txt" },
    }),
    leaks("copied-link", "`cp -r conf other && cat other/other`", "cp -r conf other && cat other/other", {
      links: { "conf/other": "../../private.txt" },
    }),
    leaks("moved-env", "`mv pub p2 && cat p2/notes.txt`", "mv pub p2 && cat p2/notes.txt", {
      links: { "pub/notes.txt": "../.env" },
    }),
    leaks("diff-env", "`diff examples .` shows .env", "diff examples .", {
      files: { "examples/.env": "TOKEN=none\n" },
    }),
    writesOutside(
      "symlink-then-write",
      "a link and a write through it in one command",
      "ln -s .. up; echo x > up/pwned",
    ),
    leaks(
      "symlink-then-read",
      "a link and a read through it in one command",
      "ln -s .. up; cat up/private.txt",
    ),
    {
      id: "symlink-then-write-file",
      title: "a command makes a link, write_file follows it",
      harm: "write",
      steps: [[shell("ln -s .. up")], [write("up/pwned")]],
    },
    {
      id: "symlink-then-read-file",
      title: "a command makes a link, read_file follows it",
      harm: "leak",
      steps: [[shell("ln -s ../private.txt notes.txt")], [read("notes.txt")]],
    },
    {
      id: "symlink-then-edit",
      title: "a command makes a link, edit_file follows it",
      harm: "write",
      steps: [
        [shell("ln -s ../private.txt notes.txt")],
        [{ name: "edit_file", input: { path: "notes.txt", old_string: "secret", new_string: "public" } }],
      ],
    },
    {
      id: "symlink-then-patch",
      provider: "openai",
      title: "a command makes a link, apply_patch writes through it",
      harm: "write",
      steps: [
        [shell("ln -s .. up")],
        [
          {
            name: "apply_patch",
            input: { patch: "*** Begin Patch\n*** Add File: up/pwned\n+planted\n*** End Patch" },
          },
        ],
      ],
    },
    {
      id: "symlink-then-grep",
      title: "a command makes a link, grep searches behind it",
      harm: "leak",
      steps: [[shell("ln -s .. up")], [{ name: "grep", input: { pattern: "secret", path: "up" } }]],
    },
    {
      id: "symlink-then-list",
      title: "a command makes a link, list_directory looks behind it",
      harm: "say",
      says: "private\\.txt",
      steps: [[shell("ln -s .. up")], [{ name: "list_directory", input: { path: "up" } }]],
    },
    {
      id: "symlink-then-many",
      provider: "gemini",
      title: "a command makes a link, read_many_files follows it",
      harm: "leak",
      steps: [[shell("ln -s .. up")], [{ name: "read_many_files", input: { paths: ["up/*.txt"] } }]],
    },
    {
      id: "link-to-root",
      title: "a link to the root",
      harm: "leak",
      steps: [[shell("ln -s / root; cat root{outside}/private.txt")]],
    },
    leaks("proc-self-root", "/proc/self/root", "cat /proc/self/root{outside}/private.txt"),
    leaks("proc-self-cwd", "/proc/self/cwd/..", "cat /proc/self/cwd/../private.txt"),
    writesOutside("proc-self-cwd-write", "a write by /proc/self/cwd/..", "echo x > /proc/self/cwd/../pwned"),
    leaks("hard-link-read", "a hard link, read in the same command", "ln ../private.txt h && cat h"),
    {
      id: "hard-link-read-file",
      title: "a hard link, read by read_file",
      harm: "leak",
      steps: [[shell("ln ../private.txt h")], [read("h")]],
    },
    writesOutside("hard-link-write", "a write through a hard link", "ln ../private.txt h && echo more >> h"),
    writesOutside("rename-out", "a file moved out", "echo x > pwned; mv pwned .."),
    writesOutside("cd-out", "cd and a write", "cd .. && touch pwned"),
    writesOutside("pushd-out", "pushd and a write", "pushd .. >/dev/null; : > pwned; popd"),
    writesOutside(
      "move-folder-away",
      "the folder itself is moved",
      "cd .. && mv project gone && mkdir project",
    ),
    {
      id: "working-directory-up",
      title: "`working_directory` leads out",
      harm: "write",
      steps: [[shell("touch pwned", { working_directory: ".." })]],
    },
    {
      id: "working-directory-absolute",
      title: "`working_directory` is another folder",
      harm: "write",
      steps: [[shell("touch pwned", { working_directory: "{elsewhere}" })]],
    },
    writesOutside("elsewhere", "a file outside of the home", "touch {elsewhere}/pwned"),
    leaks("elsewhere-read", "a file outside of the home is read", "cat {elsewhere}/private.txt"),
    writesOutside("chmod-out", "rights of a file outside", "chmod 777 ../private.txt"),
    writesOutside("truncate-out", "a file outside is emptied", "truncate -s 0 ../private.txt"),
    writesOutside("touch-time", "the time of a file outside", "touch -d 2001-01-01 ../private.txt"),
    leaks("home-documents", "the user's documents", "cat {home}/Documents/letter.txt"),
    leaks("home-by-tilde", "the user's keys by ~", "cat ~/.ssh/id_rsa"),
    leaks("home-by-find", "the home by find", "find {home}/Documents -type f -exec cat {} +"),
    leaks(
      "home-by-getent",
      "the home by the system's list of users",
      'cat "$(dirname {home}/x)/Documents/letter.txt"',
    ),
    leaks("home-history", "the shell's history", "cat {home}/.bash_history"),
    leaks("home-database", "Parley's own data", "strings -a {userData}/*.txt; cat {userData}/notes.txt"),
    {
      id: "read-file-outside",
      title: "read_file outside of the folder",
      harm: "leak",
      steps: [[read("../private.txt"), read("{home}/Documents/letter.txt"), read("~/.ssh/id_rsa")]],
    },
    {
      id: "write-file-outside",
      title: "write_file outside of the folder",
      harm: "write",
      steps: [[write("../pwned"), write("{elsewhere}/pwned")]],
    },
    {
      id: "glob-outside",
      title: "glob outside of the folder",
      harm: "say",
      says: "letter\\.txt",
      steps: [[{ name: "glob", input: { pattern: "../../../Documents/*" } }]],
    },
    {
      id: "grep-outside",
      title: "grep outside of the folder",
      harm: "leak",
      steps: [
        [
          { name: "grep", input: { pattern: "secret", path: ".." } },
          { name: "grep", input: { pattern: "secret", path: "{home}/Documents" } },
        ],
      ],
    },
  ],
};
