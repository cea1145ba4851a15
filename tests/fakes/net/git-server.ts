import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";

/** A git server over HTTP, which anybody may read from and push to: git's own program behind a small web server. */
export interface GitServer {
  port: number;
  close(): Promise<void>;
}

/** @param folder holds bare repositories */
export async function createGitServer(folder: string): Promise<GitServer> {
  const server = createServer((request, response) => {
    answer(folder, request, response);
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const address = server.address();
  const port = typeof address === "object" ? (address?.port ?? 0) : 0;
  return {
    port,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

/** Source: git-http-backend(1), CGI. */
function answer(folder: string, request: IncomingMessage, response: ServerResponse): void {
  const { pathname, search } = new URL(request.url ?? "/", "http://x");
  const { "content-type": type, "content-encoding": encoding, "git-protocol": protocol } = request.headers;
  const child = spawn("git", ["http-backend"], {
    env: {
      PATH: process.env.PATH,
      HOME: folder,
      GIT_PROJECT_ROOT: folder,
      GIT_HTTP_EXPORT_ALL: "1",
      REQUEST_METHOD: request.method,
      PATH_INFO: pathname,
      QUERY_STRING: search.slice(1),
      REMOTE_USER: "anybody",
      REMOTE_ADDR: "127.0.0.1",
      CONTENT_TYPE: type ?? "",
      ...(encoding !== undefined && { HTTP_CONTENT_ENCODING: encoding }),
      ...(typeof protocol === "string" && { GIT_PROTOCOL: protocol }),
    },
    stdio: ["pipe", "pipe", "ignore"],
  });
  child.stdin.on("error", () => {});
  request.pipe(child.stdin);
  const chunks: Buffer[] = [];
  child.stdout.on("data", (chunk: Buffer) => chunks.push(chunk));
  child.once("close", () => {
    const whole = Buffer.concat(chunks);
    const end = whole.indexOf("\r\n\r\n");
    const head = whole.subarray(0, Math.max(0, end)).toString("latin1").split("\r\n");
    const headers = head.flatMap((line) => {
      const at = line.indexOf(":");
      return at < 0 ? [] : [[line.slice(0, at), line.slice(at + 1).trim()] as const];
    });
    const status = headers.find(([name]) => name.toLowerCase() === "status")?.[1];
    response.writeHead(Number.parseInt(status ?? "200", 10), Object.fromEntries(headers));
    response.end(whole.subarray(end + 4));
  });
}
