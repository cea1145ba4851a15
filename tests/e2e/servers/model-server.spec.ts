import { once } from "node:events";
import { createServer, request as overHttp, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { createModelServer, type ModelServer } from "../../fakes/model-server/model-server.ts";
import { openaiProtocol } from "../../fakes/model-server/openai-protocol.ts";
import { expect, replies, send, test } from "../support/test.ts";

let port: number;
let model: ModelServer;
let server: Server;
/** What it was asked beside the list of its models. */
let asked: string[];

/** Stands where OLLAMA_HOST says that Ollama is. */
async function startServer(): Promise<void> {
  model = await createModelServer(openaiProtocol());
  asked = [];
  server = createServer((request, response) => {
    const { method, url = "", headers } = request;
    if (url === "/v1/models") return void response.end(JSON.stringify({ data: [{ id: "llama3" }] }));
    asked.push(`${method} ${url}`);
    const far = overHttp(new URL(url, model.url), { method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    request.pipe(far);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  ({ port } = server.address() as AddressInfo);
}

test.afterEach(async () => {
  server.closeAllConnections();
  if (server.listening) await once(server.close(), "close");
  await model.close();
});

test("a model server on this computer gets no prompt before the user has seen it and said yes", async ({
  start,
}) => {
  await startServer();
  const env = { OLLAMA_HOST: `127.0.0.1:${port}` };
  const first = await start({ settings: { provider: "auto" }, env });
  const notice = first.page.getByTestId("model-server-notice");
  await expect(notice).toContainText(`Ollama at 127.0.0.1:${port} (llama3)`);
  await send(first.page, "what time is it");
  await expect(replies(first.page)).toHaveCount(1);
  await first.page.getByRole("button", { name: "Not now" }).click();
  await expect(notice).toBeHidden();
  await send(first.page, "what is 2 + 2");
  await expect(replies(first.page).last()).toContainText("4");
  expect(asked).toEqual([]);
  await first.close();

  const second = await start({ home: first.home, env });
  await expect(second.page.getByTestId("model-server-notice")).toBeVisible();
  expect(asked).toEqual([]);
  await second.page.getByRole("button", { name: "Use it" }).click();
  await expect(second.page.getByTestId("model-server-notice")).toBeHidden();
  await send(second.page, "hello to you");
  await expect(replies(second.page).last()).toHaveText("hello to you");
  expect(asked).toContain("POST /v1/chat/completions");
  await second.close();

  const third = await start({ home: first.home, env });
  await send(third.page, "still you");
  await expect(replies(third.page).last()).toHaveText("still you");
  await expect(third.page.getByTestId("model-server-notice")).toBeHidden();
});
