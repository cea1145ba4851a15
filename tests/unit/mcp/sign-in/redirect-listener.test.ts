import { once } from "node:events";
import { connect } from "node:net";
import { afterEach, expect, test } from "vitest";
import { RedirectListener } from "../../../../electron/mcp/sign-in/redirect-listener.ts";

let listener: RedirectListener | null = null;
afterEach(() => {
  listener?.close();
  listener = null;
});

/** The first line of the answer to a request that is sent as it stands. */
async function answerTo(request: string): Promise<string> {
  listener ??= await RedirectListener.open(undefined, () => true);
  const socket = connect(listener.port, "127.0.0.1");
  socket.end(`${request} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n`);
  const [answer] = await once(socket.setEncoding("utf8"), "data");
  socket.destroy();
  return String(answer).split("\r\n")[0] ?? "";
}

// Bug: an address that is none was thrown where nobody catches it, and a dialog of Electron's held up the app.
test.each(["GET //", "GET http://", "GET /elsewhere", "POST /callback"])(
  "%s is answered with 404",
  async (request) => {
    expect(await answerTo(request)).toBe("HTTP/1.1 404 Not Found");
  },
);
