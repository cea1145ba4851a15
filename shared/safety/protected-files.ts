import { folded, foldedNames } from "./secret-files.ts";

/**
 * Files that decide what runs elsewhere and later: hooks and configuration of version control, start-up files of shells,
 * settings of editors and of other assistants, jobs of build servers, Parley's own rules. A change of one is the user's
 * to allow. Names are compared as file systems do; each pattern counts wherever it stands on a path, with all below it.
 * `*` stands for any characters of a name.
 */
export const protectedPatterns: readonly string[] = [
  // Version control. What else lies in `.git` is data, and commands have to write it.
  ".git/hooks",
  ".git/config",
  ".git/config.worktree",
  ".git/info/attributes",
  ".git/commondir",
  ".git/remotes",
  ".git/branches",
  ".git/gitdir",
  ".git/modules/*/hooks",
  ".git/modules/*/config",
  ".git/modules/*/*/hooks",
  ".git/modules/*/*/config",
  ".git/worktrees/*/config.worktree",
  ".git/worktrees/*/gitdir",
  ".git/worktrees/*/commondir",
  ".gitmodules",
  ".gitconfig",
  ".gitattributes",
  ".config/git",
  ".hg/hgrc",
  ".hg/hgrc-not-shared",
  ".hg/sharedpath",
  ".hgrc",
  ".svn",
  ".jj/repo/config.toml",
  ".husky",
  ".githooks",
  ".lefthook*",
  "lefthook.y*ml",
  "lefthook-local.y*ml",
  ".pre-commit-config.y*ml",
  ".pre-commit-hooks.y*ml",
  ".git-hooks",
  ".overcommit.yml",
  ".simple-git-hooks.json",
  "simple-git-hooks.json",
  "prek.toml",
  "hk.pkl",
  ".lintstagedrc*",
  ".huskyrc*",
  ".sl",
  ".hgsub",
  // Parley.
  ".parley",
  ".config/parley",
  "library/application support/parley",
  "appdata/roaming/parley",
  ".mcp.json",
  "mcp.json",
  // Shells.
  ".profile",
  ".login",
  ".logout",
  ".bashrc",
  ".bash_profile",
  ".bash_login",
  ".bash_logout",
  ".bash_aliases",
  ".zshrc",
  ".zshenv",
  ".zprofile",
  ".zlogin",
  ".zlogout",
  ".kshrc",
  ".mkshrc",
  ".cshrc",
  ".tcshrc",
  ".inputrc",
  ".envrc",
  ".direnv",
  ".direnvrc",
  ".config/direnv",
  ".config/fish",
  ".config/nushell",
  ".config/powershell",
  ".config/environment.d",
  "microsoft.powershell_profile.ps1",
  "profile.ps1",
  ".xprofile",
  ".xinitrc",
  ".xsession",
  ".xsessionrc",
  ".pam_environment",
  ".tmux.conf",
  ".screenrc",
  ".config/tmux",
  // What the system starts.
  ".config/autostart",
  ".config/systemd",
  ".local/share/systemd",
  ".local/share/applications",
  ".local/share/dbus-1",
  ".local/bin",
  "library/launchagents",
  "library/launchdaemons",
  "*.desktop",
  "*.lnk",
  "*.url",
  "desktop.ini",
  "autorun.inf",
  "start menu/programs/startup",
  "crontab",
  ".ssh/rc",
  ".ssh/config",
  ".ssh/authorized_keys",
  // Editors.
  ".vscode",
  ".vscode-server",
  ".idea",
  ".fleet",
  ".zed",
  ".vim",
  ".vimrc",
  ".gvimrc",
  ".exrc",
  ".nvimrc",
  ".config/nvim",
  ".emacs",
  ".emacs.d",
  ".dir-locals.el",
  ".vimrc.local",
  ".lvimrc",
  ".nvim",
  ".nvim.lua",
  ".lazy.lua",
  ".helix",
  ".dir-locals-2.el",
  ".luarc.json",
  ".clangd",
  ".vs",
  "tasks.vs.json",
  "launch.vs.json",
  "*.sublime-project",
  "*.code-workspace",
  ".devcontainer",
  ".devcontainer.json",
  // Other assistants, and what steers them and Parley.
  ".claude",
  ".claude.json",
  ".codex",
  ".cursor",
  ".cursorrules",
  ".cursorignore",
  ".gemini",
  ".aider*",
  ".continue",
  ".continuerc.json",
  ".windsurf",
  ".windsurfrules",
  ".clinerules",
  ".roo",
  ".roomodes",
  ".kiro",
  ".amazonq",
  ".opencode",
  ".goose*",
  ".junie",
  "opencode.json",
  "opencode.jsonc",
  ".agents",
  ".agent",
  "agent.md",
  ".augment",
  ".qwen",
  "qwen.md",
  ".crush.json",
  "crush.json",
  "warp.md",
  ".warp",
  ".kilocode",
  ".kilocodemodes",
  ".trae",
  ".rules",
  ".amp",
  ".grok",
  ".rovodev",
  ".antigravity",
  ".claude-plugin",
  ".config/opencode",
  ".config/claude",
  ".config/zed",
  "agents.md",
  "agents.override.md",
  "claude.md",
  "claude.local.md",
  "gemini.md",
  ".github/copilot-instructions.md",
  ".github/instructions",
  ".github/prompts",
  ".github/chatmodes",
  ".github/agents",
  ".github/hooks",
  ".github/skills",
  // Build servers.
  ".github/workflows",
  ".github/actions",
  ".github/dependabot.y*ml",
  ".github/codeowners",
  ".gitlab-ci.y*ml",
  ".gitlab",
  ".circleci",
  ".travis.yml",
  ".drone.y*ml",
  ".woodpecker*",
  ".buildkite",
  ".teamcity",
  ".forgejo",
  ".gitea",
  ".azure-pipelines",
  "azure-pipelines.y*ml",
  "bitbucket-pipelines.y*ml",
  "jenkinsfile",
  "appveyor.yml",
  ".appveyor.yml",
  ".cirrus.yml",
  "cloudbuild.y*ml",
  "buildspec.y*ml",
  ".build.yml",
  ".builds",
  ".tekton",
  ".readthedocs.y*ml",
  "netlify.toml",
  "vercel.json",
  "action.y*ml",
  "renovate.json",
  ".renovaterc*",
  ".semaphore",
  // What package managers and runtimes read before they do what they were asked for.
  "node_modules/.bin",
  ".npmrc",
  ".yarnrc*",
  ".yarn/plugins",
  ".yarn/releases",
  ".pnpmfile.*js",
  ".pnp.*js",
  ".bunfig.toml",
  "bunfig.toml",
  ".cargo/config*",
  ".gemrc",
  ".pip",
  ".config/pip",
  ".pypirc",
  ".pdbrc",
  ".pythonrc*",
  "sitecustomize.py",
  "usercustomize.py",
  ".gdbinit",
  ".lldbinit",
  ".rprofile",
  ".irbrc",
  ".pryrc",
  ".psqlrc",
  ".mise.toml",
  "mise.toml",
  ".mise",
  ".tool-versions",
  ".asdfrc",
  ".volta",
  ".terraformrc",
  ".iex.exs",
  ".ghci",
  ".ocamlinit",
  ".renviron",
  ".octaverc",
  ".rdbgrc",
  ".byebugrc",
  "jupyter_*_config.py",
  "ansible.cfg",
  ".autoenv*",
  "mise.*.toml",
  ".mise.*.toml",
  "mise/config.toml",
  ".config/mise",
  ".rtx.toml",
  ".sdkmanrc",
  ".prototools",
  "devbox.json",
  ".flox",
  ".bundle/config",
  ".bazelrc",
  "tools/bazel",
  ".jvmopts",
  ".sbtopts",
  "uv.toml",
  ".condarc",
  "directory.build.*",
  ".curlrc",
  ".wgetrc",
];

/** Whether it decides what runs elsewhere: read-only in the fence where it exists, put aside where a command makes it. */
export const decidesWhatRuns = (path: string): boolean => meets(foldedNames(path));

/** The same, and everything of version control's own: edits of the tools have no business there. */
export function isProtected(path: string): boolean {
  const names = foldedNames(path);
  return names.some((name) => ofVersionControl.has(name) || isShortFor(name)) || meets(names);
}

const ofVersionControl: ReadonlySet<string> = new Set([".git", ".hg", ".svn", ".jj"]);

interface NamePattern {
  /** The whole name, where the pattern has no `*`. */
  exact: string | null;
  fits(name: string): boolean;
}

const patterns = protectedPatterns.map((pattern) => folded(pattern).split("/").map(nameOf));
/** By the name that they begin with, null where that has a `*`: a fence asks for every file of its folder. */
const byFirstName = new Map<string | null, (readonly NamePattern[])[]>();
for (const pattern of patterns) {
  const first = pattern[0]?.exact ?? null;
  byFirstName.set(first, [...(byFirstName.get(first) ?? []), pattern]);
}
const startingWithAny = byFirstName.get(null) ?? [];

function meets(names: readonly string[]): boolean {
  return names.some((name, start) =>
    mayStartWith(name).some((pattern) =>
      pattern.every(({ fits }, index) => fits(names[start + index] ?? "")),
    ),
  );
}

/** The patterns whose first name it may be. A short form, which has a `~`, may stand for the first name of any. */
function mayStartWith(name: string): readonly (readonly NamePattern[])[] {
  if (name.includes("~")) return patterns;
  const known = byFirstName.get(name);
  return known ? [...known, ...startingWithAny] : startingWithAny;
}

/** A pattern of one name: at most one `*`. */
function nameOf(pattern: string): NamePattern {
  const [begin = "", end] = pattern.split("*");
  const short = shortOf(pattern);
  return {
    exact: end === undefined ? begin : null,
    fits: (name) =>
      (end === undefined
        ? name === begin
        : name.length >= begin.length + end.length && name.startsWith(begin) && name.endsWith(end)) ||
      (short?.test(name) ?? false),
  };
}

/** What Windows makes of a name that does not fit in eight signs and three, or begins with a dot: `GIT~1`. */
function shortOf(pattern: string): RegExp | null {
  const plain = pattern.replace(/^\.+/, "").replace(/[^a-z0-9_-]/g, "");
  const isLong = pattern.startsWith(".") || plain.length > 8;
  return isLong && plain !== "" ? new RegExp(`^${plain.slice(0, 6)}~\\d{1,6}$`) : null;
}

const isShortFor = (name: string) => /^(git|hg|svn|jj)~\d{1,6}$/.test(name);
