import type { Page } from "playwright/test";
import { messageLostOrDoubled } from "../../../scripts/test/grave.mjs";

declare global {
  interface Window {
    transcriptSamples: string[][];
    transcriptFaults?: string[];
  }
}

/** What the transcript showed at one moment: the keys of its messages, from top to bottom. */
type Sample = string[];

/**
 * Watches the transcript from now on, at every change of the page.
 * @returns a function that gives every state seen in between, so that a message that was shown twice for a
 * moment, or out of order, is found
 */
export async function watchTranscript(page: Page): Promise<() => Promise<Sample[]>> {
  await page.evaluate(() => {
    const samples: string[][] = [];
    const look = () => {
      const keys = [...document.querySelectorAll('[data-testid="transcript"] [data-key]')].map(
        (element) => element.getAttribute("data-key") ?? "",
      );
      const last = samples.at(-1);
      if (!last || last.join() !== keys.join()) samples.push(keys);
    };
    look();
    new MutationObserver(look).observe(document.body, { childList: true, subtree: true });
    window.transcriptSamples = samples;
  });
  return () => page.evaluate(() => window.transcriptSamples);
}

/**
 * Watches a window's transcript as long as its page is there: at no moment a message is shown twice, and none changes
 * places with another.
 */
export async function watchFaults(page: Page): Promise<void> {
  await page.evaluate(() => {
    const faults: string[] = [];
    let last: string[] = [];
    const look = () => {
      const keys = [...document.querySelectorAll('[data-testid="transcript"] [data-key]')].map(
        (element) => element.getAttribute("data-key") ?? "",
      );
      const now = new Set(keys);
      const before = new Set(last);
      if (now.size !== keys.length) faults.push(`shown twice: ${keys.join(" ")}`);
      const stayed = last.filter((key) => now.has(key)).join(" ");
      const stays = keys.filter((key) => before.has(key)).join(" ");
      if (now.size === keys.length && stayed !== stays)
        faults.push(`out of order: ${stayed} became ${stays}`);
      last = [...now];
    };
    look();
    new MutationObserver(look).observe(document.body, { childList: true, subtree: true });
    window.transcriptFaults = faults;
  });
}

/** What was seen; nothing of a page that is gone, or was loaded again. */
export async function faultsSeen(page: Page): Promise<string[]> {
  const seen = await page.evaluate(() => window.transcriptFaults ?? []).catch(() => []);
  return seen.map((fault) => `${messageLostOrDoubled}: ${fault}`);
}

/** The faults of a series of samples, in words; none when each message was shown once, in one lasting order. */
export function faultsOf(samples: Sample[]): string[] {
  const faults: string[] = [];
  const final = samples.at(-1) ?? [];
  for (const sample of samples) {
    if (new Set(sample).size !== sample.length)
      faults.push(`${messageLostOrDoubled}: shown twice: ${sample.join(" ")}`);
    const kept = sample.filter((key) => final.includes(key));
    const expected = final.filter((key) => sample.includes(key));
    if (kept.join() !== expected.join())
      faults.push(`${messageLostOrDoubled}: out of order: ${sample.join(" ")}`);
  }
  return faults;
}
