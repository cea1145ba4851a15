import { session } from "electron";
import { systemClock } from "../../agent/conversation/system-clock.ts";
import { httpFetch } from "../../providers/anthropic/http-fetch.ts";
import { isDirect, modelFetch } from "./model-fetch.ts";
import { netFetch } from "./net-fetch.ts";
import { namedProxy } from "./proxy-login.ts";

/** As Chromium says it: `DIRECT`, `PROXY host:port; DIRECT`, … */
const resolveProxy = (url: string) => session.defaultSession.resolveProxy(url);

/** The models' traffic: as the system wants it, and fast where the system has nothing to say. */
export function createModelFetch(log: (line: string) => void): typeof fetch {
  return modelFetch({ direct: httpFetch, system: netFetch, resolveProxy, clock: systemClock, log });
}

/** Pages: by the system's proxy where it has one for them. */
export const systemProxy = {
  isFor: async (url: URL) => !isDirect(await resolveProxy(url.href)),
  fetch: netFetch,
};

/**
 * The proxy that pages are fetched through, as an address; null: none. One from the environment is whole, with the name
 * and password that it may hold; the system's has neither.
 */
export async function proxyAddress(): Promise<string | null> {
  const named = namedProxy(process.env);
  if (named !== null) return named;
  const [, scheme = "", place = ""] =
    /^(PROXY|HTTPS) (\S+)/.exec(await resolveProxy("https://example.com/")) ?? [];
  return place === "" ? null : `${scheme === "HTTPS" ? "https" : "http"}://${place}`;
}
