import { describe, expect, test } from "vitest";
import {
  decidesWhatRuns,
  isProtected,
  protectedPatterns,
} from "../../../../shared/safety/protected-files.ts";
import { isSecretPath, seeksSecrets } from "../../../../shared/safety/secret-files.ts";

const zeroWidth = "\u200c";

describe("what decides what runs elsewhere", () => {
  test.each([
    ".zprofile",
    "opencode.json",
    ".nvim.lua",
    "mise.local.toml",
    ".github/agents/x.md",
    "Directory.Build.props",
    "netlify.toml",
    "desktop.ini",
    ".bazelrc",
    ".zlogin",
    ".bash_login",
    ".config/fish/config.fish",
    ".config/git/config",
    ".config/autostart/x.desktop",
    ".config/systemd/user/x.service",
    "Library/LaunchAgents/x.plist",
    ".claude/settings.json",
    ".cursor/mcp.json",
    ".codex/config.toml",
    ".gemini/settings.json",
    ".aider.conf.yml",
    ".devcontainer/devcontainer.json",
    ".github/workflows/ci.yml",
    ".gitlab-ci.yml",
    ".circleci/config.yml",
    "AGENTS.md",
    "sub/CLAUDE.md",
    "node_modules/.bin/tsc",
    ".npmrc",
    ".yarnrc.yml",
    ".pre-commit-config.yaml",
    ".config/Parley/settings.json",
    ".git/hooks/pre-commit",
    ".git/config",
    // Bug: commands could write these, which lead git and Mercurial to hooks elsewhere.
    ".git/remotes/origin",
    ".git/branches/origin",
    ".hg/sharedpath",
    ".hg/hgrc-not-shared",
    ".git/modules/sub/hooks/post-checkout",
    ".git/worktrees/x/config.worktree",
    "sub/.git/hooks/x",
    ".gitmodules",
    ".husky/pre-push",
    ".parley/permissions.json",
    ".mcp.json",
    ".vscode/tasks.json",
    ".idea/workspace.xml",
    ".envrc",
    ".direnv/bin/x",
    "x.desktop",
    ".VSCode/Tasks.json",
    ".vscode./tasks.json",
    ".vscode /tasks.json",
    `.vs${zeroWidth}code/tasks.json`,
    `.g${zeroWidth}it/hooks/x`,
    "VSCODE~1/tasks.json",
    "GITHUB~1/workflows/x.yml",
    "\uff0egit/hooks/x",
    ".git\\hooks\\x",
    "C:\\Users\\me\\AppData\\Roaming\\Parley\\settings.json",
  ])("%j", (path) => {
    expect(isProtected(path)).toBe(true);
    expect(decidesWhatRuns(path)).toBe(true);
    expect(isProtected(`/home/me/work/${path}`)).toBe(true);
  });

  // Bug: a command could write what the user's git hooks run.
  test.each([".lintstagedrc", "sub/.lintstagedrc.json", ".huskyrc.json"])("%s is run by hooks", (path) => {
    expect(decidesWhatRuns(path)).toBe(true);
    expect(isProtected(path)).toBe(true);
  });

  test.each([".git/HEAD", ".git/objects/ab/cd", "GIT~1/config", ".hg/store/x", `.g${zeroWidth}it`])(
    "%j is no business of an edit, though commands write it",
    (path) => expect(isProtected(path)).toBe(true),
  );

  test.each([
    "src/a.ts",
    "package.json",
    "Makefile",
    ".github/ISSUE_TEMPLATE.md",
    ".gitignore",
    "README.md",
    "agents/x.ts",
    "my.git/hooks/x",
    "digits~1",
    "node_modules/x/index.js",
    ".config/other/x",
    "profile",
    "docs/desktop/x.md",
  ])("not %j", (path) => {
    expect(isProtected(path)).toBe(false);
    expect(decidesWhatRuns(path)).toBe(false);
  });

  test("every pattern meets itself", () => {
    for (const pattern of protectedPatterns) {
      expect([pattern, decidesWhatRuns(`a/${pattern.replaceAll("*", "x")}`)]).toEqual([pattern, true]);
    }
  });
});

describe("files with keys", () => {
  test.each([
    ".git/config",
    "sub/.git/config",
    ".claude/.credentials.json",
    ".codex/auth.json",
    ".config/gh/hosts.yml",
    "auth.json",
    ".bash_history",
    ".zsh_history",
    ".psql_history",
    ".node_repl_history",
    "logins.json",
    "terraform.tfstate",
    "prod.tfstate.backup",
    "sub/.kube/config",
    `.e${zeroWidth}nv`,
    ".cargo/credentials.toml",
  ])("%j", (path) => expect(isSecretPath(path)).toBe(true));

  test.each([
    "src/auth.ts",
    "git/config",
    "history.md",
    "CHANGELOG.md",
    "hosts.yml",
    "config",
    "author.json",
  ])("not %j", (path) => expect(isSecretPath(path)).toBe(false));

  test.each([".*history", "*.tfstate", "auth.*", "{a,auth}.json"])(
    "the pattern %j asks for them",
    (pattern) => expect(seeksSecrets(pattern)).toBe(true),
  );
});
