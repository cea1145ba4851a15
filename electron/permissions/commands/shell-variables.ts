import { forEachChild, type ParameterExpansionPart, type SyntaxNode, type Word, type WordPart } from "unbash";
import { maxPathChars } from "../../../shared/safety/globs.ts";
import { alternatives } from "../../../shared/safety/secret-files.ts";

/** More that one word may come to than a person would read. */
const maxReadings = 500;

type Values = ReadonlyMap<string, ReadonlySet<string>>;

/**
 * What the variables of a script are given, as far as it is written there, and what its words come to by that. Which branch
 * runs, and what comes first, is not known: each value counts everywhere. For narrowing only.
 */
export class ShellVariables {
  readonly #values = new Map<string, Set<string>>();
  /** By what was last said above: what is built up step by step would be built in all ways. */
  readonly #latest = new Map<string, Set<string>>();
  /** A word may come to more than is looked at. */
  isCutOff = false;

  gather(node: SyntaxNode): void {
    if (node.type === "Assignment") {
      const isText = node.value.type === "Word";
      const before = isText && node.append ? this.#latest.get(node.name) : undefined;
      this.#give(node.name, node.value.type === "Word" ? [node.value] : node.value.elements, before);
    } else if (node.type === "For" || node.type === "Select")
      this.#give(node.name.value, node.wordlist ?? []);
    else if (node.type === "ParameterExpansion" && node.operation?.type === "Default") {
      const { operator, operand } = node.operation;
      if (operator.endsWith("=")) this.#give(node.parameter, [operand]);
    }
    for (const child of childrenOf(node)) this.gather(child);
  }

  /** @returns all that the word may come to: with known values in place of variables, each part of `{a,b}`, and split at blanks */
  readingsOf(word: Word, values: Values = this.#values): string[] {
    const whole = word.text.includes("$") ? this.#joined(word.parts ?? [], values) : [word.value];
    const taken = word.parts?.some(({ type }) => type === "BraceExpansion")
      ? whole.flatMap((one) => alternatives(one) ?? this.#tooMany())
      : whole;
    // Between quotes a blank separates nothing.
    const all = word.text.startsWith("$")
      ? taken.flatMap((one) => (one !== word.value && /\s/.test(one) ? [one, ...one.split(/\s+/)] : [one]))
      : taken;
    return all.length > maxReadings ? this.#tooMany() : all;
  }

  #give(name: string, words: readonly Word[], before: ReadonlySet<string> = new Set([""])): void {
    const given = words.flatMap((word) => this.readingsOf(word, this.#latest));
    const values = given.flatMap((value) => [...before].map((front) => front + value));
    // Nothing longer is a path.
    const short = values.filter(({ length }) => length <= maxPathChars);
    this.#latest.set(name, new Set(short));
    this.#values.set(name, new Set([...(this.#values.get(name) ?? []), ...short]));
  }

  #joined(parts: readonly WordPart[], values: Values): string[] {
    let all = [""];
    for (const part of parts) {
      const some = this.#readingsOfPart(part, values);
      if (all.length * some.length > maxReadings) return this.#tooMany();
      all = all.flatMap((front) => some.map((text) => front + text));
    }
    return all;
  }

  #readingsOfPart(part: WordPart, values: Values): string[] {
    switch (part.type) {
      case "SimpleExpansion":
        return known(values, part.text.slice(1)) ?? [part.text];
      case "ParameterExpansion":
        return this.#expanded(part, values);
      case "DoubleQuoted":
      case "LocaleString":
        return this.#joined(part.parts, values);
      case "BraceExpansion":
        return part.parts ? this.#joined(part.parts, values).map((text) => `{${text}}`) : [part.text];
      default:
        return ["value" in part ? part.value : part.text];
    }
  }

  #expanded({ parameter, prefix, operation, text }: ParameterExpansionPart, values: Values): string[] {
    const own = prefix === undefined ? known(values, parameter) : undefined;
    if (operation === undefined) return own ?? [text];
    if (operation.type !== "Default") return [text];
    if (operation.operator.endsWith("?")) return own ?? [text];
    return [...(own ?? []), ...this.readingsOf(operation.operand, values)];
  }

  #tooMany(): [] {
    this.isCutOff = true;
    return [];
  }
}

/** In a list, so that whoever goes down needs little of the stack: the parser goes 256 levels deep. */
export function childrenOf(node: SyntaxNode): SyntaxNode[] {
  const children: SyntaxNode[] = [];
  forEachChild(node, (child) => void children.push(child));
  return children;
}

function known(values: Values, name: string): string[] | undefined {
  const some = values.get(name);
  return some && some.size > 0 ? [...some] : undefined;
}
