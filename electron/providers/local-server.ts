import { z } from "zod";
import type { Clock } from "../agent/ports/ports.ts";

/** A model server on this computer that speaks Chat Completions. */
export interface LocalServer {
  name: string;
  /** Ends in `/v1`. */
  baseUrl: string;
  /** Ids of what it can answer with, never none. */
  models: readonly string[];
}

/** As it stands in the settings once the user agreed to it. Whoever has the port may call itself anything. */
export const localServerId = ({ name, baseUrl }: LocalServer): string =>
  `${name} at ${new URL(baseUrl).host}`;

export interface KnownServer {
  name: string;
  port: number;
}

/** In order of preference, on the ports they come with; Ollama's where its user has put it. */
export const knownServers = (env: NodeJS.ProcessEnv): readonly KnownServer[] => [
  { name: "Ollama", port: ollamaPort(env.OLLAMA_HOST) ?? 11434 },
  { name: "LM Studio", port: 1234 },
  { name: "llama.cpp", port: 8080 },
];

/**
 * @param host as Ollama reads it: `host:port`, `:port`, `host` or an address (https://docs.ollama.com/faq)
 * @returns null where it names no port of this computer
 */
function ollamaPort(host: string | undefined): number | null {
  const text = host?.trim().replace(/^(?=:\d)/, "127.0.0.1") ?? "";
  const address = /^https?:/i.test(text) ? text : `http://${text}`;
  if (!URL.canParse(address)) return null;
  const { hostname, port } = new URL(address);
  return ofThisComputer.has(hostname) && port !== "" ? Number(port) : null;
}

/** The addresses of all its networks are, too. */
const ofThisComputer: ReadonlySet<string> = new Set(["127.0.0.1", "localhost", "0.0.0.0", "[::1]", "[::]"]);

const probeMs = 300;

/** How often one that is slow is asked: a busy computer, or a start of ours, takes its time. */
const maxProbes = 5;

/** Asks all at once. @returns the first in the list that answers with a model, within 5 times 300 ms; null for none */
export async function findLocalServer(
  servers: readonly KnownServer[] = knownServers(process.env),
  ownFetch: typeof fetch = fetch,
): Promise<LocalServer | null> {
  // The first request loads the HTTP client: at a start whoever waits for an answer of main gets it before.
  await new Promise((resolve) => setImmediate(resolve));
  const found = await Promise.all(servers.map((server) => probe(server, ownFetch)));
  return found.find((server) => server !== null) ?? null;
}

async function probe(
  server: KnownServer,
  ownFetch: typeof fetch,
  left = maxProbes - 1,
): Promise<LocalServer | null> {
  const { name, port } = server;
  const baseUrl = `http://127.0.0.1:${port}/v1`;
  try {
    const response = await ownFetch(`${baseUrl}/models`, {
      // Whoever has the port leads nowhere else.
      redirect: "error",
      signal: AbortSignal.timeout(probeMs),
    });
    const parsed = listShape.safeParse(await response.json());
    const models = parsed.success ? parsed.data.data.map(({ id }) => id).filter(isChatModel) : [];
    return models.length > 0 ? { name, baseUrl, models } : null;
  } catch (error) {
    const isSlow = error instanceof Error && error.name === "TimeoutError";
    if (isSlow && left > 0) return await probe(server, ownFetch, left - 1);
    // Nobody there, too slow, or something else on this port.
    return null;
  }
}

const listShape = z.object({ data: z.array(z.object({ id: z.string().min(1) })) });

/** The lists name models for search, too. */
const isChatModel = (id: string) => !/embed/i.test(id);

/** The model to ask a local server for: the one that is set, where the server has it, else its first. */
export function localModel(server: LocalServer, wanted: string): string {
  const has = server.models.find((id) => id === wanted || id === `${wanted}:latest`);
  return has ?? server.models[0] ?? wanted;
}

export interface LocalServersOptions {
  clock: Clock;
  find?: () => Promise<LocalServer | null>;
  /** Something was found or is gone: what is shown of the provider may have changed. */
  onChange?(): void;
}

/** How long an answer counts before it is asked again. */
const freshMs = 10_000;

/** What was found last. No run waits for the probe: who asks gets the last answer, and an old one is renewed behind. */
export class LocalServers {
  readonly #clock: Clock;
  readonly #find: () => Promise<LocalServer | null>;
  readonly #onChange: () => void;
  #found: LocalServer | null = null;
  #at = Number.NEGATIVE_INFINITY;
  #probing: Promise<LocalServer | null> | null = null;

  constructor({ clock, find = () => findLocalServer(), onChange = () => {} }: LocalServersOptions) {
    this.#clock = clock;
    this.#find = find;
    this.#onChange = onChange;
  }

  current(): LocalServer | null {
    if (this.#clock.now() - this.#at > freshMs) void this.refresh();
    return this.#found;
  }

  /** Looks now; awaited once when the program starts. Never rejects. */
  refresh(): Promise<LocalServer | null> {
    this.#probing ??= this.#probe().finally(() => {
      this.#probing = null;
    });
    return this.#probing;
  }

  async #probe(): Promise<LocalServer | null> {
    const before = JSON.stringify(this.#found);
    this.#found = await this.#find().catch(() => null);
    this.#at = this.#clock.now();
    if (JSON.stringify(this.#found) !== before) this.#onChange();
    return this.#found;
  }
}
