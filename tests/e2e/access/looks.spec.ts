import type { Page } from "playwright/test";
import { openQuick, type Parley } from "../support/launch.ts";
import { expect, replies, send, test } from "../support/test.ts";
import { clipped } from "../support/window-language.ts";
import {
  asking,
  resize,
  visitAsked,
  visitAttached,
  visitPanel,
  visitQuick,
  visitSettings,
  visitSheets,
  visitStates,
  zoom,
} from "../support/window-states.ts";

const work = { settings: { permissionMode: "work" }, files: { "notes.txt": "one\ntwo\n" } } as const;

/** Loads the window's page anew in a language that is made up, to be read the one way or the other. */
async function speak({ app, page }: Parley, language: "pseudo" | "pseudo-rtl"): Promise<void> {
  await page.waitForLoadState("load");
  const url = `${page.url().split("?")[0]}?language=${language}`;
  const loaded = page.waitForURL(url);
  await app.evaluate(({ BrowserWindow }, address) => {
    const window = BrowserWindow.getAllWindows().find((one) => one.webContents.getURL().includes("/main/"));
    void window?.loadURL(address);
  }, url);
  await loaded;
  await page.getByTestId("composer").waitFor();
}

/** Where the controls and rows of the window are: their distance from the side that the language begins at, and their width. */
const places = (page: Page) =>
  page.evaluate(() => {
    const isRtl = document.documentElement.dir === "rtl";
    const shown = [
      ...document.querySelectorAll<HTMLElement>("nav, main, main > *, aside, form, [data-testid]"),
    ];
    return Object.fromEntries(
      shown.flatMap((one, index) => {
        const { left, right, width, height } = one.getBoundingClientRect();
        if (width === 0 || height === 0 || one.closest("[data-testid=announcer]")) return [];
        const name = `${index} ${one.tagName.toLowerCase()} ${one.dataset.testid ?? ""}`;
        return [[name, [Math.round(isRtl ? innerWidth - right : left), Math.round(width)]]];
      }),
    );
  });

const hebrew = "שלום, מה שלומך? אני כאן.";

test("in a language from right to left the window is mirrored; code and what people write go their own way", async ({
  startWithModel,
}) => {
  const parley = await startWithModel();
  const { page } = parley;
  const reply = `${hebrew}\n\nAnd English.\n\n\`\`\`sh\nls -la\n\`\`\``;
  await send(page, `${hebrew} [[script:text ${JSON.stringify({ text: reply })}]]`);
  await expect(replies(page)).toHaveCount(1);
  await speak(parley, "pseudo-rtl");
  await expect(replies(page)).toHaveCount(1);
  // It is tried while the window is there already, and its word has another length then.
  await expect(page.getByTestId("fence-word")).not.toContainText("ñót");
  await expect(page.getByTestId("fence-word")).not.toContainText("…");
  await page.screenshot({ path: test.info().outputPath("rtl.png") });

  const directions = await page.evaluate(() => {
    const of = (one: Element | null | undefined) => (one ? getComputedStyle(one).direction : null);
    const said = document.querySelector('[data-testid="message-user"] [dir]');
    const reply = document.querySelector('[data-testid="message-assistant"]');
    return {
      said: of(said),
      paragraphs: [...(reply?.querySelectorAll("p") ?? [])].map(of),
      code: of(reply?.querySelector("pre")),
    };
  });
  expect(directions).toEqual({ said: "rtl", paragraphs: ["rtl", "ltr"], code: "ltr" });
  const mirrored = await places(page);
  expect(Object.keys(mirrored).length).toBeGreaterThan(20);
  await speak(parley, "pseudo");
  await expect(replies(page)).toHaveCount(1);
  await expect.poll(() => places(page)).toEqual(mirrored);
  await speak(parley, "pseudo-rtl");
  await resize(parley, 420);
  expect(await clipped(page)).toEqual([]);
});

test("at 200 % nothing is cut off, and all of it can be reached", async ({ startWithModel }) => {
  const parley = await startWithModel();
  const { page } = parley;
  const calls = [{ name: "shell", input: { command: "touch made" } }];
  await zoom(parley, 2);
  await page.waitForFunction(() => innerWidth < 600);
  expect(await clipped(page)).toEqual([]);
  await send(page, `go [[script:tools ${JSON.stringify({ calls })}]]`);
  await expect(page.locator("[data-waits]:not([data-fresh])")).toHaveCount(1);
  expect(await clipped(page)).toEqual([]);
  await page.screenshot({ path: test.info().outputPath("zoom-approval.png") });
  await page.getByRole("button", { name: /Allow once/ }).click();
  await expect(replies(page)).toHaveCount(1);
  for (const id of ["composer", "send", "mic"])
    await expect(page.getByTestId(id)).toBeInViewport({ ratio: 0.9 });
  const log = await page.getByTestId("transcript").evaluate((one) => one.clientHeight);
  expect(log).toBeGreaterThan(80);
  await page.keyboard.press("Control+,");
  await expect(page.getByTestId("settings-close")).toBeInViewport();
  expect(await clipped(page)).toEqual([]);
  await page.screenshot({ path: test.info().outputPath("zoom-settings.png") });
});

const notClipped = async (page: Page, state: string) => expect.soft(await clipped(page), state).toEqual([]);

test("at 200 % nothing of the panel, its dialogs, the sheets and the settings is cut off", async ({
  startWithModel,
}) => {
  const parley = await startWithModel(work);
  await zoom(parley, 2);
  await parley.page.waitForFunction(() => innerWidth < 600);
  await visitPanel(parley, notClipped);
  await visitSheets(parley, notClipped);
  await visitSettings(parley, notClipped);
});

test("at 200 % nothing of a conversation, its dialogs, voice and the quick prompt is cut off", async ({
  startWithModel,
  model,
}) => {
  const parley = await startWithModel({ files: { "notes.txt": "one\ntwo\n" } });
  await zoom(parley, 2);
  await parley.page.waitForFunction(() => innerWidth < 600);
  await visitStates(parley, model, notClipped);
  await visitQuick(await openQuick(parley.app), notClipped);
});

test("from right to left nothing of the panel, its dialogs, the sheets, and the settings is cut off", async ({
  startWithModel,
}) => {
  const parley = await startWithModel(work);
  await speak(parley, "pseudo-rtl");
  const look = async (page: Page, state: string) => {
    await notClipped(page, state);
    // What stands at one side of a row in one direction stands at the other here.
    expect(await page.evaluate(() => getComputedStyle(document.body).direction)).toBe("rtl");
  };
  await visitPanel(parley, look);
  await resize(parley, 420);
  // The panel over the conversation comes from the side that it stands at.
  await parley.page.keyboard.press("Control+.");
  const sheet = parley.page.getByTestId("panel-sheet");
  await expect.poll(async () => (await sheet.boundingBox())?.x).toBe(0);
  await parley.page.keyboard.press("Escape");
  await expect(sheet).toHaveCount(0);
  await visitSheets(parley, look);
  await visitSettings(parley, look);
});

test("at 200 % and from right to left nothing of attachments, what a folder asks for and a server's form is cut off", async ({
  startWithModel,
}) => {
  const parley = await startWithModel(asking);
  await speak(parley, "pseudo-rtl");
  await zoom(parley, 2);
  await parley.page.waitForFunction(() => innerWidth < 600);
  await visitAttached(parley, notClipped);
  await visitAsked(parley, notClipped);
});

/** Of what is chosen, pressed or on: each that looks in these colours as another of its group that is not. */
const toldByColourAlone = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const look = (one: Element) =>
      [null, "::before", "::after"]
        .map((part) => {
          const { outline, border, backgroundColor, textDecorationLine, fontWeight, boxShadow, content } =
            getComputedStyle(one, part);
          return [
            outline,
            border,
            backgroundColor,
            textDecorationLine,
            fontWeight,
            boxShadow,
            content,
          ].join();
        })
        .join("|");
    const faults: string[] = [];
    for (const name of ["aria-selected", "aria-pressed", "aria-checked", "aria-current"]) {
      for (const one of document.querySelectorAll(`[${name}]:not([${name}=false])`)) {
        if (!one.checkVisibility()) continue;
        const value = one.getAttribute("role");
        const others = [...(one.parentElement?.children ?? [])].filter(
          (other) => other !== one && other.tagName === one.tagName && other.getAttribute("role") === value,
        );
        const other = others.find((one) => [null, "false"].includes(one.getAttribute(name)));
        if (!other || look(one) !== look(other)) continue;
        // A mark of its own tells as well.
        const mark = (of: Element) => of.querySelector('[aria-hidden="true"], svg')?.innerHTML;
        if (mark(one) === mark(other)) faults.push(one.outerHTML.slice(0, 160));
      }
    }
    const canvas = getComputedStyle(document.body).backgroundColor;
    for (const part of document.querySelectorAll('[role="meter"] > *')) {
      if (getComputedStyle(part).backgroundColor === canvas) faults.push(part.outerHTML);
    }
    return faults;
  });

test("in forced colours the panel, its dialogs, the sheets, the settings and the quick prompt tell what is chosen", async ({
  startWithModel,
}) => {
  const parley = await startWithModel(work);
  const look = async (page: Page, state: string) => {
    await page.emulateMedia({ forcedColors: "active" });
    expect.soft(await toldByColourAlone(page), state).toEqual([]);
    if (state === "panel, all sections")
      await page.screenshot({ path: test.info().outputPath("forced-panel.png") });
    if (state.startsWith("palette: work"))
      await page.screenshot({ path: test.info().outputPath("forced-palette.png") });
  };
  await visitPanel(parley, look);
  await visitSheets(parley, look);
  await visitSettings(parley, look);
  await visitQuick(await openQuick(parley.app), look);
});

test("in forced colours what only a colour tells keeps a shape or an edge", async ({ startWithModel }) => {
  const { page } = await startWithModel({ settings: { checkSpelling: true } });
  await send(page, "one");
  await expect(replies(page)).toHaveCount(1);
  await page.emulateMedia({ forcedColors: "active" });
  const row = page.locator('[data-testid="conversation-item"][aria-current="page"]');
  await expect(row).toHaveCSS("outline-style", "solid");
  const canvas = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  await expect(page.locator("nav svg").first()).not.toHaveCSS("fill", canvas);
  await page.keyboard.press("Control+,");
  await page.locator('[data-section="general"]').click();
  const switches = page.getByRole("switch");
  await expect(switches.first()).toBeVisible();
  const track = (isOn: boolean) =>
    page
      .locator(`[role=switch][aria-checked=${isOn}]`)
      .first()
      .evaluate((one) => getComputedStyle(one, "::before").backgroundColor);
  const [on, off] = [await track(true), await track(false)];
  expect(new Set([on, off, canvas]).size).toBe(3);
  await page.screenshot({ path: test.info().outputPath("forced-colours.png") });
});
