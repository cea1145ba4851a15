import { relative, resolve } from "node:path";
import { isSecretPath, seeksSecrets } from "../../shared/secret-files.ts";
import type { Tool, ToolContext } from "../agent/ports.ts";
import { isProtected } from "./protected-files.ts";
import { type RealPath, realPath, realWord } from "./real-path.ts";
import { readShellScript, type ShellScript } from "./shell-script.ts";
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
  readonly shell: (ShellScript & { readonly from: string; readonly text: string }) | null;
  readonly url: URL | null;
  /** It names files that hold keys or passwords. */
  readonly hasSecrets: boolean;
  /** It changes files that say what runs, such as hooks, or Parley's own rules. */
  readonly hasProtected: boolean;
}

/** @param context its working folder is free of links */
export function factsOf(tool: Tool, input: unknown, { environment }: ToolContext): CallFacts {
  const folder = environment.workingDirectory;
  const isServerTool = tool.name.includes("__");
  const named = tool.touchedPaths?.(input) ?? [];
  const paths = named.map((path) => realPath(path, folder));
  const shell = shellOf(tool, input, environment);
  const words = (shell?.plain ?? shell?.seen ?? []).flat().slice(0, maxWords).flatMap(valuesOf);
  const ofOurs = tool.effect === "read" ? pathTextsIn(input) : [];
  const texts = (isServerTool ? textsIn(input) : ofOurs).slice(0, maxWords);
  const mayReach = [
    ...paths,
    ...texts.map((text) => realPath(text, folder)).filter((path) => path !== null),
    ...words.map((word) => realWord(word, folder, shell?.from ?? folder)).filter((path) => path !== null),
  ];
  // Of what lies in the folder only the way from there counts: where the folder is, is the user's choice.
  const real = mayReach.flatMap((path) =>
    path ? [path.isInside ? relative(folder, path.real) : path.real] : [],
  );
  const mentioned = [...named, ...texts, ...words];
  return {
    tool,
    isServerTool,
    folder,
    paths,
    mayReach,
    shell,
    url: tool.effect === "network" ? addressIn(input) : null,
    hasSecrets: [...texts, ...words].some(seeksSecrets) || [...named, ...real].some(isSecretPath),
    hasProtected: (tool.effect !== "read" || isServerTool) && [...mentioned, ...real].some(isProtected),
  };
}

/** More words than a person would read. */
const maxWords = 500;

function shellOf(
  { effect, name }: Tool,
  input: unknown,
  { workingDirectory, platform }: ToolContext["environment"],
): CallFacts["shell"] {
  if (effect !== "execute" || name.includes("__")) return null;
  const text = textAt(input, "command");
  if (text === undefined) return null;
  const script = readShellScript(text);
  const from = resolve(workingDirectory, textAt(input, "working_directory") ?? ".");
  // cmd.exe reads another language: nothing there is sure.
  return { ...script, ...(platform === "win32" && { plain: null }), text, from };
}

function textAt(input: unknown, key: string): string | undefined {
  if (typeof input !== "object" || input === null) return undefined;
  const value: unknown = Object.entries(input).find(([name]) => name === key)?.[1];
  return typeof value === "string" ? value : undefined;
}

/** `--file=.env`, `@.env`, `x:.env` name a file, too. */
function valuesOf(word: string): string[] {
  return [word, ...word.split(/[=@:,]/).slice(1)];
}

/** What a tool of Parley's own reads by a pattern, or where it searches. */
function pathTextsIn(input: unknown): string[] {
  if (typeof input !== "object" || input === null) return [];
  return Object.entries(input).flatMap(([key, value]) => (/^(paths?|glob)$/.test(key) ? textsIn(value) : []));
}

/** Every text of an input, at any depth. */
function textsIn(input: unknown, depth = 0): string[] {
  if (typeof input === "string") return input.length < 4096 ? [input] : [];
  if (typeof input !== "object" || input === null || depth > 8) return [];
  return Object.values(input).flatMap((value) => textsIn(value, depth + 1));
}
