import { expect, test } from "vitest";
import { namedProxy, proxyLogin } from "../../../../electron/desktop/net/proxy-login.ts";

const mine = { name: "me", password: "p@ss:word" };

test.each([
  [{ https_proxy: "http://me:p%40ss%3Aword@proxy.example.com:3128" }, mine],
  [{ HTTP_PROXY: "me:p%40ss%3Aword@PROXY.example.com:3128/" }, mine],
  [{ https_proxy: "", all_proxy: " http://me:p%40ss%3Aword@proxy.example.com:3128 " }, mine],
  [{ https_proxy: "http://me:100%@proxy.example.com:3128" }, { name: "me", password: "100%" }],
  [{ https_proxy: "http://me@proxy.example.com:3128" }, { name: "me", password: "" }],
  [{ https_proxy: "http://proxy.example.com:3128" }, null],
  [{ https_proxy: "not an address" }, null],
  [{}, null],
])("%j", (env, login) => {
  expect(proxyLogin(env, "proxy.example.com", 3128)).toEqual(login);
});

// Bug: a proxy that the network announces is told the password of another one.
test("a password is told to nobody but the proxy that it stands with", () => {
  const env = { https_proxy: "http://me:secret@proxy.example.com" };
  expect(proxyLogin(env, "proxy.example.com", 80)).toEqual({ name: "me", password: "secret" });
  expect(proxyLogin(env, "proxy.example.com", 8080)).toBeNull();
  expect(proxyLogin(env, "evil.example.com", 80)).toBeNull();
});

// Bug: `proxy.corp:3128` was taken for an address of the scheme `proxy.corp:`, and fenced commands had no network.
test.each([
  [{ https_proxy: "proxy.corp:3128" }, "http://proxy.corp:3128"],
  [{ HTTPS_PROXY: " http://me:pass@proxy.corp:3128 " }, "http://me:pass@proxy.corp:3128"],
  [{ https_proxy: "", HTTPS_PROXY: "http://other:1" }, null],
  [{ https_proxy: "http://" }, null],
  [{}, null],
])("of %j pages go by %s", (env, address) => {
  expect(namedProxy(env)).toBe(address);
});
