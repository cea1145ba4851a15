import { once } from "node:events";
import { createServer } from "node:net";
import { networkInterfaces } from "node:os";
import { afterEach, describe, expect, test } from "vitest";
import { systemClock } from "../../../../electron/agent/conversation/system-clock.ts";
import { SignIn } from "../../../../electron/mcp/sign-in/sign-in.ts";
import { FakeClock } from "../../../fakes/clock.ts";
import { MemorySecrets } from "../../../fakes/memory-secrets.ts";

let signIn: SignIn | undefined;
afterEach(() => signIn?.dispose());

async function open(
  more: Partial<Parameters<typeof SignIn.open>[0]> = {},
): Promise<{ signIn: SignIn; opened: string[] }> {
  const opened: string[] = [];
  signIn = await SignIn.open({
    server: "web",
    url: new URL("https://example.com/mcp"),
    oauth: undefined,
    secrets: new MemorySecrets(),
    openExternal: async (url) => void opened.push(url),
    clock: systemClock,
    fetch: async () => new Response(null, { status: 401 }),
    isPublicHost: async () => true,
    mayAsk: () => true,
    onBrowser: () => {},
    ...more,
  });
  return { signIn, opened };
}

const page = (state: string | undefined) => new URL(`https://example.com/authorize?state=${state}`);
/** What the browser does in the end. */
const comeBack = async ({ provider }: SignIn, state: string | undefined) =>
  (await fetch(`${String(provider.redirectUrl)}?code=the-code&state=${state}`)).status;

test("of several that ask at once, what comes back from the page that was opened is taken", async () => {
  const { signIn, opened } = await open();
  await signIn.fetch("https://example.com/mcp");
  const { provider } = signIn;
  const [first, second] = [await provider.state?.(), await provider.state?.()];
  await provider.redirectToAuthorization(page(first));
  await provider.redirectToAuthorization(page(second));
  expect(opened).toEqual([page(first).href]);

  const codes: string[] = [];
  const finished = signIn.finish(async (code) => void codes.push(code));
  expect(await comeBack(signIn, second)).toBe(400);
  expect(await comeBack(signIn, first)).toBe(200);
  await finished;
  expect([codes, signIn.count]).toEqual([["the-code"], 1]);
});

test("messages that are refused at once share one listener, which ends with the sign-in", async () => {
  const { signIn } = await open();
  await Promise.all([1, 2, 3].map(() => signIn.fetch("https://example.com/mcp")));
  const address = String(signIn.provider.redirectUrl);
  await signIn.fetch("https://example.com/mcp");
  expect(String(signIn.provider.redirectUrl)).toBe(address);

  const state = await signIn.provider.state?.();
  await signIn.provider.redirectToAuthorization(page(state));
  const finished = signIn.finish(async () => {});
  expect(await comeBack(signIn, state)).toBe(200);
  await finished;
  await expect(fetch(address)).rejects.toThrow();
});

describe("a renewal that failed", () => {
  const server = "https://example.com";
  const address = `${server}/token`;
  const body = () => new URLSearchParams({ grant_type: "refresh_token", refresh_token: "one" });
  const failures: [string, () => Response][] = [
    ["by an answer", () => new Response(null, { status: 503 })],
    [
      "by the network",
      () => {
        throw new TypeError("fetch failed");
      },
    ],
  ];

  test.each(failures)("%s is tried again by whoever comes next", async (_, fails) => {
    const secrets = new MemorySecrets();
    const discovery = { authorizationServerUrl: server };
    await secrets.write(`mcp-oauth:${server}/mcp`, JSON.stringify({ discovery }));
    const answers = [fails, () => Response.json({ access_token: "two" })];
    const { signIn } = await open({ secrets, fetch: async () => answers.shift()?.() ?? Response.error() });
    const renewed = () => signIn.fetch(address, { method: "POST", body: body() }).then(({ ok }) => ok);
    expect(await renewed().catch(() => false)).toBe(false);
    expect(await renewed()).toBe(true);
    // Good for one use: who is late gets the same answer.
    expect(await renewed()).toBe(true);
    expect(answers).toEqual([]);
  });
});

describe("the listener", () => {
  const addresses = () => Object.values(networkInterfaces()).flatMap((all) => all ?? []);

  test("is there for this computer alone", async () => {
    const { signIn } = await open();
    await signIn.fetch("https://example.com/mcp");
    const { port } = new URL(String(signIn.provider.redirectUrl));
    expect((await fetch(`http://127.0.0.1:${port}/other`)).status).toBe(404);
    // Also 127.0.0.1 alone of all that are this computer.
    const others = [...addresses().map(({ address }) => address), "127.0.0.2"];
    for (const host of others.filter((other) => other !== "127.0.0.1")) {
      const named = host.includes(":") ? `[${host}]` : host;
      await expect(fetch(`http://${named}:${port}/other`), host).rejects.toThrow();
    }
  });

  test("takes another port where the one that it is known by is busy, and is registered anew", async () => {
    const busy = createServer().listen(0, "127.0.0.1");
    await once(busy, "listening");
    const address = busy.address();
    const redirectPort = typeof address === "object" ? address?.port : undefined;
    const secrets = new MemorySecrets();
    const kept = { client: { client_id: "known" }, redirectPort };
    await secrets.write("mcp-oauth:https://example.com/mcp", JSON.stringify(kept));
    const { signIn } = await open({ secrets });
    expect(await signIn.provider.clientInformation()).toEqual({ client_id: "known" });
    await signIn.fetch("https://example.com/mcp");
    const { port } = new URL(String(signIn.provider.redirectUrl));
    expect(Number(port)).not.toBe(redirectPort);
    expect(await signIn.provider.clientInformation()).toBeUndefined();
    busy.close();
    await once(busy, "close");
  });

  test("takes an error for an error, whatever stands beside it", async () => {
    const { signIn } = await open();
    await signIn.fetch("https://example.com/mcp");
    const state = await signIn.provider.state?.();
    await signIn.provider.redirectToAuthorization(page(state));
    const finished = signIn.finish(async () => {});
    finished.catch(() => {});
    await comeBack(signIn, `${state}&error=access_denied`);
    await expect(finished).rejects.toThrow("access_denied");
  });
});

test("a sign-in that has ended waits for nothing more", async () => {
  const clock = new FakeClock();
  const { signIn } = await open({ clock });
  await signIn.fetch("https://example.com/mcp");
  const state = await signIn.provider.state?.();
  await signIn.provider.redirectToAuthorization(page(state));
  const finished = signIn.finish(async () => {});
  expect(clock.asleep).toBe(1);
  await comeBack(signIn, state);
  await finished;
  expect(clock.asleep).toBe(0);
});
