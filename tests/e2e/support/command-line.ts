import { type ChildProcess, type StdioOptions, spawn } from "node:child_process";
import { join, resolve } from "node:path";

const root = resolve(import.meta.dirname, "../../..");
const electron = join(root, "node_modules/electron/dist/electron");
const headless = ["--ozone-platform=headless", "--disable-gpu", "--log-level=3"];

/** Whose Parley it is. */
export interface LinePlace {
  home: string;
  userData: string;
  env: Record<string, string>;
}

export interface LineEnd {
  code: number | null;
  out: string;
  err: string;
}

/** The words by which the launcher starts Parley without a display. */
export function lineOf({ userData }: Pick<LinePlace, "userData">, words: string[]): string[] {
  const switches = [...(process.getuid?.() === 0 ? ["--no-sandbox"] : []), ...headless];
  return [electron, ...switches, `--user-data-dir=${userData}`, root, "--launch", ...words];
}

/** Starts `parley` with these words, in the home. */
export function starts(at: LinePlace, words: string[], stdio: StdioOptions = "pipe"): ChildProcess {
  const [program = "", ...args] = lineOf(at, words);
  return spawn(program, args, { cwd: at.home, env: at.env, stdio });
}

/** Gives it its standard input. @returns what came of it */
export function ends(child: ChildProcess, input = ""): Promise<LineEnd> {
  // One that does not read all of it may end first.
  child.stdin?.on("error", () => {});
  child.stdin?.end(input);
  return closed(child);
}

export function closed(child: ChildProcess): Promise<LineEnd> {
  const said = { out: "", err: "" };
  child.stdout?.on("data", (chunk) => {
    said.out += chunk;
  });
  child.stderr?.on("data", (chunk) => {
    said.err += chunk;
  });
  return new Promise((done) => child.on("close", (code) => done({ code, ...said })));
}
