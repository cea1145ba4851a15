import type { UserError } from "../../shared/events.ts";
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
    const [name = "", inline] = word.split("=", 2);
    if (!isSwitch(name)) continue;
    const value = inline ?? argv[index + 1] ?? "";
    const parsed = settingsShape[switches[name]].safeParse(value.trim() === "" ? value : Number(value));
    if (parsed.success) settings[switches[name]] = parsed.data;
    else {
      problems.push({
        code: "invalid_switch",
        message: `${name} wants a whole number of tokens, not “${value}”. It is left out.`,
        hint: `Start Parley with, for example, ${name} 200000.`,
      });
    }
  }
  return { settings, problems };
}

const isSwitch = (name: string): name is keyof typeof switches => Object.hasOwn(switches, name);
