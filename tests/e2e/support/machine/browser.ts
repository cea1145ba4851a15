import { chmodSync, mkdtempSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";

/** The user's browser: what the system opens links with is a program of its own, and the test decides when it goes on. */
export interface SystemBrowser {
  /** For the app: its `xdg-open`, as the system's own is found. */
  env: { PATH: string };
  /** The addresses that were opened so far. */
  opened: string[];
  /** Resolves with the next address that is opened and was not asked for here yet. */
  next(): Promise<string>;
  close(): Promise<void>;
}

/** Only where links are opened with `xdg-open`. */
export async function systemBrowser(): Promise<SystemBrowser> {
  const opened: string[] = [];
  const waiting: ((url: string) => void)[] = [];
  const unread: string[] = [];
  const told = createServer((request, response) => {
    const url = new URL(request.url ?? "/", "http://x").searchParams.get("url") ?? "";
    opened.push(url);
    const take = waiting.shift();
    if (take) take(url);
    else unread.push(url);
    response.end();
  });
  await new Promise<void>((resolve) => told.listen(0, "127.0.0.1", resolve));
  const address = told.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  const folder = mkdtempSync(join(tmpdir(), "parley-browser-"));
  const program = join(folder, "xdg-open");
  const tell = `http://127.0.0.1:${address.port}/?url=`;
  writeFileSync(
    program,
    `#!${process.execPath}\nfetch(${JSON.stringify(tell)} + encodeURIComponent(process.argv[2]));\n`,
  );
  chmodSync(program, 0o755);
  return {
    env: { PATH: `${folder}${delimiter}${process.env.PATH ?? ""}` },
    opened,
    next: async () => unread.shift() ?? (await new Promise((resolve) => waiting.push(resolve))),
    async close() {
      told.closeAllConnections();
      await new Promise((resolve) => told.close(resolve));
    },
  };
}
