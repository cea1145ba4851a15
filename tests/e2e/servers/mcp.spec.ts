import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Page } from "playwright/test";
import { createHttpServer } from "../../fakes/mcp/http-mcp-server.ts";
import { livingProcesses } from "../../fakes/processes.ts";
import { expect, press, replies, send, test } from "../support/test.ts";

/** A link's own path, so that the processes of this test are known among others. */
const server = resolve("node_modules/@modelcontextprotocol/server-everything/dist/index.js");
const pasted = (mark: string) =>
  JSON.stringify({ mcpServers: { everything: { command: "node", args: [server, "stdio", mark] } } }, null, 2);
const ours = (mark: string) => livingProcesses().filter(({ command }) => command.includes(mark));

const answer = (page: Page) => page.getByTestId("command-answer").last();

/** Asks until the answer says so: a server is started in its own time. */
async function untilListed(page: Page, words: string | RegExp): Promise<void> {
  await expect
    .poll(async () => {
      await send(page, "/mcp");
      return await answer(page).textContent();
    })
    .toMatch(words);
}

test("a configuration pasted from a README works at once: its tools are called after a click, and nothing of it outlives Parley", async ({
  startWithModel,
}) => {
  const mark = `pasted-${process.pid}`;
  const { app, page, userData } = await startWithModel();
  await send(page, `/mcp add ${pasted(mark)}`);
  await expect(answer(page)).toContainText("Added everything.");
  await untilListed(page, "everything: ready");
  const calls = [{ name: "everything__get-sum", input: { a: 2, b: 40 } }];
  await send(page, `add [[script:tools ${JSON.stringify({ calls })}]]`);
  const card = page.locator('[data-testid="approval"][data-status="waiting"]');
  await expect(card).toContainText("Use “Get Sum Tool” from everything?");
  await expect(card).toContainText("everything · get-sum");
  await press(page.getByTestId("allow"));
  await expect(replies(page)).toContainText("The sum of 2 and 40 is 42.");

  const [running] = ours(mark);
  expect(running).toBeDefined();
  process.kill(running?.pid ?? 0, "SIGKILL");
  await untilListed(page, /everything: (starting|ready, \d+ tools), restarts: 1/);
  await expect.poll(() => ours(mark).some(({ pid }) => pid !== running?.pid)).toBe(true);
  await untilListed(page, /everything: ready, \d+ tools, restarts: 1/);
  await send(page, "/mcp status everything");
  await expect(answer(page)).toContainText("/mcp status everything");
  await expect(answer(page)).toContainText(/Restarts\s*1/);
  const log = readFileSync(join(userData, "logs", "parley.log"), "utf8");
  expect(log).toMatch(/\[warn\].* mcp everything: \(Parley\) It ended unexpectedly\. Start 1 of 5/);

  await app.close();
  await expect.poll(() => ours(mark)).toEqual([]);
});

test.describe("servers over HTTP, by the way of the system's proxy and certificates", () => {
  for (const transport of ["streamable", "sse"] as const) {
    test(`${transport}: calls are answered, also after the server has forgotten the session`, async ({
      startWithModel,
    }) => {
      const web = await createHttpServer({ transport });
      try {
        const { page } = await startWithModel();
        await send(page, `/mcp add web ${web.url}`);
        await untilListed(page, "web: ready");
        if (transport === "streamable") web.forget();
        const calls = [{ name: "web__whoami", input: {} }];
        await send(page, `who [[script:tools ${JSON.stringify({ calls })}]]`);
        await press(page.getByTestId("allow"));
        await expect(replies(page)).toContainText("somebody");
      } finally {
        await web.close();
      }
    });
  }
});
