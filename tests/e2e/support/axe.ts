import { AxeBuilder } from "@axe-core/playwright";
import type { Page } from "playwright/test";
import { expect } from "./test.ts";

const standards = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

/** Every rule of axe-core in the light look, and again those about colours in the dark one. */
export async function expectNoViolations(page: Page, state: string): Promise<void> {
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    await page.evaluate(async () => {
      const fades = document.getAnimations().filter((one) => one.effect?.getTiming().iterations === 1);
      await Promise.allSettled(fades.map((fade) => fade.finished));
    });
    // A page of Electron's has no browser that opens another one for the report. A label that is scrolled out of sight with its field
    // counts as none for `label-title-only`; the rules `label` and `select-name` look at the names.
    const axe = new AxeBuilder({ page }).setLegacyMode().disableRules("label-title-only");
    const { violations } = await (colorScheme === "light"
      ? axe.withTags(standards)
      : axe.withRules("color-contrast")
    ).analyze();
    const found = violations.flatMap(({ id, nodes }) =>
      nodes.map(({ html, failureSummary }) => `${id}: ${html}\n${failureSummary}`),
    );
    expect.soft(found, `${state}, ${colorScheme}`).toEqual([]);
  }
}
