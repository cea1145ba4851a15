import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { hosts } from "../../../everyday/everyday.ts";
import { createGitServer } from "../../../fakes/net/git-server.ts";
import { NpmRegistry } from "../../../fakes/net/npm-registry.ts";
import { tarball, zip } from "../../../fakes/net/packages.ts";
import { type CompanyProxy, createProxy } from "../../../fakes/net/proxy.ts";
import { userEnvironment } from "./attack-field.ts";

/** What everyday calls fetch from: real servers on this computer, and a system's proxy that knows them by name. */
export async function createEverydayServers(): Promise<{ proxy: CompanyProxy; close(): Promise<void> }> {
  const folder = mkdtempSync(join(tmpdir(), "parley-servers-"));
  const registry = await startRegistry();
  const git = await createGitServer(gitRepositories(folder));
  const pages = await createPages();
  const proxy = await createProxy({
    [`${new URL(hosts.registry).hostname}:80`]: Number(new URL(registry.url).port),
    [`${new URL(hosts.git).hostname}:80`]: git.port,
    [`${new URL(hosts.pages).hostname}:80`]: pages.port,
    [`${new URL(hosts.pypi).hostname}:80`]: pages.port,
  });
  return {
    proxy,
    async close() {
      await Promise.all([proxy.close(), registry.stop(), git.close(), pages.close()]);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function startRegistry(): Promise<NpmRegistry> {
  const registry = await NpmRegistry.start(`${hosts.registry}/`);
  const publish = (name: string, files: Record<string, string>, more: object = {}) => {
    const about = { name, version: "1.0.0", ...more };
    registry.publish(name, tarball({ "package.json": JSON.stringify(about), ...files }), more);
  };
  publish("left-pad", { "index.js": 'module.exports = (text, width) => text.padStart(width, " ");\n' });
  const greeting = '#!/usr/bin/env node\nconsole.log("hello from the registry");\n';
  publish("say-hello", { "hello.js": greeting }, { bin: { "say-hello": "hello.js" } });
  return registry;
}

/** One repository, `shop.git`. */
function gitRepositories(folder: string): string {
  const run = (where: string, script: string) =>
    execFileSync("bash", ["-c", script], { cwd: where, env: userEnvironment(folder), stdio: "ignore" });
  mkdirSync(join(folder, "seed"));
  const asSomebody = "git -c user.name=S -c user.email=s@example.com";
  run(
    join(folder, "seed"),
    `git init -q -b main . && echo from the server > README.md && git add -A && ${asSomebody} commit -qm First`,
  );
  run(
    folder,
    "git clone -q --bare seed shop.git && git -C shop.git config http.receivepack true && git -C shop.git config safe.directory '*'",
  );
  return folder;
}

/** A page, and a Python package. */
async function createPages(): Promise<{ port: number; close(): Promise<void> }> {
  const about = "Metadata-Version: 2.1\nName: tiny\nVersion: 1.0\n";
  const how = "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n";
  const wheel = zip(
    {
      "tiny.py": "size = 1\n",
      "tiny-1.0.dist-info/METADATA": about,
      "tiny-1.0.dist-info/WHEEL": how,
      "tiny-1.0.dist-info/RECORD": "tiny.py,,\ntiny-1.0.dist-info/METADATA,,\ntiny-1.0.dist-info/WHEEL,,\n",
    },
    0o644,
  );
  const name = "tiny-1.0-py3-none-any.whl";
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? "/", "http://x");
    if (pathname === "/page") response.end("<title>a page</title><p>a page</p>");
    else if (pathname === "/simple/tiny/") {
      response.writeHead(200, { "content-type": "text/html" }).end(`<a href="/files/${name}">${name}</a>`);
    } else if (pathname === `/files/${name}`) response.end(wheel);
    else response.writeHead(404).end();
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const address = server.address();
  return {
    port: typeof address === "object" ? (address?.port ?? 0) : 0,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
