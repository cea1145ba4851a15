import { mkdirSync } from "node:fs";
import { join, resolve } from "node:path";
import type { ElectronApplication, Page } from "playwright/test";
import { type LaunchOptions, openQuick, type Parley, pageAt } from "../e2e/support/launch.ts";
import { test as base } from "../e2e/support/machine/sound.ts";
import { expect } from "../e2e/support/test.ts";
import { anthropicProtocol } from "../fakes/model-server/anthropic-protocol.ts";
import { createModelServer } from "../fakes/model-server/model-server.ts";
import type { Protocol } from "../fakes/model-server/protocol.ts";

/** Where the pictures are. */
export const folder = resolve(import.meta.dirname, "../../docs/screenshots");

/** All pictures are of this moment: a Tuesday. */
export const now = Date.UTC(2025, 10, 25, 10, 44);

const looks = ["light", "dark"] as const;

/** Only development has this: its own runtime, and the address of the scripted model. */
const notInReleases = `[data-testid="runtime-notice"], [data-testid="model-host"] { display: none !important; }`;

/** The models that the provider lists, by id, with the names that it gives them; they answer under these ids. */
const listed: Readonly<Record<string, string>> = {
  "claude-opus-4-6": "Claude Opus 4.6",
  "claude-sonnet-4-6": "Claude Sonnet 4.6",
  "claude-haiku-4-5": "Claude Haiku 4.5",
};

interface Stage {
  /** Starts Parley at `now` in English, with the fake model and conversations of other days. */
  open(options?: LaunchOptions): Promise<Parley>;
  /** Opens the quick prompt by its menu item. */
  quickOf(parley: Parley): Promise<Page>;
}

export const test = base.extend<Stage>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright wants the pattern
  model: async ({}, use) => {
    const model = await createModelServer(provider());
    model.offers(Object.keys(listed));
    await use(model);
    await model.close();
  },
  open: async ({ start, model }, use) => {
    await use(async (options = {}) => {
      const parley = await start({
        ...options,
        switches: ["--lang=en-GB", "--force-device-scale-factor=1", ...(options.switches ?? [])],
        settings: { provider: "anthropic", model: "claude-sonnet-4-6", ...options.settings },
        env: {
          ANTHROPIC_BASE_URL: model.url,
          ANTHROPIC_API_KEY: "test-key",
          TZ: "UTC",
          LANG: "en_GB.UTF-8",
          ...options.env,
        },
      });
      await parley.page.waitForLoadState("load");
      // The set-up asks for the microphones at once, so the hidden page for sound is on its way: while a page is half there, the
      // clock takes it for one that has it already, and fails.
      if (options.settings?.firstRun === true) await pageAt(parley.app, "/audio/");
      await setTime(parley, now);
      // What was drawn before knew another day.
      await parley.page.reload();
      await parley.page.getByTestId("composer").waitFor();
      await parley.page.evaluate((rules) => {
        const sheet = new CSSStyleSheet();
        sheet.replaceSync(rules);
        document.adoptedStyleSheets.push(sheet);
      }, notInReleases);
      await hideHost(parley.page, model.url);
      // It is looked for after the start; the MCP servers are read once it is known.
      await expect(parley.page.getByTestId("fence-word")).toHaveText("fenced");
      await resize(parley, 1280, 820);
      return parley;
    });
  },
  quickOf: async ({ model }, use) => {
    await use(async ({ app }) => {
      const quick = await openQuick(app);
      await quick.getByTestId("composer").waitFor();
      await hideHost(quick, model.url);
      return quick;
    });
  },
});

/** The provider as it is, but for its models' names. */
function provider(): Protocol {
  const { listing, ...protocol } = anthropicProtocol();
  return {
    ...protocol,
    listing: {
      path: listing.path,
      of: (ids) => ({
        data: ids.map((id) => ({
          type: "model",
          id,
          display_name: listed[id] ?? id,
          created_at: "2026-01-01T00:00:00Z",
        })),
        has_more: false,
        first_id: null,
        last_id: null,
      }),
    },
  };
}

/** Takes the address of the scripted model out of texts that name it in their midst, now and whenever they change. */
async function hideHost(page: Page, url: string): Promise<void> {
  await page.evaluate((host) => {
    const mentions = [` at ${host}`, ` · sent to ${host}`];
    const clean = () => {
      const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
      for (let text = texts.nextNode(); text; text = texts.nextNode())
        for (const mention of mentions)
          if (text.nodeValue?.includes(mention)) text.nodeValue = text.nodeValue.replace(mention, "");
    };
    clean();
    new MutationObserver(clean).observe(document.body, {
      subtree: true,
      childList: true,
      characterData: true,
    });
  }, new URL(url).host);
}

/** Stops the clocks of main and window at a moment; in main each look at it is a millisecond later, so that there is an order. */
export async function setTime({ app, page }: Pick<Parley, "app" | "page">, at: number): Promise<void> {
  await app.evaluate((_electron, start) => {
    const kept: { real?: DateConstructor } = globalThis as never;
    kept.real ??= Date;
    const Real = kept.real;
    let next = start;
    globalThis.Date = class extends Real {
      constructor(...given: [] | [number]) {
        super(given.length > 0 ? (given as [number])[0] : next++);
      }
      static override now() {
        return next++;
      }
    } as DateConstructor;
  }, at);
  await page.clock.setFixedTime(at);
}

async function resize({ app, page }: Pick<Parley, "app" | "page">, width: number, height: number) {
  await app.evaluate(
    ({ BrowserWindow }, [wide, high]) => {
      const window = BrowserWindow.getAllWindows().find((one) => one.webContents.getURL().includes("/main/"));
      window?.setContentSize(wide, high);
    },
    [width, height] as const,
  );
  await page.waitForFunction(([wide, high]) => innerWidth === wide && innerHeight === high, [
    width,
    height,
  ] as const);
}

/** A click on an item of the app's menu. */
export const menuItem = (app: ElectronApplication, label: string): Promise<void> =>
  app.evaluate(({ Menu }, wanted) => {
    const items = Menu.getApplicationMenu()?.items.flatMap(({ submenu }) => submenu?.items ?? []);
    items?.find((item) => item.label === wanted)?.click();
  }, label);

interface PictureOptions {
  /** Another page than the main window, which keeps its size. */
  of?: Page;
  /** Before the narrow picture: what a narrow window folds away. */
  narrow?(page: Page): Promise<void>;
}

/** Takes a state in light and dark at 1280 × 820, and in light at 420 × 760. */
export async function picture(parley: Parley, name: string, options: PictureOptions = {}): Promise<void> {
  mkdirSync(folder, { recursive: true });
  const page = options.of ?? parley.page;
  const take = async (look: string) => {
    await still(page);
    if (options.of) await fitted(page);
    await page.screenshot({ path: join(folder, `${name}-${look}.png`), animations: "disabled" });
  };
  for (const colorScheme of looks) {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    await take(colorScheme);
  }
  await page.emulateMedia({ colorScheme: "light", reducedMotion: "reduce" });
  if (options.of) return;
  await resize(parley, 420, 760);
  await options.narrow?.(page);
  await take("narrow");
  await resize(parley, 1280, 820);
}

/** Fonts are there, and two pictures were drawn since. */
async function still(page: Page): Promise<void> {
  // The pointer of a screen that nobody sees is in its middle.
  await page.mouse.move(1, 1);
  await page.evaluate(async () => {
    await document.fonts.ready;
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
  });
}

/** The window of the quick prompt is as high as what it shows, which it becomes a moment later. */
export async function fitted(quick: Page): Promise<void> {
  await quick.waitForFunction(() => {
    const card = document.querySelector("main");
    return card !== null && Math.abs(innerHeight - card.getBoundingClientRect().height) <= 1;
  });
}
