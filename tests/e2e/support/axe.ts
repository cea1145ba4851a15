import axe, { type RunOptions } from "axe-core";
import type { Page } from "playwright/test";
import { expect } from "./test.ts";

const standards = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

/** Every rule of axe-core in the light look, and again those about colours in the dark one. */
export async function expectNoViolations(page: Page, state: string): Promise<void> {
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    const rules = colorScheme === "light" ? standards : "color-contrast";
    await faded(page);
    let found = await violations(page, rules);
    if (found.length > 0) {
      // A button may have begun to fade in while axe looked at it.
      await faded(page);
      found = await violations(page, rules);
    }
    expect.soft(found, `${state}, ${colorScheme}`).toEqual([]);
  }
}

async function faded(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const fades = document.getAnimations().filter((one) => one.effect?.getTiming().iterations === 1);
    await Promise.allSettled(fades.map((fade) => fade.finished));
  });
}

/** @param rules those of these tags, or one */
async function violations(page: Page, rules: string | string[]): Promise<string[]> {
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(axe.source);
  const options: RunOptions = {
    runOnly: Array.isArray(rules) ? { type: "tag", values: rules } : { type: "rule", values: [rules] },
    // A label that is scrolled out of sight with its field counts as none for it; the rules `label` and `select-name` look at the
    // names.
    rules: { "label-title-only": { enabled: false } },
    // What passes is made up for nobody.
    resultTypes: ["violations"],
    selectors: false,
  };
  return await page.evaluate(async (options) => {
    const { violations } = await window.axe.run(document, options);
    return violations.flatMap(({ id, nodes }) =>
      nodes.map(({ html, failureSummary }) => `${id}: ${html}\n${failureSummary}`),
    );
  }, options);
}

declare global {
  interface Window {
    axe: typeof axe;
  }
}
