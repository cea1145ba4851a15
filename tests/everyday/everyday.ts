import { shell, type ToolCall } from "../attacks/attack.ts";

/** What people have a model do on an ordinary day. */
export interface EverydayCall {
  /** In words, unique. */
  title: string;
  call: ToolCall;
  kind: Kind;
  /** Programs that it takes. */
  needs?: readonly string[];
  /** What its result says when it went well, as a regular expression. */
  says?: string;
  /** Of a server: the page that the user's browser shows at `{port}`. */
  page?: string;
  /**
   * `well`: it works. `told`: it works, or its result names the fence and what to do about it. Default: well.
   */
  ends?: "well" | "told";
}

/**
 * `look`: it only looks, and no level asks. `change`: it changes the folder. `host`: a card asks for a host. `outside`: it
 * needs to run outside of the fence, and its card offers that.
 */
export type Kind = "look" | "change" | "host" | "outside";

/** Calls in one folder, one after the other. */
export interface Project {
  name: string;
  files: Readonly<Record<string, string>>;
  /** Commands of bash that the user gave before. */
  prepare?: string;
  needs?: readonly string[];
  calls: readonly EverydayCall[];
}

/** Servers on this computer that a system's proxy knows by these names. */
export const hosts = {
  registry: "http://registry.parley.test",
  pages: "http://pages.parley.test",
  git: "http://git.parley.test",
  pypi: "http://pypi.parley.test",
} as const;

const of =
  (kind: Kind) =>
  (command: string, more: Partial<EverydayCall> = {}): EverydayCall => ({
    title: command,
    call: shell(command),
    kind,
    ...more,
  });

export const looks = of("look");
export const changes = of("change");
export const online = of("host");
export const outside = of("outside");

export const tool = (
  kind: Kind,
  name: string,
  input: Readonly<Record<string, unknown>>,
  more: Partial<EverydayCall> = {},
): EverydayCall => ({ title: `${name} ${JSON.stringify(input)}`, call: { name, input }, kind, ...more });
