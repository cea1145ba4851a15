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
  /** The same of what it feeds to a program line by line, such as a here-document for `sh`. */
  readonly fed: readonly string[][];
  /** It is longer, or nested deeper, than what is read: the rest may be anything. */
  readonly isCutOff: boolean;
}

const maxChars = 20_000;
/** More commands than a person would look through. */
const maxSeen = 2000;
/** UTF-16 units of words that are read as scripts themselves, all together. */
const maxScriptChars = 10 * maxChars;
/** Of a word with `{a,b}` in it. */
const maxBraces = 4;

/**
 * Reads a command line for bash. Sure is only what is written out: simple commands of literal words, joined by `&&`,
 * `||`, `|`, `;` and line ends. The parser forgives mistakes, so its reading counts only where ours of every word is the
 * same and nothing of the text is left over.
 */
export function readShellScript(source: string): ShellScript {
  if (source.length > maxChars) return { plain: null, seen: [], fed: [], isCutOff: true };
  const script = parse(source);
  return { plain: plainCommands(script, source), ...seenIn(script) };
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

function seenIn(script: ParsedScript): Pick<ShellScript, "seen" | "fed" | "isCutOff"> {
  const own = new SeenCommands();
  own.read(script);
  const fed = new SeenCommands();
  if (own.commands.some(([program = ""]) => !keepsText.has(program)))
    for (const text of own.documents) fed.readText(text);
  const seen = [...own.commands, ...own.files.map((file) => [file])];
  return { seen, fed: fed.commands, isCutOff: own.isCutOff || fed.isCutOff };
}

/** Programs to which a here-document is a text and no script, whatever stands in it. */
const keepsText: ReadonlySet<string> = new Set("cat tee mkdir cd echo printf touch true".split(" "));

/** Gathers the commands of a script, and of its words that may be scripts: `sh -c "…"`, `eval "…"`, `ssh host "…"`. */
class SeenCommands {
  readonly commands: string[][] = [];
  /** What it reads from and writes to, by `<` and `>`. */
  readonly files: string[] = [];
  /** Here-documents. */
  readonly documents: string[] = [];
  isCutOff = false;
  readonly #read = new Set<string>();
  #left = maxScriptChars;

  read(script: ParsedScript, depth = 0): void {
    const visit = (node: SyntaxNode) => {
      if (this.isCutOff) return;
      if (node.type === "Command") {
        const args = node.args.map((arg) => (arg.type === "Word" ? arg.value : arg.text));
        this.#add([...(node.name ? [node.name.value] : []), ...args], depth);
      } else if (node.type === "Redirect" && node.target && !isHarmless(node)) {
        this.files.push(...withoutBraces(node.target.value));
      } else if (node.type === "HereString" && node.target) {
        this.files.push(node.target.value);
        this.readText(node.target.value, depth + 1);
      } else if (node.type === "HereDoc") this.documents.push(node.body.text);
      forEachChild(node, visit);
    };
    visit(script);
  }

  /** Each text once: what is nested would be read for each place that it is nested in. */
  readText(text: string, depth = 1): void {
    if (depth > 3 || this.#read.has(text)) return;
    this.#left -= text.length;
    if (this.#left < 0) this.isCutOff = true;
    if (this.isCutOff) return;
    this.#read.add(text);
    this.read(parse(text), depth);
  }

  #add(words: string[], depth: number): void {
    const spread = words.flatMap(withoutBraces);
    for (const one of spread.length > words.length ? [words, spread] : [words]) {
      if (this.commands.length === maxSeen) this.isCutOff = true;
      else this.commands.push(one);
    }
    for (const word of words.slice(1).filter((one) => /\s/.test(one))) {
      for (const text of scriptsIn(word)) this.readText(text, depth + 1);
    }
  }
}

/** The word, and what of it is glued to an option or a value: `--exec=…`, `-S…`, `alias.x=!…`. */
function scriptsIn(word: string): string[] {
  const behindOption = /^-[A-Za-z](?=[^\s-])/.test(word) ? [word.slice(2)] : [];
  const value = word.slice(word.indexOf("=") + 1);
  return [word, ...behindOption, ...(value === word ? [] : [value])].map((text) => text.replace(/^!/, ""));
}

/** `{a,b}` as bash makes words of it. */
function withoutBraces(word: string): string[] {
  let words = [word];
  for (let groups = 0; groups < maxBraces; groups++) {
    words = words.flatMap((one) => {
      const [, before = "", inner, behind = ""] = /^([^{]*)\{([^{}]*,[^{}]*)\}(.*)$/s.exec(one) ?? [];
      return inner === undefined ? [one] : inner.split(",").map((part) => `${before}${part}${behind}`);
    });
    if (words.length > maxSeen) return [word];
  }
  return words;
}
