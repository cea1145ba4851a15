import { join, normalize, relative, resolve } from "node:path";
import { maxGlobChars, maxPathChars } from "../../shared/safety/globs.ts";
import { isProtected } from "../../shared/safety/protected-files.ts";
import { isSecretPath, seeksSecrets } from "../../shared/safety/secret-files.ts";
import type { Tool, ToolContext } from "../agent/ports/ports.ts";
import { looksOnly } from "./commands/looking-commands.ts";
import { readShellScript, type ShellScript } from "./commands/shell-script.ts";
import { isNamedByGit } from "./named-by-git.ts";
import { type RealPath, realPath, realWord } from "./real-path.ts";
import { addressIn } from "./web-host.ts";

/** What the rules look at in a call. */
export interface CallFacts {
  readonly tool: Tool;
  /** A tool of an MCP server. */
  readonly isServerTool: boolean;
  readonly folder: string;
  /** Files that it says it touches; null for one of which it cannot be told where it leads. */
  readonly paths: readonly (RealPath | null)[];
  /** These and whatever else of the input may be a path: for rules that narrow. */
  readonly mayReach: readonly (RealPath | null)[];
  /** Folders and files that it moves, copies or deletes with all that is in them. */
  readonly takes: readonly RealPath[];
  readonly shell: ShellCall | null;
  readonly url: URL | null;
  /** It names files that hold keys or passwords. */
  readonly hasSecrets: boolean;
  /** Some of them lie where a fence need not have looked: outside of the folder, or where programs make all anew. */
  readonly hasUnhiddenSecrets: boolean;
  /** It changes files that say what runs, such as hooks, or Parley's own rules. */
  readonly hasProtected: boolean;
  /** It names more than was looked at: what is beyond that may be anything. */
  readonly isCutOff: boolean;
}

interface ShellCall extends ShellScript {
  /** Where it runs, free of links; null where that cannot be told. */
  readonly from: string | null;
  /** By reading it: all that it does is to look. */
  readonly looksOnly: boolean;
}

/** @param context its working folder is free of links */
export function factsOf(tool: Tool, input: unknown, { environment, settings }: ToolContext): CallFacts {
  const folder = environment.workingDirectory;
  const isServerTool = tool.server !== undefined;
  const named = tool.touchedPaths?.(input) ?? [];
  const paths = named.map((path) => pinnedPath(path, environment) ?? realPath(path, folder));
  const shell = shellOf(tool, input, environment);
  const written = new Set([...(shell?.plain ?? []), ...(shell?.seen ?? []), ...(shell?.named ?? [])].flat());
  const words = someOf(written, valuesOf);
  const ofOurs = tool.effect === "read" ? pathTextsIn(input) : [];
  const texts = isServerTool ? someOf(textsIn(input), readingsOf) : someOf(ofOurs);
  const from = shell?.from ?? folder;
  const inTexts = texts.some.map((text) => realPath(text, folder)).filter(isKnown);
  const at = shell && realPath(from, folder);
  const mayReach = [
    ...paths,
    ...inTexts,
    ...words.some.map((word) => realWord(word, folder, from)).filter(isKnown),
    // A command that runs in another folder reaches it without a word.
    ...(at && at.real !== folder ? [at] : []),
  ];
  // Of what lies in the folder only the way from there counts: where the folder is, is the user's choice.
  const real = mayReach.flatMap((path) =>
    path ? [path.isInside ? relative(folder, path.real) : path.real] : [],
  );
  const mentioned = [...named, ...texts.some, ...words.some];
  const isRemade = (path: string) =>
    path.split(/[\\/]/).some((part) => settings.checkpointIgnore.includes(part));
  return {
    tool,
    isServerTool,
    folder,
    paths,
    mayReach,
    takes: shell
      ? takenPaths(shell.seen, folder, from)
      : isServerTool && /mov|cop|renam|delet|remov|trash|archiv|upload/i.test(tool.name)
        ? inTexts
        : [],
    shell,
    url: tool.effect === "network" ? addressIn(input) : null,
    hasSecrets: [...texts.some, ...words.some].some(seeksSecrets) || [...named, ...real].some(isSecretPath),
    hasUnhiddenSecrets:
      [...mentioned, ...real].some((path) => isRemade(path) && seeksSecrets(path)) ||
      mayReach.some((path) => path && !path.isInside && seeksSecrets(path.real)),
    hasProtected:
      (tool.effect !== "read" || isServerTool) &&
      ([...mentioned, ...real].some(mayBeProtected) || isNamedByGit(mayReach.filter(isKnown))),
    isCutOff: words.isCutOff || texts.isCutOff || (shell?.isCutOff ?? false),
  };
}

/** The first values of words, each once: whoever writes endlessly many is not waited for. */
function someOf(texts: Iterable<string>, valuesIn = (text: string) => [text]) {
  const values = new Set<string>();
  let left = maxChars;
  for (const text of texts) {
    for (const value of valuesIn(text)) {
      if (values.has(value)) continue;
      left -= value.length;
      if (values.size === maxWords || left < 0) return { some: [...values], isCutOff: true };
      values.add(value);
    }
  }
  return { some: [...values], isCutOff: false };
}

const mayBeProtected = (path: string) => path.length > maxPathChars || isProtected(path);

const isKnown = (path: RealPath | null): path is RealPath => path !== null;

/** What a script moves, copies or deletes whole, by its words. */
function takenPaths(seen: readonly (readonly string[])[], folder: string, from: string): RealPath[] {
  const paths = someOf(seen.flatMap(takenWords)).some.map((word) => realWord(word, folder, from));
  return [...new Map(paths.filter(isKnown).map((path) => [path.real, path])).values()];
}

/** The same of one command. */
function takenWords(words: readonly string[]): string[] {
  const start = words.findIndex((word) => takers.has(word.slice(word.lastIndexOf("/") + 1).toLowerCase()));
  const rest = words.slice(start + 1);
  if (start < 0 || (words[start] === "find" && !rest.some((word) => /^-(delete|exec|ok)/.test(word))))
    return [];
  if (words[start] === "git" && !/^(mv|rm|clean|archive)$/.test(rest[0] ?? "")) return [];
  const named = rest.flatMap(valuesOf).filter((word) => !word.startsWith("-"));
  // `find -delete` and the like begin where they run.
  return named.length > 0 ? named : ["."];
}

/** Programs that do so. */
const takers: ReadonlySet<string> = new Set(
  "mv cp rm rmdir rsync scp tar zip 7z 7za cpio ditto install shred trash unlink rename find git".split(" "),
);

/** Where it will lead when it is used; null: that was not found out before. */
function pinnedPath(path: string, environment: ToolContext["environment"]): RealPath | null {
  const way = environment.leadsTo?.(path);
  return way === undefined ? null : { real: join(environment.workingDirectory, way), isInside: true };
}

/** More words, and paths in them, than a person would read. */
const maxWords = 500;
/** UTF-16 units of all of these together. */
const maxChars = 100_000;

function shellOf(
  { effect, server }: Tool,
  input: unknown,
  { workingDirectory, platform }: ToolContext["environment"],
): CallFacts["shell"] {
  if (effect !== "execute" || server !== undefined) return null;
  const text = textAt(input, "command");
  if (text === undefined) return null;
  const script = readShellScript(text);
  const from = realPath(
    resolve(workingDirectory, textAt(input, "working_directory") ?? "."),
    workingDirectory,
  );
  // cmd.exe reads another language: nothing there is sure.
  const isBash = platform !== "win32";
  return {
    ...script,
    ...(!isBash && { plain: null }),
    from: from?.real ?? null,
    looksOnly: isBash && looksOnly(text),
  };
}

function textAt(input: unknown, key: string): string | undefined {
  if (typeof input !== "object" || input === null) return undefined;
  const value: unknown = Object.entries(input).find(([name]) => name === key)?.[1];
  return typeof value === "string" ? value : undefined;
}

/** `--file=.env`, `@.env`, `x:.env` name a file, too, and `$HOME` the home folder. */
function valuesOf(word: string): string[] {
  const values = [word, ...word.split(/[=@:,]/).slice(1)];
  return values.map((value) => value.replace(/^\$(HOME|\{HOME\})(?=\/|$)/, "~"));
}

/** What a tool of Parley's own reads by a pattern, or where it searches. */
function pathTextsIn(input: unknown): string[] {
  if (typeof input !== "object" || input === null) return [];
  return Object.entries(input).flatMap(([key, value]) => (/^(paths?|glob)$/.test(key) ? textsIn(value) : []));
}

/** Every text of an input, at any depth, and names that look like a path. */
function textsIn(input: unknown): string[] {
  const texts: string[] = [];
  const left = [input];
  while (left.length > 0) {
    const value = left.pop();
    if (typeof value === "string") texts.push(value);
    else if (typeof value === "object" && value !== null) {
      texts.push(...Object.keys(value).filter((name) => /[./\\]/.test(name)));
      left.push(...Object.values(value).reverse());
    }
  }
  return texts;
}

/**
 * What a server may take a text for: the path itself, without its detours, and what a `file:` address, an escape or a
 * query stands for. What is too long for any path, or has lines like a file, is none.
 */
function readingsOf(text: string): string[] {
  const short = text.length <= maxGlobChars ? text : normalize(text);
  if (short.length > (short.includes("\n") ? maxGlobChars : maxPathChars)) return [];
  const bare = /^[^?#]*(?=[?#]\S*$)/.exec(short)?.[0] ?? short;
  return [short, bare, unescaped(bare.replace(/^file:(?:\/\/[^/]*(?=\/))?/i, ""))];
}

function unescaped(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
