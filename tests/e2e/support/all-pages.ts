import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { ElectronApplication, Page } from "playwright/test";
import { launchParley, pageAt } from "./launch.ts";
import { test as base } from "./machine/desktop.ts";
import { send } from "./test.ts";

export interface Shared {
  app: ElectronApplication;
  page: Page;
  /** All three kinds of page. */
  pages: { main: Page; quick: Page; audio: Page };
  /** Somebody else's server: what was asked of it. */
  other: { url: string; asked: string[] };
}

/** One app for all: nothing here may change it. */
export const test = base.extend<object, { parley: Shared }>({
  parley: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright wants the pattern
    async ({}, use) => {
      const asked: string[] = [];
      const server = createServer((request, response) => {
        asked.push(request.url ?? "");
        response.end("hello");
      });
      await once(server.listen(0, "127.0.0.1"), "listening");
      const { port } = server.address() as AddressInfo;
      const { app, page, close } = await launchParley({
        settings: { provider: "offline" },
        // Without the switch that answers for the user: it would pass over what is asked for here.
        switches: ["--use-fake-device-for-media-stream"],
      });
      await page.getByTestId("composer").waitFor();
      await app.evaluate(({ Menu }) => {
        const items = Menu.getApplicationMenu()?.items.flatMap(({ submenu }) => submenu?.items ?? []);
        items?.find(({ label }) => label === "Quick prompt")?.click();
      });
      const quick = await pageAt(app, "/quick/");
      await send(page, "/voice start");
      const audio = await pageAt(app, "/audio/");
      await use({
        app,
        page,
        pages: { main: page, quick, audio },
        other: { url: `http://127.0.0.1:${port}`, asked },
      });
      await close();
      server.closeAllConnections();
      server.close();
    },
    { scope: "worker" },
  ],
});

export const everywhere = async (shared: Shared, check: (page: Page, name: string) => Promise<void>) => {
  for (const [name, page] of Object.entries(shared.pages)) await check(page, name);
};
