import fc from "fast-check";
import { type IpcRoute, ipcRoutes } from "../../../shared/ipc/ipc.ts";
import { messagesOf } from "../../integration/security/ipc-messages.ts";
import { expect, replies, send, test } from "../support/test.ts";

const callsPerRoute = 50;
/**
 * These wait for a person at a dialog of the system's or open another program, listen for seconds, take pictures of the
 * screen, ask the network, or end the app.
 */
const leftOut: ReadonlySet<string> = new Set([
  "checkpoint.openFile",
  "conversation.export",
  "conversation.pickFolder",
  "data.backUp",
  "data.chooseBackup",
  "data.deleteAll",
  "app.restart",
  "data.exportAll",
  "data.open",
  "doctor.check",
  "key.models",
  "key.test",
  "screen.attach",
  "screen.list",
  "voice.startFile",
  "voice.offer",
  "voice.pickModel",
  "voice.test",
]);
const routes = (Object.keys(ipcRoutes) as IpcRoute[]).filter((route) => !leftOut.has(route));

test("whatever a page sends over the real bridge, it gets an answer, and the app goes on", async ({
  start,
}) => {
  const { app, page } = await start();
  await app.evaluate(({ shell }) => {
    const faults: string[] = [];
    Reflect.set(globalThis, "faults", faults);
    process.on("unhandledRejection", (reason) => faults.push(String(reason)));
    process.on("uncaughtException", (error) => faults.push(String(error)));
    shell.openExternal = async () => {};
  });
  await send(page, "what is 6 * 7");
  await expect(replies(page)).toContainText("42");
  const attached = await page.evaluate(() => window.parley.call("conversation.attach", {}));
  const id = attached.ok ? attached.value.conversationId : "";
  for (const route of routes) {
    const messages = fc
      .sample(messagesOf(route, [id]), { numRuns: callsPerRoute, seed: routes.indexOf(route) })
      .map((message) => asJson(message));
    const odd = await page.evaluate(
      async ([name, texts]) => {
        const answers: unknown[] = [];
        for (const text of texts) {
          const input: unknown = text === null ? undefined : JSON.parse(text);
          answers.push(await Reflect.apply(window.parley.call, null, [name, input]));
        }
        return answers.filter((answer) => {
          const { ok, error } = Object(answer);
          return ok !== true && !(ok === false && typeof error?.code === "string" && error.message !== "");
        });
      },
      [route, messages] as const,
    );
    expect(odd, route).toEqual([]);
  }
  expect(await app.evaluate(() => Reflect.get(globalThis, "faults"))).toEqual([]);
  const created = await page.evaluate(() => window.parley.call("conversation.create", undefined));
  expect(created).toMatchObject({ ok: true });
});

/** As it gets to the page; null for what JSON cannot say. */
function asJson(message: unknown): string | null {
  try {
    return JSON.stringify(message) ?? null;
  } catch {
    return null;
  }
}
