/**
 * Electron's `fetch` with the errors of Node's: a TypeError where there is no connection or it breaks, the signal's
 * reason where it was aborted, in the middle of an answer, too.
 */
export function asNodeFetch(systemFetch: typeof fetch): typeof fetch {
  return async (input, init) => {
    const signal = init?.signal ?? null;
    try {
      const response = await systemFetch(input, init);
      const { status, statusText, headers } = response;
      const body = response.body && guarded(response.body, signal);
      return new Response(body, { status, statusText, headers });
    } catch (cause) {
      signal?.throwIfAborted();
      throw new TypeError("fetch failed", { cause });
    }
  };
}

function guarded(body: ReadableStream<Uint8Array>, signal: AbortSignal | null): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  let onAbort = () => {};
  const forget = () => signal?.removeEventListener("abort", onAbort);
  const end = (reason?: unknown) => {
    forget();
    // It may have failed already, which is told below.
    return reader.cancel(reason).catch(() => {});
  };
  return new ReadableStream<Uint8Array>({
    start(controller) {
      onAbort = () => {
        controller.error(signal?.reason);
        void end(signal?.reason);
      };
      signal?.addEventListener("abort", onAbort, { once: true });
    },
    async pull(controller) {
      try {
        const { done, value } = await reader.read();
        if (signal?.aborted) return;
        if (!done) return controller.enqueue(value);
        forget();
        controller.close();
      } catch (cause) {
        forget();
        if (!signal?.aborted) controller.error(new TypeError("terminated", { cause }));
      }
    },
    cancel: end,
  });
}
