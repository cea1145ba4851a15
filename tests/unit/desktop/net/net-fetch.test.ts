import { EventEmitter } from "node:events";
import { PassThrough } from "node:stream";
import { setImmediate } from "node:timers/promises";
import { expect, test, vi } from "vitest";
import { netFetch } from "../../../../electron/desktop/net/net-fetch.ts";
import { gc } from "../../../fixtures/gc.ts";

/** Electron's, as far as it is used here. */
class FakeRequest extends EventEmitter {
  readonly abort = vi.fn();
  /** Its answer begins at once, and never ends. */
  end(): void {
    const head = { statusCode: 200, statusMessage: "OK", headers: {} };
    this.emit("response", Object.assign(new PassThrough(), head));
  }
}
const electron = vi.hoisted(() => ({ sent: null as FakeRequest | null }));
vi.mock("electron", () => {
  const request = () => {
    electron.sent = new FakeRequest();
    return electron.sent;
  };
  return { net: { request } };
});

/** Frees all that nothing holds. */
async function collectGarbage(): Promise<void> {
  // What a weak reference was asked for is held until the end of the task.
  for (let round = 0; round < 5; round++) {
    await setImmediate();
    gc();
  }
}

// Bug: the signal of a `Request` follows the caller's only as long as somebody holds the request. Stop was lost on a page or a
// server behind a system's proxy that sent its answer slowly.
test("an answer that does not end can be aborted, however long it has gone on", async () => {
  const stop = new AbortController();
  const { body } = await netFetch("https://pages.company.test/", { signal: stop.signal });
  await collectGarbage();
  stop.abort(new Error("stopped"));
  expect(electron.sent?.abort).toHaveBeenCalled();
  await expect(body?.getReader().read()).rejects.toThrow("stopped");
});
