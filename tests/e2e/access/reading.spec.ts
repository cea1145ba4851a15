import type { Page } from "playwright/test";
import { expect, replies, send, test } from "../support/test.ts";
import { clipped } from "../support/window-language.ts";
import { visitPanel, visitSettings, visitSheets, zoom } from "../support/window-states.ts";

// What people change so that they can read: WCAG 2.2, 1.4.10, 1.4.12, and less motion.

const work = { settings: { permissionMode: "work" }, files: { "notes.txt": "one\ntwo\n" } } as const;

/** What reaches beyond the side of the page; what scrolls by itself is followed by the focus. */
const beyond = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const scrolls = (one: Element | null): boolean =>
      one !== null &&
      (["auto", "scroll"].includes(getComputedStyle(one).overflowX) || scrolls(one.parentElement));
    return [
      ...document.querySelectorAll<HTMLElement>("button, input, textarea, select, p, h1, h2, h3"),
    ].flatMap((one) => {
      if (!one.checkVisibility() || one.closest(".visually-hidden, [data-testid=announcer]")) return [];
      const { left, right, width } = one.getBoundingClientRect();
      if (width === 0 || (left >= -1 && right <= innerWidth + 1) || scrolls(one.parentElement)) return [];
      return [`${Math.round(left)} to ${Math.round(right)} px: ${one.outerHTML.slice(0, 160)}`];
    });
  });

test("320 CSS pixels wide, as 1280 at 400 %, nothing is cut off or needs scrolling sideways", async ({
  startWithModel,
}) => {
  const parley = await startWithModel(work);
  const { app, page } = parley;
  await app.evaluate(({ BrowserWindow }) => {
    const window = BrowserWindow.getAllWindows().find((one) => one.webContents.getURL().includes("/main/"));
    window?.setSize(640, 960);
  });
  await zoom(parley, 2);
  await page.waitForFunction(() => innerWidth === 320);
  const look = async (page: Page, state: string) => {
    expect.soft(await clipped(page), state).toEqual([]);
    expect.soft(await beyond(page), state).toEqual([]);
  };
  await look(page, "empty");
  const text =
    "A reply with `code`, and a word of many letters: Donaudampfschifffahrtsgesellschaftskapitaen.";
  await send(page, `go [[script:text ${JSON.stringify({ text })}]]`);
  await expect(replies(page)).toHaveCount(1);
  await look(page, "a reply");
  await page.screenshot({ path: test.info().outputPath("narrow.png") });
  await visitPanel(parley, look);
  await visitSheets(parley, look);
  await visitSettings(parley, look);
});

/** As 1.4.12 has it, for everything. */
const spacing = `* {
  line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important;
}
p { margin-block-end: 2em !important; }`;

test("with the letters, words and lines of WCAG 1.4.12 further apart nothing is cut off", async ({
  startWithModel,
}) => {
  const parley = await startWithModel(work);
  const { page } = parley;
  // As a user's own style sheet would: no page may add one here.
  await page.evaluate((css) => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(css);
    document.adoptedStyleSheets.push(sheet);
  }, spacing);
  await send(page, "one");
  await expect(replies(page)).toHaveCount(1);
  const look = async (page: Page, state: string) => {
    expect.soft(await clipped(page), state).toEqual([]);
    expect.soft(await cutBelow(page), state).toEqual([]);
  };
  await look(page, "a reply");
  await page.screenshot({ path: test.info().outputPath("spaced.png") });
  await visitPanel(parley, look);
  await visitSheets(parley, look);
  await visitSettings(parley, look);
});

/** Words that are taller than what shows them. */
const cutBelow = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const found: string[] = [];
    for (const one of document.querySelectorAll<HTMLElement>(
      "button, p, label, summary, h1, h2, h3, li > span",
    )) {
      if (!one.checkVisibility() || one.closest(".visually-hidden, [data-testid=announcer]")) continue;
      const { overflowY, webkitLineClamp } = getComputedStyle(one);
      if (webkitLineClamp !== "none" || !["hidden", "clip"].includes(overflowY)) continue;
      if (one.scrollHeight > one.clientHeight + 1)
        found.push(`${one.scrollHeight} > ${one.clientHeight} px: ${one.outerHTML.slice(0, 160)}`);
    }
    return found;
  });

/** What moves, grows or turns now, or goes on for ever. */
const moving = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const still = ["opacity", "color", "background-color", "border-color", "fill", "stroke", "box-shadow"];
    return document.getAnimations().flatMap((animation) => {
      const { effect } = animation;
      if (!(effect instanceof KeyframeEffect) || animation.playState !== "running") return [];
      const name = animation instanceof CSSTransition ? animation.transitionProperty : "";
      const isFade = animation instanceof CSSTransition && still.includes(name);
      const isForEver = effect.getComputedTiming().iterations === Number.POSITIVE_INFINITY;
      const moves = effect.getKeyframes().some((frame) => "transform" in frame || "rotate" in frame);
      const what = `${effect.target?.outerHTML.slice(0, 120)}`;
      return isForEver || moves || (animation instanceof CSSTransition && !isFade) ? [what] : [];
    });
  });

test("where less motion is wanted nothing moves or pulses, however much goes on", async ({
  startWithModel,
  model,
}) => {
  const { page } = await startWithModel(work);
  const tasks = [
    { title: "first", state: "done" },
    { title: "second", state: "in_progress" },
  ];
  const calls = [
    { name: "update_tasks", input: { tasks } },
    { name: "shell", input: { command: "sleep 60" } },
  ];
  await send(page, `go [[script:tools ${JSON.stringify({ calls })}]]`);
  await expect(page.getByTestId("tool-card").first()).toBeVisible();
  await expect.poll(() => moving(page)).not.toEqual([]);
  await page.emulateMedia({ reducedMotion: "reduce" });
  await expect.poll(() => moving(page)).toEqual([]);
  await page.keyboard.press("Escape");
  await send(page, 'think [[script:text {"words":30,"hold":"half","at":15}]]');
  await model.held("half");
  await expect.poll(() => moving(page)).toEqual([]);
  await page.emulateMedia({ reducedMotion: "no-preference" });
  await expect.poll(() => moving(page)).not.toEqual([]);
  model.release("half");
});
