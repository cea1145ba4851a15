import { createHttpServer } from "../fakes/http-mcp-server.ts";
import { type CompanyProxy, createProxy, createTlsFront } from "../fakes/proxy.ts";
import { privateAuthority } from "../fixtures/private-authority.ts";
import { trustAuthority } from "../fixtures/system-certificates.ts";
import type { LaunchOptions } from "./support/launch.ts";
import { expect, replies, send, test } from "./support/test.ts";

// A company's network: names that only its proxy knows, certificates of its own authority in the system's store.
const modelHost = "models.company.test";
const serverHost = "tools.company.test";

const opened: { close(): Promise<unknown> }[] = [];
test.afterEach(async () => {
  await Promise.all(opened.splice(0).map((one) => one.close()));
});

async function behindProxy(
  modelUrl: string,
  { isTrusted = true } = {},
): Promise<{ proxy: CompanyProxy; options: LaunchOptions }> {
  const authority = privateAuthority();
  const front = await createTlsFront(modelUrl, authority.server(modelHost));
  const tools = await createHttpServer();
  const toolsFront = await createTlsFront(new URL(tools.url).origin, authority.server(serverHost));
  const proxy = await createProxy({
    [`${modelHost}:443`]: front.port,
    [`${serverHost}:443`]: toolsFront.port,
  });
  opened.push(front, toolsFront, tools, proxy);
  return {
    proxy,
    options: {
      env: { ANTHROPIC_BASE_URL: `https://${modelHost}`, https_proxy: proxy.url, http_proxy: proxy.url },
      settings: { retryMax: 0 },
      seedHome: (home) => {
        if (isTrusted) trustAuthority(home, authority.cert);
      },
    },
  };
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
  await expect(page.getByTestId("error-card")).toContainText("The API key was refused.");
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
