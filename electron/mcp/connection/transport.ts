import { UnauthorizedError } from "@modelcontextprotocol/sdk/client/auth.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { withinOrigin } from "../../../shared/safety/redirects.ts";
import type { ServerEntry } from "../config/config-schema.ts";
import type { ServerProcess } from "../ports.ts";
import { SignIn } from "../sign-in/sign-in.ts";
import type { ConnectionOptions } from "./connection-options.ts";
import { type HttpOptions, HttpTransport, isOlderServer, SseTransport } from "./http/http-transport.ts";
import { OutOfReach, Reach } from "./http/reach.ts";
import { startProgram } from "./start-program.ts";
import { StdioTransport } from "./stdio-transport.ts";
import type { TimeLimit } from "./time-limit.ts";

export interface OpenedTransport {
  /** Ends what is at its other end. */
  end(): Promise<void>;
  /** Whether the user is signing in for it. */
  isSigningIn(): boolean;
}

type Connect = (transport: Transport) => Promise<void>;

/**
 * Starts or reaches the server of an entry, and has a client connect to it.
 * @throws Error in words for the user; nothing of the server is left then
 */
export async function openTransport(
  options: ConnectionOptions,
  start: TimeLimit,
  connect: Connect,
): Promise<OpenedTransport> {
  const { command, url } = options.entry;
  if (command !== undefined) {
    start.setWaiting(options.isWaiting);
    return await openProgram(command, options, connect);
  }
  return await openAddress(new URL(url ?? ""), options, start, connect);
}

async function openProgram(
  command: string,
  options: ConnectionOptions,
  connect: Connect,
): Promise<OpenedTransport> {
  const { context, log, signal } = options;
  const server = await startProgram(command, options);
  server.stderr.setEncoding("utf8").on("data", (text: string) => log.addText(text));
  server.stderr.on("error", () => {});
  const transport = new StdioTransport(server, {
    clock: context.clock,
    onNoise: (line) => log.add(`(stdout) ${line}`),
  });
  const end = () => transport.close();
  try {
    await connect(transport);
    return { end, isSigningIn: () => false };
  } catch (error) {
    await end();
    log.flush();
    throw signal.aborted ? error : await whyNot(error, command, server);
  }
}

async function whyNot(error: unknown, command: string, server: ServerProcess): Promise<unknown> {
  const { code, signal } = await server.exited;
  // What a shell answers for a program that it cannot find, or may not run.
  if (code === 127) return new Error(`The program \`${command}\` was not found.`, { cause: error });
  if (code === 126) return new Error(`The program \`${command}\` cannot be run.`, { cause: error });
  const words = error instanceof Error ? error.message : String(error);
  if (!/connection closed|has ended/i.test(words)) return error;
  return new Error(`It ended before it had started (${code === null ? signal : `exit code ${code}`}).`, {
    cause: error,
  });
}

async function openAddress(
  url: URL,
  { name, entry, context, mayAsk, onBrowser }: ConnectionOptions,
  start: TimeLimit,
  connect: Connect,
): Promise<OpenedTransport> {
  const reach = new Reach();
  const stays = withinOrigin(reach.observing(context.fetch));
  const signIn = hasCredential(entry)
    ? null
    : await SignIn.open({
        server: name,
        url,
        oauth: entry.oauth,
        secrets: context.secrets,
        openExternal: context.openExternal,
        clock: context.clock,
        fetch: stays,
        isPublicHost: context.isPublicHost,
        mayAsk,
        onBrowser,
      });
  start.setWaiting(() => signIn?.isWaiting ?? false);
  const fetch = withHeaders(signIn?.fetch ?? stays, url, entry.headers);
  const http: HttpOptions = { url, fetch, signIn, clock: context.clock };
  try {
    await connectOver(http, entry, connect);
  } catch (error) {
    signIn?.dispose();
    throw reach.isOut ? new OutOfReach(error) : error;
  }
  return { end: async () => signIn?.dispose(), isSigningIn: () => signIn?.isWaiting ?? false };
}

async function connectOver(http: HttpOptions, entry: ServerEntry, connect: Connect): Promise<void> {
  if ((entry.type ?? entry.transport) === "sse") return await connectOlder(http, connect);
  try {
    await connect(new HttpTransport(http));
  } catch (error) {
    if (!isOlderServer(error)) throw error;
    try {
      await connectOlder(http, connect);
    } catch {
      // What the newer way said tells more of a server that speaks neither.
      throw error;
    }
  }
}

async function connectOlder(http: HttpOptions, connect: Connect): Promise<void> {
  const transport = new SseTransport(http);
  try {
    await connect(transport);
  } catch (error) {
    if (!(error instanceof UnauthorizedError) || !http.signIn) throw error;
    await http.signIn.finish((code) => transport.finishAuth(code));
    await transport.close();
    await connect(new SseTransport(http));
  }
}

/** The entry's headers may be secret: they go with what is for the server's own address, and not to where it signs in. */
function withHeaders(
  base: typeof fetch,
  { origin }: URL,
  own: Readonly<Record<string, string>>,
): typeof fetch {
  return async (input, init) => {
    const address = new URL(input instanceof Request ? input.url : input);
    if (address.origin !== origin) return await base(input, init);
    const headers = new Headers(init?.headers);
    for (const [name, value] of Object.entries(own)) headers.set(name, value);
    return await base(input, { ...init, headers });
  };
}

const hasCredential = ({ headers }: ServerEntry) =>
  Object.keys(headers).some((name) => name.toLowerCase() === "authorization");
