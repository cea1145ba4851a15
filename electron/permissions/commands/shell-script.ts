import {
  type Command,
  forEachChild,
  type ParsedScript,
  type PipelineNode,
  parse,
  type Redirection,
  type Statement,
  type SyntaxNode,
  type Word,
} from "unbash";

/** A shell command as it was read. */
export interface ShellScript {
  /** Its simple commands, word by word; null where it is not known for sure what will run. */
  readonly plain: readonly string[][] | null;
  /** Every simple command that can be seen in it, at any depth, as far as its words are known. For narrowing only. */
  readonly seen: readonly string[][];
}

const maxChars = 20_000;

/**
 * Reads a command line for bash. Sure is only what is written out: simple commands of literal words, joined by `&&`,
 * `||`, `|`, `;` and line ends. The parser forgives mistakes, so its reading counts only where ours of every word is the
 * same and nothing of the text is left over.
 */
export function readShellScript(source: string): ShellScript {
  if (source.length > maxChars) return { plain: null, seen: [] };
  const script = parse(source);
  return { plain: plainCommands(script, source), seen: seenCommands(script) };
}

/** @returns the word without its quotes; null where the shell would make something else of it */
export function plainWord(text: string): string | null {
  let value = "";
  let at = 0;
  for (const [piece, single, double, escaped, bare] of text.matchAll(pieces)) {
    value += single ?? double?.replace(/\\(["\\])/g, "$1") ?? escaped ?? bare ?? "";
    at += piece.length;
  }
  return at === text.length && !text.startsWith("~") ? value : null;
}

/** '…' · "…" without expansions · \x · what means itself (`^` and `~` only inside of a word). */
const pieces =
  /'([^']*)'|"((?:[^"\\$`!]|\\["\\])*)"|\\([^\n\r\p{L}\p{N}])|([\p{L}\p{M}\p{N}_@%+=:,./^~-]+)/guy;

function plainCommands(script: ParsedScript, source: string): string[][] | null {
  if (script.errors?.length || script.shebang !== undefined || unprintable.test(source)) return null;
  const rest = source.split("");
  const commands: string[][] = [];
  for (const statement of script.commands) {
    const simple = simpleCommands(statement);
    if (!simple) return null;
    for (const command of simple) {
      const words = wordsOf(command, source, rest);
      if (!words) return null;
      commands.push(words);
    }
  }
  // What the parser passed over, such as a comment or a stray sign, is not understood.
  const left = rest.join("").replace(/&&|\|\||[|;\n\t ]/g, "");
  return left === "" && commands.length > 0 ? commands : null;
}

/** Signs that nobody sees or that act on the terminal. Line ends and tabs separate words. */
const unprintable = /[^\P{C}\n\t]|[\p{Zl}\p{Zp}]|[^\P{Zs} ]/u;

function simpleCommands({ background, command }: Statement): Command[] | null {
  if (background) return null;
  const joined: readonly PipelineNode[] = command.type === "AndOr" ? command.commands : [command];
  const simple: Command[] = [];
  for (const one of joined) {
    if (one.type === "Pipeline" && (one.prefixes.length > 0 || one.operators.includes("|&"))) return null;
    for (const node of one.type === "Pipeline" ? one.commands : [one]) {
      if (node.type !== "Command") return null;
      simple.push(node);
    }
  }
  return simple;
}

/** @param rest the source, in which every sign that belongs to the command is blanked */
function wordsOf({ name, prefix, suffix }: Command, source: string, rest: string[]): string[] | null {
  const words: string[] = [];
  for (const part of [...prefix, ...(name ? [name] : []), ...suffix]) {
    if (part.type === "Word") {
      const word = plainValue(part, source);
      if (word === null) return null;
      words.push(word);
    } else if (part.type === "Assignment" || !isHarmless(part)) return null;
    rest.fill(" ", part.pos, part.end);
  }
  const [program = ""] = words;
  return /^[\w./+-]+$/.test(program) ? words : null;
}

function plainValue({ pos, end, value }: Word, source: string): string | null {
  const own = plainWord(source.slice(pos, end));
  return own === value ? own : null;
}

/** One descriptor into another (`2>&1`), or nothing kept (`>/dev/null`). */
function isHarmless(redirection: Redirection): boolean {
  if (redirection.type !== "Redirect" || redirection.descriptor?.type === "FileDescriptorVariable")
    return false;
  const target = redirection.target?.text ?? "";
  if (redirection.operator === ">&" || redirection.operator === "<&") return /^[0-2]$/.test(target);
  return target === "/dev/null";
}

function seenCommands(script: ParsedScript, depth = 0): string[][] {
  const seen: string[][] = [];
  const visit = (node: SyntaxNode) => {
    if (node.type === "Command") {
      const args = node.args.map((arg) => (arg.type === "Word" ? arg.value : arg.text));
      const words = [...(node.name ? [node.name.value] : []), ...args];
      seen.push(words);
      // A shell's own words may be a script: `sh -c "…"`, `eval "…"`, `ssh host "…"`.
      for (const word of depth < 3 ? words.slice(1) : []) {
        if (/\s/.test(word)) seen.push(...seenCommands(parse(word), depth + 1));
      }
    }
    forEachChild(node, visit);
  };
  visit(script);
  return seen;
}
