import { once } from "node:events";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { type Browser, chromium, type Page } from "playwright";
import { debuggerAddress } from "../fixtures/debugger-address.ts";
import type { BareDebian } from "./bare-debian.ts";

/** Parley as it is installed on a bare Debian, run by its plain user. */
export interface InstalledApp {
  page: Page;
  /** The page at a path below app://parley, when it is there. */
  pageAt(path: string): Promise<Page>;
  shot(name: string): Promise<void>;
  /** Ends it as the session does when somebody logs out. */
  close(): Promise<void>;
}

export interface InstalledAppOptions {
  debian: BareDebian;
  display: string;
  /** Where pictures are put. */
  pictures: string;
  switches?: string[];
  env?: Record<string, string>;
}

/** With inspection fused off, as released, the page's own debugging port is the way in. */
export async function startInstalled(options: InstalledAppOptions): Promise<InstalledApp> {
  const { debian, display, pictures, switches = [], env = {} } = options;
  mkdirSync(pictures, { recursive: true });
  const command = ["/opt/Parley/parley", "--remote-debugging-port=0", ...switches];
  const child = debian.start(command, { DISPLAY: display, ...env });
  const browser = await chromium.connectOverCDP((await debuggerAddress(child)).address);
  const pageAt = (path: string) => findPage(browser, path);
  const page = await pageAt("/main/index.html");
  await page.getByTestId("composer").waitFor();
  return {
    page,
    pageAt,
    shot: async (name) => void (await page.screenshot({ path: join(pictures, `${name}.png`) })),
    async close() {
      const ended = once(child, "exit");
      await browser.close();
      if (child.pid !== undefined) process.kill(-child.pid, "SIGTERM");
      await ended;
    },
  };
}

async function findPage(browser: Browser, path: string): Promise<Page> {
  const [context] = browser.contexts();
  if (!context) throw new Error("the app has no browser context");
  const isIt = (page: Page) => page.url().includes(path);
  const page = context.pages().find(isIt) ?? (await context.waitForEvent("page", isIt));
  await page.waitForLoadState();
  return page;
}
