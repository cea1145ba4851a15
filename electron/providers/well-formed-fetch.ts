import { wellFormedJson } from "../../shared/well-formed.ts";

/** For an SDK that writes a request's JSON by itself: every string of it is whole characters. */
export function wellFormedFetch(own: typeof fetch): typeof fetch {
  return async (input, init) => {
    const body = init?.body;
    return await own(input, typeof body === "string" ? { ...init, body: wellFormedJson(body) } : init);
  };
}
