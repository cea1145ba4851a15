import type { Dirent } from "node:fs";
import { readdir, readFile, stat } from "node:fs/promises";
import { basename, join } from "node:path";
import { withoutSecrets } from "../../../shared/safety/redact.ts";
import { unique } from "./readable.ts";

/** Entries of one place that are looked at, the upper ones first: keys lie near the top, packages below. */
export const maxEntries = 10_000;
/** Folders that are read at once. */
const mostAtOnce = 32;
/** Folders whose entries are kept in mind. */
const mostKnown = 50_000;
/** Bytes; a larger one is no settings file that anybody wrote. */
const maxSettings = 200_000;

/** What a folder holds of what counts here; absolute paths. */
interface Looked {
  /** When it was last changed, as its system tells it. */
  changed: number;
  entries: number;
  keys: readonly string[];
  folders: readonly string[];
}

/**
 * Finds the user's keys among programs, by their names, and settings with a token in them. A folder is read again only
 * when something in it came or went.
 */
export class KeysInTools {
  readonly #isSecret: (path: string) => boolean;
  readonly #known = new Map<string, Looked>();

  constructor(isSecret: (path: string) => boolean) {
    this.#isSecret = isSecret;
  }

  /**
   * @param places absolute: folders, each with all below it, or files, which hold none
   * @returns absolute paths of files and folders, spelled from their place
   */
  async below(places: readonly string[]): Promise<string[]> {
    const found: string[] = [];
    for (const place of places) {
      found.push(...(await settingsWithTokens(place)), ...(await this.#keysBelow(place)));
    }
    return unique(found);
  }

  async #keysBelow(place: string): Promise<string[]> {
    const keys: string[] = [];
    const waiting = [place];
    for (let left = maxEntries; left > 0 && waiting.length > 0; ) {
      const looked = await Promise.all(waiting.splice(0, mostAtOnce).map((path) => this.#look(path)));
      for (const one of looked) {
        left -= one.entries;
        keys.push(...one.keys);
        waiting.push(...one.folders);
      }
    }
    return keys;
  }

  async #look(path: string): Promise<Looked> {
    try {
      const changed = (await stat(path)).mtimeMs;
      const before = this.#known.get(path);
      if (before?.changed === changed) return before;
      const looked = this.#sorted(path, await readdir(path, { withFileTypes: true }), changed);
      if (this.#known.size >= mostKnown) this.#known.clear();
      this.#known.set(path, looked);
      return looked;
    } catch {
      // No folder, or none that a command could read, either.
      return { changed: 0, entries: 0, keys: [], folders: [] };
    }
  }

  #sorted(path: string, entries: readonly Dirent[], changed: number): Looked {
    const isKey = (entry: Dirent) => this.#isKey(basename(path), entry);
    const folders = entries.filter(
      (entry) => entry.isDirectory() && !packageFolders.has(entry.name) && !isKey(entry),
    );
    const at = ({ name }: Dirent) => join(path, name);
    return {
      changed,
      entries: entries.length,
      keys: entries.filter(isKey).map(at),
      folders: folders.map(at),
    };
  }

  #isKey(folder: string, entry: Dirent): boolean {
    if (programs.has(entry.name)) return false;
    if (!entry.isDirectory() && (isCode.test(entry.name) || isOfAuthorities.test(entry.name))) return false;
    return this.#isSecret(programs.has(folder) ? entry.name : `${folder}/${entry.name}`);
  }
}

/** What packages are unpacked in: many entries, and no place for one's own keys. */
const packageFolders: ReadonlySet<string> = new Set(
  "node_modules site-packages dist-packages gems lib lib32 lib64 libexec include src pkg pkgs registry toolchains objects __pycache__".split(
    " ",
  ),
);

/** Programs that are called as a folder for keys is elsewhere. */
const programs: ReadonlySet<string> = new Set(["gcloud"]);

/** Languages have modules such as `secrets.py`. */
const isCode =
  /\.(py|pyc|pyi|pyd|js|cjs|mjs|ts|cts|mts|map|rb|rs|go|java|class|jar|php|pl|pm|exs?|beam|hs|hi|mli?|lua|c|cc|cpp|h|hpp|html?|md|rst|so|a|o|dll|dylib)$/i;

/** Certificates that everybody has: programs go online by them. */
const isOfAuthorities = /^(ca|cert|roots?|trusted)[\w-]*\.pem$/i;

/** Settings at the top of a tool chain that it cannot do without, and in which some keep a token. */
async function settingsWithTokens(place: string): Promise<string[]> {
  const files = ["config", "config.toml"].map((name) => join(place, name));
  const hold = await Promise.all(files.map(holdsToken));
  return files.filter((_, index) => hold[index]);
}

async function holdsToken(file: string): Promise<boolean> {
  try {
    const info = await stat(file);
    if (!info.isFile()) return false;
    if (info.size > maxSettings) return true;
    const text = await readFile(file, "utf8");
    return withoutSecrets(text) !== text;
  } catch {
    return false;
  }
}
