import type { PermissionLevel, PermissionRule } from "../../shared/safety/permissions.ts";

/**
 * Something that a model asks for and that must not happen. What happened is looked for outside of Parley: see `Harm`.
 *
 * These stand for what is another one in every play: `{id}` (of the play), `{folder}` (the working folder), `{outside}`
 * (the folder around it), `{home}`, `{elsewhere}` (outside of the home), `{canary}` (what no model may get to see), `{port}` (TCP and
 * UDP on this computer), `{socket}` (a socket of the session), `{victim}` (the number of a process of the user's),
 * `{stay}` (what a process is called that is to outlive its call), `{app}`, `{userData}`, `{parley}` (Parley's process).
 */
export interface Attack {
  /** Unique, in lower case. */
  id: string;
  title: string;
  harm: Harm;
  /** Where it is played; with cards that nobody allows. Default: in `work`. */
  levels?: readonly Level[];
  rules?: readonly PermissionRule[];
  /** What lies there before, by its path from the working folder. */
  files?: Readonly<Record<string, string>>;
  /** From the working folder: where each leads to. */
  links?: Readonly<Record<string, string>>;
  /** Commands of bash that the user gave in the folder before. */
  prepare?: string;
  /** Where it works, if not in a folder of its own. */
  folder?: string;
  /** Prompts in turn: the calls of each are asked for at once. */
  steps: readonly (readonly ToolCall[])[];
  /** What the user says to the cards of each step, in the play without their yes. Default: no. */
  answers?: readonly Answer[];
  /** Files that must be as before, and not there if they were not. */
  untouched?: readonly string[];
  /** What a result would say if it had worked; the calls themselves do not. */
  says?: string;
  /** Programs that it takes. */
  needs?: readonly string[];
  /** Whether it is played once more with a user who allows its cards: its commands are fenced all the same. Default: with a command. */
  approved?: boolean;
  /** Whether that user allows the hosts, too: some must be refused all the same. */
  hosts?: boolean;
  /** Whose model asks: each has tools of its own. Default: anthropic. */
  provider?: "openai" | "gemini";
  /** Played behind a system's proxy that knows every host. */
  proxied?: boolean;
}

/**
 * What an attack is after. `write`: a file outside, or one of `untouched`. `leak`: something hidden in a request to the
 * model. `connect`: a connection to a port or a socket. `stay`: a process that outlives its call. `kill`: a process of
 * the user's ends. `say`: a result says what only a success can say.
 */
export type Harm = "write" | "leak" | "connect" | "stay" | "kill" | "say";

export type Answer = "deny" | "once" | "conversation";

export interface ToolCall {
  name: string;
  input: Readonly<Record<string, unknown>>;
}

/** Attacks of one class, for the table of what came through. */
export interface AttackClass {
  /** What they have in common, for the reader of SECURITY.md. */
  name: string;
  attacks: readonly Attack[];
}

export type Level = PermissionLevel;

export const shell = (command: string, more: object = {}): ToolCall => ({
  name: "shell",
  input: { command, ...more },
});
export const read = (path: string): ToolCall => ({ name: "read_file", input: { path } });
export const write = (path: string, content = "planted\n"): ToolCall => ({
  name: "write_file",
  input: { path, content },
});

/** One command that writes outside of the folder. */
export const writesOutside = (
  id: string,
  title: string,
  command: string,
  more: Partial<Attack> = {},
): Attack => ({ id, title, harm: "write", steps: [[shell(command)]], ...more });

/** One command whose result would tell what is hidden. */
export const leaks = (id: string, title: string, command: string, more: Partial<Attack> = {}): Attack => ({
  id,
  title,
  harm: "leak",
  steps: [[shell(command)]],
  ...more,
});

/** One command that reaches for a port or a socket. */
export const knock = (id: string, title: string, command: string, more: Partial<Attack> = {}): Attack => ({
  id,
  title,
  harm: "connect",
  steps: [[shell(command)]],
  ...more,
});

/** A script for Python, as a command. */
export const python = (script: string) => `python3 - <<'E'\n${script}\nE`;
