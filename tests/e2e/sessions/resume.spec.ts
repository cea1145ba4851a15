import { join } from "node:path";
import Libsql from "libsql";
import type { Locator, Page } from "playwright/test";
import { faultsOf, watchTranscript } from "../support/oracle.ts";
import { seedSessions } from "../support/seed.ts";
import { expect, replies, send, test } from "../support/test.ts";

declare global {
  interface Window {
    whenIdle: IdleRequestCallback[];
    askedForIdle: typeof requestIdleCallback;
  }
}

const prompts = (page: Page) => page.getByTestId("message-user");
/** What the database has of a reply that is being streamed, as JSON. */
function partialIn(userData: string): string {
  const database = new Libsql(join(userData, "parley.db"), { readonly: true });
  try {
    return JSON.stringify(database.prepare("SELECT json FROM partials").all());
  } finally {
    database.close();
  }
}

/** Rows get their heights when they come near: done when no row changes any more. */
const scrollTo = (log: Locator, top: number) =>
  log.evaluate(async (box, to) => {
    const heights = () => [...box.querySelectorAll("[data-row]")].map((row) => row.clientHeight).join();
    box.scrollTop = to;
    for (let same = 0, last = ""; same < 3; ) {
      await new Promise(requestAnimationFrame);
      const now = heights();
      same = now === last ? same + 1 : 0;
      last = now;
      box.scrollTop = to;
    }
  }, top);

const held = (page: Page) => page.getByTestId("held-item");

test("after kill -9 in mid-stream the part that was said is there, marked, and Retry goes on", async ({
  startWithModel,
  model,
}) => {
  const first = await startWithModel();
  await send(first.page, 'go on [[script:text {"words":40,"hold":"half","at":20,"times":1}]]');
  await model.held("half");
  await expect(first.page.getByTestId("message-assistant")).toContainText("word-20");
  // The store is a quarter of a second behind the screen.
  await expect.poll(() => partialIn(first.userData)).toContain("word-20");
  await first.crash();

  const { page } = await startWithModel({ home: first.home });
  await expect(prompts(page)).toHaveCount(1);
  const reply = page.getByTestId("message-assistant");
  await expect(reply).toContainText("word-20");
  await expect(reply).toContainText("This reply is incomplete.");
  const samples = await watchTranscript(page);
  await page.getByTestId("error-card").getByRole("button", { name: "Retry" }).click();
  await model.held("half");
  model.release("half");
  await expect(replies(page)).toHaveText([/word-40/]);
  await expect(prompts(page)).toHaveCount(1);
  await expect(page.getByTestId("branches")).toContainText("2/2");
  expect(faultsOf(await samples())).toEqual([]);
});

test("prompts that waited when Parley was killed are offered on the next start, and none runs by itself", async ({
  startWithModel,
  model,
}) => {
  const first = await startWithModel();
  await send(first.page, 'one [[script:text {"hold":"one"}]]');
  await model.held("one");
  for (const text of ["two", "three", "four"]) await send(first.page, text);
  await expect(first.page.getByTestId("queue-item")).toHaveCount(3);
  await first.crash();
  const asked = model.requests.length;

  const { page } = await startWithModel({ home: first.home });
  await expect(held(page)).toHaveCount(3);
  await expect(page.getByTestId("queue-item")).toHaveCount(0);
  await page.getByRole("button", { name: "Remove: two" }).click();
  await expect(held(page)).toHaveCount(2);
  await page.getByRole("button", { name: "Edit: three" }).click();
  await expect(page.getByTestId("composer")).toHaveValue("three");
  expect(model.requests.length).toBe(asked);
  await page.getByRole("button", { name: "Send: four" }).click();
  await expect(replies(page).last()).toHaveText("four");
  await expect(held(page)).toHaveCount(0);
  await expect(prompts(page).filter({ hasText: "four" })).toHaveCount(1);
});

test("thousands of conversations are there with the first picture, and scroll", async ({ start }) => {
  const { app, page } = await start({ seed: (userData) => seedSessions(userData, { sessions: 5000 }) });
  await app.context().addInitScript(() => {
    const first = new MutationObserver(() => {
      const root = document.getElementById("root");
      if (!root?.firstElementChild) return;
      first.disconnect();
      // The picture that is painted: what the first commit and its layout effects left.
      requestAnimationFrame(() => {
        const rows = [...document.querySelectorAll('[data-testid="conversation-item"] > span')];
        document.documentElement.dataset.firstPicture = rows.map((row) => row.textContent).join();
      });
    });
    first.observe(document, { childList: true, subtree: true });
  });
  await page.reload();
  await expect(page.locator("html")).toHaveAttribute("data-first-picture", /Conversation 4999,/);
  const rows = page.getByTestId("conversation-item");
  expect(await rows.count()).toBeLessThan(60);
  const list = page.getByTestId("session-list");
  await expect
    .poll(async () => {
      await list.evaluate((element) => element.scrollTo(0, element.scrollHeight));
      return await rows.last().getAttribute("title");
    })
    .toBe("Conversation 0");
  await page.getByTestId("search").fill("Conversation 4321");
  await expect(rows).toHaveCount(1);
});

for (const [where, from, away] of [
  // As with a wheel: from a place where no more is loaded yet.
  ["near the start", 700, 550],
  ["at the very start", 0, 0],
] as const) {
  test(`earlier pages come while one scrolls up: ${where}, and what is being read stays where it is`, async ({
    start,
  }) => {
    const { page } = await start({
      seed: (userData) => seedSessions(userData, { sessions: 1, messages: 500 }),
    });
    const log = page.getByTestId("transcript");
    await expect(prompts(page).last()).toContainText("prompt 249");
    await expect(log.locator("[data-key]")).toHaveCount(100);
    await test.step("what is drawn after the first picture moves nothing", async () => {
      await page.evaluate(() => {
        window.whenIdle = [];
        window.askedForIdle = window.requestIdleCallback.bind(window);
        window.requestIdleCallback = (then) => window.whenIdle.push(then);
      });
      await page.getByTestId("new-conversation").click();
      await expect(page.getByTestId("welcome")).toBeVisible();
      await page.getByTestId("conversation-item").filter({ hasText: "Conversation 0" }).click();
      await expect(prompts(page).last()).toContainText("prompt 249");
      const drawn = log.locator("[data-row]");
      expect(await drawn.count()).toBeLessThan(50);
      const read = await log.evaluate(
        (box, top) => {
          box.scrollTop = top;
          const edge = box.getBoundingClientRect().top;
          const row = [...box.querySelectorAll<HTMLElement>("[data-row]")].find(
            (one) => one.getBoundingClientRect().top >= edge,
          );
          return { key: row?.dataset.row ?? "", top: row?.getBoundingClientRect().top ?? 0 };
        },
        where === "near the start" ? 200 : 0,
      );
      // Near the start more is drawn at once; the rest when the window has nothing else to do.
      const moves: number[] = [];
      await expect
        .poll(async () => {
          await page.evaluate(async () => {
            for (const then of window.whenIdle.splice(0)) then({ didTimeout: true, timeRemaining: () => 0 });
            for (let frame = 0; frame < 3; frame++) await new Promise(requestAnimationFrame);
          });
          const top = await log.evaluate(
            (box, key) => box.querySelector(`[data-row="${key}"]`)?.getBoundingClientRect().top ?? 0,
            read.key,
          );
          moves.push(Math.abs(top - read.top));
          return await log.locator("[data-key]").count();
        })
        .toBe(100);
      expect(Math.max(...moves)).toBeLessThan(4);
      await page.evaluate(() => {
        window.requestIdleCallback = window.askedForIdle;
      });
      await log.evaluate((box) => box.scrollTo(0, box.scrollHeight));
    });
    const samples = await watchTranscript(page);
    if (from > 0) await scrollTo(log, from);
    // The first row in sight, which no height of a row above it moves.
    // Read in the frame in which the scroll begins: the page that it asks for cannot be there yet.
    const before = await log.evaluate((box, top) => {
      box.scrollTop = top;
      const edge = box.getBoundingClientRect().top;
      const read = [...box.querySelectorAll('[data-testid="message-user"]')].find(
        (one) => one.getBoundingClientRect().top >= edge,
      );
      return { text: read?.textContent ?? "", top: read?.getBoundingClientRect().top ?? 0 };
    }, away);
    await expect.poll(() => log.locator("[data-key]").count()).toBeGreaterThan(100);
    const top = await log.evaluate(
      (box, text) =>
        [...box.querySelectorAll('[data-testid="message-user"]')]
          .find((one) => one.textContent === text)
          ?.getBoundingClientRect().top ?? 0,
      before.text,
    );
    expect(Math.abs(top - before.top)).toBeLessThan(4);
    expect(faultsOf(await samples())).toEqual([]);
  });
}
