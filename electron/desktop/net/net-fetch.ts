import { Readable } from "node:stream";
import { net } from "electron";
import { ProxyRefusal } from "../../../shared/safety/proxy-refusal.ts";
import { withoutCredentials } from "../../../shared/safety/redirects.ts";
import { proxyLogin } from "./proxy-login.ts";

/**
 * `fetch` over Electron's network: the system's proxy and certificates, in main and in utility processes. Beside Electron's
 * own it takes `redirect: "manual"`, takes no key to another origin by a redirect, and tells a proxy the name and password
 * that the environment has for it.
 * @throws ProxyRefusal where a proxy wants another login; RedirectRefusal; the signal's reason when aborted; an Error of
 *   Chromium's
 */
export const netFetch: typeof fetch = withoutCredentials(async (input, init) => {
  const request = new Request(input, init);
  const { method, url, signal } = request;
  const body = request.body ? Buffer.from(await request.arrayBuffer()) : null;
  signal.throwIfAborted();
  // Left to itself Chromium takes every header along.
  const sent = net.request({ method, url, redirect: "manual", credentials: "omit", cache: "no-store" });
  for (const [name, value] of request.headers) if (!ownHeaders.has(name)) sent.setHeader(name, value);
  const refusal = answerProxies(sent);
  return await new Promise((resolve, reject) => {
    let answer: Readable | null = null;
    const onAbort = () => {
      reject(signal.reason);
      answer?.destroy(signal.reason);
      sent.abort();
    };
    signal.addEventListener("abort", onAbort, { once: true });
    // Holds the request: without it, its signal would no longer follow the caller's.
    sent.once("close", () => request.signal.removeEventListener("abort", onAbort));
    sent.on("redirect", (status, _method, _url, headers) => {
      resolve(new Response(null, { status, headers: headersOf(headers) }));
    });
    // Stays: after an answer, what breaks is told by the answer itself.
    sent.on("error", (error) => reject(refusal() ?? error));
    sent.once("response", (message) => {
      const refused = refusal();
      // It is the proxy's answer, and not that of who was asked.
      if (refused || !(message instanceof Readable)) {
        sent.abort();
        return reject(refused ?? new Error("The answer came in no known form."));
      }
      answer = message;
      answer.once("close", () => sent.abort());
      const { statusCode: status, statusMessage: statusText, headers } = message;
      const isEmpty = withoutBody.has(status) || method === "HEAD";
      if (isEmpty) answer.resume();
      const whole = isEmpty ? null : bodyOf(answer);
      resolve(new Response(whole, { status, statusText, headers: headersOf(headers) }));
    });
    sent.end(body ?? undefined);
  });
});

/** Those that Chromium sets itself. */
const ownHeaders: ReadonlySet<string> = new Set([
  "host",
  "content-length",
  "connection",
  "transfer-encoding",
]);
const withoutBody: ReadonlySet<number> = new Set([101, 103, 204, 205, 304]);

/** @returns what a proxy that was not satisfied is told to the user by */
function answerProxies(sent: Electron.ClientRequest): () => ProxyRefusal | null {
  let refusal: ProxyRefusal | null = null;
  let hadLogin = false;
  sent.on("login", ({ isProxy, host, port }, answer) => {
    const login = isProxy && !hadLogin ? proxyLogin(process.env, host, port) : null;
    if (login) {
      hadLogin = true;
      return answer(login.name, login.password);
    }
    if (isProxy) refusal = new ProxyRefusal(`${host}:${port}`, hadLogin);
    answer();
  });
  return () => refusal;
}

function headersOf(headers: Record<string, string | string[]>): [string, string][] {
  return Object.entries(headers).flatMap(([name, values]) =>
    [values].flat().map((value): [string, string] => [name, value]),
  );
}

/** Held back where its reader is slow; left where nobody reads on. */
function bodyOf(answer: Readable): ReadableStream<Uint8Array> {
  const chunks = answer[Symbol.asyncIterator]();
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await chunks.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    cancel: () => void answer.destroy(),
  });
}
