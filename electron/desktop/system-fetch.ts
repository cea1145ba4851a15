import { session } from "electron";
import { systemClock } from "../agent/system-clock.ts";
import { httpFetch } from "../providers/http-fetch.ts";
import { isDirect, modelFetch } from "./model-fetch.ts";
import { netFetch } from "./net-fetch.ts";

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
