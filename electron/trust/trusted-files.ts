import { createHash } from "node:crypto";
import { mkdirSync, renameSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { z } from "zod";
import { parseSmallJson, readSmallFile } from "../files/small-file.ts";

const file = z.record(z.string(), z.object({ sha256: z.string(), isTrusted: z.boolean() }));
type Answers = z.infer<typeof file>;

/** Bytes; an answer takes some two hundred. */
const mostBytes = 8 * 1024 * 1024;

/** What the user said of a file: nothing yet, or of the content it has now, or of another one. */
export type Answer = "none" | "trusted" | "declined" | "changed";

/** What stands in the files of folders, by the user's word: each with its content as it was shown. */
export class TrustedFiles {
  readonly #path: string;
  #answers: Answers | null = null;

  /** @param path where the answers are kept */
  constructor(path: string) {
    this.#path = path;
  }

  /** @param path of the file, free of links */
  answer(path: string, sha256: string): Answer {
    const known = this.#read()[path];
    if (!known) return "none";
    if (known.sha256 !== sha256) return "changed";
    return known.isTrusted ? "trusted" : "declined";
  }

  /** Whether the last word about a file was a yes, whatever it holds now. */
  wasTrusted(path: string): boolean {
    return this.#read()[path]?.isTrusted ?? false;
  }

  /** Paths of the files whose last word was a yes, in the order of the alphabet. */
  trusted(): string[] {
    return Object.entries(this.#read())
      .flatMap(([path, { isTrusted }]) => (isTrusted ? [path] : []))
      .sort();
  }

  /** Nothing was ever said of it. @throws Error when it cannot be written; it then counts until Parley ends */
  forget(path: string): void {
    const { [path]: _, ...others } = this.#read();
    this.#write(others);
  }

  /** @throws Error when it cannot be written; it then counts until Parley ends */
  keep(files: readonly { path: string; sha256: string }[], isTrusted: boolean): void {
    const added = files.map(({ path, sha256 }) => [path, { sha256, isTrusted }] as const);
    this.#write({ ...this.#read(), ...Object.fromEntries(added) });
  }

  #write(answers: Answers): void {
    this.#answers = answers;
    mkdirSync(dirname(this.#path), { recursive: true });
    writeFileSync(`${this.#path}.new`, `${JSON.stringify(this.#answers, null, 1)}\n`, { mode: 0o600 });
    renameSync(`${this.#path}.new`, this.#path);
  }

  #read(): Answers {
    this.#answers ??= this.#stored();
    return this.#answers;
  }

  /** Unreadable: everything is asked for again. */
  #stored(): Answers {
    const read = readSmallFile(this.#path, { most: mostBytes });
    if (read.kind !== "text") return {};
    try {
      return file.parse(parseSmallJson(read.text));
    } catch {
      return {};
    }
  }
}

export const sha256Of = (text: string): string => createHash("sha256").update(text).digest("hex");
