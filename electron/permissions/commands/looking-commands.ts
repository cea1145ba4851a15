import { type Command, forEachChild, parse, type Redirection, type SyntaxNode } from "unbash";
import { readsOnly } from "./reading-subcommands.ts";

const maxChars = 20_000;

/**
 * Whether a command line only looks, by what it says: known programs that read, joined in any way. It decides when to
 * ask, not what can happen: such a command runs in a fence that lets it write nothing.
 */
export function looksOnly(source: string): boolean {
  if (source.length > maxChars) return false;
  const script = parse(source);
  if (script.errors?.length || script.commands.length === 0) return false;
  let looks = true;
  const visit = (node: SyntaxNode): void => {
    if (node.type === "Function" || node.type === "Coproc") looks = false;
    if (node.type === "Statement" && node.background) looks = false;
    if ("redirects" in node && !node.redirects.every(keepsNothing)) looks = false;
    if (node.type === "Command" && !commandLooks(node)) looks = false;
    if (looks) forEachChild(node, visit);
  };
  visit(script);
  return looks;
}

function commandLooks({ name, prefix, suffix, args }: Command): boolean {
  if (prefix.some(({ type }) => type === "Assignment")) return false;
  if (![...prefix, ...suffix].every((part) => part.type !== "Redirect" || keepsNothing(part))) return false;
  if (name === undefined) return false;
  const words = [name.value, ...args.map((arg) => (arg.type === "Word" ? arg.value : arg.text))];
  return /^[\w./+[-]+$/.test(name.text) && wordsLook(words);
}

/** Into nothing, from one descriptor into another, or out of a file. */
function keepsNothing(part: Redirection): boolean {
  if (part.type !== "Redirect") return true;
  const { operator } = part;
  const target = part.target?.text ?? "";
  if (operator === "<") return true;
  if (operator === ">&" || operator === "<&") return /^[0-9-]$/.test(target);
  return target === "/dev/null";
}

function wordsLook([first = "", ...args]: readonly string[]): boolean {
  const program = first.slice(first.lastIndexOf("/") + 1);
  // A program of the folder's own may have any name.
  if (first.includes("/") && !/^\/(usr\/(local\/)?)?s?bin\//.test(first)) return false;
  const behind = Object.hasOwn(runsNext, program) ? runsNext[program] : undefined;
  if (behind) {
    const next = args.findIndex((word) => !behind.test(word));
    return next < 0 ? program !== "xargs" && program !== "command" : wordsLook(args.slice(next));
  }
  const writes = Object.hasOwn(writers, program) ? writers[program] : undefined;
  if (writes) return !args.some((word) => writes.test(word));
  if (lookers.has(program)) return true;
  if (isVersion(args)) return true;
  return readsOnly([program, ...args]);
}

const isVersion = (args: readonly string[]) =>
  args.length === 1 && /^(--version|-V|--help)$/.test(args[0] ?? "");

const lookers: ReadonlySet<string> = new Set(
  [
    "ls dir tree cat tac head tail wc nl less more file stat du df pwd cd pushd popd dirs basename dirname realpath readlink",
    "rg grep egrep fgrep zgrep ag ack diff cmp comm cut tr uniq rev fold paste join column expand strings od xxd hexdump",
    "md5sum sha1sum sha224sum sha256sum sha384sum sha512sum b2sum cksum sum jq xmllint base64 base32",
    "echo printf true false test [ : seq expr date cal uname whoami id groups hostname arch nproc uptime tty printenv locale",
    "which type whereis ps free lsof pgrep getconf sleep exit return break continue let local set shopt zcat bzcat xzcat",
  ].flatMap((line) => line.split(" ")),
);

/** They read, but for these words. */
const writers: Readonly<Record<string, RegExp>> = {
  find: /^-(delete|exec|execdir|ok|okdir|fprint|fprint0|fprintf|fls)$/,
  fd: /^(-[xX].*|--exec.*)$/,
  sed: /^(-[a-hj-zA-Z]*i.*|--in-place.*)$|(^|[;}\n/])\s*[wWe]\s|\/[gip0-9]*[we]\b/,
  awk: /system|[|>]|getline/,
  gawk: /system|[|>]|getline/,
  mawk: /system|[|>]|getline/,
  sort: /^(-o.*|--output.*|--compress-program.*)$/,
  yq: /^(-i.*|--inplace.*)$/,
  env: /^[^-]/,
  bat: /^--pager/,
  tee: /./,
};

/** They run what follows; these words of theirs come before. */
const runsNext: Readonly<Record<string, RegExp>> = {
  xargs: /^(-.*|\d+|\{\})$/,
  time: /^-p?$/,
  command: /^-[vV]$/,
  nice: /^(-.*|\d+)$/,
  timeout: /^(-.*|[\d.]+[smhd]?)$/,
};
