import { afterEach, describe, expect, it } from "vitest";
import {
  createHttpServer,
  type HttpServer,
  type HttpServerOptions,
} from "../../fakes/mcp/http-mcp-server.ts";
import { callContext, createMcpRig, type McpRig, type McpRigOptions, stateOf } from "./mcp-rig.ts";

const rigs: McpRig[] = [];
const servers: HttpServer[] = [];
afterEach(async () => {
  for (const rig of rigs.splice(0)) await rig.close();
  for (const server of servers.splice(0)) await server.close();
});

async function serve(options?: HttpServerOptions): Promise<HttpServer> {
  const server = await createHttpServer(options);
  servers.push(server);
  return server;
}

async function started(url: string, more: object = {}, options: McpRigOptions = {}): Promise<McpRig> {
  const rig = createMcpRig({ servers: { web: { url, ...more } }, ...options });
  rigs.push(rig);
  await rig.manager.load();
  await rig.manager.settled();
  return rig;
}

async function whoami({ manager }: McpRig): Promise<string> {
  const [tool] = manager.tools("c1");
  if (!tool) throw new Error(`web is ${manager.server("web").status.why}`);
  return (await tool.run({}, callContext())).text;
}

/** Plays the user in the browser: signs in at once. */
const browser: McpRigOptions = {
  context: {
    openExternal: async (url) => {
      await (await fetch(url)).text();
    },
  },
};

/** How often somebody was sent to the browser. */
const pagesOpened = ({ requests }: { requests: readonly string[] }) =>
  requests.filter((request) => request === "GET /authorize").length;

async function signedIn(rig: McpRig): Promise<void> {
  await rig.manager.server("web").restart();
  await rig.manager.settled();
}

describe("servers over HTTP", () => {
  it("Streamable HTTP, with the entry's headers on every request", async () => {
    const server = await serve();
    const rig = await started(server.url, { headers: { "X-Key": "mine" } });
    expect(await whoami(rig)).toContain("somebody");
    expect(server.lastHeaders["x-key"]).toBe("mine");
  });

  it.each([{}, { type: "sse" }])("a server of the older kind, configured as %j", async (more) => {
    const server = await serve({ transport: "sse" });
    const rig = await started(server.url, more);
    expect(await whoami(rig)).toContain("somebody");
    expect(server.requests).toContain("GET /mcp");
  });

  it("a server that forgot the session gets a new one, and the call that met that is answered", async () => {
    const server = await serve();
    const rig = await started(server.url);
    server.forget();
    expect(await whoami(rig)).toContain("somebody");
    expect(rig.manager.server("web").status).toMatchObject({ state: "ready", restarts: 1 });
  });

  it("one that cannot be reached fails with the reason, one that is no server with its answer", async () => {
    const gone = await serve();
    const { url } = gone;
    await gone.close();
    servers.pop();
    const rig = await started(url);
    expect(rig.manager.server("web").status).toMatchObject({
      state: "failed",
      why: expect.stringContaining("ECONNREFUSED"),
    });
    const other = await serve();
    const wrong = await started(`${other.url}/elsewhere`);
    expect(wrong.manager.server("web").status).toMatchObject({
      state: "failed",
      why: expect.stringContaining("404"),
    });
  });

  it("an address with a variable that is not set says which", async () => {
    const rig = await started(`https://x.invalid/$\{NOT_SET}`);
    expect(rig.manager.server("web").status.why).toContain(
      "the environment variable `NOT_SET`, which is not set",
    );
  });
});

describe("signing in", () => {
  it("no browser opens by itself: the server waits until the user asks, then it works", async () => {
    const server = await serve({ signIn: true });
    const opened: string[] = [];
    const openExternal = async (url: string) => {
      opened.push(url);
      await (await fetch(url)).text();
    };
    const rig = await started(server.url, {}, { context: { openExternal } });
    expect(rig.manager.server("web").status).toMatchObject({
      state: "needs_sign_in",
      why: "web wants you to sign in. `/mcp restart web` opens your browser.",
    });
    expect(opened).toEqual([]);
    await signedIn(rig);
    expect(opened).toHaveLength(1);
    expect(await whoami(rig)).toContain("somebody");
  });

  it("tokens are kept: the next start needs no browser, nor does one whose access has expired", async () => {
    const server = await serve({ signIn: true });
    const first = await started(server.url, {}, browser);
    await signedIn(first);
    const { secrets } = first;
    const openExternal = () => Promise.reject(new Error("opened a browser"));
    const second = await started(server.url, {}, { context: { secrets, openExternal } });
    expect(await whoami(second)).toContain("somebody");
    server.expire();
    const third = await started(server.url, {}, { context: { secrets, openExternal } });
    expect(await whoami(third)).toContain("somebody");
    expect(server.requests.filter((request) => request === "POST /register")).toHaveLength(1);
  });

  it("access that ends in the middle is renewed; where that is refused, the user signs in again during the call", async () => {
    const server = await serve({ signIn: true });
    const rig = await started(server.url, {}, browser);
    await signedIn(rig);
    server.expire();
    expect(await whoami(rig)).toContain("somebody");
    server.revoke();
    expect(await whoami(rig)).toContain("somebody");
  });

  it("several calls that meet it at once are one sign-in", async () => {
    const server = await serve({ signIn: true });
    const rig = await started(server.url, {}, browser);
    await signedIn(rig);
    server.revoke();
    const answers = await Promise.all([whoami(rig), whoami(rig), whoami(rig)]);
    expect(answers.every((answer) => answer.includes("somebody"))).toBe(true);
    expect(pagesOpened(server)).toBe(2);
  });

  it("several calls whose access has expired renew it once: what renews is good for one use", async () => {
    const server = await serve({ signIn: true });
    const rig = await started(server.url, {}, browser);
    await signedIn(rig);
    const renewals = () => server.requests.filter((request) => request === "POST /token").length - 1;
    for (const round of [1, 2]) {
      server.expire();
      const renewal = server.hold("/token");
      const calls = [whoami(rig), whoami(rig), whoami(rig)];
      await renewal.asked;
      renewal.release();
      for (const answer of await Promise.all(calls)) expect(answer).toContain("somebody");
      expect(renewals()).toBeGreaterThanOrEqual(round);
    }
    expect(pagesOpened(server)).toBe(1);
  });

  it("a call that is refused while another one goes again after a renewal is sent again, too", async () => {
    const server = await serve({ signIn: true });
    const rig = await started(server.url, {}, browser);
    await signedIn(rig);
    server.expire();
    const late = server.hold("/mcp");
    const slow = whoami(rig);
    await late.asked;
    const renewal = server.hold("/token");
    const quick = whoami(rig);
    await renewal.asked;
    const again = server.hold("/mcp");
    renewal.release();
    await again.asked;
    late.release();
    expect(await slow).toContain("somebody");
    again.release();
    expect(await quick).toContain("somebody");
  });

  it("a call that is on its way to the browser when another's sign-in ends is sent again at once with that", async () => {
    const server = await serve({ signIn: true, refreshTokens: false });
    const rig = await started(server.url, {}, browser);
    await signedIn(rig);
    server.expire();
    const question = server.hold("/.well-known/oauth-protected-resource/mcp");
    const slow = whoami(rig);
    await question.asked;
    expect(await whoami(rig)).toContain("somebody");
    question.release();
    expect(await slow).toContain("somebody");
    expect(pagesOpened(server)).toBe(2);
  });

  it.each([503, "cut"] as const)(
    "a renewal that fails with %s loses no call: the user signs in again",
    async (how) => {
      const server = await serve({ signIn: true });
      const rig = await started(server.url, {}, browser);
      await signedIn(rig);
      server.expire();
      server.failNext("/token", how);
      expect(await whoami(rig)).toContain("somebody");
      expect(await whoami(rig)).toContain("somebody");
      expect(pagesOpened(server)).toBe(2);
    },
  );

  it("a call for which the access is not enough asks the user for more, and is sent again", async () => {
    const server = await serve({ signIn: true, callScope: "calls" });
    const rig = await started(server.url, {}, browser);
    await signedIn(rig);
    expect(await whoami(rig)).toContain("somebody");
    expect(pagesOpened(server)).toBe(2);
  });

  it("a no is told, and a server of the older kind asks in the same way", async () => {
    const server = await serve({ signIn: true, denies: "access_denied" });
    const rig = await started(server.url, {}, browser);
    await signedIn(rig);
    expect(rig.manager.server("web").status).toMatchObject({
      state: "failed",
      why: "Signing in to web failed: access_denied.",
    });
    const older = await serve({ signIn: true, transport: "sse" });
    const other = await started(older.url, { type: "sse" }, browser);
    await signedIn(other);
    expect(await whoami(other)).toContain("somebody");
  });

  it("the listener takes nothing but the answer that belongs to it, and is gone afterwards", async () => {
    const server = await serve({ signIn: true });
    const answers: number[] = [];
    let listener = "";
    const openExternal = async (url: string) => {
      listener = new URL(url).searchParams.get("redirect_uri") ?? "";
      expect(listener).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/callback$/);
      for (const path of [`${listener}?code=stolen&state=guessed`, `${listener}/../other`]) {
        answers.push((await fetch(path)).status);
      }
      await (await fetch(url)).text();
    };
    const rig = await started(server.url, {}, { context: { openExternal } });
    await signedIn(rig);
    expect(stateOf(rig.manager, "web")).toBe("ready");
    expect(answers).toEqual([400, 404]);
    await expect(fetch(listener)).rejects.toThrow();
  });

  it("an entry that brings its own authorization is never sent to a browser", async () => {
    const server = await serve({ signIn: true });
    const rig = await started(server.url, { headers: { authorization: "Bearer wrong" } }, browser);
    await signedIn(rig);
    expect(rig.manager.server("web").status).toMatchObject({
      state: "failed",
      why: expect.stringContaining("401"),
    });
    expect(server.requests).not.toContain("POST /register");
  });
});
