import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";

const host = "127.0.0.1";
const path = "/callback";

export const redirectAddress = (port: number) => `http://${host}:${port}${path}`;

/** What the browser brings back. `issuer`: who says that it answers (RFC 9207). */
export type Redirect = { state: string | null; issuer: string | null } & (
  | { code: string }
  | { error: string }
);

/**
 * Waits on this computer, and for nobody else, for the browser to come back from a sign-in (RFC 8252, section 7.3).
 */
export class RedirectListener {
  readonly port: number;
  readonly #server: Server;

  private constructor(server: Server, port: number) {
    this.#server = server;
    this.port = port;
  }

  /** @param port the one that the server knows from before, if it is free; else any */
  static async open(
    port: number | undefined,
    onRedirect: (redirect: Redirect) => boolean,
  ): Promise<RedirectListener> {
    const server = createServer((request, response) => {
      const address = request.url ?? "/";
      // "//" is an address without a host.
      const url = URL.canParse(address, `http://${host}`) ? new URL(address, `http://${host}`) : null;
      if (request.method !== "GET" || url?.pathname !== path) {
        response.writeHead(404).end();
        return;
      }
      const accepted = onRedirect(redirectIn(url.searchParams));
      response.writeHead(accepted ? 200 : 400, {
        "content-type": "text/plain; charset=utf-8",
        connection: "close",
      });
      response.end(
        accepted ? "You can close this page and go back to Parley." : "Parley did not ask for this.",
      );
    });
    // It must never keep Parley alive.
    server.unref();
    const bound = await listen(server, port ?? 0).catch(() => listen(server, 0));
    return new RedirectListener(server, bound);
  }

  close(): void {
    this.#server.close();
    this.#server.closeIdleConnections();
  }
}

function redirectIn(parameters: URLSearchParams): Redirect {
  const state = parameters.get("state");
  // More than one is none that anybody has.
  const issuer = parameters.has("iss") ? parameters.getAll("iss").join(", ") : null;
  const code = parameters.get("code");
  const error = parameters.get("error_description") ?? parameters.get("error");
  const from = { state, issuer };
  return code !== null && error === null ? { ...from, code } : { ...from, error: error ?? "it sent no code" };
}

async function listen(server: Server, port: number): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, () => {
      server.off("error", reject);
      resolve();
    });
  });
  const address: AddressInfo | string | null = server.address();
  if (address === null || typeof address === "string") throw new Error("The listener has no port.");
  return address.port;
}
