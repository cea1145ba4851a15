import { readdirSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join, resolve } from "node:path";
import { gunzipSync, inflateRawSync, inflateSync } from "node:zlib";
import type { Page } from "playwright/test";
import { createHttpServer } from "../../fakes/mcp/http-mcp-server.ts";
import type { Parley } from "../support/launch.ts";
import { expect, replies, send, test } from "../support/test.ts";

/** Keys that occur nowhere else, by how Parley comes to know them. */
const canary = {
  typed: "sk-ant-api03-CANARYtyped00000000000000001",
  environment: "sk-proj-CANARYenvironment00000000000002",
  envFile: "AIzaCANARYenvFile000000000000000000000003",
  plainWords: "CANARY plain words of a secret variable",
  mistaken: "sk-ant-api03-CANARYmistaken0000000000004",
  server: "CANARY plain words for a server",
};
const telling = resolve("tests/fakes/mcp/telling-mcp-server.mjs");

/** The model's API, which repeats the key in its error where a prompt asks for that. */
async function createRepeatingServer(modelUrl: string) {
  const server = createServer(async (request, response) => {
    const chunks: Uint8Array[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const body = Buffer.concat(chunks);
    const { authorization = "", ...others } = request.headers;
    const beta = others["anthropic-beta"]?.toString();
    const status = /repeat the key: (\d+)/.exec(body.toString())?.[1];
    if (status) {
      const error = { type: "some_error", message: `No: ${authorization} nor ${authorization.slice(7)}` };
      response.writeHead(Number(status), { "content-type": "application/json" });
      response.end(JSON.stringify({ type: "error", error }));
      return;
    }
    const { method = "GET", url = "/" } = request;
    const headers = {
      authorization,
      "content-type": others["content-type"] ?? "application/json",
      ...(beta && { "anthropic-beta": beta }),
    };
    const sent = method === "POST" ? { method, headers, body } : { method, headers };
    const answer = await fetch(new URL(url, modelUrl), sent);
    response.writeHead(answer.status, { "content-type": answer.headers.get("content-type") ?? "" });
    for await (const chunk of answer.body ?? []) response.write(chunk);
    response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

const answer = (page: Page) => page.getByTestId("command-answer").last();

/** What is known of every file below a folder, whatever it is packed with. */
function* filesBelow(folder: string): Generator<{ name: string; bytes: Buffer }> {
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const name = join(entry.parentPath, entry.name);
    yield { name, bytes: readFileSync(name) };
  }
}

/** Where a word stands in bytes: as they are, in two-byte letters, in base64, and in what is packed in them. */
function holds(bytes: Buffer, word: string): boolean {
  if (bytes.includes(word) || bytes.includes(Buffer.from(word, "utf16le"))) return true;
  const inside = Buffer.from(word).toString("base64").slice(2, -4);
  return bytes.includes(inside) || unpacked(bytes).some((inner) => inner.includes(word));
}

function unpacked(bytes: Buffer): Buffer[] {
  return [gunzipSync, inflateSync, inflateRawSync].flatMap((unpack) => {
    try {
      return [unpack(bytes)];
    } catch {
      return [];
    }
  });
}

/**
 * The variables and words that the programs were started with that Parley runs. Not those of Electron's own processes:
 * Chromium writes over what the system would tell of them.
 */
function startedWith(parley: Parley, main: number): { pid: number; text: string }[] {
  return parley
    .processes()
    .filter((pid) => pid !== main)
    .flatMap((pid) => {
      try {
        const command = readFileSync(`/proc/${pid}/cmdline`, "utf8");
        const isChromium = command.includes("--type=");
        return isChromium ? [] : [{ pid, text: command + readFileSync(`/proc/${pid}/environ`, "utf8") }];
      } catch {
        return [];
      }
    });
}

test("a key is in the header that it is for, and in no byte that Parley writes, shows, sends or hands on", async ({
  start,
  model,
}) => {
  const web = await createHttpServer();
  const api = await createRepeatingServer(model.url);
  const parley = await start({
    env: {
      ANTHROPIC_BASE_URL: api.url,
      OPENAI_API_KEY: canary.environment,
      UNUSUAL_NAME: canary.environment,
      DEPLOY_TOKEN: canary.plainWords,
    },
    settings: { provider: "anthropic", logLevel: "debug", retryMax: 1 },
    files: { ".env": `GEMINI_API_KEY=${canary.envFile}\n` },
  });
  const { app, page } = parley;
  const said: string[] = [];
  app.process().stdout?.on("data", (text) => said.push(String(text)));
  app.process().stderr?.on("data", (text) => said.push(String(text)));
  const pushed: string[] = [];
  page.on("console", (message) => pushed.push(message.text()));

  await send(page, "/trust yes");
  await expect(answer(page)).toContainText("apply from now on");

  // Given as it should be, and, by mistake, where it should not.
  await send(page, `/key set anthropic ${canary.mistaken}`);
  await expect(answer(page)).toContainText("was not used");
  await page.getByTestId("key-field").fill(canary.typed);
  await page.getByTestId("key-save").click();
  await expect(page.getByTestId("key-dialog")).toBeHidden();
  await page.getByTestId("composer").fill(`/key set openai ${canary.mistaken}`);
  await page.getByTestId("composer").blur();
  await page.getByTestId("composer").fill("");
  await send(page, "/key");
  await expect(answer(page)).toContainText("ANTHROPIC_API_KEY");

  // A server that repeats it in its error, before a retry and for good.
  for (const status of [500, 403]) {
    await send(page, `repeat the key: ${status}`);
    await expect(page.getByTestId("error-card")).toContainText("[secret removed]");
    await send(page, "/session new");
    await expect(page.getByTestId("error-card")).toHaveCount(0);
  }

  // Programs that tell what they were given.
  const entry = { command: "node", args: [telling], env: { OWN_TOKEN: canary.server } };
  await send(page, `/mcp add ${JSON.stringify({ mcpServers: { telling: entry } })}`);
  await expect
    .poll(async () => {
      await send(page, "/mcp");
      return await answer(page).textContent();
    })
    .toContain("telling: ready");
  await send(page, "/mcp logs telling");
  await expect(answer(page)).toContainText("started with");
  await send(page, `/mcp add web ${web.url}`);
  const calls = [
    { name: "shell", input: { command: "env; cat /proc/$$/environ | tr '\\0' '\\n'; echo done" } },
  ];
  // To look runs without a card.
  await send(page, `look [[script:tools ${JSON.stringify({ calls })}]]`);
  await expect(replies(page).last()).toContainText("done");
  const main = await app.evaluate(() => process.pid);
  const children = startedWith(parley, main);
  expect(children.length).toBeGreaterThan(0);

  // What is written on purpose, and what is left by a death.
  for (const format of ["md", "json"]) {
    await send(page, `/session export ${format} exported.${format}`);
    await expect(answer(page)).toContainText(`exported.${format}`);
  }
  const snapshot = await page.evaluate(() => window.parley.call("conversation.attach", {}));
  const shown = await page.locator("body").innerHTML();
  await app.evaluate(({ BrowserWindow }) => {
    void Promise.reject(new Error(`nobody waits for ${process.env.OPENAI_API_KEY}`));
    BrowserWindow.getAllWindows()[0]?.webContents.forcefullyCrashRenderer();
  });
  const log = () => readFileSync(join(parley.userData, "logs", "parley.log"), "utf8");
  await expect.poll(log).toContain("is gone: ");
  await expect.poll(log).toContain("nobody waits for");
  await parley.crash();
  await web.close();
  api.close();

  // It was really there: the far side got it, and the log has the lines that it was taken out of.
  expect(model.requests.map(({ headers }) => headers.authorization)).toContain(`Bearer ${canary.typed}`);
  expect(log()).toContain("[secret removed]");
  expect(log()).toContain("started with");

  const given = new Set([
    // Where the user themselves put it.
    join(parley.home, "Parley", ".env"),
    join(parley.userData, "mcp.json"),
  ]);
  const places = [
    ...[...filesBelow(parley.home)].filter(({ name }) => !given.has(name)),
    { name: "the terminal", bytes: Buffer.from(said.join("")) },
    { name: "a page's console", bytes: Buffer.from(pushed.join("")) },
    { name: "the page", bytes: Buffer.from(shown) },
    { name: "what a window is told", bytes: Buffer.from(JSON.stringify(snapshot)) },
    ...children.map(({ pid, text }) => ({ name: `process ${pid}`, bytes: Buffer.from(text) })),
    ...model.requests.map(({ raw, headers }, index) => {
      const { authorization: _, ...others } = headers;
      return { name: `request ${index}`, bytes: Buffer.from(JSON.stringify([raw, others])) };
    }),
    { name: "a server's request", bytes: Buffer.from(JSON.stringify(web.lastHeaders)) },
  ];
  expect(places.length).toBeGreaterThan(20);
  const found = places.flatMap(({ name, bytes }) =>
    Object.entries(canary).flatMap(([which, word]) => {
      // What a server's entry gives to that server is for it.
      if (which === "server" && name.startsWith("process")) return [];
      return holds(bytes, word) ? [`${which}: ${name}`] : [];
    }),
  );
  expect(found).toEqual([]);
});
