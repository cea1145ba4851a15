import { realpathSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import type { BroughtFile, TrustRequest } from "../../shared/safety/trust.ts";
import { readSmallFile } from "../files/small-file.ts";
import { sha256Of, type TrustedFiles } from "./trusted-files.ts";

/** A file that may lie in or above a folder, and what Parley would do with it. */
export interface SteeringFile {
  /** Absolute. */
  path: string;
  /** The folder that it may not lead out of. */
  within: string;
  /** Bytes. */
  most: number;
  /** @returns null: with this content it steers nothing */
  describe(text: string): Description | null;
  /** What is in it is asked for one by one when it changes: the file itself only the first time. */
  asksByItself?: boolean;
}

export interface Description {
  /** In Parley's words. */
  what: string;
  /** In the project's. */
  words: string[];
}

export interface FolderTrustOptions {
  files: TrustedFiles;
  /** Where to look. @param folder free of links */
  steering(folder: string): Promise<readonly SteeringFile[]>;
  /** The user gave their word. */
  onAnswer(): void;
}

/** A file that was looked at. */
interface Found extends BroughtFile {
  key: string;
  sha256: string;
  answer: "none" | "trusted" | "declined" | "changed";
}

/**
 * What folders bring counts by the user's word alone, each file with the content that was shown. Reading for it is
 * looking only: nothing that stands there is told to the model, or used, before.
 */
export class FolderTrust {
  readonly #options: FolderTrustOptions;

  constructor(options: FolderTrustOptions) {
    this.#options = options;
  }

  /** Whether a file counts with this content. */
  isTrusted = (path: string, text: string): boolean =>
    this.#options.files.answer(keyOf(path), sha256Of(text)) === "trusted";

  /** For a file of which each entry is asked for by itself: whether it counts at all. */
  wasTrusted = (path: string): boolean => this.#options.files.wasTrusted(keyOf(path));

  /** Files that count by the user's word. */
  trusted = (): string[] => this.#options.files.trusted();

  /** Takes the word back: what the file says is asked for again. @throws Error when that cannot be written */
  forget(path: string): void {
    try {
      this.#options.files.forget(path);
    } finally {
      this.#options.onAnswer();
    }
  }

  /** @returns what waits for the user's word; null: nothing */
  async request(folder: string): Promise<TrustRequest | null> {
    const real = realOr(folder);
    const waiting = (await this.#look(real)).filter(
      ({ answer }) => answer === "none" || answer === "changed",
    );
    return waiting.length === 0 ? null : requestOf(real, waiting);
  }

  /** @param id of the request that was shown @throws Error where it is another one by now */
  async answer(folder: string, id: string, isTrusted: boolean): Promise<void> {
    const real = realOr(folder);
    const waiting = (await this.#look(real)).filter(
      ({ answer }) => answer === "none" || answer === "changed",
    );
    if (waiting.length === 0 || requestOf(real, waiting).id !== id) {
      this.#options.onAnswer();
      throw new Error("What this folder brings has changed in the meantime. Look at it again.");
    }
    this.#keep(waiting, isTrusted);
  }

  /** Whether the user trusts all that it brings: also where it brings nothing. */
  isFolderTrusted = async (folder: string): Promise<boolean> =>
    (await this.#look(realOr(folder))).every(({ answer }) => answer === "trusted");

  /** All that the folder brings now, whatever was said before. @returns what it is */
  async answerAll(folder: string, isTrusted: boolean): Promise<BroughtFile[]> {
    const found = await this.#look(realOr(folder));
    this.#keep(found, isTrusted);
    return found;
  }

  /** What the folder brings, and what was said of it. */
  async list(folder: string): Promise<readonly (BroughtFile & Pick<Found, "answer">)[]> {
    return await this.#look(realOr(folder));
  }

  #keep(found: readonly Found[], isTrusted: boolean): void {
    const answers = found.map(({ key: path, sha256, refusal }) => ({ path, sha256, refusal }));
    const readable = answers.filter(({ refusal }) => refusal === null);
    try {
      if (readable.length > 0) this.#options.files.keep(readable, isTrusted);
      // There is nothing in it to be trusted: it is known, and not named again.
      const others = answers.filter(({ refusal }) => refusal !== null);
      if (others.length > 0) this.#options.files.keep(others, false);
    } finally {
      this.#options.onAnswer();
    }
  }

  async #look(folder: string): Promise<Found[]> {
    const found = new Map<string, Found>();
    for (const place of await this.#options.steering(folder)) {
      const one = this.#lookAt(folder, place);
      if (one && !found.has(one.key)) found.set(one.key, one);
    }
    return [...found.values()];
  }

  #lookAt(folder: string, { path, within, most, describe, asksByItself }: SteeringFile): Found | null {
    const read = readSmallFile(path, { most, within });
    if (read.kind === "missing") return null;
    const at = { path: relative(folder, path), key: keyOf(path) };
    const files = this.#options.files;
    if (read.kind === "refused") {
      const sha256 = sha256Of(`refused: ${read.why}`);
      const answer = files.answer(at.key, sha256);
      const about = { what: "", words: [], isCut: false, isChanged: false, refusal: read.why };
      return { ...at, ...about, sha256, answer };
    }
    const description = describe(read.text);
    if (!description) return null;
    const sha256 = sha256Of(read.text);
    const said = files.answer(at.key, sha256);
    const answer = said === "changed" && asksByItself && files.wasTrusted(at.key) ? "trusted" : said;
    const { what, words } = description;
    return { ...at, what, ...shortened(words), isChanged: said === "changed", refusal: null, sha256, answer };
  }
}

function requestOf(folder: string, found: readonly Found[]): TrustRequest {
  const id = sha256Of(JSON.stringify([folder, ...found.map(({ key, sha256 }) => [key, sha256])]));
  const files = found.map(({ key: _, sha256: __, answer: ___, ...file }) => file);
  return { id, folder, files };
}

/** More nobody reads on a card. */
const mostLines = 200;
const mostChars = 8000;

function shortened(words: readonly string[]): { words: string[]; isCut: boolean } {
  const shown: string[] = [];
  let left = mostChars;
  for (const line of words.slice(0, mostLines)) {
    if (left <= 0) break;
    shown.push(line.slice(0, left));
    left -= line.length;
  }
  return { words: shown, isCut: left < 0 || shown.length < words.length };
}

/** Where a file really lies: one that two names lead to is one. */
function keyOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return join(realOr(dirname(path)), basename(path));
  }
}

function realOr(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
