import type { Locator, Page } from "playwright/test";
import { createModelServer, type ModelServer } from "../../fakes/model-server/model-server.ts";
import { endLeftApps, keepEvidence } from "./evidence.ts";
import { expect } from "./expect.ts";
import { type LaunchOptions, launchParley, type Parley } from "./launch.ts";
import { test as base } from "./machine/desktop.ts";
import { faultsSeen, watchFaults } from "./oracle.ts";

export { expect } from "./expect.ts";

interface Fixtures {
  /** Keeps what a failed test leaves, and ends the apps that it did not. */
  evidence: undefined;
  /** The model API's far side; a request that breaks the API's rules fails the test. */
  model: ModelServer;
  /** Starts Parley; it is closed after the test. */
  start(options?: LaunchOptions): Promise<Parley>;
  /** Starts Parley with a key for the fake model. */
  startWithModel(options?: LaunchOptions): Promise<Parley>;
}

export const test = base.extend<Fixtures>({
  evidence: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright wants the pattern
    async ({}, use, info) => {
      await use(undefined);
      await keepEvidence(info);
      endLeftApps();
    },
    { auto: true },
  ],
  // biome-ignore lint/correctness/noEmptyPattern: Playwright wants the pattern
  model: async ({}, use) => {
    const model = await createModelServer();
    await use(model);
    await model.close();
  },
  // biome-ignore lint/correctness/noEmptyPattern: Playwright wants the pattern
  start: async ({}, use, info) => {
    const running: Parley[] = [];
    const complaints: string[] = [];
    await use(async (options = {}) => {
      // Whatever model server the developer's computer runs stays out of it.
      const settings = { provider: "offline", ...options.settings };
      const parley = await launchParley({ ...options, settings });
      running.push(parley);
      for (const page of parley.app.windows()) collectComplaints(page, complaints);
      parley.app.on("window", (page) => collectComplaints(page, complaints));
      await parley.page.getByTestId("composer").waitFor();
      await watchFaults(parley.page);
      return parley;
    });
    // While they still show what went wrong.
    await keepEvidence(info);
    const faults = await Promise.all(running.map(({ page }) => faultsSeen(page)));
    await Promise.all(running.map((parley) => parley.close()));
    expect(faults.flat()).toEqual([]);
    // A refused style, an exception in a page: nobody sees it, so the test must.
    expect(complaints).toEqual([]);
  },
  startWithModel: async ({ start, model }, use) => {
    await use((options = {}) =>
      start({
        ...options,
        settings: { provider: "anthropic", ...options.settings },
        env: { ANTHROPIC_BASE_URL: model.url, ANTHROPIC_API_KEY: "test-key", ...options.env },
      }),
    );
  },
});

/** Chromium's word when a test takes every sound device away. */
const deviceGone = "The AudioContext encountered an error from the audio device";

function collectComplaints(page: Page, into: string[]): void {
  page.on("pageerror", (error) => into.push(`${page.url()}: ${error.message}`));
  page.on("console", (message) => {
    if (message.type() !== "error" || message.text().includes(deviceGone)) return;
    into.push(`${page.url()}: ${message.text()}`);
  });
}

/** Types a prompt or a command and sends it. */
export async function send(page: Page, text: string): Promise<void> {
  await page.getByTestId("composer").fill(text);
  await page.getByTestId("composer").press("Enter");
}

/**
 * Presses a button of a card that waits, once the card stands still in sight: a press right after it came or moved counts
 * for nothing.
 */
export async function press(button: Locator): Promise<void> {
  await button.scrollIntoViewIfNeeded();
  // A scroll is told with the next picture.
  await button.evaluate(
    () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
  );
  await expect(button.locator("xpath=ancestor::*[@data-fresh]")).toHaveCount(0);
  await button.click();
}

/** The cards that wait stand still, and are this many: what is pressed from here on counts. */
export async function cardsStand(page: Page, count = 1): Promise<void> {
  const cards = page.locator("[data-waits]");
  await expect(cards).toHaveCount(count);
  await expect(page.locator('[data-testid="approval"][data-status="waiting"]')).toHaveCount(count);
  await page.evaluate(
    (count) =>
      new Promise<void>((resolve) => {
        let still = 0;
        // A move is told with the next picture.
        const look = () => {
          const isStill =
            document.querySelectorAll("[data-waits]").length === count &&
            document.querySelector("[data-waits][data-fresh]") === null;
          still = isStill ? still + 1 : 0;
          if (still > 3) resolve();
          else requestAnimationFrame(look);
        };
        look();
      }),
    count,
  );
}

/** The finished replies, in order. */
export const replies = (page: Page) =>
  page.locator('[data-testid="message-assistant"][data-streaming="false"]');

export const voiceState = (page: Page, state: string) =>
  page.locator(`[data-testid="voice-state"][data-state="${state}"]`);
