import { net, session } from "electron";
import { systemClock } from "../agent/system-clock.ts";
import { httpFetch } from "../providers/http-fetch.ts";
import { modelFetch } from "./model-fetch.ts";

/** HTTP as the system wants it: through its proxy, with its certificates. Aborts and streams as any `fetch` does. */
export const systemFetch: typeof fetch = (input, init) =>
  net.fetch(input instanceof URL ? input.href : input, { credentials: "omit", ...init });

/** The models' traffic: as the system wants it, and fast where the system has nothing to say. */
export function createModelFetch(log: (line: string) => void): typeof fetch {
  return modelFetch({
    direct: httpFetch,
    system: systemFetch,
    resolveProxy: (url) => session.defaultSession.resolveProxy(url),
    clock: systemClock,
    log,
  });
}
