import { afterEach, expect, test } from "vitest";
import { systemClock } from "../../../electron/agent/conversation/system-clock.ts";
import { SignIn } from "../../../electron/mcp/sign-in/sign-in.ts";
import { MemorySecrets } from "../../fakes/memory-secrets.ts";

let signIn: SignIn | undefined;
afterEach(() => signIn?.dispose());

async function open(): Promise<{ signIn: SignIn; opened: string[] }> {
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
