import { codeOf, docPages, fencesOf } from "../../unit/docs/pages.ts";

/** A command that a document shows, without what stands for the reader's own words. */
export interface ShownCommand {
  page: string;
  /** As it stands there, in one line. */
  line: string;
  words: readonly string[];
}

const isShell = new Set(["sh", "bash", "console"]);
const program = /^(?:[A-Z_]+=\S+ )*(?:xvfb-run -a |sudo )?(?:npm|npx|node|parley|bin\/parley|apt)(?: |$)/;

/** Words in quotes are one; what stands in brackets may be left out, and is. */
const wordsOf = (line: string): string[] =>
  [...line.replaceAll(/\[[^\]]*\]/g, "").matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(
    ([, double, single, bare]) => double ?? single ?? bare ?? "",
  );

/** Commands for a terminal: all of fenced `sh`, and what of the text begins with a program of ours. */
export const terminalCommands: readonly ShownCommand[] = docPages.flatMap((page) => {
  const fenced = fencesOf(page)
    .filter(({ language }) => isShell.has(language))
    .flatMap(({ lines }) => lines.map((line) => line.replace(/\s+#.*$/, "")));
  const inline = codeOf(page).filter((code) => program.test(code));
  return [...fenced, ...inline].map((line) => ({ page: page.path, line, words: wordsOf(line) }));
});

/** Without what stands before the program, and what is piped into it: that is the reader's. */
export const bare = ({ words }: ShownCommand): string[] => {
  const piped = words.slice(words.lastIndexOf("|") + 1);
  const rest = piped.filter((word, place) => !(place === 0 && /^[A-Z_]+=/.test(word)));
  return rest[0] === "xvfb-run" ? rest.slice(2) : rest[0] === "sudo" ? rest.slice(1) : rest;
};

/** What `parley` is called with: all of them are run by parley-commands.test.ts. */
export const isLaunch = (command: ShownCommand): boolean => /^(?:bin\/)?parley$/.test(bare(command)[0] ?? "");

/** Commands that are typed into Parley: lines of a fence without a language, and what of the text begins with a slash and a word. */
export const slashCommands: readonly ShownCommand[] = docPages.flatMap((page) => {
  const fenced = fencesOf(page)
    .filter(({ language }) => language === "")
    .flatMap(({ lines }) => lines);
  // In a table: “`/meeting` | Opens the last one. Also `ask`, `summary`.”
  const also = [...page.prose.matchAll(/^\| `(\/\w+)`.* Also (`.+) \|$/gm)].flatMap(
    ([, name = "", actions = ""]) =>
      [...actions.matchAll(/`([^`]+)`/g)].map(([, action]) => `${name} ${action}`),
  );
  return [...fenced, ...codeOf(page), ...also]
    .filter((line) => /^\/[a-z]+(?: |$)/.test(line))
    .map((line) => ({ page: page.path, line, words: line.replaceAll("\\|", "|").split(" ") }));
});
