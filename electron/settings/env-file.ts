import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "dotenv";

export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Secrets and addresses: the real environment, then what was given in the app, then `.env` of each folder in turn; the
 * first that has a name wins. A missing or unreadable file counts as empty.
 * @param folders in order of precedence
 */
export function readEnvironment(
  real: Environment,
  folders: readonly string[],
  given: Environment = {},
): Environment {
  const files = folders.map((folder) => parseFile(join(folder, ".env")));
  return Object.assign({}, ...files.reverse(), withoutEmpty(given), withoutEmpty(real));
}

function parseFile(path: string): Record<string, string> {
  try {
    return withoutEmpty(parse(readFileSync(path)));
  } catch {
    return {};
  }
}

/** `NAME=` means "not set", as in the sample files people copy. */
function withoutEmpty(environment: Environment): Record<string, string> {
  const set: Record<string, string> = {};
  for (const [name, value] of Object.entries(environment)) if (value) set[name] = value;
  return set;
}
