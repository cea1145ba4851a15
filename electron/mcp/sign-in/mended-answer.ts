import { z } from "zod";

const record = z.record(z.string(), z.unknown());
const word = z.string().min(1).optional().catch(undefined);
const seconds = z.coerce.number().positive().optional().catch(undefined);

/** What Parley needs of a registration; what else it repeats of us is often wrong. */
const registered = z.object({
  client_id: z.string().min(1),
  client_secret: word,
  client_id_issued_at: seconds,
  client_secret_expires_at: z.coerce.number().optional().catch(undefined),
  token_endpoint_auth_method: word,
});

const tokens = z.object({
  access_token: z.string().min(1),
  token_type: z.string().min(1).catch("Bearer"),
  expires_in: seconds,
  refresh_token: word,
  id_token: word,
  scope: word,
});

/**
 * What a server answers for a sign-in, as the SDK reads it. Many write empty words and null for what they do not have, or refuse
 * in a form of their own: what is empty is left out, and a refusal is one in words. Anything else stays as it is.
 * @throws Error in words for the user
 */
export async function mendedAnswer(
  address: URL,
  { method = "GET", headers, body }: RequestInit,
  response: Response,
): Promise<Response> {
  const asked = registrationIn(body);
  // The server's own events aside, what is got are facts about signing in.
  const isMetadata = method === "GET" && !new Headers(headers).get("accept")?.includes("text/event-stream");
  const isForSignIn = asked !== null || body instanceof URLSearchParams;
  const isRead = response.ok ? isForSignIn || isMetadata : isForSignIn && response.status >= 400;
  if (!isRead) return response;
  const json = record.safeParse(jsonIn(await response.text())).data;
  // A page for people in its place says as little as none.
  if (isMetadata) {
    // Many do not say that they answer with a code, which the SDK wants to read.
    const known = { response_types_supported: ["code"] };
    return json ? answer(response, { ...known, ...withoutEmpty(json) }) : new Response(null, { status: 404 });
  }
  if (!response.ok) return answer(response, refusal(address, response.status, json));
  if (typeof json?.error === "string" && json.error !== "") {
    return answer(response, refusal(address, response.status, json), 400);
  }
  const parsed = (asked ? registered : tokens).safeParse(json);
  if (!parsed.success) {
    throw new Error(
      `${address.host} answered the sign-in without ${asked ? "a client id" : "an access token"}.`,
    );
  }
  return answer(response, { ...asked, ...parsed.data });
}

function registrationIn(body: unknown): Record<string, unknown> | null {
  if (typeof body !== "string" || !body.includes('"redirect_uris"')) return null;
  const sent = record.safeParse(jsonIn(body)).data;
  return sent && "redirect_uris" in sent ? sent : null;
}

/** Characters of what a server says. */
const maxSaid = 300;

function refusal(address: URL, status: number, json: Record<string, unknown> = {}): object {
  const { error, error_description, message, detail } = json;
  const inside = record.safeParse(error).data;
  const said = [error_description, message, detail, inside?.message].find(isWord)?.slice(0, maxSaid);
  const named = isWord(error) ? ` (${error.slice(0, maxSaid)})` : "";
  return {
    error: isWord(error) ? error : "server_error",
    error_description: said ?? `${address.host} answered the sign-in with status ${status}${named}.`,
  };
}

const isWord = (value: unknown): value is string => typeof value === "string" && value !== "";

/** Nor is an address sent on that is none, nor a word in place of a list. */
function withoutEmpty(json: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const isGiven = (value: unknown) => value !== null && value !== "";
  const isRight = (key: string, value: unknown) =>
    /_(?:uri|url|documentation)$/.test(key)
      ? typeof value === "string" && URL.canParse(value)
      : typeof value !== "string" || !key.endsWith("_supported");
  return Object.fromEntries(
    Object.entries(json)
      .filter(([key, value]) => isGiven(value) && isRight(key, value))
      .map(([key, value]) => [key, Array.isArray(value) ? value.filter(isGiven) : value]),
  );
}

function answer({ status, headers }: Response, json: object, other = status): Response {
  const own = new Headers(headers);
  own.set("content-type", "application/json");
  return new Response(JSON.stringify(json), { status: other, headers: own });
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
