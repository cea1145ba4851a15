import { hasConnection, httpFetch } from "./anthropic/http-fetch.ts";

/** As long as a try may take: longer, and the request itself will say what is wrong. */
const timeoutMs = 5_000;

/**
 * Opens the connection that the next request takes, which saves it the name look-up and the TLS handshake. Nothing of
 * the user's is sent, and whatever is answered will do. Where one is open and free, nothing is done. Never throws.
 */
export async function preconnect(address: string, ownFetch: typeof fetch = httpFetch): Promise<void> {
  try {
    const { origin } = new URL(address);
    if (hasConnection(new URL(origin))) return;
    const answer = await ownFetch(origin, {
      // After a HEAD the client closes the connection.
      method: "OPTIONS",
      redirect: "manual",
      signal: AbortSignal.timeout(timeoutMs),
    });
    // Read to its end: only then is the connection free for the next.
    await answer.text();
  } catch {
    // The request that follows meets the same trouble and says so.
  }
}
