import {
  chmodSync,
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import type { UserError } from "../../shared/conversation/events.ts";
import type { SecretPlace } from "../../shared/safety/secrets.ts";

/** What makes a secret unreadable in a file. */
export interface Cipher {
  /** Whether the system guards the key to it. False: who has the file can read it. */
  isGuarded(): boolean;
  /** What guards it, by the system's own name. */
  readonly backend: string;
  /** Whether `encrypt` works where nothing guards it. */
  readonly canBeWeak: boolean;
  /** @throws Error where it cannot */
  encrypt(text: string): Uint8Array;
  /** @throws Error when it was encrypted elsewhere, or the system's key is gone */
  decrypt(bytes: Uint8Array): string;
}

export interface SecretsOptions {
  /** The user-data folder. */
  folder: string;
  /** Made when it is needed first: asking the system for its key store takes time. */
  cipher(): Cipher;
  onProblem(problem: UserError): void;
}

const sealed = z.object({ protection: z.enum(["system", "weak"]), data: z.base64() });
const fileShape = z.object({
  isWeakAccepted: z.boolean().default(false),
  secrets: z.record(z.string(), sealed),
});

/**
 * Keys and tokens, in `secrets.json` of the user-data folder, as the system's key store seals them. Where it has none,
 * they stay in memory, unless the user accepts that the file alone gives them away. Names hold no secret.
 */
export class Secrets {
  readonly #options: SecretsOptions;
  readonly #path: string;
  /** As they stand in the file; what cannot be opened now stays there. */
  #sealed: Record<string, z.infer<typeof sealed>> = {};
  readonly #open = new Map<string, string>();
  readonly #unopened = new Set<string>();
  #isWeakAccepted = false;
  /** Why the file must not be written: what is in it would be lost. */
  #unreadable: string | null = null;
  #cipher: Cipher | undefined;

  constructor(options: SecretsOptions) {
    this.#options = options;
    this.#path = join(options.folder, "secrets.json");
    this.#load();
  }

  read(name: string): string | undefined {
    return this.#open.get(name) ?? this.#unseal(name);
  }

  /** Names, those that cannot be opened included, in the order of the alphabet. */
  names(): string[] {
    return [...new Set([...Object.keys(this.#sealed), ...this.#open.keys()])].sort();
  }

  /** Where it is kept; null for a secret that there is none of. */
  place(name: string): SecretPlace | "unopened" | null {
    const stored = this.#sealed[name];
    if (stored && this.read(name) === undefined) return "unopened";
    if (stored) return stored.protection;
    return this.#open.has(name) ? "memory" : null;
  }

  /**
   * @param value undefined removes it
   * @param place where the user wants it, if not where it is kept by itself
   * @throws Error when it cannot be sealed, or the file cannot be written; the secret is then known until you quit
   */
  write(name: string, value: string | undefined, place: SecretPlace = this.#placeOf(value)): void {
    const { [name]: before, ...others } = this.#sealed;
    this.#unopened.delete(name);
    if (value === undefined) this.#open.delete(name);
    else this.#open.set(name, value);
    // Until the file has it: what it holds under this name is old.
    this.#sealed = others;
    const next = value === undefined ? undefined : this.#seal(value, place);
    if (!next && !before) return;
    this.#save(next ? { ...others, [name]: next } : others);
  }

  /** Where the next secret will be kept. */
  get nextPlace(): SecretPlace {
    if (this.#unreadable !== null) return "memory";
    if (this.#guard.isGuarded()) return "system";
    return this.#isWeakAccepted && this.#guard.canBeWeak ? "weak" : "memory";
  }

  /** What guards them, by the system's own name. */
  get backend(): string {
    return this.#guard.backend;
  }

  get canBeWeak(): boolean {
    return this.#unreadable === null && !this.#guard.isGuarded() && this.#guard.canBeWeak;
  }

  /** True: what is in memory goes into the file, too. False: what the file alone would give away leaves it. */
  acceptWeak(isAccepted: boolean): void {
    if (isAccepted === this.#isWeakAccepted) return;
    for (const name of Object.keys(this.#sealed)) this.read(name);
    this.#isWeakAccepted = isAccepted;
    const kept = Object.entries(this.#sealed).filter(
      ([name, { protection }]) => isAccepted || protection === "system" || this.#unopened.has(name),
    );
    const next = Object.fromEntries(kept);
    for (const [name, value] of this.#open) {
      const stored = next[name] ?? this.#seal(value, this.nextPlace);
      if (stored) next[name] = stored;
    }
    this.#save(next);
  }

  get #guard(): Cipher {
    this.#cipher ??= this.#options.cipher();
    return this.#cipher;
  }

  /** Nobody is asked about what is only removed. */
  #placeOf(value: string | undefined): SecretPlace {
    return value === undefined ? "memory" : this.nextPlace;
  }

  #seal(value: string, place: SecretPlace): z.infer<typeof sealed> | undefined {
    if (place === "memory") return undefined;
    try {
      return { protection: place, data: Buffer.from(this.#guard.encrypt(value)).toString("base64") };
    } catch (error) {
      const why = `The system's key store (${this.#guard.backend}) does not take it: ${messageOf(error)}`;
      throw new Error(`${why}. It works until you quit Parley. Unlock the key store and enter it again.`, {
        cause: error,
      });
    }
  }

  #unseal(name: string): string | undefined {
    const stored = this.#sealed[name];
    if (!stored || this.#unopened.has(name)) return undefined;
    try {
      const value = this.#guard.decrypt(Buffer.from(stored.data, "base64"));
      this.#open.set(name, value);
      return value;
    } catch (error) {
      this.#unopened.add(name);
      this.#options.onProblem({
        code: "unopened_secret",
        message: `What is stored as “${name}” cannot be opened: the key store (${this.#guard.backend}) is locked, or differs from what sealed it (${messageOf(error)}).`,
        hint: "It stays in the file. Unlock that key store and start again, or enter the key again with /key set.",
      });
      return undefined;
    }
  }

  #load(): void {
    let text: string;
    try {
      if (!existsSync(this.#path)) return;
      text = readFileSync(this.#path, "utf8");
      if (process.platform !== "win32") chmodSync(this.#path, 0o600);
    } catch (error) {
      this.#unreadable = `${this.#path} cannot be read: ${messageOf(error)}`;
      this.#options.onProblem({
        code: "unreadable_secrets",
        message: `${this.#unreadable}.`,
        hint: "It is left as it is; keys that you give now are kept in memory until you quit.",
      });
      return;
    }
    const read = parsed(text);
    if (!read) {
      this.#putAside();
      return;
    }
    this.#sealed = read.secrets;
    this.#isWeakAccepted = read.isWeakAccepted;
  }

  #putAside(): void {
    const aside = freeName(`${this.#path}.bak`);
    try {
      renameSync(this.#path, aside);
    } catch (error) {
      this.#unreadable = `${this.#path} is damaged and cannot be put aside: ${messageOf(error)}`;
    }
    this.#options.onProblem({
      code: "damaged_secrets",
      message: this.#unreadable ?? `${this.#path} is damaged: none of the stored keys could be read.`,
      hint: `${this.#unreadable === null ? `It is kept as ${aside}. ` : ""}Enter the keys again with /key set.`,
    });
  }

  #save(secrets: Record<string, z.infer<typeof sealed>>): void {
    if (this.#unreadable !== null) throw new Error(this.#unreadable);
    const content = { isWeakAccepted: this.#isWeakAccepted, secrets };
    writePrivately(this.#path, `${JSON.stringify(content, null, 2)}\n`);
    this.#sealed = secrets;
  }
}

function parsed(text: string): z.infer<typeof fileShape> | null {
  try {
    return fileShape.parse(JSON.parse(text));
  } catch {
    return null;
  }
}

/** Whole or not at all, and for nobody else's eyes at any moment. */
function writePrivately(path: string, text: string): void {
  const draft = `${path}.new`;
  try {
    // One that a crash left behind may have another mode.
    rmSync(draft, { force: true });
    const file = openSync(draft, "wx", 0o600);
    try {
      writeSync(file, text);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    renameSync(draft, path);
  } catch (error) {
    throw new Error(
      `${path} could not be written: ${messageOf(error)}. The change works until you quit Parley.`,
      { cause: error },
    );
  }
}

function freeName(wanted: string): string {
  let name = wanted;
  for (let number = 2; existsSync(name); number++) name = `${wanted}.${number}`;
  return name;
}

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error));
