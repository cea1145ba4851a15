import { once } from "node:events";
import { createServer, request as overHttp, type Server } from "node:http";
import { createModelServer, type ModelServer } from "../../fakes/model-server/model-server.ts";
import { openaiProtocol } from "../../fakes/model-server/openai-protocol.ts";
import { expect, replies, send, test } from "../support/test.ts";

const port = 11434;
let model: ModelServer;
let server: Server;
/** What it was asked beside the list of its models. */
let asked: string[];

/** Whoever has this port is taken for Ollama. @returns whether it could be had */
async function takePort(): Promise<boolean> {
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
  return await new Promise((resolve) => {
    server.once("error", () => resolve(false));
    server.listen(port, "127.0.0.1", () => resolve(true));
  });
}

test.afterEach(async () => {
  server.closeAllConnections();
  if (server.listening) await once(server.close(), "close");
  await model.close();
});

test("a model server on this computer gets no prompt before the user has seen it and said yes", async ({
  start,
}) => {
  test.skip(!(await takePort()), `Something has port ${port} here.`);
  const first = await start({ settings: { provider: "auto" } });
  const notice = first.page.getByTestId("model-server-notice");
  await expect(notice).toContainText("Ollama at 127.0.0.1:11434 (llama3)");
  await send(first.page, "what time is it");
  await expect(replies(first.page)).toHaveCount(1);
  await first.page.getByRole("button", { name: "Not now" }).click();
  await expect(notice).toBeHidden();
  await send(first.page, "what is 2 + 2");
  await expect(replies(first.page).last()).toContainText("4");
  expect(asked).toEqual([]);
  await first.close();

  const second = await start({ home: first.home });
  await expect(second.page.getByTestId("model-server-notice")).toBeVisible();
  expect(asked).toEqual([]);
  await second.page.getByRole("button", { name: "Use it" }).click();
  await expect(second.page.getByTestId("model-server-notice")).toBeHidden();
  await send(second.page, "hello to you");
  await expect(replies(second.page).last()).toHaveText("hello to you");
  expect(asked).toContain("POST /v1/chat/completions");
  await second.close();

  const third = await start({ home: first.home });
  await send(third.page, "still you");
  await expect(replies(third.page).last()).toHaveText("still you");
  await expect(third.page.getByTestId("model-server-notice")).toBeHidden();
});
