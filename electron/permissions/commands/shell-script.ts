import {
  type Command,
  type CommandArgument,
  type ParsedScript,
  type Pipeline,
  type PipelineNode,
  parse,
  type Redirection,
  type Statement,
  type SyntaxNode,
  type Word,
} from "unbash";
import { childrenOf, ShellVariables } from "./shell-variables.ts";

/** A shell command as it was read. */
export interface ShellScript {
  /** Its simple commands, word by word; null where it is not known for sure what will run. */
  readonly plain: readonly string[][] | null;
  /** Every simple command that can be seen in it, at any depth, as far as its words are known. For narrowing only. */
  readonly seen: readonly string[][];
  /** Files that it names outside of its commands: in lists, arrays and tests. For narrowing only. */
  readonly named: readonly string[];
  /** It is longer, or nested deeper, than what is read: the rest may be anything. */
  readonly isCutOff: boolean;
}

/** A file that a command writes is often in it. */
const maxChars = 40_000;
/** More commands than a person would look through. */
const maxSeen = 2000;
/** UTF-16 units of words that are read as scripts themselves, all together. */
const maxScriptChars = 200_000;

/**
 * Reads a command line for bash. Sure is only what is written out: simple commands of literal words, joined by `&&`,
 * `||`, `|`, `;` and line ends. The parser forgives mistakes, so its reading counts only where ours of every word is the
 * same and nothing of the text is left over.
 */
export function readShellScript(source: string): ShellScript {
  if (source.length > maxChars) return { plain: null, seen: [], named: [], isCutOff: true };
  const script = parse(source);
  const seen = new SeenCommands();
  seen.read(script);
  return {
    plain: plainCommands(script, source),
    seen: seen.commands,
    named: [...seen.named],
    isCutOff: seen.isCutOff,
  };
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

/** Programs that run what they are given to read. */
const shells: ReadonlySet<string> = new Set(
  "sh bash dash zsh ksh mksh ash fish csh tcsh rbash busybox pwsh eval source stdin su ssh xargs parallel".split(
    " ",
  ),
);

const isShell = (word: string) => shells.has(word.slice(word.lastIndexOf("/") + 1).toLowerCase());

/** Gathers the commands of a script, and of its words that may be scripts: `sh -c "…"`, `eval "…"`, `ssh host "…"`. */
class SeenCommands {
  readonly commands: string[][] = [];
  readonly named = new Set<string>();
  isCutOff = false;
  readonly #variables = new ShellVariables();
  readonly #texts = new Set<string>();
  readonly #waiting: string[] = [];
  #left = maxScriptChars;

  read(script: ParsedScript): void {
    this.#readScript(script);
    for (let text = this.#waiting.pop(); text !== undefined; text = this.#waiting.pop()) {
      if (!this.isCutOff) this.#readScript(parse(text));
    }
  }

  #readScript(script: ParsedScript): void {
    this.#variables.gather(script);
    this.#readNode(script);
    this.isCutOff ||= this.#variables.isCutOff;
  }

  /** Each text once: what is nested would be read for each place that it is nested in. */
  #readText(text: string): void {
    if (this.isCutOff || this.#texts.has(text)) return;
    this.#texts.add(text);
    this.#left -= text.length;
    if (this.#left < 0) this.isCutOff = true;
    else this.#waiting.push(text);
  }

  /** @returns texts that are given to something in it: whatever gets its output may get these */
  #readNode(node: SyntaxNode): string[] {
    if (this.isCutOff) return [];
    const first = this.commands.length;
    if (node.type === "HereDoc") return [node.body.text, ...this.#readParts(node)];
    if (node.type === "HereString") {
      const texts = node.target ? this.#variables.readingsOf(node.target) : [];
      return [...texts, ...this.#readParts(node)];
    }
    if (node.type === "Pipeline") return this.#readPipeline(node);
    if (node.type === "Redirected") {
      const within = this.#readNode(node.command);
      const given = node.redirects.flatMap((redirect) => this.#readNode(redirect));
      this.#give(given, first);
      return [...within, ...given];
    }
    // What is read from or written to counts as a command of one word.
    if (node.type === "Redirect" && node.target && !isHarmless(node)) this.#add([node.target]);
    this.#name(filesNamedBy(node));
    if (node.type === "Script") this.isCutOff ||= isTooDeep(node);
    if (node.type !== "Command") return this.#readParts(node);
    this.#add([...(node.name ? [node.name] : []), ...node.args]);
    const given = this.#readParts(node);
    this.#give(given, first);
    return given;
  }

  #readParts(node: SyntaxNode): string[] {
    const given: string[] = [];
    for (const child of childrenOf(node)) given.push(...this.#readNode(child));
    return given;
  }

  /** Commands that get the output of those before them. */
  #readPipeline({ commands }: Pipeline): string[] {
    const given: string[] = [];
    for (const command of commands) {
      const first = this.commands.length;
      const more = this.#readNode(command);
      this.#give(given, first);
      given.push(...more);
    }
    return given;
  }

  /** Texts are scripts where a shell gets them. @param first of the commands that do */
  #give(texts: readonly string[], first: number): void {
    const words = texts.length === 0 ? [] : this.commands.slice(first).flat();
    if (words.some(isShell)) for (const text of texts) this.#readText(text);
  }

  #add(args: readonly CommandArgument[]): void {
    const words = args.map((arg) => (arg.type === "Word" ? arg.value : arg.text));
    this.#keep(words);
    const read = args.flatMap((arg) => (arg.type === "Word" ? this.#variables.readingsOf(arg) : arg.text));
    const isOther = read.length !== words.length || read.some((word, at) => word !== words[at]);
    if (isOther) this.#keep(read);
    const texts = [...words.slice(1), ...(isOther && read.some(isShell) ? read : [])];
    for (const word of texts) for (const text of scriptsIn(word)) this.#readText(text);
  }

  #name(words: readonly Word[]): void {
    for (const word of words) for (const text of this.#variables.readingsOf(word)) this.named.add(text);
    this.isCutOff ||= this.named.size > maxSeen;
  }

  #keep(words: string[]): void {
    if (this.commands.length === maxSeen) this.isCutOff = true;
    else this.commands.push(words);
  }
}

/** The parser gives up behind 256 levels. */
const isTooDeep = ({ errors }: ParsedScript) =>
  errors?.some(({ message }) => message.includes("nesting depth exceeded")) === true;

/** Words that are names of files, whatever a command makes of them. */
function filesNamedBy(node: SyntaxNode): readonly Word[] {
  if (node.type === "For" || node.type === "Select") return node.wordlist ?? [];
  if (node.type === "ArrayValue") return node.elements;
  if (node.type === "TestUnary") return /^-[nzvoR]$/.test(node.operator) ? [] : [node.operand];
  if (node.type === "TestBinary") return /^-(nt|ot|ef)$/.test(node.operator) ? [node.left, node.right] : [];
  return [];
}

/**
 * The word where it has a blank, and what of it is glued to an option or a value: `--exec=…`, `-S…`, `alias.x=!…`. These
 * readings differ in their first line alone: only one goes beyond it, so that no program is read twice.
 */
function scriptsIn(word: string): string[] {
  if (!/\s/.test(word)) return [];
  const behindOption = word.replace(/^-[A-Za-z](?=[^\s-])/, "");
  const whole = behindOption.replace(/^[^\s=()$`"';|&<>]+=/, "");
  const others = [word, behindOption, word.slice(word.indexOf("=") + 1)].filter((text) => text !== whole);
  return [...others.map((text) => text.replace(/\n.*/s, "")), whole].map((text) => text.replace(/^!/, ""));
}
