import type { UserError } from "../../../shared/conversation/events.ts";
import type { KeyState } from "../../../shared/ipc/model-routes.ts";
import type { KeyMaker } from "../../../shared/safety/key-test.ts";
import { type KeyRequest, keyNames, keyVariables } from "../../../shared/safety/secrets.ts";
import type { Command } from "../../commands/registry.ts";
import type { VariableSources } from "../../mcp/config/expand.ts";
import type { SecretStore } from "../../mcp/ports.ts";
import {
  type Environment,
  modelKeysOf,
  type OwnVariables,
  readFolderEnvironment,
  readOwnEnvironment,
  readOwnVariables,
} from "../../settings/env-file.ts";
import { type Cipher, Secrets } from "../../settings/secrets.ts";
import { keyCommand } from "../ipc/key-command.ts";
import type { Redactor } from "../log/redactor.ts";

export interface AppSecretsOptions {
  userData: string;
  /** Of new conversations: the one whose `.env` may hold keys of models. */
  workingFolder: string;
  /** Whether the user trusts a file of a folder with this content. */
  isTrusted(path: string, text: string): boolean;
  /** Told of every secret that comes by here. */
  redactor: Redactor;
  /** The variables that Parley was started with. */
  real: Environment;
  cipher(): Cipher;
  onProblem(problem: UserError): void;
  /** What whoever asked is told as well. */
  onFailure(line: string): void;
  /** Shows the form for a key. */
  ask(request: KeyRequest): void;
  /** A key is new or gone. */
  onChange(): void;
}

const prefix = "key:";
const sealKeyName = "checkpoints";

/** The user's keys and the servers' tokens: where they are kept, who gets them, and what keeps them out of all else. */
export class AppSecrets {
  readonly #redactor: Redactor;
  readonly command: Command;
  readonly #options: AppSecretsOptions;
  readonly #secrets: Secrets;

  constructor(options: AppSecretsOptions) {
    this.#options = options;
    const { userData: folder, cipher, onProblem } = options;
    this.#redactor = options.redactor;
    this.#redactor.knowVariables(options.real);
    this.#secrets = new Secrets({ folder, cipher, onProblem });
    this.command = keyCommand({
      names: () => this.#keyNames(),
      place: (variable) => this.#secrets.place(prefix + variable),
      isInEnvironment: (variable) => Boolean(options.real[variable]),
      files: () => ({ ...readOwnEnvironment({}, {}, options.userData), ...this.modelKeys() }),
      backend: () => this.#secrets.backend,
      ask: (variable) => options.ask(this.request(variable)),
      remove: (variable) => {
        this.#told(() => this.#secrets.write(prefix + variable, undefined));
        options.onChange();
      },
      acceptWeak: (isAccepted) => this.#told(() => this.#secrets.acceptWeak(isAccepted)),
      canBeWeak: () => this.#secrets.canBeWeak,
    });
  }

  /** The user's own: the real environment, then the keys given here, then `.env` of the user-data folder. */
  environment = (): Environment => {
    const { environment, app, file } = this.places();
    return { ...file, ...app, ...environment };
  };

  /** The same, by where each stands. */
  places = (): OwnVariables => {
    const given = this.#given();
    const places = readOwnVariables(this.#options.real, given, this.#options.userData);
    for (const variables of Object.values(places)) this.#redactor.knowVariables(variables);
    // What was given as a secret is one, whatever its name.
    for (const value of Object.values(given)) this.#redactor.know(value);
    return places;
  };

  /** Variables whose key is kept, and cannot be opened now. */
  locked = (): string[] =>
    this.#keyNames().filter((variable) => this.#secrets.place(prefix + variable) === "unopened");

  /** For the entries of MCP servers: the user's own, and what a folder's `.env` says, where the user trusts it. @param folder null: none */
  serverVariables = (folder: string | null): VariableSources => ({
    own: this.environment(),
    folder: folder === null ? {} : this.#ofFolder(folder),
  });

  /** The keys of models, and nothing else, that the folder of new conversations brings, where the user trusts it. */
  modelKeys = (): Environment => {
    const given = { ...this.#given(), ...this.#options.real };
    return modelKeysOf(this.#ofFolder(this.#options.workingFolder), given);
  };

  /** Whether a maker has a key, and where it stands: never the key. */
  stateOf(maker: KeyMaker): Pick<KeyState, "variable" | "from" | "kept"> {
    const { environment, app, file } = this.places();
    const placed = { environment, app, file, folder: this.modelKeys() };
    for (const from of ["environment", "app", "file", "folder"] as const) {
      const variable = keyVariables[maker].find((name) => placed[from][name]?.trim());
      if (variable === undefined) continue;
      return { variable, from, kept: from === "app" ? this.#keptText(variable) : null };
    }
    return { variable: keyNames[maker], from: null, kept: null };
  }

  /** @throws Error where none was given here, or the file cannot be written */
  removeKey(maker: KeyMaker): void {
    const given = keyVariables[maker].filter((name) => this.#keyNames().includes(name));
    if (given.length === 0) throw new Error("No key was given here.");
    this.#told(() => {
      for (const variable of given) this.#secrets.write(prefix + variable, undefined);
    });
    this.#options.onChange();
  }

  #keptText(variable: string): string {
    const place = this.#secrets.place(prefix + variable);
    if (place === "system") return this.#secrets.backend;
    return place === "weak" ? "a file, weakly protected" : "memory, until Parley quits";
  }

  redact = (text: string): string => this.#redactor.text(text);

  /** From now on this key is redacted wherever it turns up. */
  know(key: string): void {
    this.#redactor.know(key);
  }

  /** Shows the form for a key. @throws Error where a key that is given there would not be used */
  askKey(variable: string): void {
    if (this.#options.real[variable]) {
      throw new Error(
        `${variable} is set in the environment, which comes before a key you enter here. Change it there, then start Parley again.`,
      );
    }
    this.#options.ask(this.request(variable));
  }

  /** What the form for a key has to say. */
  request(variable: string): KeyRequest {
    const { nextPlace: place, canBeWeak, backend } = this.#secrets;
    return { variable, place, canBeWeak, backend };
  }

  /** @throws Error when it cannot be kept; it then counts until Parley ends */
  setKey(variable: string, key: string, isWeakAccepted: boolean): void {
    this.#redactor.know(key);
    try {
      const canChoose = this.#secrets.canBeWeak;
      this.#told(() => {
        try {
          if (canChoose && isWeakAccepted) this.#secrets.acceptWeak(true);
        } finally {
          // Also where the file cannot be written: the key counts all the same.
          this.#secrets.write(prefix + variable, key, canChoose && !isWeakAccepted ? "memory" : undefined);
        }
      });
    } finally {
      this.#options.onChange();
    }
  }

  /** For what servers give: tokens, registrations. */
  readonly serverSecrets: SecretStore = {
    read: async (name) => {
      const value = this.#secrets.read(name);
      this.#knowParts(value);
      return value;
    },
    write: async (name, value) => {
      this.#knowParts(value);
      try {
        this.#secrets.write(name, value);
      } catch (error) {
        // Whoever signs in must not fail over a full disk: it counts until Parley ends.
        const message = error instanceof Error ? error.message : String(error);
        this.#options.onProblem({ code: "unwritten_secret", message });
      }
    },
  };

  /** The key that seals secrets in checkpoints: kept only where the system guards it. One that is locked now stays. */
  readonly sealKey = {
    read: () => this.#secrets.read(sealKeyName),
    write: (text: string): boolean => {
      if (this.#secrets.place(sealKeyName) !== null || this.#secrets.nextPlace !== "system") return false;
      try {
        this.#secrets.write(sealKeyName, text, "system");
        return true;
      } catch {
        this.#secrets.write(sealKeyName, undefined);
        return false;
      }
    },
  };

  #given(): Environment {
    return Object.fromEntries(
      this.#keyNames().map((variable) => [variable, this.#secrets.read(prefix + variable)]),
    );
  }

  #ofFolder(folder: string): Environment {
    const variables = readFolderEnvironment(folder, this.#options.isTrusted);
    this.#redactor.knowVariables(variables);
    return variables;
  }

  #keyNames(): string[] {
    const names = this.#secrets.names().filter((name) => name.startsWith(prefix));
    return names.map((name) => name.slice(prefix.length));
  }

  /** Failures are a line of the log, too. @throws what `work` throws */
  #told(work: () => void): void {
    try {
      work();
    } catch (error) {
      this.#options.onFailure(`keys: ${error instanceof Error ? error.message : String(error)}`);
      throw error;
    }
  }

  #knowParts(value: string | undefined): void {
    if (value === undefined) return;
    try {
      this.#redactor.knowStrings(JSON.parse(value));
    } catch {
      this.#redactor.know(value);
    }
  }
}
