import { keyNames, keyVariable, type SecretPlace } from "../../../shared/safety/secrets.ts";
import type { Command, CommandAnswer } from "../../commands/registry.ts";

export interface KeyCommandOptions {
  /** Variables that a key was given for here. */
  names(): string[];
  place(variable: string): SecretPlace | "unopened" | null;
  isInEnvironment(variable: string): boolean;
  /** What the `.env` files say. */
  files(): Readonly<Record<string, string | undefined>>;
  /** What guards the keys, by the system's own name. */
  backend(): string;
  /** Shows the form for it. */
  ask(variable: string): void;
  remove(variable: string): void;
  acceptWeak(isAccepted: boolean): void;
  canBeWeak(): boolean;
}

const usage = "/key [list] · set NAME · remove NAME · weak on | off";
const names = `${Object.keys(keyNames).join(", ")}, or a variable such as GITHUB_TOKEN`;

/** `/key`: the keys that were given in the app, by name. No answer repeats what was typed: it may be a key. */
export function keyCommand(options: KeyCommandOptions): Command {
  return {
    name: "key",
    usage,
    description: "Keys for models and servers: list, add, remove",
    run: ([action = "list", word, ...more]) => {
      if (action === "list") return list(options);
      if (action === "weak") return weak(options, word);
      if (action !== "set" && action !== "remove") return wrong("That is not known.");
      const variable = keyVariable(word ?? "");
      if (!variable) return wrong(`Whose key? NAME is one of ${names}.`);
      return action === "set" ? set(options, variable, more.length > 0) : remove(options, variable);
    },
  };
}

function set({ ask }: KeyCommandOptions, variable: string, isTyped: boolean): CommandAnswer {
  ask(variable);
  if (!isTyped) return { output: `The form for \`${variable}\` is open.` };
  const output = `Don't type a key here: what you typed was not used and is not kept. Use the form for \`${variable}\`, which is open now.`;
  return { output, isError: true };
}

function remove(options: KeyCommandOptions, variable: string): CommandAnswer {
  if (options.place(variable) === null) {
    return { output: `No key was given here for \`${variable}\`. \`/key\` lists them.`, isError: true };
  }
  options.remove(variable);
  const other = elsewhere(options, variable);
  return {
    output: `The key for \`${variable}\` is removed.${other ? ` The one from ${other} is used now.` : ""}`,
  };
}

function weak(
  { acceptWeak, canBeWeak, backend }: KeyCommandOptions,
  word: string | undefined,
): CommandAnswer {
  if (word !== "on" && word !== "off") return wrong("`weak` is `on` or `off`.");
  if (word === "on" && !canBeWeak()) {
    return { output: `There is no need for that: keys are guarded by ${backend()}.`, isError: true };
  }
  acceptWeak(word === "on");
  return {
    output:
      word === "on"
        ? "From now on keys are kept in a file, **weakly protected**: anyone who can read your files can read them."
        : "Weakly protected keys are removed from the file. They work until you quit Parley.",
  };
}

function list(options: KeyCommandOptions): CommandAnswer {
  const given = options.names();
  const lines = given.map((variable) => {
    const other = options.isInEnvironment(variable)
      ? " Not used: the one in the environment comes first."
      : "";
    return `- \`${variable}\`: ${whereText(options, variable)}.${other}`;
  });
  for (const variable of Object.values(keyNames)) {
    const other = given.includes(variable) ? null : elsewhere(options, variable);
    if (other) lines.push(`- \`${variable}\`: from ${other}.`);
  }
  if (lines.length === 0) {
    return {
      output:
        "There are no keys. `/key set anthropic` (or openai, gemini) opens a form for one. A model server on this computer needs no key: if Parley finds one, it asks whether to use it.",
    };
  }
  return { output: lines.join("\n") };
}

function whereText({ place, backend }: KeyCommandOptions, variable: string): string {
  switch (place(variable)) {
    case "system":
      return `kept, guarded by ${backend()}`;
    case "weak":
      return "kept in a file, **weakly protected**: anyone who can read your files can read it";
    case "unopened":
      return "kept, but this system's key store can't open it. Unlock the key store and start again, or set the key again";
    default:
      return "in memory until you quit";
  }
}

function elsewhere({ isInEnvironment, files }: KeyCommandOptions, variable: string): string | null {
  if (isInEnvironment(variable)) return "the environment";
  return files()[variable] ? "a `.env` file" : null;
}

const wrong = (what: string): CommandAnswer => ({ output: `${what} Usage: \`${usage}\``, isError: true });
