import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { readGlob } from "../../../shared/safety/globs.ts";
import { folded } from "../../../shared/safety/secret-files.ts";

const run = promisify(execFile);
/** Milliseconds; a hundred thousand files take a tenth of a second. */
const timeoutMs = 20_000;
const maxBuffer = 16 * 1_048_576;

interface FindDeniedOptions {
  ripgrep: string;
  /** Absolute, free of links. */
  folder: string;
  /** Absolute, with `/` between names. */
  globs: readonly string[];
}

/**
 * Finds what rules keep back in folders with very many files, however deep: by ripgrep, which goes through them many times as
 * fast as Node can, and only where a glob may name something. No link is followed.
 * @param folders relative to the folder
 * @returns files, and folders that are kept back whole, relative to the folder; null where not all could be looked through
 */
export async function findDenied(
  { ripgrep, folder, globs }: FindDeniedOptions,
  folders: readonly string[],
): Promise<string[] | null> {
  const wanted = globs.map((glob) => {
    const place = glob.replace(/(?:\/\*\*)+$/, "");
    return { name: nameIn(place), ...readGlob(folded(place)) };
  });
  const at = (path: string) => folded(join(folder, path));
  const searched = wanted.filter(({ mayFitBelow }) => folders.some((path) => mayFitBelow(at(path))));
  if (searched.length === 0) return [];
  const names = [...new Set(searched.map(({ name }) => name))];
  const args = [
    ..."--no-config --files --hidden --no-ignore --no-follow --null --no-messages".split(" "),
    ...names.flatMap((name) => ["--iglob", name, "--iglob", `**/${name}/**`]),
    "--",
    ...folders.map((path) => `./${path}`),
  ];
  const found = await namesFrom(ripgrep, args, folder);
  if (!found) return null;
  const denied = new Set<string>();
  for (const path of found) {
    if (!searched.some(({ fits }) => fits(at(path)))) continue;
    denied.add(aboves(path).find((above) => searched.some(({ fits }) => fits(at(above)))) ?? path);
  }
  return [...denied];
}

/** The last name of a glob for ripgrep: it fits whatever the glob does, and more where the two languages differ. */
function nameIn(place: string): string {
  const plain = place.replace(/\{[^{}]*\}/g, (group) => (group.includes("/") ? "**" : "*"));
  const name = plain.slice(plain.lastIndexOf("/") + 1).replace(/^.*\*\*/, "*");
  return name.replace(/[^\w.*? -]/g, "*");
}

/** The folders on the way to a path, from the top down. */
function aboves(path: string): string[] {
  const names = path.split("/");
  return names.slice(1).map((_, index) => names.slice(0, index + 1).join("/"));
}

async function namesFrom(program: string, args: readonly string[], cwd: string): Promise<string[] | null> {
  const env = { PATH: "/usr/bin:/bin" };
  try {
    const { stdout } = await run(program, args, { cwd, env, timeout: timeoutMs, maxBuffer });
    return namesIn(stdout);
  } catch (error) {
    // It found nothing, or a folder that nobody may read or that is gone by now: the others were looked through.
    const { code, stdout, stderr } = error as { code?: unknown; stdout?: unknown; stderr?: unknown };
    const isThrough = code === 1 || (code === 2 && stderr === "");
    return isThrough && typeof stdout === "string" ? namesIn(stdout) : null;
  }
}

const namesIn = (stdout: string): string[] =>
  stdout
    .split("\0")
    .filter((name) => name !== "")
    .map((name) => name.slice("./".length));
