import type { UserError } from "../../shared/conversation/events.ts";
import type { StartUp } from "../../shared/conversation/sessions.ts";
import { type Settings, settingsShape } from "../../shared/settings.ts";

/** Switches that stand for a setting while Parley runs. */
const switches = { "--max-tokens": "maxSessionTokens" } as const satisfies Record<string, keyof Settings>;

/**
 * What the command line says of the settings: `--max-tokens N` or `--max-tokens=N`. Other words are left to Electron.
 * @param argv the words after the program
 */
export function commandLineSettings(argv: readonly string[]): {
  settings: Partial<Settings>;
  problems: UserError[];
} {
  const settings: Partial<Settings> = {};
  const problems: UserError[] = [];
  for (const [index, word] of argv.entries()) {
    const { name, inline } = parts(word);
    if (!isSwitch(name)) continue;
    const value = inline ?? argv[index + 1] ?? "";
    const parsed = settingsShape[switches[name]].safeParse(value.trim() === "" ? value : Number(value));
    if (parsed.success) settings[switches[name]] = parsed.data;
    else {
      problems.push({
        code: "invalid_switch",
        message: `${name} needs a whole number of tokens, not “${value}”. It is ignored.`,
        hint: `Start Parley with, for example, ${name} 200000.`,
      });
    }
  }
  return { settings, problems };
}

/**
 * What the command line says of the start: `--new`, `--continue`, `--resume REFERENCE`, `--fork REFERENCE` (or with `=`).
 * The last one counts.
 * @param argv the words after the program
 * @returns `startUp` null: nothing, the settings say it
 */
export function commandLineStartUp(argv: readonly string[]): {
  startUp: StartUp | null;
  problems: UserError[];
} {
  let startUp: StartUp | null = null;
  const problems: UserError[] = [];
  for (const [index, word] of argv.entries()) {
    const { name, inline } = parts(word);
    if (name === "--new" || name === "--continue") startUp = { kind: name === "--new" ? "new" : "continue" };
    if (name !== "--resume" && name !== "--fork") continue;
    const next = argv[index + 1] ?? "";
    const reference = (inline ?? (next.startsWith("--") ? "" : next)).trim();
    if (reference !== "") startUp = { kind: name === "--resume" ? "resume" : "fork", reference };
    else {
      problems.push({
        code: "invalid_switch",
        message: `${name} needs a conversation: its id, the beginning or end of its id, or its title. It is ignored.`,
        hint: `Start Parley with, for example, ${name} "Plan a trip".`,
      });
    }
  }
  return { startUp, problems };
}

function parts(word: string): { name: string; inline: string | undefined } {
  const at = word.indexOf("=");
  return at < 0 ? { name: word, inline: undefined } : { name: word.slice(0, at), inline: word.slice(at + 1) };
}

const isSwitch = (name: string): name is keyof typeof switches => Object.hasOwn(switches, name);
