import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { serveApp } from "../../../../electron/desktop/shell/app-protocol.ts";

const electron = vi.hoisted(() => ({ handler: async (_: Request): Promise<Response> => Response.error() }));
vi.mock("electron", () => ({
  net: {},
  protocol: {
    handle: (_: string, handler: typeof electron.handler) => {
      electron.handler = handler;
    },
  },
}));

let folder: string;
let hasScripts: Promise<void>;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "parley-pages-"));
  for (const name of ["pages", "pages-of-others"]) {
    mkdirSync(join(folder, name));
    writeFileSync(join(folder, name, "index.html"), name);
    writeFileSync(join(folder, name, "main.js"), "");
  }
  hasScripts = serveApp(join(folder, "pages"));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Whatever the address names, the request holds it as it is: nobody has made it plain before. */
const get = async (url: string) => {
  const request = new Request("app://parley/");
  Object.defineProperty(request, "url", { value: url });
  const response = await electron.handler(request);
  return response.ok ? await response.text() : response.status;
};

test("pages are served from their own folder, with their policy", async () => {
  expect(await get("app://parley/index.html")).toBe("pages");
  const response = await electron.handler(new Request("app://parley/index.html"));
  expect(response.headers.get("content-security-policy")).toContain("default-src 'none'");
});

test.each([
  "app://parley/..%2Fpages-of-others/index.html",
  "app://parley/..%2F..%2Fetc/hostname.json",
  "app://other/index.html",
  "app://parley/missing.html",
  "app://parley/index",
])("%s is nowhere", async (url) => {
  expect(await get(url)).toBe(404);
});

test("tells when a page has its scripts, whatever it asks for last", async () => {
  const told: string[] = [];
  const telling = hasScripts.then(() => told.push("told"));
  await get("app://parley/index.html");
  expect(told).toEqual([]);
  await Promise.all([get("app://parley/main.js"), get("app://parley/index.html")]);
  await telling;
  expect(told).toEqual(["told"]);
});
