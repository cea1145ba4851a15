import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { text } from "node:stream/consumers";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { isPublicHost } from "../../../electron/tools/web/web-address.ts";
import { type AuthorizationServer, createAuthorizationServer } from "../../fakes/mcp/authorization-server.ts";
import {
  createHttpServer,
  type HttpServer,
  type HttpServerOptions,
} from "../../fakes/mcp/http-mcp-server.ts";
import { callContext, createMcpRig, type McpRig, type McpRigOptions } from "./mcp-rig.ts";

const opened: { close(): Promise<unknown> }[] = [];
afterEach(async () => {
  for (const one of opened.splice(0).reverse()) await one.close();
});
const closing = <T extends { close(): Promise<unknown> }>(one: T): T => {
  opened.push(one);
  return one;
};

/** Whom the server names for signing in, and where it says that its metadata is. */
let named: AuthorizationServer;
let metadata: string | undefined;
/** What it named before, or would be named next. */
let other: AuthorizationServer;

beforeEach(async () => {
  named = closing(await createAuthorizationServer());
  other = closing(await createAuthorizationServer());
  metadata = undefined;
});

async function serve(more: HttpServerOptions = {}): Promise<HttpServer> {
  return closing(
    await createHttpServer({
      signIn: true,
      elsewhere: {
        ...(metadata !== undefined && { metadata: () => metadata ?? "" }),
        issuer: () => named.url,
        accepts: (token) => named.isGood(token) || other.isGood(token),
      },
      ...more,
    }),
  );
}

/** The user's browser: signs in at once. */
const browsed: string[] = [];
const browser = async (url: string) => {
  browsed.push(url);
  await (await fetch(url)).text();
};

async function started(url: string, more: object = {}, options: McpRigOptions = {}): Promise<McpRig> {
  browsed.length = 0;
  const { context, ...rest } = options;
  const rig = closing(
    createMcpRig({
      servers: { web: { url, ...more } },
      ...rest,
      context: { openExternal: browser, ...context },
    }),
  );
  await rig.manager.load();
  await rig.manager.settled();
  return rig;
}

async function restart({ manager }: McpRig) {
  await manager.server("web").restart();
  await manager.settled();
  return manager.server("web").status;
}

const statusOf = ({ manager }: McpRig) => manager.server("web").status;

async function whoami({ manager }: McpRig): Promise<string> {
  const [tool] = manager.tools("c1");
  if (!tool) throw new Error(`web is ${manager.server("web").status.why}`);
  return (await tool.run({}, callContext())).text;
}

const secret = "the-client-secret-9f2c";
const sentTo = ({ requests }: AuthorizationServer) => JSON.stringify(requests);
const basic = Buffer.from(`parley:${secret}`).toString("base64");
const holdsSecret = (server: AuthorizationServer) =>
  sentTo(server).includes(secret) || sentTo(server).includes(basic);

describe("before the user asked for the server", () => {
  test("a 401 at the start has no address asked, its own neither", async () => {
    metadata = `${other.url}/resource`;
    const server = await serve();
    const rig = await started(server.url);
    expect(statusOf(rig)).toMatchObject({ state: "needs_sign_in" });
    expect(other.lines()).toEqual([]);
    expect(named.lines()).toEqual([]);
    expect(server.requests).toEqual(["POST /mcp"]);
  });

  test("nor has one that waits until the server is ready", async () => {
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    const late = await lateRefusal(released, `${other.url}/resource`);
    const rig = await started(late.url);
    expect(statusOf(rig).state).toBe("ready");
    release();
    await whenLine(rig, "wants you to sign in");
    expect(other.lines()).toEqual([]);
  });

  test("a machine's sign-in waits for the user the first time, and is by itself from then on", async () => {
    const server = await serve();
    const entry = { oauth: { clientId: "parley", clientSecret: secret, grant: "client_credentials" } };
    const rig = await started(server.url, entry);
    expect(statusOf(rig)).toMatchObject({
      state: "needs_sign_in",
      why: "web wants you to sign in. `/mcp restart web` signs in.",
    });
    expect(named.lines()).toEqual([]);
    await restart(rig);
    expect((await restart(rig)).state).toBe("ready");
    metadata = `${other.url}/resource`;
    const next = await started(server.url, entry, { context: { secrets: rig.secrets } });
    expect(statusOf(next).state).toBe("ready");
    expect(other.lines()).toEqual([]);
  });
});

describe("addresses that a server names for signing in", () => {
  const host = "https://mcp.example.com";
  /** What the world's names stand for. */
  const look = async (name: string) => {
    if (name.endsWith("example.com")) return [{ address: "93.184.216.34" }];
    if (name === "rebound.example.net") return [{ address: "10.0.0.7" }];
    throw new Error("There is no such host.");
  };

  const places = ["metadata", "authorization server", "registration", "page", "tokens"] as const;
  const bad: [string, string][] = [
    ["another port of this computer", "not encrypted"],
    ["https://127.0.0.1:9443", "private network"],
    ["https://10.0.0.1", "private network"],
    ["https://[fd00:ec2::254]", "private network"],
    ["https://168.63.129.16", "private network"],
    ["https://metadata.google.internal", "private network"],
    ["https://localhost:8443", "private network"],
    ["https://rebound.example.net", "private network"],
    ["http://auth.example.com", "not encrypted"],
  ];
  const cases = places.flatMap((place) => bad.map(([address, why]) => ({ place, address, why })));

  test.each(cases)("$place at $address: nothing is sent there, and the user hears why", async (one) => {
    const victim = one.address.includes(" ") ? other.url : one.address;
    const asked: string[] = [];
    if (one.place === "metadata") metadata = `${victim}/resource`;
    const issuer = one.place === "authorization server" ? victim : "https://auth.example.com";
    const server = await serve({
      elsewhere: {
        metadata: () => metadata ?? `${host}/.well-known/oauth-protected-resource/mcp`,
        issuer: () => issuer,
        accepts: (token) => named.isGood(token),
      },
    });
    const base = "https://auth.example.com";
    named.metadata = {
      issuer: base,
      authorization_endpoint: `${one.place === "page" ? victim : base}/authorize`,
      token_endpoint: `${one.place === "tokens" ? victim : base}/token`,
      registration_endpoint: `${one.place === "registration" ? victim : base}/register`,
    };
    // The public names lead to the servers here. Nothing leaves this computer, whatever is asked for.
    const mapped: typeof fetch = async (input, init) => {
      const url = new URL(input instanceof Request ? input.url : input);
      asked.push(url.origin);
      const headers = new Headers(init?.headers);
      if (url.origin === host) {
        headers.set("x-asked-as", `${host}/mcp`);
        return await fetch(new URL(url.pathname + url.search, server.url), { ...init, headers });
      }
      if (url.origin === base) return await fetch(new URL(url.pathname, named.url), { ...init, headers });
      if (url.origin === other.url) return await fetch(input, init);
      throw new TypeError("fetch failed");
    };
    const rig = await started(
      `${host}/mcp`,
      {},
      { context: { fetch: mapped, isPublicHost: (name) => isPublicHost(name, look), openExternal: toNamed } },
    );
    const { state, why } = await restart(rig);
    expect([state, why]).toEqual(["failed", expect.stringContaining(one.why)]);
    expect(why).toContain(`web wants to sign in at ${new URL(victim).origin}`);
    expect(asked).not.toContain(new URL(victim).origin);
    expect(browsed.filter((url) => url.startsWith(victim))).toEqual([]);
    expect(other.lines()).toEqual([]);

    async function toNamed(url: string) {
      const { pathname, search } = new URL(url);
      await browser(`${named.url}${pathname}${search}`);
    }
  });

  test("public and encrypted ones are asked", async () => {
    const server = await serve({
      elsewhere: {
        metadata: () => `${host}/.well-known/oauth-protected-resource/mcp`,
        issuer: () => "https://auth.example.com",
        accepts: (token) => named.isGood(token),
      },
    });
    const base = "https://auth.example.com";
    named.metadata = {
      issuer: base,
      authorization_endpoint: `${base}/authorize`,
      token_endpoint: `${base}/token`,
      registration_endpoint: `${base}/register`,
    };
    const mapped: typeof fetch = async (input, init) => {
      const url = new URL(input instanceof Request ? input.url : input);
      const headers = new Headers(init?.headers);
      headers.set("x-asked-as", `${host}/mcp`);
      const there = url.origin === host ? server.url : named.url;
      return await fetch(new URL(url.pathname + url.search, there), { ...init, headers });
    };
    const openExternal = async (url: string) => {
      const { pathname, search } = new URL(url);
      await browser(`${named.url}${pathname}${search}`);
    };
    const rig = await started(
      `${host}/mcp`,
      {},
      { context: { fetch: mapped, isPublicHost: (name) => isPublicHost(name, look), openExternal } },
    );
    expect(await restart(rig)).toMatchObject({ state: "ready" });
  });

  test("a server that is not encrypted is not signed in to, unless it is on this computer", async () => {
    const server = await serve();
    const { port } = new URL(server.url);
    // All addresses of this computer, and no name for it.
    const rig = await started(`http://0.0.0.0:${port}/mcp`);
    expect(await restart(rig)).toMatchObject({
      state: "failed",
      why: expect.stringContaining("not encrypted"),
    });
    expect(server.requests.filter((line) => line !== "POST /mcp")).toEqual([]);
    expect(named.lines()).toEqual([]);
  });
});

describe("who it is that the user signs in with", () => {
  test("is pinned: another one gets neither tokens nor a registration, and the user is asked", async () => {
    const server = await serve();
    const rig = await started(server.url);
    expect((await restart(rig)).state).toBe("ready");
    [named, other] = [other, named];
    other.expire();
    // By itself, what was given is renewed where it is from.
    const next = await started(server.url, {}, { context: { secrets: rig.secrets } });
    expect(statusOf(next).state).toBe("ready");
    expect(named.lines()).toEqual([]);
    other.expire();
    const { state, why } = await restart(next);
    expect([state, why]).toEqual([
      "needs_sign_in",
      `web wants you to sign in at ${named.url}; until now it was ${other.url}. Nothing was sent there. If that is right, \`/mcp restart web\` signs you in anew.`,
    ]);
    expect(named.lines()).toEqual(["GET /.well-known/oauth-authorization-server"]);
    expect((await restart(next)).state).toBe("ready");
    expect(named.lines()).toContain("POST /register");
    expect(sentTo(named)).not.toContain("refresh-");
  });

  test("and so is where tokens are given", async () => {
    const server = await serve();
    const rig = await started(server.url);
    await restart(rig);
    named.metadata = { token_endpoint: `${other.url}/token` };
    named.expire();
    const { state, why } = await restart(rig);
    expect([state, why]).toEqual([
      "needs_sign_in",
      expect.stringContaining(`at ${other.url}/token; until now`),
    ]);
    expect(other.lines()).toEqual([]);
  });

  test("however often a call meets another one, only the user's own restart agrees to it", async () => {
    const server = await serve();
    const rig = await started(server.url);
    await restart(rig);
    named.expire();
    named.metadata = { token_endpoint: `${other.url}/token` };
    for (const _ of [1, 2, 3]) await whoami(rig).catch(() => {});
    expect(other.lines()).toEqual([]);
  });
});

describe("who answers in the browser (RFC 9207)", () => {
  const says = { authorization_response_iss_parameter_supported: true };
  const mixed = "https://mixed-up.example";

  test.each<[string, object, (own: string) => Record<string, string>, string | null]>([
    ["its own name, as it says that it does", says, (iss) => ({ iss }), null],
    ["its own name, though it does not say so", {}, (iss) => ({ iss }), null],
    ["no name, and never said that it would", {}, () => ({}), null],
    ["the name of another", says, () => ({ iss: mixed }), `came from ${mixed}`],
    ["the name of another, though it does not say so", {}, () => ({ iss: mixed }), `came from ${mixed}`],
    ["another name but for a slash", says, (own) => ({ iss: `${own}/` }), "came from"],
    ["no name, though it says that it does", says, () => ({}), "came from one without a name"],
    ["a no with the name of another", says, () => ({ iss: mixed, error: "denied" }), `came from ${mixed}`],
  ])("%s", async (_, metadata, brings, why) => {
    const server = await serve();
    named.metadata = { ...metadata };
    named.brings = brings(named.url);
    const rig = await started(server.url);
    const status = await restart(rig);
    expect(named.lines()).toContain("GET /authorize");
    if (why === null) return expect(status).toMatchObject({ state: "ready" });
    expect([status.state, status.why]).toEqual(["failed", expect.stringContaining(why)]);
    expect(status.why).toContain("Nothing was sent there");
    // The code is for nobody.
    expect(named.lines()).not.toContain("POST /token");
  });
});

test("one that is known by its OpenID metadata has to name itself, too, where that says so", async () => {
  const server = await serve();
  named.metadataPath = "/.well-known/openid-configuration";
  named.metadata = {
    authorization_response_iss_parameter_supported: true,
    jwks_uri: `${named.url}/keys`,
    subject_types_supported: ["public"],
    id_token_signing_alg_values_supported: ["RS256"],
  };
  const rig = await started(server.url);
  expect((await restart(rig)).why).toContain("came from one without a name");
  named.brings = { iss: named.url };
  expect((await restart(rig)).state).toBe("ready");
});

describe("what an authorization server says in its own way", () => {
  const nothing = { client_uri: "", logo_uri: null, tos_uri: "none", contacts: null, redirect_uris: null };
  test.each<[string, Partial<AuthorizationServer>]>([
    ["empty words and nulls in a registration", { registration: { ...nothing, client_secret: null } }],
    [
      "words for the times of one",
      { registration: { client_id_issued_at: "1700000000", client_secret_expires_at: "" } },
    ],
    [
      "nulls in what it gives",
      { tokens: { refresh_token: null, scope: null, expires_in: null, id_token: null } },
    ],
    ["no kind of token", { tokens: { token_type: "" } }],
    ["scopes in a list, and a time in words", { tokens: { scope: ["a"], expires_in: "soon" } }],
    [
      "empty words and nulls about itself",
      {
        metadata: {
          service_documentation: "",
          op_policy_uri: "n/a",
          scopes_supported: null,
          grant_types_supported: [null, "authorization_code"],
          introspection_endpoint: null,
        },
      },
    ],
    [
      "words in place of lists about itself",
      { metadata: { scopes_supported: "read write", code_challenge_methods_supported: "S256" } },
    ],
    ["nothing of the types of its responses", { metadata: { response_types_supported: null } }],
  ])("%s: the user is signed in", async (_, says) => {
    Object.assign(named, says);
    const rig = await started((await serve()).url);
    expect(await restart(rig)).toMatchObject({ state: "ready", why: null });
    expect(await whoami(rig)).toContain("somebody");
  });

  test("a page for people where another kind of metadata would be counts as none", async () => {
    named.metadataPath = "/.well-known/openid-configuration";
    named.metadata = {
      jwks_uri: `${named.url}/keys`,
      subject_types_supported: ["public"],
      id_token_signing_alg_values_supported: ["RS256"],
    };
    named.refuses = { "/.well-known/oauth-authorization-server": { status: 200, body: "<p>Hello" } };
    const rig = await started((await serve()).url);
    expect((await restart(rig)).state).toBe("ready");
  });

  test("a renewal that is refused with success is asked for again", async () => {
    const rig = await started((await serve()).url);
    expect((await restart(rig)).state).toBe("ready");
    named.expire();
    const renewals = () => named.requests.filter(({ body }) => body.includes("refresh-")).length;
    for (const body of ['{"error":"temporarily_unavailable"}', "<p>Back soon"]) {
      named.refuses = { "/token": { status: 200, body } };
      await whoami(rig).catch(() => {});
    }
    expect(renewals()).toBe(2);
    named.refuses = {};
    expect(await whoami(rig)).toContain("somebody");
  });

  const refused = (path: string, body: unknown, status = 400): Partial<AuthorizationServer> => ({
    refuses: { [path]: { status, body: typeof body === "string" ? body : JSON.stringify(body) } },
  });
  test.each<[Partial<AuthorizationServer>, string]>([
    [refused("/register", "<h1>Bad Request</h1>"), "answered the sign-in with status 400."],
    [refused("/register", { detail: "Registration is closed." }), "Registration is closed."],
    [
      refused("/register", { error: "invalid_client_metadata", error_description: null }),
      "answered the sign-in with status 400 (invalid_client_metadata).",
    ],
    [refused("/register", { error: { message: "Not you." } }, 422), "Not you."],
    [refused("/token", { error: "invalid_request", error_description: "No." }, 200), "No."],
    [refused("/token", "access_token", 200), "answered the sign-in without an access token."],
    [{ tokens: { access_token: null } }, "answered the sign-in without an access token."],
    [{ registration: { client_id: "" } }, "answered the sign-in without a client id."],
    [
      { metadata: { authorization_endpoint: "" } },
      "cannot be read: it is not as the protocol wants it (authorization_endpoint).",
    ],
  ])("where nobody can be signed in the reason is in words", async (says, why) => {
    Object.assign(named, says);
    const rig = await started((await serve()).url);
    const status = await restart(rig);
    expect([status.state, status.why]).toEqual(["failed", expect.stringContaining(why)]);
    expect(status.why).not.toMatch(/Zod|invalid_type|[[{<]/);
  });
});

describe("the secret of an entry", () => {
  const entries = [
    ["a machine's", { clientId: "parley", clientSecret: secret, grant: "client_credentials" }],
    ["a person's", { clientId: "parley", clientSecret: secret }],
  ] as const;

  test.each(entries)("%s goes only where the user agreed that it goes", async (_, oauth) => {
    const server = await serve();
    const rig = await started(server.url, { oauth });
    expect(await restart(rig)).toMatchObject({
      state: "needs_sign_in",
      why: `web wants its client secret sent to ${named.url}/token. Nothing was sent there. If that is right, \`/mcp restart web\` sends it there, and from then on nowhere else.`,
    });
    expect(named.lines()).toEqual(["GET /.well-known/oauth-authorization-server"]);
    expect((await restart(rig)).state).toBe("ready");
    expect(holdsSecret(named)).toBe(true);

    named.metadata = { token_endpoint: `${other.url}/token` };
    named.expire();
    expect((await restart(rig)).state).toBe("needs_sign_in");
    [named, other] = [other, named];
    expect((await restart(rig)).state).toBe("needs_sign_in");
    expect(holdsSecret(named)).toBe(false);
  });

  test.each(entries)("%s goes to the issuer that the entry names, and to no other", async (_, oauth) => {
    const server = await serve();
    const wrong = await started(server.url, { oauth: { ...oauth, issuer: other.url } });
    const said = `web wants to sign in at ${named.url}, but its entry says \`issuer\` ${other.url}. Nothing was sent there.`;
    for (const _ of [1, 2]) expect(await restart(wrong)).toMatchObject({ state: "failed", why: said });
    expect(holdsSecret(named)).toBe(false);
    const right = await started(server.url, { oauth: { ...oauth, issuer: `${named.url}/` } });
    expect(await restart(right)).toMatchObject({ state: "ready" });
    expect(holdsSecret(named)).toBe(true);
  });

  test("in its headers is for the server itself, and not for whom one signs in with", async () => {
    const server = await serve();
    const rig = await started(server.url, { headers: { "X-Api-Key": secret } });
    await restart(rig);
    expect(statusOf(rig).state).toBe("ready");
    expect(server.lastHeaders["x-api-key"]).toBe(secret);
    expect(named.lines()).toContain("POST /token");
    expect(sentTo(named)).not.toContain(secret);
  });
});

/** A server that answers all but the stream, which it refuses once it is told to, naming an address. */
async function lateRefusal(released: Promise<void>, resource: string): Promise<{ url: string }> {
  const server: Server = createServer(async (request, response) => {
    if (request.method === "GET") {
      await released;
      return void response
        .writeHead(401, { "www-authenticate": `Bearer resource_metadata="${resource}"` })
        .end();
    }
    const { id, method, params } = JSON.parse(await text(request));
    if (id === undefined) return void response.writeHead(202).end();
    const { protocolVersion } = params ?? {};
    const result =
      method === "initialize"
        ? { protocolVersion, capabilities: {}, serverInfo: { name: "late", version: "1" } }
        : {};
    response.writeHead(200, { "content-type": "application/json" });
    response.end(JSON.stringify({ jsonrpc: "2.0", id, result }));
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const address = server.address();
  if (typeof address !== "object" || address === null) throw new Error("The server has no port.");
  closing({
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  });
  return { url: `http://127.0.0.1:${address.port}/mcp` };
}

async function whenLine(rig: McpRig, words: string): Promise<void> {
  await expect.poll(() => rig.lines.some((line) => line.includes(words))).toBe(true);
}
