import { createProxy, createTlsFront } from "../../fakes/net/proxy.ts";
import { createTwoHosts } from "../../fakes/net/two-hosts.ts";
import { privateAuthority } from "../../fixtures/private-authority.ts";
import { trustAuthority } from "../../fixtures/system-certificates.ts";
import { expect, send, test } from "../support/test.ts";

// The clients that go over Chromium's network, as they do behind a system's proxy: what a redirect takes along there is
// Chromium's affair, unless we see to it. The others are tested in integration/security/redirects.test.ts.
const statuses = [301, 302, 303, 307, 308];
const secret = "the-secret-9f2c";
const names = { model: "models.company.test", server: "tools.company.test", files: "huggingface.co" };
const elsewhere = "elsewhere.company.test";

const opened: { close(): Promise<unknown> }[] = [];
test.afterEach(async () => {
  await Promise.all(opened.splice(0).map((one) => one.close()));
});

test("over Chromium's network no key follows a redirect to another host", async ({ start }) => {
  const authority = privateAuthority();
  const hosts = await createTwoHosts(302, { leadsTo: `https://${elsewhere}` });
  const fronts = await Promise.all(
    Object.values(names).map((name) => createTlsFront(hosts.url, authority.server(name))),
  );
  const second = await createTlsFront(hosts.secondUrl, authority.server(elsewhere));
  const ports = Object.values(names).map((name, place) => [`${name}:443`, fronts[place]?.port ?? 0]);
  const proxy = await createProxy({ ...Object.fromEntries(ports), [`${elsewhere}:443`]: second.port });
  opened.push(hosts, ...fronts, second, proxy);

  const { page } = await start({
    env: { ANTHROPIC_API_KEY: secret, ANTHROPIC_BASE_URL: `https://${names.model}`, https_proxy: proxy.url },
    settings: { provider: "anthropic", retryMax: 0 },
    seedHome: (home) => trustAuthority(home, authority.cert),
  });
  for (const status of statuses) {
    hosts.status = status;
    await send(page, `prompt ${status}`);
    await expect(page.getByTestId("error-card")).toHaveCount(statuses.indexOf(status) + 1);
    const card = page.getByTestId("error-card").last();
    await expect(card).toContainText(`https://${names.model} redirects to https://${elsewhere}`);

    const entry = { url: `https://${names.server}/mcp`, headers: { "x-our-own": secret } };
    await send(page, `/mcp add ${JSON.stringify({ mcpServers: { [`web${status}`]: entry } })}`);
    await expect
      .poll(async () => {
        await send(page, `/mcp status web${status}`);
        return await page.getByTestId("command-answer").last().textContent();
      })
      .toContain(`redirects to https://${elsewhere}`);
  }
  const withKey = hosts.asked.filter(({ path }) => path.startsWith("/v1/messages"));
  expect(withKey.map(({ headers }) => headers.authorization ?? headers["x-api-key"])).toEqual(
    statuses.map(() => expect.stringContaining(secret)),
  );
  expect(hosts.asked.filter(({ headers }) => headers["x-our-own"] === secret).length).toBeGreaterThan(4);
  expect(hosts.received).toEqual([]);
  expect(proxy.tunnels).not.toContain(`${elsewhere}:443`);

  // Downloads are sent on, as makers of models do; they carry nothing.
  const id = "zipformer-en";
  const change = (action: "download" | "delete") =>
    page.evaluate(([action, model]) => window.parley.call("voice.model", { action, model }), [
      action,
      id,
    ] as const);
  const models = () => page.evaluate(() => window.parley.call("voice.models", undefined));
  for (const status of statuses) {
    hosts.status = status;
    const before = hosts.received.length;
    expect(await change("download")).toMatchObject({ ok: true });
    // Where nobody was asked, what is said of the model tells why.
    const isAsked = async () => {
      if (hosts.received.length > before) return true;
      const answer = await models();
      return answer.ok ? answer.value.find((model) => model.id === id) : answer;
    };
    await expect.poll(isAsked, `after ${status}`).toBe(true);
    expect(await change("delete")).toMatchObject({ ok: true });
  }
  const sent = hosts.received.flatMap(({ headers }) => Object.keys(headers));
  const credentials = ["authorization", "cookie", "proxy-authorization", "x-api-key", "x-our-own"];
  expect(sent.filter((name) => credentials.includes(name))).toEqual([]);
  expect(JSON.stringify(hosts.received)).not.toContain(secret);
});
