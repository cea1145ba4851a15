import { readFile } from "node:fs/promises";
import { extname, resolve, sep } from "node:path";
import { net, protocol } from "electron";

/** Pages come from `app://parley/…`, never from `file://`: an origin of its own, with a policy of its own. */
export const appOrigin = "app://parley";

/**
 * What pages may load: their own files, nothing inline, nothing remote. `data:` images are for what Markdown
 * carries inside it.
 */
export const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "media-src 'self'",
  "worker-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

const types: Record<string, string> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".json": "application/json",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".woff2": "font/woff2",
  ".map": "application/json",
};

/** How long the pages' scripts are on their way once they were read, in milliseconds. */
const sentMs = 40;

/** Must run before the app is ready. */
export function declareAppScheme(): void {
  protocol.registerSchemesAsPrivileged([
    {
      scheme: "app",
      privileges: { standard: true, secure: true, supportFetchAPI: true, stream: true, codeCache: true },
    },
  ]);
}

/**
 * Serves the built renderer from `root`; a path that leads out of it, or to nothing, is a 404.
 * @param devServer where `npm run dev` serves the sources with hot reload; its pages come without our policy,
 * which its inline scripts would break
 * @returns resolves when the first page that was asked for has all its scripts
 */
export function serveApp(root: string, devServer?: string): Promise<void> {
  let underWay = 0;
  let hasScript = false;
  const hasScripts = new Promise<void>((resolve) => {
    protocol.handle("app", async (request) => {
      underWay += 1;
      try {
        return await answer(request);
      } finally {
        underWay -= 1;
        hasScript ||= request.url.endsWith(".js");
        if (underWay === 0 && hasScript) setTimeout(resolve, sentMs);
      }
    });
  });
  const answer = async (request: Request): Promise<Response> => {
    const url = new URL(request.url);
    if (devServer) return await net.fetch(new URL(url.pathname + url.search, devServer).href);
    const path = resolve(root, `.${decodeURIComponent(url.pathname)}`);
    const type = types[extname(path)];
    const notFound = new Response("Not found", { status: 404 });
    if (url.host !== "parley" || !path.startsWith(root + sep) || !type) return notFound;
    try {
      return new Response(new Uint8Array(await readFile(path)), {
        headers: {
          "Content-Type": type,
          "Content-Security-Policy": contentSecurityPolicy,
          "X-Content-Type-Options": "nosniff",
          "Cross-Origin-Opener-Policy": "same-origin",
        },
      });
    } catch {
      return notFound;
    }
  };
  return hasScripts;
}
