import { once } from "node:events";
import { createServer } from "node:http";
import type { Page } from "playwright/test";
import { createHttpServer } from "../../fakes/mcp/http-mcp-server.ts";
import { type CompanyProxy, createProxy, createTlsFront } from "../../fakes/net/proxy.ts";
import { privateAuthority } from "../../fixtures/private-authority.ts";
import { trustAuthority } from "../../fixtures/system-certificates.ts";
import type { LaunchOptions } from "../support/launch.ts";
import { expect, replies, send, test } from "../support/test.ts";

// A company's network: names that only its proxy knows, certificates of its own authority in the system's store.
const modelHost = "models.company.test";
const serverHost = "tools.company.test";
/** Where the first file of a speech model is. */
const modelFilesHost = "huggingface.co";

const opened: { close(): Promise<unknown> }[] = [];
test.afterEach(async () => {
  await Promise.all(opened.splice(0).map((one) => one.close()));
});

async function behindProxy(
  modelUrl: string,
  {
    isTrusted = true,
    login = null,
    told = null,
  }: { isTrusted?: boolean; login?: string | null; told?: string | null } = {},
): Promise<{ proxy: CompanyProxy; options: LaunchOptions }> {
  const authority = privateAuthority();
  const front = await createTlsFront(modelUrl, authority.server(modelHost));
  const tools = await createHttpServer();
  const toolsFront = await createTlsFront(new URL(tools.url).origin, authority.server(serverHost));
  const site = await createSite();
  const filesFront = await createTlsFront(site.url, authority.server(modelFilesHost));
  const hosts = {
    [`${modelHost}:443`]: front.port,
    [`${serverHost}:443`]: toolsFront.port,
    [`${modelFilesHost}:443`]: filesFront.port,
    "pages.company.test:80": Number(new URL(site.url).port),
  };
  const proxy = await createProxy(hosts, login);
  opened.push(front, toolsFront, tools, filesFront, site, proxy);
  const address = told === null ? proxy.url : proxy.url.replace("//", `//${told}@`);
  return {
    proxy,
    options: {
      env: { ANTHROPIC_BASE_URL: `https://${modelHost}`, https_proxy: address, http_proxy: address },
      settings: { retryMax: 0 },
      seedHome: (home) => {
        if (isTrusted) trustAuthority(home, authority.cert);
      },
    },
  };
}

/** Pages, and nothing where a model's files would be. */
async function createSite(): Promise<{ url: string; close(): Promise<void> }> {
  const server = createServer((request, response) => {
    if (request.url === "/moved") response.writeHead(302, { location: "/page" }).end();
    else if (request.url === "/page")
      response.writeHead(200, { "content-type": "text/html" }).end("<h2>Known</h2><p>Known here.");
    else response.writeHead(404).end();
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const address = server.address();
  const port = typeof address === "object" ? address?.port : undefined;
  return {
    url: `http://127.0.0.1:${port}`,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

const fetching = (url: string) =>
  `look [[script:tools ${JSON.stringify({ calls: [{ name: "web_fetch", input: { url } }] })}]]`;
const allowsPages = { permissionRules: [{ verdict: "allow", tool: "web_fetch" }] };

/** Begins to download a speech model. @returns how that ends: here always with an error */
async function download(page: Page): Promise<string> {
  const id = "zipformer-en";
  await page.evaluate((model) => window.parley.call("voice.model", { action: "download", model }), id);
  const ended = async () => {
    const list = await page.evaluate(() => window.parley.call("voice.models", undefined));
    return list.ok ? list.value.find((model) => model.id === id) : undefined;
  };
  await expect.poll(async () => (await ended())?.state).not.toBe("downloading");
  return JSON.stringify(await ended());
}

test("behind a company's proxy and its own certificates the model answers, streams and can be stopped", async ({
  startWithModel,
  model,
}) => {
  const { proxy, options } = await behindProxy(model.url);
  const { page } = await startWithModel(options);
  await send(page, 'slowly [[script:text {"words":30,"hold":"half","at":15}]]');
  await model.held("half");
  // It streams: half of it is there while the other half is not sent yet.
  await expect(page.getByTestId("message-assistant")).toHaveText(/^word-1 .*word-15$/);
  model.release("half");
  await expect(replies(page)).toHaveText(/^word-1 .*word-30$/);

  await send(page, 'never ends [[script:text {"words":30,"hold":"never","at":3}]]');
  await model.held("never");
  await page.getByTestId("stop").click();
  expect(await model.requests[1]?.finished).toBe(false);
  expect(proxy.tunnels).toContain(`${modelHost}:443`);
  expect(model.requests[0]?.headers.authorization).toBe("Bearer test-key");
});

test("an error of the API behind the proxy is the same clear card", async ({ startWithModel, model }) => {
  const { options } = await behindProxy(model.url);
  const { page } = await startWithModel(options);
  await send(page, '[[script:status {"code":401,"times":-1}]]');
  await expect(page.getByTestId("error-card")).toContainText("refused the key");
});

test("a connection that breaks in mid-stream behind the proxy is tried again, and nothing is shown twice", async ({
  startWithModel,
  model,
}) => {
  const { options } = await behindProxy(model.url);
  const { page } = await startWithModel({ ...options, settings: { retryMax: 2 } });
  await send(page, 'go on [[script:cut {"words":5}]]');
  await expect(replies(page)).toHaveText("word-1 word-2 word-3 word-4 word-5");
  expect(model.requests).toHaveLength(2);
});

test("a certificate that the system does not know either is no connection, and nothing is sent", async ({
  startWithModel,
  model,
}) => {
  const { options } = await behindProxy(model.url, { isTrusted: false });
  const { page } = await startWithModel(options);
  await send(page, "hello");
  await expect(page.getByTestId("error-card")).toContainText(`No connection to ${modelHost}.`);
  expect(model.requests).toEqual([]);
});

test("without a proxy, a certificate that only the system knows will do", async ({
  startWithModel,
  model,
}) => {
  const authority = privateAuthority();
  const front = await createTlsFront(model.url, authority.server("localhost"));
  opened.push(front);
  const { page } = await startWithModel({
    env: { ANTHROPIC_BASE_URL: `https://localhost:${front.port}` },
    settings: { retryMax: 0 },
    seedHome: (home) => trustAuthority(home, authority.cert),
  });
  await send(page, "hello there");
  await expect(replies(page)).toHaveText("hello there");
});

test("an MCP server behind the proxy is reached the same way", async ({ startWithModel, model }) => {
  const { proxy, options } = await behindProxy(model.url);
  const { page } = await startWithModel(options);
  await send(page, `/mcp add web https://${serverHost}/mcp`);
  await expect
    .poll(async () => {
      await send(page, "/mcp");
      return await page.getByTestId("command-answer").last().textContent();
    })
    .toContain("web: ready");
  expect(proxy.tunnels).toContain(`${serverHost}:443`);
});

test("web_fetch goes through the proxy, and still not to what is private", async ({
  startWithModel,
  model,
}) => {
  const { proxy, options } = await behindProxy(model.url);
  const { page } = await startWithModel({ ...options, settings: { ...options.settings, ...allowsPages } });
  await send(page, fetching("http://pages.company.test/moved"));
  await expect(replies(page).last()).toContainText("Known here.");
  await expect(replies(page).last().getByRole("heading", { name: "Known" })).toBeVisible();
  expect(proxy.tunnels).toContain("http://pages.company.test/moved");
  expect(proxy.tunnels).toContain("http://pages.company.test/page");
  for (const url of ["http://10.1.2.3/page", "http://intranet/page"]) {
    await send(page, fetching(url));
    await expect(replies(page).last()).toContainText("a private network");
  }
  expect(proxy.tunnels.filter((target) => /10\.1\.2\.3|intranet/.test(target))).toEqual([]);
});

test("a speech model is downloaded through the proxy, with the system's certificates", async ({
  startWithModel,
  model,
}) => {
  const { proxy, options } = await behindProxy(model.url);
  const { page } = await startWithModel(options);
  expect(await download(page)).toContain("answers 404");
  expect(proxy.tunnels).toContain(`${modelFilesHost}:443`);
});

test("a proxy that asks for a password says so, for all that goes through it, and what to do", async ({
  startWithModel,
  model,
}) => {
  const { proxy, options } = await behindProxy(model.url, { login: "me:p@ss" });
  const { page } = await startWithModel({ ...options, settings: { ...options.settings, ...allowsPages } });
  const said = `The proxy ${new URL(proxy.url).host} asks for a name and a password.`;
  const advice = `https_proxy=http://NAME:PASSWORD@${new URL(proxy.url).host}`;
  await send(page, "hello");
  await expect(page.getByTestId("error-card")).toContainText(said);
  await expect(page.getByTestId("error-card")).toContainText(advice);
  await send(page, `/mcp add web https://${serverHost}/mcp`);
  await expect
    .poll(async () => {
      await send(page, "/mcp");
      return await page.getByTestId("command-answer").last().textContent();
    })
    .toContain(said);
  expect(await download(page)).toContain(said);
  expect(proxy.tunnels).toEqual([]);
  expect(model.requests).toEqual([]);
});

test("a name and a password in the proxy's address of the environment open the way", async ({
  startWithModel,
  model,
}) => {
  const { proxy, options } = await behindProxy(model.url, { login: "me:p@ss", told: "me:p%40ss" });
  const { page } = await startWithModel({ ...options, settings: { ...options.settings, ...allowsPages } });
  await send(page, "hello there");
  await expect(replies(page)).toHaveText("hello there");
  await send(page, fetching("http://pages.company.test/page"));
  await expect(replies(page).last()).toContainText("Known here.");
  expect(await download(page)).toContain("answers 404");
  expect(proxy.tunnels).toContain(`${modelFilesHost}:443`);
});

test("a password that the proxy does not take is tried once, and said", async ({ startWithModel, model }) => {
  const { proxy, options } = await behindProxy(model.url, { login: "me:right", told: "me:wrong" });
  const { page } = await startWithModel(options);
  await send(page, "hello");
  const card = page.getByTestId("error-card");
  await expect(card).toContainText("does not accept the name and password from the environment");
  await expect(card).not.toContainText("wrong");
  expect(proxy.tunnels).toEqual([]);
});
