import { createHash } from "node:crypto";
import { EventEmitter, once } from "node:events";
import { createServer, type ServerResponse } from "node:http";

/** What a registry can do to a download: serve it, cut it off half-way, or stop in the middle and never go on. */
export type Delivery = "whole" | "cut" | "stall";

/**
 * A real HTTP server that speaks as much of the npm registry's protocol as `npm ci` and `npm pack` need. Every
 * package has one version, 1.0.0.
 */
export class NpmRegistry {
  deliver: Delivery = "whole";
  requests = 0;
  readonly #events = new EventEmitter();
  readonly #tarballs = new Map<string, Buffer>();
  readonly #more = new Map<string, object>();
  readonly #publicUrl: string | undefined;
  readonly #server = createServer((request, response) => {
    this.requests += 1;
    this.#answer(request.url ?? "/", response);
  });

  private constructor(publicUrl?: string) {
    this.#publicUrl = publicUrl;
  }

  /** @param publicUrl where its clients find it, if not where it is */
  static async start(publicUrl?: string): Promise<NpmRegistry> {
    const registry = new NpmRegistry(publicUrl);
    registry.#server.listen(0, "127.0.0.1");
    await once(registry.#server, "listening");
    return registry;
  }

  get url(): string {
    const address = this.#server.address();
    if (address === null || typeof address === "string") throw new Error("the registry is not listening");
    return `http://127.0.0.1:${address.port}/`;
  }

  /** @param more of its package.json, such as `bin` */
  publish(name: string, tarball: Buffer, more: object = {}): void {
    this.#tarballs.set(name, tarball);
    this.#more.set(name, more);
  }

  /** Resolves when the next tarball has stopped half-way. */
  async stalled(): Promise<void> {
    await once(this.#events, "stalled");
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, "close");
  }

  #answer(url: string, response: ServerResponse): void {
    const [, name = "", isTarball] = /^\/([^/]+)(\/-\/)?/.exec(url) ?? [];
    const tarball = this.#tarballs.get(name);
    if (tarball === undefined) {
      response.writeHead(404).end("{}");
    } else if (isTarball) {
      this.#send(tarball, response);
    } else {
      response.writeHead(200, { "content-type": "application/json" });
      response.end(JSON.stringify(this.#about(name, tarball)));
    }
  }

  #send(tarball: Buffer, response: ServerResponse): void {
    response.writeHead(200, {
      "content-type": "application/octet-stream",
      "content-length": tarball.length,
    });
    if (this.deliver === "whole") {
      response.end(tarball);
      return;
    }
    response.write(tarball.subarray(0, tarball.length / 2), () => {
      if (this.deliver === "cut") response.destroy();
      else this.#events.emit("stalled");
    });
  }

  #about(name: string, tarball: Buffer) {
    return {
      name,
      "dist-tags": { latest: "1.0.0" },
      versions: {
        "1.0.0": {
          name,
          version: "1.0.0",
          ...this.#more.get(name),
          dist: {
            tarball: `${this.#publicUrl ?? this.url}${name}/-/${name}-1.0.0.tgz`,
            integrity: integrityOf(tarball),
          },
        },
      },
    };
  }
}

/** As npm writes it. */
export function integrityOf(bytes: Buffer): string {
  return `sha512-${createHash("sha512").update(bytes).digest("base64")}`;
}
