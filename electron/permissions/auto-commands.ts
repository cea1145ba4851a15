import type { CommandPlace } from "./command-rules.ts";
import { realWord } from "./real-path.ts";

/**
 * Whether `auto` may run a script by itself: programs of which it is known what they do with the files they name, on
 * files in the working folder. One change at most: what a second one does can depend on the first.
 */
export function staysInside(commands: readonly string[][], place: CommandPlace): boolean {
  const changes = commands.filter(([program = ""]) => programs[program]?.changes);
  return changes.length <= 1 && commands.every((words) => isKnown(words, place));
}

function isKnown([program = "", ...args]: readonly string[], { folder, from }: CommandPlace): boolean {
  const known = Object.hasOwn(programs, program) ? programs[program] : undefined;
  if (!known) return false;
  const options = args.filter((word) => word.startsWith("-"));
  if (!options.every((option) => known.options.test(option))) return false;
  if (known.takesNoPaths) return true;
  return args
    .filter((word) => !word.startsWith("-"))
    .every((word) => {
      const path = realWord(word, folder, from);
      return path?.isInside === true && !(known.changes && path.real === folder);
    });
}

interface KnownProgram {
  options: RegExp;
  changes?: boolean;
  takesNoPaths?: boolean;
}

const none = /^$/;

/** Those that read only what they are told to, and follow no link out. */
const programs: Readonly<Record<string, KnownProgram>> = {
  pwd: { options: none },
  true: { options: none },
  false: { options: none },
  date: { options: none, takesNoPaths: true },
  echo: { options: /^-[neE]$/, takesNoPaths: true },
  ls: { options: /^-[1AaFhlrtSp]+$/ },
  cat: { options: /^-[AbEnsTv]+$/ },
  head: { options: /^-([ncqv]|\d+|[nc]\d+)$/ },
  tail: { options: /^-([ncqv]|\d+|[nc]\d+)$/ },
  wc: { options: /^-[lwcmL]+$/ },
  diff: { options: /^-[uqbBw]+$/ },
  stat: { options: none },
  basename: { options: none },
  dirname: { options: none },
  mkdir: { options: /^-[pv]+$/, changes: true },
  touch: { options: none, changes: true },
  cp: { options: /^-[nprRv]+$/, changes: true },
  mv: { options: /^-[nv]+$/, changes: true },
  rm: { options: /^-[frv]+$/, changes: true },
  rmdir: { options: /^-[pv]+$/, changes: true },
};
