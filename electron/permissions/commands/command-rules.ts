import { moreArguments, type PermissionRule } from "../../../shared/safety/permissions.ts";
import { isProtected } from "../../../shared/safety/protected-files.ts";
import { folded, isSecretPath } from "../../../shared/safety/secret-files.ts";
import { realWord } from "../real-path.ts";
import { readShellScript } from "./shell-script.ts";

type CommandRule = Pick<PermissionRule, "command" | "exact" | "folder">;

/** Where a command runs: relative words are paths from `from`. */
export interface CommandPlace {
  readonly folder: string;
  /** Free of links; null where that cannot be told. */
  readonly from: string | null;
  /** What it runs in holds it: a rule for more words than it names counts only then. */
  readonly isFenced: boolean;
}

/**
 * Whether an allowing rule covers one simple command: exactly these words, in the rule's folder itself. Where the rule
 * ends with ` *` further words may follow, none of which leads out of the folder or to a program.
 * @param words sure, of one simple command
 */
export function coversCommand(rule: CommandRule, words: readonly string[], place: CommandPlace): boolean {
  const { command = "", exact } = rule;
  if (place.from === null || place.from !== (rule.folder ?? place.folder)) return false;
  const isLonger = !exact && command.endsWith(moreArguments);
  const wanted = wordsOfRule(isLonger ? command.slice(0, -moreArguments.length) : command);
  if (!wanted || !startsWith(words, wanted)) return false;
  if (!isLonger) return words.length === wanted.length;
  if (!place.isFenced || whyNoPrefix(wanted) !== null) return false;
  const { folder, from } = place;
  return words.slice(wanted.length).every((word) => isTame(word, { folder, from }));
}

/**
 * Whether a narrowing rule meets a command: its words stand in it in their order, behind `sudo`, options or a path.
 * @param words as far as they are known
 */
export function meetsCommand(rule: CommandRule, words: readonly string[]): boolean {
  const { command = "" } = rule;
  const narrow = command.endsWith(moreArguments) ? command.slice(0, -moreArguments.length) : command;
  const wanted = wordsOfRule(narrow) ?? narrow.split(/\s+/);
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

/** The fence holds what a command does; this only keeps a rule to what whoever wrote it can have meant. */
function isTame(word: string, { folder, from }: { folder: string; from: string }): boolean {
  const isOption = word.startsWith("-");
  // A variable of make's, or a script.
  if ((!isOption && /^[^/]*[=$`]/.test(word)) || /[$`]/.test(word)) return false;
  if (isOption && risky.some((option) => isOptionOf(word, option))) return false;
  // An address, or a place on another machine.
  if (/:\/\/|^[^/]*@[^/]*:|^[^/]*\.[^/]*:|^\d+:/.test(word)) return false;
  if (isOption && /[/\\~]/.test(word.split("=")[0] ?? "")) return false;
  return word.split("=").every((part) => {
    const path = realWord(part, folder, from);
    return path?.isInside === true && ![part, path.real].some((one) => isSecretPath(one) || isProtected(one));
  });
}

/** Long options may be cut short, and some programs take one dash for two; short ones may carry their value. */
function isOptionOf(word: string, option: string): boolean {
  if (option.length === 2) return !word.startsWith("--") && word.startsWith(option);
  const [name = ""] = word.replace(/^--?/, "").split("=");
  const wanted = option.replace(/^--?/, "");
  return name.length > 1 && (wanted.startsWith(name) || name.startsWith(wanted));
}

/** Options that name a program, a file to write, or a configuration, wherever they mean that. */
const risky: readonly string[] = [
  ..."-c -e -C -E -I -O -x -exec -execdir -ok -okdir -delete -fprint -fls".split(" "),
  ..."--exec --exec-path --upload-pack --receive-pack --ext-diff --extcmd --textconv --output --config --config-env".split(
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
  ..."--toolexec --vettool --wrapper --filter --hostname-bin --kubeconfig --unsafe-paths --file --unzip-command".split(
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
