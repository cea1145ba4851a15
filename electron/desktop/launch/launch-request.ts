import { resolve } from "node:path";
import { type DataJob, jobOptions, parseDataJob } from "./data-job.ts";
import type { LaunchRequest } from "./launch-request-shape.ts";
import { linkScheme, parseLink } from "./parley-link.ts";
import { type PromptWords, parsePrompt, promptOptions } from "./prompt-request.ts";

export type Launch =
  | { ok: true; request: LaunchRequest }
  /** Something is done without a window, and ends. */
  | { ok: true; job: DataJob }
  /** A prompt is run without a window. */
  | { ok: true; prompt: PromptWords }
  /** There is something to print, and nothing to start. */
  | { ok: false; code: 0 | 2; said: string };

/** Stands before the words that the launcher was called with. */
export const launchMark = "--launch";

export const usage = `Usage: parley [--quick | --listen | --stop | --session REFERENCE | parley://…]
       parley -p PROMPT [--json] [--level look|ask|work] [--cwd DIR] [--continue REFERENCE]
       parley --backup FILE [--checkpoints]
       parley --restore FILE [--settings]
       parley --doctor | --version | --help

  --quick              open or hide the quick prompt
  --listen             start listening in the conversation used last
  --stop               stop listening and speaking
  --session REFERENCE  show a conversation: its id, the beginning or end of its id, or its title
  --background         start without a window
  -p, --prompt PROMPT  print the answer, then end; standard input is attached to the prompt, up to
                       200,000 characters. If Parley is running, it answers there
    --json             print events as they come, one per line
    --level LEVEL      look, ask or work: what runs without asking, for this prompt
    --cwd DIR          the folder to work in
    --continue REF     continue a conversation, named as for --session
  --backup FILE        save conversations, settings and your words in one file, then end;
                       with --checkpoints also the files kept for rewinding
  --restore FILE       add what such a file has and is missing here, then end; with --settings
                       its settings, too. Parley must not be running
  --doctor             check this computer and print what was found
  --version            print the version
  -h, --help           print this

Without arguments it opens the window. It uses the running Parley, or starts one.
Exit codes: 0 done, 1 failed, 2 wrong arguments, 3 needs an approval that nobody can give, 130 stopped by Ctrl+C
or a signal.

When it starts Parley with a window, these say what it shows first, and how much it may use:
  --new, --continue, --resume REFERENCE, --fork REFERENCE, --max-tokens N
`;

/** UTF-16 units of all words: at most three bytes each. */
const maxWordsChars = 9000;

const bare = {
  "--quick": "toggle_quick",
  "--listen": "listen",
  "--stop": "stop",
  "--background": "background",
} as const;
const isBare = (word: string): word is keyof typeof bare => Object.hasOwn(bare, word);
/** Those that `settings/command-line.ts` and the doctor read. */
const alone: ReadonlySet<string> = new Set(["--new", "--continue", "--doctor"]);
const limit = "--max-tokens";
const withValue: ReadonlySet<string> = new Set(["--resume", "--fork", limit, "--session"]);
const printed: ReadonlySet<string> = new Set(["--help", "-h", "--version"]);
/** All that the launcher takes; the usage names each. */
export const launchOptions: readonly string[] = [
  ...[...Object.keys(bare), ...alone, ...withValue, ...printed],
  ...promptOptions,
  ...jobOptions,
];

/** What the launcher was asked for. Pure. @param argv of the process; without the launcher's mark it was another kind of start */
export function parseLaunch(argv: readonly string[], version: string): Launch {
  const at = argv.indexOf(launchMark);
  const words = at < 0 ? [] : argv.slice(at + 1);
  const prompt = parsePrompt(words, (path) => resolve(path));
  if (prompt !== null) return typeof prompt === "string" ? wrong(prompt) : { ok: true, prompt };
  // Chromium hands all words over in one message of 32 kB; where that is exceeded, it takes the other instance for dead.
  if (words.join(" ").length > maxWordsChars) return wrong("That is too long.");
  const link = words.find(isLink);
  // Whoever made the link must not say more by it than a link can.
  if (link !== undefined) {
    return words.length === 1
      ? { ok: true, request: parseLink(link) }
      : wrong("A link must be the only argument.");
  }
  const job = parseDataJob(words);
  if (job !== null) return typeof job === "string" ? wrong(job) : { ok: true, job };
  const requests: LaunchRequest[] = [];
  for (let place = 0; place < words.length; place++) {
    const word = words[place] ?? "";
    const [name = "", inline] = split(word);
    if (printed.has(word)) {
      return { ok: false, code: 0, said: word === "--version" ? `Parley ${version}\n` : usage };
    }
    if (isBare(word)) requests.push({ type: bare[word] });
    else if (alone.has(word)) continue;
    else if (withValue.has(name)) {
      const value = inline ?? words[++place] ?? "";
      if (value.trim() === "" || (inline === undefined && value.startsWith("--"))) {
        return wrong(`${name} needs a ${name === limit ? "number" : "conversation"}.`);
      }
      if (value.length > 200) return wrong(`${name}: that is too long.`);
      if (name === "--session") requests.push({ type: "session", reference: value.trim() });
    } else return wrong(`What is ${JSON.stringify(word.slice(0, 100))}?`);
  }
  const [request = { type: "open" } as const, other] = requests;
  return other ? wrong("One thing at a time.") : { ok: true, request };
}

/**
 * The words that say what a start shows first and how much it may use. Those of a prompt are its own, whatever they look like. Pure.
 * @param argv of the process
 */
export function startWords(argv: readonly string[]): readonly string[] {
  const at = argv.indexOf(launchMark);
  const isPrompt = at >= 0 && parsePrompt(argv.slice(at + 1), (path) => path) !== null;
  return argv.slice(1, isPrompt ? at : undefined);
}

/**
 * The words that Parley starts anew with: what it was asked to show or to do was done, but its limits go on. Pure.
 * @param argv of the process
 */
export function wordsToStartAnew(argv: readonly string[]): string[] {
  const kept: string[] = [];
  for (let place = 1; place < argv.length; place++) {
    const word = argv[place] ?? "";
    const [name = "", inline] = split(word);
    if (isBare(word) || alone.has(word) || isLink(word)) continue;
    if (!withValue.has(name) || name === limit) kept.push(word);
    else if (inline === undefined) place++;
  }
  return kept;
}

const isLink = (word: string): boolean => word.toLowerCase().startsWith(linkScheme);

const wrong = (why: string): Launch => ({ ok: false, code: 2, said: `parley: ${why}\n\n${usage}` });

function split(word: string): [name: string, inline?: string] {
  const at = word.indexOf("=");
  return at < 0 ? [word] : [word.slice(0, at), word.slice(at + 1)];
}
