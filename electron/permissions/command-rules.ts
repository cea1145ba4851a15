import type { PermissionRule } from "../../shared/permissions.ts";
import { folded } from "../../shared/secret-files.ts";
import { realWord } from "./real-path.ts";
import { readShellScript } from "./shell-script.ts";

type CommandRule = Pick<PermissionRule, "command" | "exact">;

/** Where a command runs: relative words are paths from `from`. */
export interface CommandPlace {
  readonly folder: string;
  readonly from: string;
}

/**
 * Whether an allowing rule covers one simple command. By its first words it never covers what runs other commands, nor
 * further words that may lead out of the folder or to a program.
 * @param words sure, of one simple command
 */
export function coversCommand(rule: CommandRule, words: readonly string[], place: CommandPlace): boolean {
  const wanted = wordsOfRule(rule.command ?? "");
  if (!wanted || !startsWith(words, wanted)) return false;
  if (rule.exact) return words.length === wanted.length;
  if (whyNoPrefix(wanted) !== null) return false;
  return words.slice(wanted.length).every((word) => isTame(word, place));
}

/**
 * Whether a narrowing rule meets a command: its words stand in it in their order, behind `sudo`, options or a path.
 * @param words as far as they are known
 */
export function meetsCommand(rule: CommandRule, words: readonly string[]): boolean {
  const wanted = wordsOfRule(rule.command ?? "") ?? (rule.command ?? "").split(/\s+/);
  const [program = "", ...others] = wanted.map(folded);
  const have = words.map(folded);
  const start = have.findIndex(
    (word) => word === program || word.endsWith(`/${program}`) || word === `${program}.exe`,
  );
  if (start < 0) return false;
  let at = start + 1;
  for (const word of others) {
    at = have.indexOf(word, at) + 1;
    if (at === 0) return false;
  }
  return true;
}

/** Why these first words cannot allow what follows them; null: they can. */
export function whyNoPrefix(words: readonly string[]): string | null {
  const [program = "", second] = words;
  const name = program.slice(program.lastIndexOf("/") + 1);
  if (runsOthers.has(name)) return `\`${name}\` runs whatever follows it`;
  const needsMore = interpreters.test(name) || runners.has(name);
  if (needsMore && (second === undefined || second.startsWith("-"))) {
    return `\`${name}\` alone would allow any program`;
  }
  return null;
}

/** Words of a rule; null where they are not one simple command. */
export function wordsOfRule(command: string): string[] | null {
  const { plain } = readShellScript(command);
  return plain?.length === 1 ? (plain[0] ?? null) : null;
}

/** Builtins that change what the commands after them mean. */
export const changesShell: ReadonlySet<string> = new Set(
  "cd pushd popd alias unalias export declare typeset local readonly unset set shopt enable hash umask ulimit trap function return exit let read mapfile readarray".split(
    " ",
  ),
);

const startsWith = (words: readonly string[], wanted: readonly string[]) =>
  wanted.every((word, index) => words[index] === word);

function isTame(word: string, { folder, from }: CommandPlace): boolean {
  if (risky.some((option) => isOption(word, option))) return false;
  // An address, or a place on another machine.
  if (/:\/\/|^[^/]*@[^/]*:|^[^/]*\.[^/]*:/.test(word)) return false;
  if (word.startsWith("-") && /[/\\~]/.test(word.split("=")[0] ?? "")) return false;
  return word.split("=").every((part) => realWord(part === "" ? "." : part, folder, from)?.isInside === true);
}

/** Long options may be cut short, short ones may carry their value. */
function isOption(word: string, option: string): boolean {
  if (!option.startsWith("--")) return word === option || (option.length === 2 && word.startsWith(option));
  const [name = ""] = word.split("=");
  return name.length > 2 && (option.startsWith(name) || name.startsWith(option));
}

/** Options that name a program, a file to write, or a configuration, wherever they mean that. */
const risky: readonly string[] = [
  ..."-c -e -O -x -exec -execdir -ok -okdir -delete -fprint -fls".split(" "),
  ..."--exec --exec-path --upload-pack --receive-pack --ext-diff --textconv --output --config --config-env".split(
    " ",
  ),
  ..."--to-command --compress-program --use-compress-program --checkpoint-action --rsh --eval --print".split(
    " ",
  ),
  ..."--pre --pager --editor --open-files-in-pager --command --rcfile --init-file --require --loader --import".split(
    " ",
  ),
  ..."--script-shell --node-options --globalconfig --userconfig --prefix --git-dir --work-tree --template".split(
    " ",
  ),
];

const runsOthers: ReadonlySet<string> = new Set(
  [
    ". source eval exec command builtin coproc sh bash dash zsh ksh fish csh tcsh rbash pwsh powershell cmd cmd.exe busybox toybox",
    "xargs parallel find fd env sudo doas su runuser pkexec chroot unshare nsenter setsid setpriv nohup nice ionice taskset",
    "timeout time watch stdbuf script expect strace ltrace gdb tmux screen ssh scp sftp rsync socat nc ncat telnet",
    "awk gawk mawk nawk sed ed ex vi vim nvim emacs nano less more man open xdg-open osascript start at batch crontab",
    "systemctl systemd-run launchctl dd mkfs curl wget tee ln install chmod chown rm mv cp",
  ].flatMap((line) => line.split(" ")),
);

const interpreters = /^(python|node|perl|ruby|php|lua|deno|bun|tsx|ts-node|java|tclsh|Rscript|julia)[\d.]*$/;

/** With a word more they say what they do. */
const runners: ReadonlySet<string> = new Set(
  "git npm npx pnpm yarn bunx uv uvx pip pipx cargo go make just docker podman kubectl helm terraform gh gcloud aws az brew apt apt-get dnf pacman gradle mvn dotnet rake bundle".split(
    " ",
  ),
);
