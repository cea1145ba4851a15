/**
 * Whether a program with subcommands only reads with these words. What is not listed changes something, or may.
 * @param words the program first
 */
export function readsOnly(words: readonly string[]): boolean {
  const [program = "", ...args] = words;
  const { at, subcommand, rest } = subcommandOf(program, args);
  if (at < 0) return program === "git" && args.some((word) => word === "--version" || word === "--help");
  if (args.slice(0, at).some((word) => word.startsWith("-c") || word.startsWith("--exec-path=")))
    return false;
  const known = Object.hasOwn(reading, program) ? reading[program] : undefined;
  if (known?.always.has(subcommand)) return true;
  const only = known?.onlyWith?.[subcommand];
  return (
    only !== undefined &&
    rest.every((word) => only.test(word)) &&
    !known?.notBare?.has(restKey(subcommand, rest))
  );
}

/** Whether a rule may end with ` *` behind these two words: whatever follows, it still reads. */
export function alwaysReads(program: string, subcommand: string): boolean {
  return (
    Object.hasOwn(reading, program) &&
    reading[program]?.always.has(subcommand) === true &&
    !takesPrograms.has(`${program} ${subcommand}`)
  );
}

const restKey = (subcommand: string, rest: readonly string[]) => (rest.length === 0 ? subcommand : "");

function subcommandOf(program: string, args: readonly string[]) {
  // Git's own options come before the subcommand; two of them have a value.
  let at = 0;
  while (at < args.length && args[at]?.startsWith("-")) {
    at += program === "git" && (args[at] === "-C" || args[at] === "-c") ? 2 : 1;
  }
  if (program !== "git" && at > 0) at = -1;
  if (at >= args.length) at = -1;
  return { at, subcommand: at < 0 ? "" : (args[at] ?? ""), rest: at < 0 ? [] : args.slice(at + 1) };
}

interface Subcommands {
  /** They read, whatever follows. */
  always: ReadonlySet<string>;
  /** They read where all that follows fits. */
  onlyWith?: Readonly<Record<string, RegExp>>;
  /** Of these, those that do something without further words. */
  notBare?: ReadonlySet<string>;
}

const words = (text: string): ReadonlySet<string> => new Set(text.split(" "));

const reading: Readonly<Record<string, Subcommands>> = {
  git: {
    always: words(
      "status log diff show blame annotate shortlog describe rev-parse rev-list ls-files ls-tree cat-file grep name-rev merge-base for-each-ref show-ref diff-tree diff-index diff-files whatchanged count-objects var version help check-ignore check-attr cherry range-diff show-branch verify-commit verify-tag",
    ),
    onlyWith: {
      branch:
        /^(-[arv]+|--(list|all|remotes|verbose|show-current|color.*|no-color|column.*|sort=.*|format=.*|(no-)?merged|(no-)?contains|points-at))$/,
      tag: /^(-l|-n\d*|--(list|sort=.*|format=.*|column.*))$/,
      remote: /^(-v|--verbose|show|get-url|-n|origin|upstream)$/,
      stash: /^(list|show|-p|--stat|stash@\{\d+\})$/,
      config:
        /^(-l|--(list|get|get-all|get-regexp|show-origin|show-scope|global|local|system|name-only|null)|get|list|[\w-]+(\.[\w-]+)+)$/,
      reflog: /^(show|-\d*|--.*|HEAD|[\w/.-]+@\{.*\})$/,
      worktree: /^(list|--porcelain|-v)$/,
      submodule: /^(status|summary|--recursive)$/,
      notes: /^(list|show)$/,
      bisect: /^(log|view)$/,
      lfs: /^(ls-files|status|env)$/,
    },
    notBare: words("stash config worktree notes bisect"),
  },
  npm: {
    always: words("ls list root prefix bin explain why query pkg-get"),
    onlyWith: { config: /^(get|list|ls|[\w-]+)$/, pkg: /^(get|[\w.[\]-]+)$/ },
    notBare: words("config pkg"),
  },
  pnpm: { always: words("ls list why root bin") },
  yarn: { always: words("list why") },
  pip: { always: words("list show freeze check") },
  pip3: { always: words("list show freeze check") },
  cargo: { always: words("tree metadata locate-project pkgid") },
  go: { always: words("version env list doc") },
  uv: { always: words("tree version") },
  rustup: { always: words("show which") },
  node: { always: words("") },
};

/** They read, but with some of their options by a program that these name. */
const takesPrograms: ReadonlySet<string> = new Set(["git var", "git help", "go list", "go env", "npm query"]);
