/** A redirect that was not followed: what was sent, such as a key, is for the address that it was sent to. */
export class RedirectRefusal extends Error {
  override readonly name = "RedirectRefusal";
  /** `scheme://host:port` of where it leads. */
  readonly target: string;

  constructor(from: URL, to: URL) {
    super(
      `${from.origin} redirects to ${to.origin}. Parley does not follow that, because what it sent is meant for ${from.host} only.`,
    );
    this.target = to.origin;
  }
}

/** The refusal behind an error: clients wrap what went wrong below them. */
export function redirectRefusalIn(error: unknown): RedirectRefusal | null {
  for (let at = error; at instanceof Error; at = at.cause) if (at instanceof RedirectRefusal) return at;
  return null;
}

/**
 * `fetch` for requests that carry a key: it follows redirects within the origin that was asked, and no other.
 * @param base takes `redirect: "manual"`
 * @throws RedirectRefusal; what `base` throws
 */
export function withinOrigin(base: typeof fetch): typeof fetch {
  return following(base, (from, to) => {
    throw new RedirectRefusal(from, to);
  });
}

/**
 * `fetch` that follows redirects anywhere, but takes nothing that may be secret to another origin: there, a request has
 * only the headers that say what is wanted. From https it goes on to https only, and no body leaves its origin.
 * @param base takes `redirect: "manual"`
 * @throws RedirectRefusal; what `base` throws
 */
export function withoutCredentials(base: typeof fetch): typeof fetch {
  return following(base, (from, to, hop) => {
    const isDowngrade = from.protocol === "https:" && to.protocol !== "https:";
    if (isDowngrade || hop.body !== null) throw new RedirectRefusal(from, to);
    return new Headers([...hop.headers].filter(([name]) => harmless.has(name)));
  });
}

/** Who gets these learns nothing of the user. */
const harmless: ReadonlySet<string> = new Set([
  "accept",
  "accept-encoding",
  "accept-language",
  "if-range",
  "range",
  "user-agent",
]);

/** What goes to the next address. */
interface Hop {
  method: string;
  headers: Headers;
  body: RequestInit["body"] | null;
}

const maxRedirects = 5;
const redirectStatus: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/** @param cross the headers for another origin, or its refusal */
function following(base: typeof fetch, cross: (from: URL, to: URL, hop: Hop) => Headers): typeof fetch {
  return async (input, init = {}) => {
    const given = input instanceof Request ? input : null;
    const redirect = init.redirect ?? given?.redirect ?? "follow";
    let from = new URL(input instanceof Request ? input.url : input);
    let response = await base(input, { ...init, redirect: "manual" });
    if (redirect === "manual") return response;
    let hop: Hop = {
      method: (init.method ?? given?.method ?? "GET").toUpperCase(),
      headers: new Headers(init.headers ?? given?.headers),
      body: init.body ?? given?.body ?? null,
    };
    for (let count = 0; ; count++) {
      const to = targetOf(response, from);
      if (!to) return response;
      await response.body?.cancel();
      if (redirect === "error" || count === maxRedirects) {
        throw new TypeError("fetch failed", {
          cause: new Error(`${from.origin} redirects too many times.`),
        });
      }
      hop = nextHop(hop, response.status);
      if (to.origin !== from.origin) hop = { ...hop, headers: cross(from, to, hop) };
      if (hop.body instanceof ReadableStream) {
        throw new TypeError("fetch failed", { cause: new Error("The body can be sent only once.") });
      }
      const { method, headers, body } = hop;
      response = await base(to, { ...init, method, headers, body, redirect: "manual" });
      from = to;
    }
  };
}

/** Where an answer leads; null where it is the answer. */
function targetOf(response: Response, from: URL): URL | null {
  const location = redirectStatus.has(response.status) ? response.headers.get("location") : null;
  if (location === null || !URL.canParse(location, from.href)) return null;
  const target = new URL(location, from);
  target.username = "";
  target.password = "";
  return target;
}

/** As the fetch standard has it: 303, and 301 and 302 after a POST, ask for another page, without a body. */
function nextHop(hop: Hop, status: number): Hop {
  const { method } = hop;
  const isOther = status === 303 ? method !== "GET" && method !== "HEAD" : status < 303 && method === "POST";
  if (!isOther) return hop;
  const headers = new Headers([...hop.headers].filter(([name]) => !name.startsWith("content-")));
  return { method: "GET", headers, body: null };
}
